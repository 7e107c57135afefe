import type { DisconnectSignal } from '../http/connection.ts'
import { refusals } from '../http/refusals.ts'

interface FairPlacesOptions {
  /** Maximum number of places that one person holds at a time. */
  readonly perPerson: number
  /** Maximum number of places in total. */
  readonly total: number
  /** Maximum time that a request waits for a place, in ms. */
  readonly timeout: number
}

interface PlaceRequest {
  /** The person; or any other name, for requests of the application itself. */
  readonly holder: string
  /** Ends the waiting. */
  readonly signal: DisconnectSignal
  /** Ends what holds the place, because another person holds fewer. Absent if it cannot be ended. */
  readonly revoke?: () => void
}

/** Places that people share, such as connections to a service. */
interface FairPlaces {
  /**
   * Waits for a place and returns a function that gives it back; calling that function again has no effect. Throws
   * `ProxyError` 503 after the timeout, and 400 if the client disconnects.
   */
  readonly take: (request: PlaceRequest) => Promise<() => void>
}

interface Held {
  readonly revoke: (() => void) | undefined
  readonly free: () => void
}

/**
 * Creates places. People take turns while they wait. If no place is free, a person who waits gets one of the person who holds
 * the most, unless that leaves the latter with fewer: nobody can keep places from others by being first.
 */
export function createFairPlaces({ perPerson, total, timeout }: FairPlacesOptions): FairPlaces {
  const held = new Map<string, Set<Held>>()
  /** Those who wait, by person. The person at the front is next. */
  const waiting = new Map<string, Set<() => void>>()
  let sum = 0

  const countOf = (holder: string) => held.get(holder)?.size ?? 0

  function hold(holder: string, revoke: (() => void) | undefined): () => void {
    const places = held.get(holder) ?? new Set()
    held.set(holder, places)
    const place: Held = {
      revoke,
      free() {
        if (!places.delete(place)) return
        sum -= 1
        if (places.size === 0) held.delete(holder)
        serveNext()
      },
    }
    places.add(place)
    sum += 1
    return place.free
  }

  function serveNext(): void {
    for (const [holder, requests] of waiting) {
      if (sum >= total) return
      const [next] = requests
      if (!next || countOf(holder) >= perPerson) continue
      requests.delete(next)
      // Deleted first, so that the person moves to the end of the order.
      waiting.delete(holder)
      if (requests.size > 0) waiting.set(holder, requests)
      next()
    }
  }

  /** Frees a place of the person who holds the most, if that is at least two more than `holder` has. */
  function takeFromRichest(holder: string): void {
    let richest: Set<Held> | undefined
    for (const places of held.values()) if (places.size > (richest?.size ?? 0)) richest = places
    if (!richest || richest.size < countOf(holder) + 2) return
    for (const place of richest) {
      if (!place.revoke) continue
      place.revoke()
      place.free()
      return
    }
  }

  return {
    async take({ holder, signal, revoke }) {
      if (countOf(holder) < perPerson && sum < total) return hold(holder, revoke)
      return await new Promise((resolve, reject) => {
        const requests = waiting.get(holder) ?? new Set()
        const settle = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', onAbort)
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
        const timer = setTimeout(() => refuse(refusals.tooBusy()), timeout)
        signal.addEventListener('abort', onAbort)
        requests.add(grant)
        waiting.set(holder, requests)
        if (countOf(holder) < perPerson) takeFromRichest(holder)
      })
    },
  }
}
