/**
 * How the emulator answers where the spec leaves it open ("not shown"), so that a reader can be tested against each way.
 * The first value of every list is the default.
 */
export const specOptionValues = {
  /** Success status of DELETE operations of the routing service. */
  deleteStatus: ['204', '200', '202'],
  /** Status of a validation failure. */
  validationStatus: ['400', '409', '422'],
  /** Shape of the public key: PEM; the 32 bytes raw or as text; SPKI as base64; a JSON Web Key; JSON that holds one of them. */
  publicKey: ['pem', 'raw', 'base64', 'base64url', 'hex', 'spki', 'jwk', 'json'],
  /** Encoding of a callback's signature. */
  signature: ['base64', 'base64url', 'hex'],
  /** Presigned address as plain text or as a JSON string. */
  presign: ['text', 'json'],
  /** `stop` of a route-based callback: an object, its number, or its name. */
  callbackStop: ['object', 'number', 'name'],
  /** Which fields of a person are answered: the common ones, or also those that "some responses add". */
  personFields: ['common', 'extended'],
} as const

/** One choice for each open point. */
export type SpecOptions = {
  -readonly [Name in keyof typeof specOptionValues]: (typeof specOptionValues)[Name][number]
}

/** The default of each open point. */
export function defaultSpecOptions(): SpecOptions {
  return Object.fromEntries(
    Object.entries(specOptionValues).map(([name, [first]]) => [name, first]),
  ) as SpecOptions
}
