import { setTimeout as sleep } from 'node:timers/promises'
import { type Bus, createEventBuffer, type EventBufferOptions, type LiveEvent } from '../../changes/bus.ts'
import type { RedisCommands } from './redis-commands.ts'
import type { RedisChanges } from './redis-changes.ts'
import type { RedisClient } from './redis-connection.ts'

interface RedisBusOptions extends EventBufferOptions {
  /** Name of the stream. */
  readonly key: string
  /** Another stream that the same connection follows. */
  readonly other: RedisChanges
  readonly commands: RedisCommands
  /** Returns a client that waits for events, and delays all later commands meanwhile. */
  readonly reader: () => RedisClient
  readonly onError: (error: unknown) => void
  /** Called when events can be read, at the start and after an outage. */
  readonly onConnected: () => void
  /** Ends all waiting. */
  readonly closing: AbortSignal
}

/** A bus that follows a stream until it is closed. */
interface RedisBus extends Omit<Bus, 'close' | 'isConnected'> {
  /** Resolves after `closing`, when nothing is read any more. */
  readonly following: Promise<void>
}

/** Creates a bus that all processes share. It resolves when the newest events have been read, or cannot be read. */
export async function createRedisBus({
  key,
  other,
  commands: { client, reply },
  reader,
  onError,
  onConnected,
  closing,
  now = Date.now,
  size = 1000,
}: RedisBusOptions): Promise<RedisBus> {
  const buffer = createEventBuffer({ now, size })
  /** Id of the last event that was read from the stream. */
  let cursor: string | undefined
  let otherCursor: string | undefined
  const isCurrent = await catchUp().then(
    () => true,
    () => false,
  )

  return {
    async publish({ formId, packageId }) {
      try {
        const fields = { f: String(formId), p: String(packageId) }
        const TRIM = { strategy: 'MAXLEN', strategyModifier: '~', threshold: maxLength } as const
        return await reply(client().xAdd(key, '*', fields, { TRIM }))
      } catch (error) {
        onError(error)
        const id = buffer.nextId()
        buffer.push({ id, formId, packageId })
        return id
      }
    },
    subscribe: buffer.subscribe,
    since: buffer.since,
    last: buffer.last,
    following: follow(isCurrent),
  }

  /** Reads the stream until the connections close. After a lost connection it continues after the last event. */
  async function follow(wasCurrent: boolean): Promise<void> {
    let isUpToDate = wasCurrent
    while (!closing.aborted) {
      try {
        if (!isUpToDate) await catchUp()
        isUpToDate = true
        const streams = [
          { key, id: cursor ?? '0-0' },
          { key: other.key, id: otherCursor ?? '0-0' },
        ]
        const found = await reader().xRead(streams, { BLOCK: blockFor, COUNT: size })
        for (const { name, messages } of (found as readonly StreamEntries[] | null) ?? []) {
          if (name === key) messages.forEach(receive)
          else messages.forEach(receiveOther)
        }
      } catch (error) {
        isUpToDate = false
        onError(error)
        await sleep(retryDelay, undefined, { signal: closing }).catch(() => {})
      }
    }
  }

  /** Reads the newest events at the start, and again if Redis has lost its data and the stream has begun anew. */
  async function catchUp(): Promise<void> {
    const [last] = (await reader().xRevRange(other.key, '+', '-', { COUNT: 1 })) ?? []
    if (otherCursor === undefined || isBefore(last?.id ?? '0-0', otherCursor)) otherCursor = last?.id ?? '0-0'
    const messages = (await reader().xRevRange(key, '+', '-', { COUNT: size })) ?? []
    const newest = messages[0]?.id ?? '0-0'
    if (cursor === undefined || isBefore(newest, cursor)) {
      cursor = newest
      messages.reverse().forEach(receive)
    }
    onConnected()
  }

  function receiveOther({ id, message }: StreamMessage): void {
    otherCursor = id
    other.receive(message)
  }

  function receive({ id, message }: StreamMessage): void {
    cursor = id
    const event = toEvent(id, message)
    if (event && !buffer.has(id)) buffer.push(event)
  }
}

interface StreamMessage {
  readonly id: string
  readonly message: Readonly<Record<string, string>>
}

/** The reply to XREAD, which the library does not type. */
interface StreamEntries {
  readonly name: string
  readonly messages: readonly StreamMessage[]
}

/** Returns the event in an entry of the stream; undefined if another program wrote the entry. */
function toEvent(id: string, { f, p }: StreamMessage['message']): LiveEvent | undefined {
  if (!/^\d{1,16}-\d{1,16}$/.test(id)) return undefined
  const [formId, packageId] = [f, p].map((text) => (/^[1-9]\d{0,15}$/.test(text ?? '') ? Number(text) : NaN))
  if (!Number.isSafeInteger(formId) || !Number.isSafeInteger(packageId)) return undefined
  return { id, formId: formId as number, packageId: packageId as number }
}

/** Whether a stream id is smaller than another. */
function isBefore(id: string, other: string): boolean {
  const [milliseconds, counter] = idParts(id)
  const [otherMilliseconds, otherCounter] = idParts(other)
  return milliseconds === otherMilliseconds ? counter < otherCounter : milliseconds < otherMilliseconds
}

function idParts(id: string): readonly [milliseconds: bigint, counter: bigint] {
  const [milliseconds = '', counter = ''] = id.split('-')
  return [BigInt(milliseconds), BigInt(counter)]
}

/** Minimum number of events that the stream keeps. */
const maxLength = 10_000
/** Time for which one read of the stream waits for events, in ms. */
const blockFor = 5_000
/** Time after which a failed read is retried, in ms. */
const retryDelay = 500
