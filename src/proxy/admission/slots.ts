import type { DisconnectSignal } from '../http/connection.ts'
import { refusals } from '../http/refusals.ts'
import { createRecords } from './records.ts'

interface SlotsOptions {
  /** Maximum number of slots that one person holds at a time. Default: no limit. */
  readonly perHolder?: number
  /** Maximum number of slots in total. Default: no limit. */
  readonly total?: number
  /** Maximum time that a request waits for a slot, in ms. Default: no limit. */
  readonly wait?: number
}

interface SlotRequest {
  /** The person; or any other name, for requests of the application itself. */
  readonly holder: string
  /** Ends the waiting. Default: nothing does. */
  readonly signal?: DisconnectSignal
  /** Ends what holds the slot, because another person holds fewer. Absent if it cannot be ended. */
  readonly revoke?: () => void
}

/** What people share, such as connections to a service. */
export interface Slots {
  /**
   * Takes a slot and returns a function that gives it back; calling that function again has no effect. Returns `undefined` if
   * none is free.
   */
  readonly acquire: (holder: string) => (() => void) | undefined
  /**
   * Waits for a slot and returns a function that gives it back; calling that function again has no effect. Throws
   * `ProxyError` 503 after the timeout, and 400 if the client disconnects.
   */
  readonly take: (request: SlotRequest) => Promise<() => void>
}

/** The slots of one holder. */
interface Holding {
  count: number
  /** Those that can be ended, oldest first. */
  readonly revocable: Held[]
}

interface Held {
  readonly revoke: () => void
  readonly free: () => void
}

/**
 * Creates slots. People take turns while they wait. If no slot is free, a person who waits gets one of the person who holds
 * the most, unless that leaves the latter with fewer: nobody can keep slots from others by being first.
 */
export function createSlots({
  perHolder = Infinity,
  total = Infinity,
  wait = Infinity,
}: SlotsOptions): Slots {
  const holdings = createRecords<Holding>({
    create: () => ({ count: 0, revocable: [] }),
    isIdle: ({ count }) => count === 0,
  })
  /** Those who wait, by person. The person at the front is next. */
  const waiting = new Map<string, Set<() => void>>()
  let sum = 0

  const countOf = (holder: string) => holdings.of(holder).count

  function hold(holder: string, revoke: (() => void) | undefined): () => void {
    const holding = holdings.of(holder)
    const { revocable } = holding
    let isHeld = true
    const free = () => {
      if (!isHeld) return
      isHeld = false
      holding.count -= 1
      sum -= 1
      if (held) revocable.splice(revocable.indexOf(held), 1)
      if (waiting.size > 0) serveNext()
    }
    const held = revoke && { revoke, free }
    if (held) revocable.push(held)
    holding.count += 1
    sum += 1
    return free
  }

  function serveNext(): void {
    for (const [holder, requests] of waiting) {
      if (sum >= total) return
      const [next] = requests
      if (!next || countOf(holder) >= perHolder) continue
      requests.delete(next)
      // Deleted first, so that the person moves to the end of the order.
      waiting.delete(holder)
      if (requests.size > 0) waiting.set(holder, requests)
      next()
    }
  }

  /** Frees a slot of the person who holds the most, if that is at least two more than `holder` has. */
  function takeFromRichest(holder: string): void {
    let richest: Holding | undefined
    for (const holding of holdings.all()) if (holding.count > (richest?.count ?? 0)) richest = holding
    if (!richest || richest.count < countOf(holder) + 2) return
    const [oldest] = richest.revocable
    oldest?.revoke()
    oldest?.free()
  }

  const isFree = (holder: string) => countOf(holder) < perHolder && sum < total

  return {
    acquire: (holder) => (isFree(holder) ? hold(holder, undefined) : undefined),
    async take({ holder, signal, revoke }) {
      if (isFree(holder)) return hold(holder, revoke)
      return await new Promise((resolve, reject) => {
        const requests = waiting.get(holder) ?? new Set()
        const settle = () => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', onAbort)
          requests.delete(grant)
          if (requests.size === 0 && waiting.get(holder) === requests) waiting.delete(holder)
        }
        const grant = () => {
          settle()
          resolve(hold(holder, revoke))
        }
        const refuse = (error: Error) => {
          settle()
          reject(error)
        }
        const onAbort = { handleEvent: () => refuse(refusals.interrupted()) }
        const timer = wait < Infinity ? setTimeout(() => refuse(refusals.tooBusy()), wait) : undefined
        signal?.addEventListener('abort', onAbort)
        requests.add(grant)
        waiting.set(holder, requests)
        if (countOf(holder) < perHolder) takeFromRichest(holder)
      })
    },
  }
}
