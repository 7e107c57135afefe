// The reasons for which the proxy refuses a file. No script for pages contains these, because the proxy sends them in English.

export const refusals = {
  emptyFile: 'The file is empty. Choose another file.',
  /** `types` names file name extensions. */
  extensionNotAllowed:
    'Files of this type cannot be uploaded here. Choose a file of one of these types: {types}.',
  pdfRequired: 'This type of attachment has to be a PDF. Choose a PDF file.',
  hiddenProgram: 'The file is a program with another file extension. Choose another file.',
  passwordProtected:
    'The file cannot be read. If it has a password, remove the password and choose the file again.',
  contentMismatch:
    'The content of the file does not match its name. Save it in the format of its name, or rename it, and choose it again.',
  harmfulContent: 'The scanner found harmful content in the file. Choose another file.',
} as const
