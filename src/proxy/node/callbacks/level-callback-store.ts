import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import {
  type CallbackStore,
  memorySeconds,
  type StoredCallback,
  type UnverifiedCallback,
  type UnverifiedStore,
} from '../../callbacks/callback-store.ts'
import { type Hint, packageKey } from '../../live/bus.ts'
import type { LockStore, StoredLock } from '../../locks/lock-store.ts'
import { fromBase64, toBase64 } from './base64.ts'

export interface LevelCallbackStoreOptions {
  /** Returns the time in ms since 1970. Default `Date.now`. */
  readonly now?: () => number
}

/** A callback store on disk. */
export interface LevelCallbackStore extends CallbackStore {
  readonly unverified: UnverifiedStore
  readonly locks: LockStore
  /** Waits for all operations and unlocks the directory. */
  readonly close: () => Promise<void>
}

/**
 * Opens a directory that keeps callbacks on disk, and creates it if it does not exist. Callbacks are flushed to the disk before
 * `add()` resolves, so they survive a loss of power. Rejects if another process uses the directory, or if it is not readable.
 */
export async function openCallbackStore(
  directory: string,
  { now = Date.now }: LevelCallbackStoreOptions = {},
): Promise<LevelCallbackStore> {
  // Loaded on demand, because only hosts with callbacks need it.
  const { ClassicLevel } = await import('classic-level')
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const level = new ClassicLevel(directory)
  await level.open()

  let waiting: Write[] = []
  let isWriting = false
  let isSound = true
  /** Calls of `add()` by id, so that two calls with the same id take turns. */
  const adding = new Map<string, Promise<boolean>>()

  /** Writes operations to the disk, together with those of other calls: one flush costs as much as a hundred. */
  function write(...operations: readonly Operation[]): Promise<void> {
    return new Promise((resolve, reject) => {
      waiting.push({ operations, resolve, reject })
      void writeAll()
    })
  }

  async function writeAll(): Promise<void> {
    if (isWriting) return
    isWriting = true
    while (waiting.length > 0) {
      const group = waiting
      waiting = []
      try {
        if (!isSound) await reopen()
        await level.batch(
          group.flatMap(({ operations }) => operations),
          { sync: true },
        )
        for (const { resolve } of group) resolve()
      } catch (error) {
        isSound = false
        for (const { reject } of group) reject(error)
      }
    }
    isWriting = false
  }

  /** After a failed write, such as on a full disk, the end of the log may be damaged: later entries would be lost with it. */
  async function reopen(): Promise<void> {
    await level.close()
    await level.open()
    isSound = true
  }

  async function addOnce(callback: StoredCallback): Promise<boolean> {
    const { id } = callback
    const known = await readEntry(id)
    if (known && known.progress.dueAt !== null) return false
    const finishedAt = await level.get(finishedPrefix + id)
    if (finishedAt !== undefined && !isOld(finishedAt)) return false
    await writeEntry({ ...callback, body: toBase64(callback.body) })
    return true
  }

  async function readEntry(id: string): Promise<Entry | undefined> {
    const text = await level.get(callbackPrefix + id)
    return text === undefined ? undefined : (JSON.parse(text) as Entry)
  }

  async function writeEntry(entry: Entry): Promise<void> {
    await write({ type: 'put', key: callbackPrefix + entry.id, value: JSON.stringify(entry) })
  }

  async function readLock(hint: Hint): Promise<StoredLock | undefined> {
    const text = await level.get(lockKey(hint))
    return text === undefined ? undefined : (JSON.parse(text) as StoredLock)
  }

  function isOld(finishedAt: string): boolean {
    return now() - Number(finishedAt) >= memorySeconds * 1000
  }

  /** Forgets the ids of callbacks that have taken effect more than seven days ago. */
  async function removeOld(): Promise<void> {
    for await (const [key, finishedAt] of level.iterator(rangeOf(finishedPrefix))) {
      if (isOld(finishedAt)) await write({ type: 'del', key })
    }
  }
  const cleaning = setInterval(() => void removeOld().catch(() => {}), cleaningInterval)
  cleaning.unref()
  await removeOld()

  return {
    isDurable: true,
    async add(callback) {
      const { id } = callback
      const earlier = adding.get(id)
      const added = (earlier ?? Promise.resolve()).catch(() => {}).then(() => addOnce(callback))
      adding.set(id, added)
      try {
        return await added
      } finally {
        if (adding.get(id) === added) adding.delete(id)
      }
    },
    async update(id, progress) {
      const entry = await readEntry(id)
      if (entry) await writeEntry({ ...entry, progress })
    },
    async finish(id) {
      await write(
        { type: 'del', key: callbackPrefix + id },
        { type: 'put', key: finishedPrefix + id, value: String(now()) },
      )
    },
    async read(id) {
      const entry = await readEntry(id)
      return entry && { ...entry, body: fromBase64(entry.body) }
    },
    async list() {
      const callbacks: Omit<StoredCallback, 'body'>[] = []
      for await (const text of level.values(rangeOf(callbackPrefix))) {
        const { id, formId, packageId, sequence, receivedAt, progress } = JSON.parse(text) as Entry
        callbacks.push({ id, formId, packageId, sequence, receivedAt, progress })
      }
      return callbacks.sort((a, b) => a.sequence - b.sequence)
    },
    check: () => write({ type: 'put', key: checkKey, value: '' }),
    unverified: {
      async add(callback) {
        const [body, signature] = [callback.body, callback.signature].map(toBase64)
        await write({ type: 'put', key: unverifiedKey(callback), value: JSON.stringify({ body, signature }) })
      },
      remove: (callback) => write({ type: 'del', key: unverifiedKey(callback) }),
      async list() {
        const callbacks: UnverifiedCallback[] = []
        for await (const text of level.values(rangeOf(unverifiedPrefix))) {
          const { body, signature } = JSON.parse(text) as Readonly<Record<keyof UnverifiedCallback, string>>
          callbacks.push({ body: fromBase64(body), signature: fromBase64(signature) })
        }
        return callbacks
      },
    },
    locks: {
      put: (lock) => write({ type: 'put', key: lockKey(lock), value: JSON.stringify(lock) }),
      get: readLock,
      async remove(lock) {
        // One process has the store, and it removes locks one after the other.
        if ((await readLock(lock))?.lockId === lock.lockId) await write({ type: 'del', key: lockKey(lock) })
      },
      async list() {
        const texts = await level.values(rangeOf(lockPrefix)).all()
        return texts.map((text) => JSON.parse(text) as StoredLock)
      },
    },
    async close() {
      clearInterval(cleaning)
      await level.close()
    },
  }
}

/** A callback on disk. The body is base64, because the service may send any bytes. */
interface Entry extends Omit<StoredCallback, 'body'> {
  readonly body: string
}

type Operation =
  | { readonly type: 'put'; readonly key: string; readonly value: string }
  | { readonly type: 'del'; readonly key: string }

interface Write {
  readonly operations: readonly Operation[]
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

const callbackPrefix = 'callback:'
const finishedPrefix = 'finished:'
const unverifiedPrefix = 'unverified:'
/** Written to find out whether the disk takes anything. */
const checkKey = 'check'
const lockPrefix = 'lock:'
/** Time between two removals of old ids, in ms: one hour. */
const cleaningInterval = 60 * 60_000

function unverifiedKey({ body, signature }: UnverifiedCallback): string {
  return unverifiedPrefix + createHash('sha256').update(signature).update(body).digest('hex')
}

function lockKey(hint: Hint): string {
  return lockPrefix + packageKey(hint)
}

/** Returns the range of all keys with a prefix: `;` is the character after `:`. */
function rangeOf(prefix: string) {
  return { gte: prefix, lt: `${prefix.slice(0, -1)};` }
}
