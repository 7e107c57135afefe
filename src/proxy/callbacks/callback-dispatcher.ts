import { encodeBytes } from '../../contract/byte-text.ts'
import { CallbackBody } from '../../contract/callbacks.ts'
import type { Environment } from '../../contract/values.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { DedupeStore } from './dedupe-store.ts'

export interface CallbackDispatcherOptions {
  /** Environment of the mount. Callbacks do not name theirs, so a repetition counts per environment. */
  readonly env: Environment
  /** Remembers the callbacks that have been dispatched. */
  readonly dedupeStore: DedupeStore
  /** Called once for each callback. If it throws, the error is logged and the callback may be dispatched again. */
  readonly onCallback: (callback: CallbackBody) => void | Promise<void>
  /** Called for each later callback with the same body. */
  readonly onRepeatedCallback?: (callback: CallbackBody) => void
  readonly log: Log
  readonly metrics: Pick<Metrics, 'count'> | undefined
}

/** Time for which a callback is remembered, in seconds: seven days. */
const memorySeconds = 7 * 24 * 60 * 60

/** Returns the callback in a body; undefined if the body holds none. */
export function parseCallback(body: Uint8Array): CallbackBody | undefined {
  try {
    // Invalid UTF-8 can only occur in entry data, which the proxy ignores.
    return CallbackBody.safeParse(JSON.parse(new TextDecoder().decode(body))).data
  } catch {
    return undefined
  }
}

/** Creates a function that runs `onCallback` once for each verified callback. Never rejects. */
export function createCallbackDispatcher({
  env,
  dedupeStore,
  onCallback,
  onRepeatedCallback,
  log,
  metrics,
}: CallbackDispatcherOptions): (body: Uint8Array<ArrayBuffer>, callback: CallbackBody) => Promise<void> {
  async function isFirst(name: string): Promise<boolean> {
    try {
      return await dedupeStore.isFirst(name, memorySeconds)
    } catch (error) {
      log('warn', 'The dedupe store failed, so a callback counts as new', { error: String(error) })
      return true
    }
  }

  return async (body, callback) => {
    const { formId, packageId, state } = callback
    // The digest comes first, so that the response is on its way before other code runs. It excludes the signature: a second
    // signature for the same body must not make another callback of it.
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', body))
    const name = `callback:${env}:${encodeBytes(digest, 'hex')}`
    if (!(await isFirst(name))) {
      metrics?.count('callback_repeated')
      onRepeatedCallback?.(callback)
      return
    }
    log('info', 'A callback has arrived', { formId, packageId, state })
    try {
      await onCallback(callback)
    } catch (error) {
      log('error', 'A callback could not be processed', { formId, packageId, state, error: String(error) })
      // If the service sends it again, it is processed again.
      await dedupeStore.forget(name).catch(() => {})
    }
  }
}
