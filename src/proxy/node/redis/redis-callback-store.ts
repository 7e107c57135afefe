import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type CallbackProgress,
  type CallbackStore,
  type CallbackWorker,
  memorySeconds,
  type StoredCallback,
  type UnverifiedCallback,
} from '../../callbacks/callback-store.ts'
import { type Hint, packageKey } from '../../changes/bus.ts'
import type { Log } from '../../observe/log.ts'
import {
  addScript,
  finishScript,
  forgetProcessScript,
  readOwnScript,
  replayScript,
  takeScript,
  updateScript,
} from './callback-scripts.ts'
import type { RedisCommands } from './redis-commands.ts'
import type { RedisClient } from './redis-connection.ts'
import { createRedisLockStore } from './redis-lock-store.ts'
import type { RedisProcess } from './redis-process.ts'

interface RedisCallbackStoreOptions {
  /** Prefix of all keys. Mounts with different prefixes share no callbacks. */
  readonly prefix: string
  readonly commands: RedisCommands
  /** Returns a client that waits for callbacks, and delays all later commands meanwhile. */
  readonly reader: () => RedisClient
  /** Commands of a connection that waits until Redis has written to its disk, and delays all later commands meanwhile. */
  readonly storing: RedisCommands
  readonly flush: () => Promise<void>
  readonly process: RedisProcess
  readonly log: Log
  /** Ends all waiting. */
  readonly closing: AbortSignal
  /** Returns the time in ms since 1970. */
  readonly now: () => number
}

/** A callback without its body. */
type Facts = Omit<StoredCallback, 'body'>

/**
 * Creates a callback store that several processes share. Redis hands each callback to one of them, through a stream with a
 * consumer group. The process that gets the first callback of a package owns the package, and handles its callbacks in order
 * until none is left. If it dies, the others take over its packages and its callbacks. XAUTOCLAIM does not fit: it decides by
 * the time since delivery, but a callback may wait a day for its next attempt in a process that lives.
 */
