import { type ByteText } from '../../contract/values/byte-text.ts'
import { verificationHeader } from '../../contract/schemas/callbacks.ts'
import { ProxyError } from '../http/problem.ts'

/** The reasons for which the proxy refuses a callback. Operators of the service read the texts. See `refusals`. */
export const callbackRefusals = {
  encodedBody: () =>
    new ProxyError(
      415,
      'The body is compressed. Send it without Content-Encoding, exactly as it was signed.',
    ),
  bodyTooLarge: (limit: number) =>
    new ProxyError(413, `The body is larger than ${limit} bytes. Send less entry data.`),
  interrupted: (cause: unknown) =>
    new ProxyError(400, 'The request was interrupted. Send it again.', { cause }),
  /** `found` is the encoding of the header, if it is another one that the spec allows. */
  invalidSignature: (encoding: ByteText, found: ByteText | undefined) =>
    new ProxyError(
      401,
      `The header ${verificationHeader} must hold one Ed25519 signature, encoded as ${encoding}${
        found ? `, but it is encoded as ${found}` : ''
      }.`,
    ),
  signatureMismatch: () =>
    new ProxyError(
      401,
      'The signature does not match this body and the public key of the service. Sign the exact bytes that are sent.',
    ),
  notCallback: () =>
    new ProxyError(
      400,
      'The signature is valid, but the body is not a callback. Send a callback as the service documents it.',
    ),
  notStored: (cause: unknown) =>
    new ProxyError(503, 'The callback could not be stored, so it has no effect. Send it again later.', {
      cause,
    }),
  tooManyBodies: () => new ProxyError(503, 'Too many callbacks arrive at once. Send it again later.'),
  tooManyPending: () =>
    new ProxyError(503, 'Too many callbacks wait for the public key of the service. Send it again later.'),
} as const satisfies Readonly<Record<string, (...facts: never[]) => ProxyError>>
