import type { Identity } from './identity.ts'

/** Time in milliseconds for which a verification counts, and so the longest that a token of a withdrawn key is accepted. */
const verifiedTime = 60_000

/** The people of tokens that were verified a short time ago: a page sends the same token with each of its requests. */
interface VerifiedTokens {
  /** Returns the person of a token; `undefined` if the token must be verified. */
  get(token: string): Identity | undefined
  /** Remembers a verified token for a minute, but not beyond `expiresAt`, in milliseconds since 1970. */
  set(token: string, identity: Identity, expiresAt: number): void
}

interface Entry {
  readonly identity: Identity
  readonly until: number
}

/** Remembers at most `size` tokens. A new one replaces the one that was verified first. */
export function createVerifiedTokens({
  size,
  now,
}: {
  readonly size: number
  readonly now: () => number
}): VerifiedTokens {
  const entries = new Map<string, Entry>()

  return {
    get(token) {
      const entry = entries.get(token)
      if (!entry) return undefined
      // A clock that was set back must not make the entry live longer.
      const left = entry.until - now()
      if (left > 0 && left <= verifiedTime) return entry.identity
      entries.delete(token)
      return undefined
    },

    set(token, identity, expiresAt) {
      const time = now()
      entries.delete(token)
      entries.set(token, { identity, until: Math.min(expiresAt, time + verifiedTime) })
      const [oldest = token] = entries.keys()
      if (entries.size > size) entries.delete(oldest)
    },
  }
}
