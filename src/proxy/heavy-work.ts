import type { DisconnectSignal } from './connection.ts'
import { sanitizeInPasses } from './html.ts'
import type { Log } from './log.ts'
import { refusals } from './refusals.ts'
import type { Json } from './send.ts'
import { readServiceResponse, type ResponseFacts, type RunPiece } from './upstream/service-response.ts'
import { type BodyBytes, readValidBody, type ValidBody } from './valid-body.ts'
import { createWorkQueue } from './work-queue.ts'

/** Whose turn a piece of work takes. The work does not begin if the person has disconnected. */
export interface Turn {
  /** The person; or any other name, for work of the application itself. */
  readonly holder: string
  readonly signal: Pick<DisconnectSignal, 'aborted'>
}

/** The body of a successful response of a service, in UTF-8. */
export interface ResponseBytes {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly facts: ResponseFacts
}

/** Work that keeps the processor busy for long. People take turns. Bytes that are passed to it must not be used again. */
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

/**
 * Does heavy work in this thread, in pieces between which other requests are handled. `sanitizeElsewhere` cleans the HTML of
 * bodies; by default, that happens here too.
 */
export function createWorkInPieces(sanitizeElsewhere?: HeavyWork['sanitizeHtml']): HeavyWork {
  const queue = createWorkQueue()

  function runner({ holder, signal }: Turn): <T>(piece: () => T) => Promise<T> {
    return (piece) =>
      queue.run(holder, () => {
        if (signal.aborted) throw refusals.interrupted()
        return piece()
      })
  }

  function readResponse(turn: Turn, { bytes, facts }: ResponseBytes, log: Log): Promise<unknown> {
    const run = runner(turn)
    return readServiceResponse(bytes, facts, log, {
      run,
      sanitize: (html) => sanitizeInPasses(html, run),
    })
  }

  const sanitizeHere: HeavyWork['sanitizeHtml'] = (turn, html) => sanitizeInPasses(html, runner(turn))
  const sanitize = sanitizeElsewhere ?? sanitizeHere

  return {
    readBody: (turn, body) =>
      readValidBody(body, { run: runner(turn), sanitize: (html) => sanitize(turn, html) }),
    sanitizeHtml: sanitizeHere,
    readResponse,
    readJson: async (turn, response, log) =>
      await stringifyInPieces(await readResponse(turn, response, log), runner(turn)),
  }
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
