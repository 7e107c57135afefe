/** A reply that can be stored: its body is a text. */
export interface StoredReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** The known facts about a request with a key. */
export interface Outcome {
  /** Fingerprint of method, path, headers and size of the request. A request with another value is not the same. */
  readonly head: string
  /** `unknown`: it began, and nobody can know whether it was carried out. It never runs again. */
  readonly state: 'running' | 'done' | 'unknown'
  /** The reply, if the request is done. */
  readonly reply?: StoredReply
  /** Fingerprint of the request's body, if the request is done. */
  readonly body?: string
}

/** Remembers the outcomes of requests for at least a day. */
export interface OutcomeStore {
  /**
   * Records in one atomic step that a request is running. Resolves to `undefined`, or to the outcome that `id` already has.
   * `owner` is the person who may use up the space for it. Rejects if the request cannot be recorded; it must not run then.
   */
  readonly start: (id: string, owner: string, head: string) => Promise<Outcome | undefined>
  /** Returns the outcome of a request. */
  readonly read: (id: string) => Promise<Outcome | undefined>
  /** Replaces the outcome of a request that is running. */
  readonly finish: (id: string, outcome: Outcome) => Promise<void>
  /** Forgets a request that was not carried out, so that it may run again. */
  readonly forget: (id: string) => Promise<void>
}

/** Time for which outcomes are remembered, in ms. */
export const outcomeLifetime = 24 * 60 * 60 * 1000

/** Number of characters from which on a reply is large. Those need space that others need, and few are repeated late. */
export const largeReply = 64 * 1024
/** Time for which large replies are remembered, in ms. */
export const largeLifetime = 10 * 60 * 1000

/** What outcomes may take up. Every store drops the oldest replies where there are too many, and no other outcome. */
export interface OutcomeLimits {
  /** Maximum number of outcomes. */
  readonly max: number
  /** Maximum number of outcomes of one person. */
  readonly maxPerOwner: number
  /** Maximum size of all replies to one person, in characters. */
  readonly maxSizePerOwner: number
}

export const outcomeLimits: OutcomeLimits = { max: 10_000, maxPerOwner: 500, maxSizePerOwner: 2_000_000 }

export interface OutcomeStoreOptions extends Partial<OutcomeLimits> {
  /** Returns the time in ms since 1970. Default `Date.now`. */
  readonly now?: () => number
  /** Maximum size of all replies, in characters. Default 16 million. */
  readonly maxSize?: number
}

interface StoredOutcome {
  readonly owner: string
  expiry: number
  outcome: Outcome
}

/**
 * Creates a store in memory, for one process and until it ends. If it is full, it drops the oldest replies, first those of
 * the same person. It never drops an outcome that is running or unknown, and rejects new ones instead.
 */
export function createOutcomeStore({
  now = Date.now,
  max = outcomeLimits.max,
  maxPerOwner = outcomeLimits.maxPerOwner,
  maxSizePerOwner = outcomeLimits.maxSizePerOwner,
  maxSize = 16_000_000,
}: OutcomeStoreOptions = {}): OutcomeStore {
  /** Oldest first. */
  const entries = new Map<string, StoredOutcome>()
  let size = 0

  function drop(id: string): void {
    size -= sizeOf(entries.get(id)?.outcome)
    entries.delete(id)
  }

  function dropExpired(): void {
    for (const [id, { expiry }] of entries) if (expiry <= now()) drop(id)
  }

  /** Drops the oldest reply, of one person or of all. Returns whether there was one. */
  function dropReply(owner?: string): boolean {
    for (const [id, entry] of entries) {
      if (entry.outcome.state !== 'done' || (owner !== undefined && entry.owner !== owner)) continue
      drop(id)
      return true
    }
    return false
  }

  const ownedBy = (owner: string) => [...entries.values()].filter((entry) => entry.owner === owner)

  function makeRoom(owner: string): boolean {
    if (ownedBy(owner).length >= maxPerOwner && !dropReply(owner)) return false
    return entries.size < max || dropReply()
  }

  return {
    start(id, owner, head) {
      dropExpired()
      const known = entries.get(id)
      if (known) return Promise.resolve(known.outcome)
      if (!makeRoom(owner)) return Promise.reject(new Error('Too many requests have no known outcome'))
      entries.set(id, { owner, expiry: now() + outcomeLifetime, outcome: { head, state: 'running' } })
      return Promise.resolve(undefined)
    },
    read: (id) => Promise.resolve(entries.get(id)?.outcome),
    finish(id, outcome) {
      const entry = entries.get(id)
      if (entry) {
        const { owner } = entry
        entry.outcome = outcome
        size += sizeOf(outcome)
        if (sizeOf(outcome) > largeReply) entry.expiry = Math.min(entry.expiry, now() + largeLifetime)
        let own = ownedBy(owner).reduce((sum, one) => sum + sizeOf(one.outcome), 0)
        while (own > maxSizePerOwner) {
          const before = size
          if (!dropReply(owner)) break
          own -= before - size
        }
        while (size > maxSize && dropReply());
      }
      return Promise.resolve()
    },
    forget(id) {
      drop(id)
      return Promise.resolve()
    },
  }
}

/** Size of the reply in an outcome, in characters. */
export function sizeOf(outcome: Outcome | undefined): number {
  return outcome?.reply?.body?.length ?? 0
}
