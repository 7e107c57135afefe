import { browserOperations, type OperationForBrowsers } from '../contract/browser-operations.ts'
import { lockOperations } from './locks/lock-operations.ts'
import type { OperationRequest } from './operation-request.ts'
import { parseBody } from './parse-body.ts'
import type { DisconnectSignal } from './connection.ts'
import { sanitizeInPasses } from './html.ts'
import type { Log } from './log.ts'
import { refusals } from './refusals.ts'
import { readServiceResponse, type ResponseFacts, type RunPiece } from './upstream/service-response.ts'
import { createWorkQueue } from './work-queue.ts'

/** Whose turn a piece of work takes. The work does not begin if the person has disconnected. */
export interface Turn {
  /** The person; or any other name, for work of the application itself. */
  readonly holder: string
  readonly signal: Pick<DisconnectSignal, 'aborted'>
}

/** A JSON body of a request, as text. */
export interface BodyText {
  readonly text: string
  readonly name: OperationRequest['name']
  readonly version: string | undefined
}

/** A successful response of a service, as text. */
export interface ResponseText {
  readonly text: string
  readonly facts: ResponseFacts
}

/** Work that keeps the processor busy for long. People take turns. */
export interface HeavyWork {
  /** Parses and validates a body. Throws `ProxyError`. */
  readonly parseBody: (turn: Turn, body: BodyText) => Promise<unknown>
  /** Does what `sanitizeHtml` does. */
  readonly sanitizeHtml: (turn: Turn, html: string) => Promise<string | undefined>
  /** Parses and validates a response. Throws `ProxyError`. */
  readonly readResponse: (turn: Turn, response: ResponseText, log: Log) => Promise<unknown>
  /** Does the same, and returns the value as JSON for the browser. */
  readonly readJson: (turn: Turn, response: ResponseText, log: Log) => Promise<Json>
}

/** JSON text, or its bytes in UTF-8 if it is long. */
export type Json = string | Uint8Array<ArrayBuffer>

/** Does heavy work in this thread, in pieces between which other requests are handled. */
export function createWorkInPieces(): HeavyWork {
  const queue = createWorkQueue()

  function runner({ holder, signal }: Turn): <T>(piece: () => T) => Promise<T> {
    return (piece) =>
      queue.run(holder, () => {
        if (signal.aborted) throw refusals.interrupted()
        return piece()
      })
  }

  function readResponse(turn: Turn, { text, facts }: ResponseText, log: Log): Promise<unknown> {
    const run = runner(turn)
    return readServiceResponse(text, facts, log, {
      run,
      sanitize: (html) => sanitizeInPasses(html, run),
    })
  }

  return {
    parseBody: (turn, body) => runner(turn)(() => parseBodyText(body)),
    sanitizeHtml: (turn, html) => sanitizeInPasses(html, runner(turn)),
    readResponse,
    readJson: async (turn, response, log) =>
      await stringifyInPieces(await readResponse(turn, response, log), runner(turn)),
  }
}

/** Parses the body of an operation and validates it against the contract. Throws `ProxyError`. */
export function parseBodyText({ text, name, version }: BodyText): unknown {
  const operation: OperationForBrowsers = { ...browserOperations, ...lockOperations }[name]
  return parseBody(text, (version && operation.bodies?.[version]) || operation.body)
}

/** Number of rows of a list that are written at a time. */
const rowsPerPiece = 1000

/** Writes a value as JSON. `run` runs each piece of the work. */
async function stringifyInPieces(value: unknown, run: RunPiece): Promise<string> {
  if (!Array.isArray(value) || value.length <= rowsPerPiece) return await run(() => JSON.stringify(value))
  const pieces: string[] = []
  for (let at = 0; at < value.length; at += rowsPerPiece) {
    const rows = value.slice(at, at + rowsPerPiece)
    pieces.push(await run(() => JSON.stringify(rows).slice(1, -1)))
  }
  return `[${pieces.join(',')}]`
}
