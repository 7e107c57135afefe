import { ProxyError } from '../http/problem.ts'

/** The reasons for which the proxy refuses a file or its metadata. See `refusals`. */
export const fileRefusals = {
  malformedUpload: (cause?: unknown) =>
    new ProxyError(
      400,
      'Send multipart/form-data with one "file" part. A "meta" or "description" part, if any, comes before it.',
      { cause },
    ),
  fileTooLarge: (maxFileSize: number) =>
    new ProxyError(413, `The file is larger than ${describeLimit(maxFileSize)}. Choose a smaller file.`),

  // Its content.
  emptyFile: () => new ProxyError(422, 'The file is empty. Choose another file.', { code: 'emptyFile' }),
  extensionNotAllowed: (extensions: readonly string[]) =>
    new ProxyError(
      415,
      `Files of this type cannot be uploaded here. Choose a file of one of these types: ${extensions.join(', ')}.`,
      { code: 'extensionNotAllowed', types: extensions.join(', ') },
    ),
  pdfRequired: () =>
    new ProxyError(415, 'This type of attachment has to be a PDF. Choose a PDF file.', {
      code: 'pdfRequired',
    }),
  hiddenProgram: () =>
    new ProxyError(415, 'The file is a program with another file extension. Choose another file.', {
      code: 'hiddenProgram',
    }),
  passwordProtected: () =>
    new ProxyError(
      415,
      'The file cannot be read. If it has a password, remove the password and choose the file again.',
      { code: 'passwordProtected' },
    ),
  contentMismatch: () =>
    new ProxyError(
      415,
      'The content of the file does not match its name. Save it in the format of its name, or rename it, and choose it again.',
      { code: 'contentMismatch' },
    ),
  harmfulContent: (finding: string | undefined) =>
    new ProxyError(422, 'The scanner found harmful content in the file. Choose another file.', {
      cause: finding,
      code: 'harmfulContent',
    }),
  scanFailed: (cause: unknown) =>
    new ProxyError(503, 'The file could not be checked for harmful content. Try again later.', { cause }),

  // Its metadata.
  extensionChanged: (extension: string) =>
    new ProxyError(
      422,
      `The extension of a file cannot be changed. Choose a name that ends with ".${extension}".`,
    ),
  reservedKey: (prefix: string) =>
    new ProxyError(422, `Metadata keys that begin with "${prefix}" are reserved. Choose another key.`),
  invalidExpiration: (maxSeconds: number) =>
    new ProxyError(
      422,
      `This site does not keep files for that time. Choose an expiration of 1 to ${maxSeconds} seconds.`,
    ),
} as const satisfies Readonly<Record<string, (...facts: never[]) => ProxyError>>

function describeLimit(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${Math.floor(bytes / (1024 * 1024))} MB` : `${bytes} bytes`
}
