import type { Log } from '../observe/log.ts'
import type { CallbackKey, SignedBody, Verification } from './callback-key.ts'
import type { UnverifiedStore } from './callback-store.ts'

export interface PendingCallbacksOptions {
  readonly key: Pick<CallbackKey, 'generation' | 'verify' | 'refresh' | 'refreshDelay'>
  /** Keeps the callbacks too. Those that an earlier process has left come first. Default: they are only in memory. */
  readonly store?: UnverifiedStore | undefined
  /** Maximum number of callbacks. */
  readonly maxCount: number
  /** Maximum size of all bodies together, in bytes. */
  readonly maxSize: number
  /** Called when the verification of a callback is certain. If it rejects, the callback stays in the store. */
  readonly onDecided: (signed: SignedBody, verification: Exclude<Verification, 'unknown'>) => Promise<void>
  readonly log: Log
}

/** Callbacks whose signature can be verified only with the next key of the service. */
interface PendingCallbacks {
  /**
   * Adds a callback and schedules a request for the key. Resolves to false if the queue is full, or after `close()`. Rejects if
   * the callback could not be stored.
   */
  readonly add: (signed: SignedBody) => Promise<boolean>
  /** Verifies all callbacks again with the key that has just arrived. */
  readonly verifyAll: () => Promise<void>
  /** Ends the timer. Callbacks that are not in a store are lost. */
  readonly close: () => void
}

/** Creates an empty queue. It requests the key as soon as the cooldown allows, for as long as callbacks are pending. */
export function createPendingCallbacks({
  key,
  store,
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

  function drop(signed: SignedBody): void {
    const index = pending.indexOf(signed)
    if (index === -1) return
    pending.splice(index, 1)
    size -= signed.body.length
  }

  function hasPlace({ body }: Pick<SignedBody, 'body'>): boolean {
    return !isClosed && pending.length < maxCount && size + body.length <= maxSize
  }

  async function decide(signed: SignedBody, verification: Exclude<Verification, 'unknown'>): Promise<void> {
    try {
      await onDecided(signed, verification)
      await store?.remove(signed)
    } catch (error) {
      const message = store
        ? 'A callback that waited for the public key has no effect before the next start'
        : 'A callback that waited for the public key is lost'
      log('error', message, { error: String(error) })
    }
  }

  /** Queues the callbacks that an earlier process has left. If there is no room for one, it waits for the next start. */
  async function restore(): Promise<void> {
    try {
      for (const left of (await store?.list()) ?? []) {
        // The next key that is requested decides.
        if (hasPlace(left)) keep({ ...left, generation: key.generation() })
      }
      schedule()
    } catch (error) {
      log('error', 'The unverified callbacks of an earlier process could not be read', {
        error: String(error),
      })
    }
  }
  void restore()

  return {
    async add(signed) {
      if (!hasPlace(signed)) return false
      // Its place is taken first: many may arrive while one is stored.
      keep(signed)
      try {
        await store?.add(signed)
      } catch (error) {
        drop(signed)
        throw error
      }
      schedule()
      return true
    },

    async verifyAll() {
      for (const signed of takeAll()) {
        const verification = await key.verify(signed)
        if (isClosed) return
        // It arrived after the request for this key had started, so only the next key decides.
        if (verification === 'unknown') keep(signed)
        else void decide(signed, verification)
      }
      if (pending.length > 0) return schedule()
      clearTimeout(timer)
      timer = undefined
    },

    close() {
      isClosed = true
      clearTimeout(timer)
      if (pending.length > 0 && !store) {
        log('warn', 'Pending callbacks are discarded because the proxy closes', { count: pending.length })
      }
      takeAll()
    },
  }
}
