import { replayedHeader } from '../../contract/values/headers.ts'
import type { DisconnectSignal } from '../http/connection.ts'
import type { Log } from '../observe/log.ts'
import { ProxyError, problemReply } from '../http/problem.ts'
import { refusals } from '../http/refusals.ts'
import type { Json, Reply } from '../http/reply.ts'
import { ServicePausedError } from '../upstream/send.ts'
import type { Outcome, OutcomeStore, StoredReply } from './outcome-store.ts'

/** A request that runs once. */
export interface OnceRequest {
  /** The person who sends it. */
  readonly owner: string
  /** The scope of the key besides the person, such as a mount and an operation. The same key in another scope is another key. */
  readonly scope: readonly string[]
  /** Value of `Idempotency-Key`. */
  readonly key: string
  /** Identifies the request apart from its body: method, path and size. */
  readonly head: string
  /** Returns the body, to compare it with that of an earlier request. Called only after a run of the same person. */
  readonly body: () => Promise<Json | undefined>
  /** If the body is an upload: its fingerprint, once it has been read to its end. */
  readonly upload?: {
    readonly known: () => string | undefined
    /** Reads an upload that nothing has read. Rejects with a `ProxyError`. */
    readonly read: () => Promise<string | undefined>
  }
  /** Whether anything may have been sent that could change something. */
  readonly mayHaveRun: () => boolean
  /** Id of the request in the log. */
  readonly requestId: string
  /** Fires if nobody waits for the reply any more. */
  readonly signal: DisconnectSignal
}

/** Carries out a request. Rejects with a `ProxyError` if it is refused, or if its outcome is not known. */
type Run = () => Promise<Reply>

/**
 * Runs a request once for each person, scope and key, and gives repetitions the reply of the first. Waits while the first
 * is running. A request that was refused before anything was sent may run again. One with an unknown outcome never does.
 * Throws `ProxyError`.
 */
export type RunOnce = (request: OnceRequest, run: Run) => Promise<Reply>

export interface RunOnceOptions {
  readonly store: OutcomeStore
  readonly log: Log
  /** Maximum time that a repetition waits for the first, in ms. Default 30 seconds. */
  readonly maxWait?: number
}

/** Maximum length of a reply that is stored, in characters. */
const maxReply = 1_000_000
/** Time between two polls of a request that is running, in ms. */
const interval = 100

/** Creates a function that carries out repeated requests once. */
export function createRunOnce({ store, log, maxWait = 30_000 }: RunOnceOptions): RunOnce {
  async function start(id: string, { owner, head, requestId }: OnceRequest): Promise<Outcome | undefined> {
    try {
      return await store.start(id, owner, head)
    } catch (cause) {
      log('error', 'It cannot be recorded that a request is running', { requestId, error: String(cause) })
      throw refusals.cannotRunOnce(cause)
    }
  }

  /** Runs the request, and records its outcome. */
  async function runFirst(id: string, request: OnceRequest, run: Run): Promise<Reply> {
    const { head, mayHaveRun, requestId } = request
    let reply: Reply
    try {
      reply = await run()
    } catch (error) {
      const isRefusal = error instanceof ProxyError && error.status < 500
      const isPaused = error instanceof Error && error.cause instanceof ServicePausedError
      const isUndone = isRefusal || isPaused || !mayHaveRun()
      if (error instanceof ProxyError) error.outcome = isUndone ? 'none' : 'unknown'
      // A reply of the service is final, and may be repeated.
      if (isRefusal && error.refusedBy === 'service' && mayHaveRun()) {
        reply = problemReply(error, requestId)
        await record(await done(reply as StoredReply))
      } else await record(isUndone ? undefined : { head, state: 'unknown' })
      throw error
    }
    if (isStorable(reply)) await record(await done(reply))
    else await record({ head, state: 'unknown' })
    return reply

    async function done(reply: StoredReply): Promise<Outcome> {
      const body = await fingerprint(request, false)
      return { head, state: 'done', reply, ...(body !== undefined && { body }) }
    }

    async function record(outcome: Outcome | undefined): Promise<void> {
      try {
        await (outcome ? store.finish(id, outcome) : store.forget(id))
      } catch (error) {
        log('error', 'The outcome of a request cannot be recorded', { requestId, error: String(error) })
      }
    }
  }

  /** Returns the outcome of the first request, when it is no longer running. */
  async function settled(id: string, known: Outcome, signal: DisconnectSignal): Promise<Outcome | undefined> {
    const end = performance.now() + maxWait
    let outcome: Outcome | undefined = known
    while (outcome?.state === 'running') {
      if (signal.aborted) throw refusals.interrupted()
      if (performance.now() > end) throw refusals.stillRunning()
      await new Promise((resolve) => setTimeout(resolve, interval))
      outcome = await store.read(id).catch((cause: unknown) => {
        throw refusals.cannotRunOnce(cause)
      })
    }
    return outcome
  }

  return async (given, run) => {
    // A head may be long, and what is stored of each request must not depend on what strangers write into headers.
    const request = { ...given, head: await hash(given.head) }
    const id = await hash(JSON.stringify([request.owner, ...request.scope, request.key]))
    for (;;) {
      const known = await start(id, request)
      if (!known) return await runFirst(id, request, run)
      if (known.head !== request.head) throw refusals.keyReused()
      const outcome = await settled(id, known, request.signal)
      // The first was refused before anything was sent.
      if (!outcome) continue
      if (!outcome.reply) throw refusals.outcomeUnknown()
      // An upload that was refused before its end has none.
      if (outcome.body !== undefined && outcome.body !== (await fingerprint(request, true)))
        throw refusals.keyReused()
      log('info', 'Repeated the reply of an earlier request', { requestId: request.requestId })
      const { reply } = outcome
      return { ...reply, headers: { ...reply.headers, [replayedHeader]: 'true' } }
    }
  }
}

function isStorable(reply: Reply): reply is StoredReply {
  return reply.body === null || (typeof reply.body === 'string' && reply.body.length <= maxReply)
}

/** Returns the fingerprint of a body. `isUnread`: nothing has read an upload yet. */
async function fingerprint({ body, upload }: OnceRequest, isUnread: boolean): Promise<string | undefined> {
  if (upload) return isUnread ? await upload.read() : upload.known()
  return await hash((await body()) ?? 'null')
}

async function hash(text: Json): Promise<string> {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
  const digest = await crypto.subtle.digest('SHA-256', bytes)
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
