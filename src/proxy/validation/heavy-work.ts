import type { DisconnectSignal } from '../http/connection.ts'
import { sanitizeHtml } from './html.ts'
import type { Log } from '../observe/log.ts'
import type { Json } from '../http/reply.ts'
import { readServiceResponse, type ResponseFacts } from './service-response.ts'
import { type BodyBytes, readValidBody, type ValidBody } from './valid-body.ts'

/** Whose turn a piece of work takes. The work does not begin if the person has disconnected. */
export interface Turn {
  /** The person; or any other name, for work of the application itself. */
  readonly holder: string
  readonly signal: DisconnectSignal
}

/** The body of a successful response of a service, in UTF-8. */
export interface ResponseBytes {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly facts: ResponseFacts
}

/** Work that keeps the processor busy for long. Bytes that are passed to it must not be used again. */
export interface HeavyWork {
  /** Does what `readValidBody` does. */
  readonly readBody: (turn: Turn, body: BodyBytes) => Promise<ValidBody>
  /** Does what `sanitizeHtml` does. */
  readonly sanitizeHtml: (turn: Turn, html: string) => Promise<string | undefined>
  /** Parses and validates a response. Throws `ProxyError`. */
  readonly readResponse: (turn: Turn, response: ResponseBytes, log: Log) => Promise<unknown>
  /** Does the same, and returns the value as JSON for the browser. */
  readonly readJson: (turn: Turn, response: ResponseBytes, log: Log) => Promise<Json>
}

/** Does heavy work at once. Other requests wait for it. */
export const workAtOnce: HeavyWork = {
  readBody: async (_, body) => await readValidBody(body),
  sanitizeHtml: (_, html) => Promise.resolve(sanitizeHtml(html)),
  readResponse: async (_, { bytes, facts }, log) => await readServiceResponse(bytes, facts, log),
  readJson: async (_, { bytes, facts }, log) => JSON.stringify(await readServiceResponse(bytes, facts, log)),
}
