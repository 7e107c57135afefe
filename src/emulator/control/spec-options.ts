/**
 * Behaviours that the spec leaves open ("not shown"), with every value that the emulator supports, so that clients can be
 * tested against each of them. The first value of each list is the default.
 */
export const specOptionValues = {
  /** Success status of the routing service's DELETE operations. */
  deleteStatus: ['204', '200', '202'],
  /** Status of a validation failure. */
  validationStatus: ['400', '409', '422'],
  /** Format of the public key: PEM, the 32 bytes raw or as text, SPKI as base64, JSON Web Key, or a JSON object with the PEM. */
  publicKey: ['pem', 'raw', 'base64', 'base64url', 'hex', 'spki', 'jwk', 'json'],
  /** Encoding of callback signatures. */
  signature: ['base64', 'base64url', 'hex'],
  /** Whether a presigned URL is returned as plain text or as a JSON string. */
  presign: ['text', 'json'],
  /** `stop` of a route-based callback: an object, the stop number, or the stop name. */
  callbackStop: ['object', 'number', 'name'],
  /** Fields of a person: the common ones, or also those that "some responses add". */
  personFields: ['common', 'extended'],
  /** Whether the initiator can submit a DRAFT with PUT, or only in the service's own screens. */
  resubmit: ['refuse', 'accept'],
  /** Whether a removed package can be routed with PUT, or only re-initiated. */
  routeRemoved: ['accept', 'refuse'],
} as const

/** The chosen value of each option. */
export type SpecOptions = {
  -readonly [Name in keyof typeof specOptionValues]: (typeof specOptionValues)[Name][number]
}

/** Returns the default value of each option. */
export function defaultSpecOptions(): SpecOptions {
  return Object.fromEntries(
    Object.entries(specOptionValues).map(([name, [first]]) => [name, first]),
  ) as SpecOptions
}
