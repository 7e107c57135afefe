import { encodeBytes } from '../../contract/values/byte-text.ts'
import { CallbackBody } from '../../contract/schemas/callbacks.ts'
import { type Hint, packageKey } from '../changes/bus.ts'
import type { Log } from '../observe/log.ts'
import type { Metrics } from '../observe/metrics.ts'
import { CallbackError } from './callback-error.ts'
import type { CallbackStore, StoredCallback } from './callback-store.ts'
import { createPackageQueues } from './package-queues.ts'
import { createSlots } from '../admission/slots.ts'

/** One attempt to process a callback. */
export interface CallbackDelivery {
  /** SHA-256 of the body, as 64 hex digits. If a callback is processed twice, both attempts have the same id. */
  readonly id: string
  /** Number of the attempt, from 1. */
  readonly attempt: number
  /** The bytes that the service has signed. */
  readonly body: Uint8Array<ArrayBuffer>
  /** Time of arrival, in ms since 1970. */
  readonly receivedAt: number
  /** Aborts when the time for the attempt is over, and when the proxy closes. */
  readonly signal: AbortSignal
}

export interface CallbackInboxOptions {
  readonly store: CallbackStore
  /**
   * Called for each callback after it has been stored, and again without a state after a restart. Of several processes, one is
   * called, without a state if another has handled the callback already. Never throws.
   */
  readonly onArrival?: (hint: Hint, state: string | undefined) => void
  /** Processes a callback. If it rejects or takes too long, it is called again later. Default: nothing has to be done. */
  readonly onCallback?:
    | ((callback: CallbackBody, delivery: CallbackDelivery) => void | Promise<void>)
    | undefined
  /** Called for each later callback with the same body. Default: these are ignored. */
  readonly onRepeatedCallback?: (hint: Hint) => void
  readonly log: Log
  readonly metrics?: Pick<Metrics, 'count'>
  /** Returns the time in ms since 1970. Default `Date.now`. */
  readonly now?: () => number
  /** Maximum time for one attempt, in ms. Default 30 seconds. */
  readonly timeout?: number
  /** Delays before the second and later attempts, in ms, each extended by up to a fifth. Default: 75 hours in total. */
  readonly delays?: readonly number[]
  /** Number of attempts at a time. Those that take longer than a second do not count. Default 16. */
  readonly maxRunning?: number
}

/** Verified callbacks, from their arrival until they have taken effect. */
export interface CallbackInbox {
  /**
   * Stores a callback; it takes effect later. Resolves when it is stored, or if one with the same body was stored before.
   * Rejects if it could not be stored.
   */
  readonly add: (body: Uint8Array<ArrayBuffer>, callback: CallbackBody) => Promise<void>
  /**
   * Processes a dead letter again, with all its attempts, or makes the next attempt of its package now. Resolves to false if
   * no callback with this id is stored.
   */
  readonly replay: (id: string) => Promise<boolean>
  /**
   * Waits for the attempts that are running or could run now, at most `timeout` ms. Then ends them; they do not count as failed.
   * Later attempts do not run in this process.
   * Callbacks that still arrive are handled as before; call this again to wait for them too.
   */
  readonly close: (timeout: number) => Promise<void>
}

/** A callback of the queue. Its body is only in the store. */
interface Item extends Hint {
  readonly id: string
  attempts: number
  dueAt: number
  /** Resolves when the response to the callback has left. Absent if no response is pending. */
  readonly responded?: Promise<void>
}

/** Returns the callback in a body; undefined if the body holds none. */
export function parseCallback(body: Uint8Array): CallbackBody | undefined {
  try {
    // Invalid UTF-8 can only occur in entry data, which the proxy ignores.
    return CallbackBody.safeParse(JSON.parse(new TextDecoder().decode(body))).data
  } catch {
    return undefined
  }
}

/**
 * Creates an inbox. Callbacks of one package are processed one after the other, in the order of their arrival; those of other
 * packages do not wait for them. Callbacks that an earlier process has left in the store come first. A callback whose last
 * attempt fails stays in the store as a dead letter, and the next callback of its package is processed.
 */