export function createRedisCallbackStore({
  prefix,
  commands,
  reader,
  storing,
  flush,
  process,
  log,
  closing,
  now,
}: RedisCallbackStoreOptions): CallbackStore {
  const { client, reply, run } = commands
  const stream = `${prefix}stream`
  /** The callback of each package that this process handles, by package, and the other way round. */
  const turns = new Map<string, string>()
  const packages = new Map<string, string>()
  let worker: CallbackWorker | undefined
  let isStopped = false
  /** Whether a reply was lost, so that this process may own packages without knowing. */
  let isUnsure = true

  async function read(id: string): Promise<StoredCallback | undefined> {
    const { body, ...facts } = await reply(client().hGetAll(`${prefix}callback:${id}`))
    if (body === undefined) return undefined
    return { ...toFacts([id, ...factNames.map((name) => facts[name] ?? '')]), body: fromBase64(body) }
  }

  /** Calls the worker if it is the turn of another callback. */
  function offer(found: unknown): void {
    if (!Array.isArray(found)) return
    const callback = toFacts(found as readonly string[])
    const key = packageKey(callback)
    if (turns.get(key) === callback.id) return
    turns.set(key, callback.id)
    packages.set(callback.id, key)
    worker?.onTurn(callback)
  }

  async function take(key: string): Promise<void> {
    offer(await run(takeScript, prefix, process.leases, process.id, key, turns.get(key) ?? ''))
  }

  /** Announces a callback that was delivered to this process, although the owner of its package may have removed it already. */
  async function announce({ message }: StreamEntry): Promise<void> {
    const { id, package: key } = message
    const hint = toHint(key)
    if (id === undefined || !hint) return
    const callback = await read(id)
    worker?.onArrival({ id, ...hint, ...callback })
  }

  async function receive(entry: StreamEntry): Promise<void> {
    // In this order, so that this process does not remove it first.
    await announce(entry)
    await take(entry.message['package'] ?? '')
  }

  /** Hands out callbacks to this process until it stops. */
  async function follow(): Promise<void> {
    while (!closing.aborted && !isStopped) {
      try {
        if (isUnsure) await takeOver(process.id)
        isUnsure = false
        const next = { COUNT: 100, BLOCK: blockFor }
        const found = await reader().xReadGroup(group, process.id, { key: stream, id: '>' }, next)
        for (const { messages } of (found as readonly StreamEntries[] | null) ?? []) {
          await Promise.all(messages.map(receive))
        }
      } catch (error) {
        isUnsure = true
        if (closing.aborted) return
        // A new Redis, or one that has lost its data.
        if (String(error).includes('NOGROUP')) await createGroup().catch(() => {})
        await sleep(retryDelay, undefined, { signal: closing }).catch(() => {})
      }
    }
  }

  async function createGroup(): Promise<void> {
    await reply(client().xGroupCreate(stream, group, '0', { MKSTREAM: true })).catch((error: unknown) => {
      if (!String(error).includes('BUSYGROUP')) throw error
    })
  }

  /** Takes over the packages of a process, and what was delivered to it. Also for this process, if it has lost replies. */
  async function takeOver(from: string): Promise<void> {
    const keys = new Set<string>()
    await createGroup()
    for (let start = '-'; ;) {
      const rows = await reply(client().xPendingRange(stream, group, start, '+', 100, { consumer: from }))
      for (const { id } of rows) {
        const claimed = await reply(
          client().xClaim(stream, group, process.id, from === process.id ? 0 : process.lease / 2, id),
        )
        for (const entry of claimed as readonly (StreamEntry | null)[]) {
          if (!entry) continue
          await announce(entry)
          keys.add(entry.message['package'] ?? '')
        }
      }
      const last = rows.at(-1)
      if (!last) break
      start = `(${last.id}`
    }
    for await (const fields of client().hScanIterator(`${prefix}owners`, { COUNT: 1000 })) {
      for (const { field, value } of fields) if (value === from) keys.add(field)
    }
    // Last, so that this process does not remove a callback before it announces it.
    for (const key of keys) await take(key)
    if (from !== process.id) await run(forgetProcessScript, prefix, from)
  }

  process.onRenewal(async () => {
    if (!worker || isStopped) return
    for (const key of await reply(client().sPopCount(`${prefix}wake:${process.id}`, 1000))) {
      const hint = toHint(key)
      if (hint) worker.onWake(hint)
    }
    const consumers = await reply(client().xInfoConsumers(stream, group)).catch(() => [])
    const known = await reply(client().sMembers(`${prefix}processes`))
    const all = new Set([...known, ...consumers.map(({ name }) => name)])
    for (const dead of await process.findDead([...all])) {
      log('info', 'Takes over the callbacks of a process that has ended', { process: dead })
      await takeOver(dead)
    }
  })

  /** Records something until it succeeds, if this process hands out callbacks: the next one of the package waits for it. */
  async function persist(record: () => Promise<unknown>): Promise<unknown> {
    for (;;) {
      try {
        return await record()
      } catch (error) {
        isUnsure = true
        if (!worker || closing.aborted) throw error
        await sleep(retryDelay, undefined, { signal: closing })
      }
    }
  }

  /** Notes that this process no longer handles a callback. */
  function leave(id: string): void {
    const key = packages.get(id)
    packages.delete(id)
    if (key !== undefined && turns.get(key) === id) turns.delete(key)
  }

  return {
    isDurable: true,

    async add({ id, body, progress, receivedAt, formId, packageId, sequence }) {
      const dueAt = progress.dueAt ?? ''
      const fields = { body: toBase64(body), formId, packageId, sequence }
      const failed = { attempts: progress.attempts, lastError: progress.lastError ?? '' }
      const pairs = Object.entries({ ...fields, ...failed }).flat()
      const key = packageKey({ formId, packageId })
      const isNew = await storing.run(addScript, prefix, id, key, dueAt, receivedAt, ...pairs)
      // Also if it is not new: the process that has stored it may still wait for the disk.
      await flush()
      return isNew === 1
    },

    async update(id, { attempts, dueAt, lastError }: CallbackProgress) {
      const args = [prefix, process.id, id, attempts, dueAt ?? '', lastError ?? ''] as const
      const found = await persist(() => run(updateScript, ...args))
      if (dueAt === null) leave(id)
      offer(found)
    },

    async finish(id) {
      const args = [prefix, process.id, id, packages.get(id) ?? '', memorySeconds] as const
      const found = await persist(() => run(finishScript, ...args))
      leave(id)
      offer(found)
    },

    read,

    async list() {
      const ids = await reply(client().zRange(`${prefix}dead`, 0, -1))
      for (let start = '-'; ;) {
        const entries = (await reply(client().xRange(stream, start, '+', { COUNT: 1000 }))) ?? []
        ids.push(...entries.map(({ message }) => message['id'] ?? ''))
        const last = entries.at(-1)
        if (!last) break
        start = `(${last.id}`
      }
      const rows = await reply(
        Promise.all(ids.map((id) => client().hmGet(`${prefix}callback:${id}`, [...factNames]))),
      )
      return rows
        .flatMap((row, index) => (row[0] === null ? [] : [toFacts([ids[index] ?? '', ...row.map(String)])]))
        .sort((a, b) => a.sequence - b.sequence)
    },

    async waiting() {
      const [first] = (await reply(client().xRange(stream, '-', '+', { COUNT: 1 }))) ?? []
      const [dead, receivedAt] = await Promise.all([
        reply(client().zCard(`${prefix}dead`)),
        first && reply(client().hGet(`${prefix}callback:${first.message['id']}`, 'receivedAt')),
      ])
      return { oldest: receivedAt ? Number(receivedAt) : undefined, dead }
    },

    async check() {
      await reply(client().set(`${prefix}check`, '1', { expiration: { type: 'EX', value: 60 } }))
    },

    unverified: {
      async add(callback) {
        const [body, signature] = [callback.body, callback.signature].map(toBase64)
        const value = JSON.stringify({ body, signature })
        await storing.reply(storing.client().hSet(`${prefix}unverified`, nameOf(callback), value))
        await flush()
      },
      async remove(callback) {
        await reply(client().hDel(`${prefix}unverified`, nameOf(callback)))
      },
      async list() {
        const texts = await reply(client().hVals(`${prefix}unverified`))
        return texts.map((text) => {
          const { body, signature } = JSON.parse(text) as Readonly<Record<keyof UnverifiedCallback, string>>
          return { body: fromBase64(body), signature: fromBase64(signature) }
        })
      },
    },

    locks: createRedisLockStore(`${prefix}locks`, commands),

    sharing: {
      start(given) {
        worker = given
        void follow()
      },
      async readOwn(id) {
        const row = await run(readOwnScript, prefix, process.id, id)
        if (!Array.isArray(row)) {
          leave(id)
          return undefined
        }
        const [body = '', ...facts] = row as readonly string[]
        return { ...toFacts([id, ...facts]), body: fromBase64(body) }
      },
      replay: async (id) => (await run(replayScript, prefix, id, now())) === 1,
      stop() {
        isStopped = true
      },
    },
  }
}

