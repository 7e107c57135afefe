import type { Log } from '../log.ts'
import type { CallbackKey, SignedBody, Verification } from './callback-key.ts'

export interface PendingCallbacksOptions {
  readonly key: Pick<CallbackKey, 'verify' | 'refresh' | 'refreshDelay'>
  /** Maximum number of callbacks. */
  readonly maxCount: number
  /** Maximum size of all bodies together, in bytes. */
  readonly maxSize: number
  /** Called when the verification of a callback is certain. */
  readonly onDecided: (signed: SignedBody, verification: Exclude<Verification, 'unknown'>) => void
  readonly log: Log
}

/** Callbacks whose signature can be verified only with the next key of the service. */
export interface PendingCallbacks {
  /** Adds a callback and schedules a request for the key. Returns false if the queue is full, or after `close()`. */
  readonly add: (signed: SignedBody) => boolean
  /** Verifies all callbacks again with the key that has just arrived. */
  readonly verifyAll: () => Promise<void>
  /** Discards all callbacks and the timer. */
  readonly close: () => void
}

/** Creates an empty queue. It requests the key as soon as the cooldown allows, for as long as callbacks are pending. */
export function createPendingCallbacks({
  key,
  maxCount,
  maxSize,
  onDecided,
  log,
}: PendingCallbacksOptions): PendingCallbacks {
  let pending: SignedBody[] = []
  /** In bytes. */
  let size = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let isClosed = false

  function schedule(): void {
    if (timer !== undefined || pending.length === 0) return
    timer = setTimeout(() => {
      timer = undefined
      void key.refresh()
      schedule()
    }, key.refreshDelay())
  }

  function takeAll(): readonly SignedBody[] {
    const batch = pending
    pending = []
    size = 0
    return batch
  }

  function keep(signed: SignedBody): void {
    pending.push(signed)
    size += signed.body.length
  }

  return {
    add(signed) {
      if (isClosed || pending.length >= maxCount || size + signed.body.length > maxSize) return false
      keep(signed)
      schedule()
      return true
    },

    async verifyAll() {
      for (const signed of takeAll()) {
        const verification = await key.verify(signed)
        if (isClosed) return
        // It arrived after the request for this key had started, so only the next key decides.
        if (verification === 'unknown') keep(signed)
        else onDecided(signed, verification)
      }
      if (pending.length > 0) return schedule()
      clearTimeout(timer)
      timer = undefined
    },

    close() {
      isClosed = true
      clearTimeout(timer)
      if (pending.length > 0) {
        log('warn', 'Pending callbacks are discarded because the proxy closes', { count: pending.length })
      }
      takeAll()
    },
  }
}
