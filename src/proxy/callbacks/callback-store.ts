import type { Hint } from '../changes/bus.ts'
import type { LockStore } from '../locks/lock-store.ts'

/** A verified callback that has not taken effect yet. */
export interface StoredCallback {
  /** SHA-256 of the body, as 64 hex digits. Callbacks have no id of their own. */
  readonly id: string
  /** The bytes that the service has signed. */
  readonly body: Uint8Array<ArrayBuffer>
  /** Id of the form that the callback names. */
  readonly formId: number
  /** Id of the package that the callback names. */
  readonly packageId: number
  /** Place in the order of arrival. */
  readonly sequence: number
  /** Time of arrival in ms since 1970. */
  readonly receivedAt: number
  /** The attempts that have failed so far. */
  readonly progress: CallbackProgress
}

/** The attempts that have failed so far. */
export interface CallbackProgress {
  /** Number of failed attempts. */
  readonly attempts: number
  /** Time of the next attempt, in ms since 1970. Null for a dead letter, which is not tried again. */
  readonly dueAt: number | null
  /** Why the last attempt failed. */
  readonly lastError: string | null
}

/** A callback whose signature cannot be verified yet. */
export interface UnverifiedCallback {
  /** The bytes that the service has signed. */
  readonly body: Uint8Array<ArrayBuffer>
  /** The signature of the body. */
  readonly signature: Uint8Array<ArrayBuffer>
}

/** Keeps callbacks while the key of the service is not known. Anyone can send them, so their number is limited elsewhere. */
export interface UnverifiedStore {
  /** Resolves when the callback is safe. Rejects if it could not be stored. */
  readonly add: (callback: UnverifiedCallback) => Promise<void>
  /** Removes a callback. */
  readonly remove: (callback: UnverifiedCallback) => Promise<void>
  /** Returns all callbacks. */
  readonly list: () => Promise<readonly UnverifiedCallback[]>
}

/** Keeps verified callbacks until they have taken effect, and dead letters until they are sent again. */
export interface CallbackStore {
  /** Whether the callbacks survive the end of the process. */
  readonly isDurable: boolean
  /**
   * Stores a callback and resolves to true when it is safe. Resolves to false if a callback with this id is stored already,
   * or was stored in the last seven days; a dead letter is replaced. Two calls with the same id never both resolve to true.
   * Rejects if the callback could not be stored.
   */
  readonly add: (callback: StoredCallback) => Promise<boolean>
  /** Records a failed attempt. */
  readonly update: (id: string, progress: CallbackProgress) => Promise<void>
  /** Removes a callback that has taken effect. Its id is remembered for seven days. */
  readonly finish: (id: string) => Promise<void>
  /** Returns a callback. */
  readonly read: (id: string) => Promise<StoredCallback | undefined>
  /** Returns all callbacks, including dead letters, without their bodies and in the order of arrival. */
  readonly list: () => Promise<readonly Omit<StoredCallback, 'body'>[]>
  /** When the oldest arrived that is not a dead letter, in ms since 1970, and the number of dead letters. Default: see `list()`. */
  readonly waiting?: () => Promise<WaitingCallbacks>
  /** Rejects if nothing can be stored at the moment. Default: that is not known. */
  readonly check?: () => Promise<void>
  /** Keeps callbacks that cannot be verified yet. Default: they wait in memory. */
  readonly unverified?: UnverifiedStore
  /** Keeps the open locks. Default: in memory, so that they are forgotten when the process ends. */
  readonly locks?: LockStore
  /** Hands out the callbacks to several processes. Default: the store belongs to one process, which handles all. */
  readonly sharing?: CallbackSharing
}

/** The callbacks of a store that have not taken effect. */
export interface WaitingCallbacks {
  /** When the oldest arrived that is not a dead letter, in ms since 1970; undefined if there is none. */
  readonly oldest: number | undefined
  /** Number of dead letters. */
  readonly dead: number
}