interface StreamEntry {
  readonly id: string
  readonly message: Readonly<Record<string, string>>
}

/** The reply to XREADGROUP, which the library does not type. */
interface StreamEntries {
  readonly messages: readonly StreamEntry[]
}

/** In the order in which the scripts return them. */
const factNames = ['formId', 'packageId', 'sequence', 'receivedAt', 'attempts', 'dueAt', 'lastError'] as const

function toFacts(row: readonly string[]): Facts {
  const [id = '', formId, packageId, sequence, receivedAt, attempts, dueAt = '', lastError = ''] = row
  return {
    id,
    formId: Number(formId),
    packageId: Number(packageId),
    sequence: Number(sequence),
    receivedAt: Number(receivedAt),
    progress: {
      attempts: Number(attempts),
      dueAt: dueAt === '' ? null : Number(dueAt),
      lastError: lastError === '' ? null : lastError,
    },
  }
}

/** Returns the package of a key of `packageKey()`. */
function toHint(key = ''): Hint | undefined {
  const [formId, packageId] = key.split('-').map(Number)
  return formId && packageId ? { formId, packageId } : undefined
}

function nameOf({ body, signature }: UnverifiedCallback): string {
  return createHash('sha256').update(signature).update(body).digest('hex')
}

/** Name of the consumer group. The scripts contain it too. */
const group = 'proxy'
/** Time for which one read of the stream waits for callbacks, in ms. */
const blockFor = 5_000
/** Time after which something that failed is tried again, in ms. */
const retryDelay = 500

/** Encodes bytes for a store that keeps text. */
function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}

/** Decodes bytes that `toBase64()` has encoded. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, 'base64'))
}