export function createCallbackInbox({
  store,
  onArrival = () => {},
  onCallback,
  onRepeatedCallback = () => {},
  log,
  metrics,
  now = Date.now,
  timeout = 30_000,
  delays = standardDelays,
  maxRunning = 16,
}: CallbackInboxOptions): CallbackInbox {
  const slots = createSlots({ total: maxRunning })
  const queues = createPackageQueues<Item>({ run, now })
  /** The callbacks of which an attempt runs or waits for a place. */
  const running = new Map<Item, AbortController>()
  /** Ids of dead letters that are being queued again. */
  const replaying = new Set<string>()
  let lastSequence = 0
  const { sharing } = store
  const restored = sharing ? Promise.resolve() : restore()
  sharing?.start({
    onArrival({ id, formId, packageId, body }) {
      announce({ id, formId, packageId }, body && parseCallback(body)?.state)
    },
    onTurn: enqueue,
    onWake: (hint) => queues.wake(packageKey(hint)),
  })

  /** Queues what an earlier process has left. */
  async function restore(): Promise<void> {
    try {
      for (const callback of await store.list()) {
        const { formId, packageId, sequence, progress } = callback
        lastSequence = Math.max(lastSequence, sequence)
        if (progress.dueAt === null) continue
        onArrival({ formId, packageId }, undefined)
        enqueue(callback)
      }
    } catch (error) {
      log('error', 'The callbacks of an earlier process could not be read', { error: String(error) })
    }
  }

  function enqueue(callback: Omit<StoredCallback, 'body'>, responded?: Promise<void>): void {
    const { id, formId, packageId, progress } = callback
    const { attempts, dueAt } = progress
    if (dueAt === null) return
    queues.add(packageKey(callback), {
      id,
      formId,
      packageId,
      attempts,
      dueAt,
      ...(responded && { responded }),
    })
  }

  function announce(
    { id, formId, packageId }: Hint & { readonly id: string },
    state: string | undefined,
  ): void {
    log('info', 'A callback has arrived', { callback: id, formId, packageId, state })
    onArrival({ formId, packageId }, state)
  }

  /** Lets the response to a callback leave before other code runs. */
  async function announceLater(callback: StoredCallback, state: string): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 0))
    announce(callback, state)
  }

  function repeat(hint: Hint): void {
    metrics?.count('callback_repeated')
    onRepeatedCallback(hint)
  }

  /** Makes one attempt. Resolves to whether the callback needs another one. Never rejects. */
  async function run(item: Item): Promise<boolean> {
    await item.responded
    const late = new AbortController()
    running.set(item, late)
    try {
      if (onCallback && !(await attempt(item, late, onCallback))) return false
    } catch (error) {
      // An attempt that `close()` has ended has not failed.
      return item.dueAt === never || (await recordFailure(item, error))
    } finally {
      running.delete(item)
    }
    await store.finish(item.id).catch((error: unknown) => {
      log('error', 'A callback has taken effect, but will be processed again after a restart', {
        ...factsOf(item),
        error: String(error),
      })
    })
    return false
  }

  /** Resolves to false if the callback has taken effect already, or another process handles it now. */
  async function attempt(
    { id, attempts }: Item,
    late: AbortController,
    process: NonNullable<CallbackInboxOptions['onCallback']>,
  ): Promise<boolean> {
    const release = await slots.take({ holder: '' })
    // A handler that takes long must not hold up those of other packages.
    const place = setTimeout(release, maxPlaceTime)
    const aborted = new Promise<never>((_, reject) => {
      late.signal.addEventListener('abort', () => reject(late.signal.reason as Error))
    })
    // It may reject while nothing waits for it: before the handler runs, and after it has thrown.
    aborted.catch(() => {})
    const reason = new DOMException(`The handler took longer than ${timeout} ms`, 'TimeoutError')
    const timer = setTimeout(() => late.abort(reason), timeout)
    try {
      late.signal.throwIfAborted()
      const stored = await (sharing?.readOwn ?? store.read)(id)
      const callback = stored && parseCallback(stored.body)
      if (!callback) return false
      late.signal.throwIfAborted()
      const { body, receivedAt } = stored
      const delivery = { id, attempt: attempts + 1, body, receivedAt, signal: late.signal }
      const processed = Promise.resolve(process(callback, delivery))
      await Promise.race([processed, aborted])
      return true
    } finally {
      clearTimeout(timer)
      clearTimeout(place)
      release()
    }
  }

  /** Returns whether another attempt follows. */
  async function recordFailure(item: Item, error: unknown): Promise<boolean> {
    const { isFinal, retryAfter } = error instanceof CallbackError ? error : { isFinal: false, retryAfter: 0 }
    const planned = isFinal ? undefined : delays[item.attempts]
    const delay = planned && Math.max(planned * (1 + Math.random() / 5), retryAfter)
    item.attempts += 1
    const lastError = String(error).slice(0, maxErrorLength)
    const facts = { ...factsOf(item), attempts: item.attempts, error: lastError }
    if (delay === undefined) {
      metrics?.count('callback_dead')
      log('error', 'A callback could not be processed and is now a dead letter', facts)
    } else {
      metrics?.count('callback_failed')
      item.dueAt = now() + delay
      log('error', 'A callback could not be processed and is tried again', {
        ...facts,
        inMs: Math.round(delay),
      })
    }
    const progress = { attempts: item.attempts, dueAt: delay === undefined ? null : item.dueAt, lastError }
    await store.update(item.id, progress).catch((cause: unknown) => {
      log('error', 'A failed attempt could not be recorded', { ...factsOf(item), error: String(cause) })
    })
    return delay !== undefined
  }

  return {
    async add(body, callback) {
      await restored
      const { formId, packageId, state } = callback
      // The digest excludes the signature: a second signature for the same body must not make another callback of it.
      const id = encodeBytes(new Uint8Array(await crypto.subtle.digest('SHA-256', body)), 'hex')
      const receivedAt = now()
      lastSequence = Math.max(receivedAt, lastSequence + 1)
      const progress = { attempts: 0, dueAt: receivedAt, lastError: null }
      const stored = { id, body, formId, packageId, sequence: lastSequence, receivedAt, progress }
      if (!(await store.add(stored))) return repeat({ formId, packageId })
      if (!sharing) enqueue(stored, announceLater(stored, state))
    },

    async replay(id) {
      if (sharing) return await sharing.replay(id)
      await restored
      const stored = await store.read(id)
      if (!stored) return false
      const { progress } = stored
      if (progress.dueAt !== null) {
        queues.wake(packageKey(stored))
      } else if (!replaying.has(id)) {
        replaying.add(id)
        try {
          const again = { ...progress, attempts: 0, dueAt: now() }
          await store.update(id, again)
          enqueue({ ...stored, progress: again })
        } finally {
          replaying.delete(id)
        }
      }
      return true
    },

    async close(limit) {
      sharing?.stop()
      const left = await queues.close(limit)
      for (const [item, late] of running) {
        item.dueAt = never
        late.abort(new DOMException('The proxy is closed', 'AbortError'))
      }
      if (left === 0) return
      const wait = sharing ? 'are left to another process' : 'wait for the next start'
      const text = store.isDurable ? wait : 'are lost because they are only in memory'
      log(store.isDurable ? 'info' : 'error', `Callbacks that have not taken effect ${text}`, { count: left })
    },
  }
}

/** A time that does not come in this process. */
const never = Infinity

function factsOf({ id, formId, packageId }: Item) {
  return { callback: id, formId, packageId }
}

const second = 1000
const minute = 60 * second
const hour = 60 * minute
/** The schedule that Standard Webhooks recommends. */
const standardDelays = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]
/** Time in ms after which an attempt that is still running lets others start. */
const maxPlaceTime = 1000
/** Maximum length of a recorded error, in characters. */
const maxErrorLength = 500