/** Hands out the callbacks of a store to the processes that share it, those of a package in order. */
export interface CallbackSharing {
  /** Begins to hand out callbacks to this process. After `finish()`, and after `update()` with a dead letter, the next follows. */
  readonly start: (worker: CallbackWorker) => void
  /** Returns a callback unless another process handles it now, because this one seemed to have died. */
  readonly readOwn: (id: string) => Promise<StoredCallback | undefined>
  /** See `CallbackInbox`. */
  readonly replay: (id: string) => Promise<boolean>
  /** Hands out no callbacks to this process any more, except those that follow in the packages that it handles. */
  readonly stop: () => void
}

/** A callback that has arrived. Without a body, another process has handled it already. */
type ArrivedCallback = Pick<StoredCallback, 'id' | 'formId' | 'packageId'> & Partial<StoredCallback>

/** How a process handles the callbacks that it is handed. */
export interface CallbackWorker {
  /** A callback has arrived in any of the processes. Only one of them is notified, unless that one dies. */
  readonly onArrival: (callback: ArrivedCallback) => void
  /** It is the turn of a callback, which this process handles. */
  readonly onTurn: (callback: Omit<StoredCallback, 'body'>) => void
  /** Somebody wants the next attempt of a package now. */
  readonly onWake: (hint: Hint) => void
}

/** Time for which the id of a callback is remembered, in seconds: seven days. */
export const memorySeconds = 7 * 24 * 60 * 60

/** Options of `createMemoryCallbackStore()`. */
export interface MemoryStoreOptions {
  /** Returns the time in ms since 1970. Default `Date.now`. */
  readonly now?: () => number
  /** Maximum size of all bodies together, in bytes. Further callbacks are not stored. Default 64 MB. */
  readonly maxSize?: number
}

/** Creates a store in memory. Its callbacks are lost when the process ends. */
export function createMemoryCallbackStore({
  now = Date.now,
  maxSize = 64 * 1024 * 1024,
}: MemoryStoreOptions = {}): CallbackStore {
  const callbacks = new Map<string, StoredCallback>()
  const remembered = createDedupeStore({ now })
  /** In bytes. */
  let size = 0

  function remove(id: string): void {
    size -= callbacks.get(id)?.body.length ?? 0
    callbacks.delete(id)
  }

  return {
    isDurable: false,
    async add(callback) {
      const { id, body } = callback
      const known = callbacks.get(id)
      if (known && known.progress.dueAt !== null) return false
      if (!known && size + body.length > maxSize)
        throw new Error(`More than ${maxSize} bytes of callbacks wait`)
      if (!known && !(await remembered.isFirst(id, memorySeconds))) return false
      remove(id)
      callbacks.set(id, callback)
      size += body.length
      return true
    },
    update(id, progress) {
      const known = callbacks.get(id)
      if (known) callbacks.set(id, { ...known, progress })
      return Promise.resolve()
    },
    finish: (id) => Promise.resolve(remove(id)),
    read: (id) => Promise.resolve(callbacks.get(id)),
    list: () => Promise.resolve([...callbacks.values()].sort((a, b) => a.sequence - b.sequence)),
  }
}

/** Remembers ids, so that each callback has one effect. */
interface DedupeStore {
  /** Resolves to whether the id is new, and remembers it for a number of seconds. Both are one atomic step. */
  readonly isFirst: (id: string, seconds: number) => Promise<boolean>
}

/** Creates an empty store. If there are more than 100,000 ids, about 20 MB, the oldest is forgotten early. */
function createDedupeStore({ now }: { readonly now: () => number }): DedupeStore {
  /** The time at which each id expires, oldest id first. */
  const expiries = new Map<string, number>()

  return {
    isFirst(id, seconds) {
      if ((expiries.get(id) ?? -Infinity) > now()) return Promise.resolve(false)
      // Deleted first, so that the id moves to the end of the order.
      expiries.delete(id)
      expiries.set(id, now() + seconds * 1000)
      for (const [old, expiry] of expiries) {
        if (expiry > now() && expiries.size <= 100_000) break
        expiries.delete(old)
      }
      return Promise.resolve(true)
    },
  }
}
