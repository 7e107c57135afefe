import type { Finding } from '../http/finding.ts'

/** The signed-in person. */
export interface Identity {
  /** University id: a string of digits. */
  readonly univid: string
  /** Names of the groups that the sign-in service puts the person into. A policy can give them rights. */
  readonly groups?: readonly string[]
}

/** Receives the reason for which an `Identify` returns null. It goes to the log of the operator, not to the person. */
export type Explain = (finding: Finding) => void

/**
 * Returns the person who makes a request; null if nobody is signed in. May call `explain` to say why not. On Node, a library
 * that creates another `Request` from this one, as `fetch(request)` does, needs `request.clone()`.
 */
export type Identify = (request: Request, explain?: Explain) => Identity | null | Promise<Identity | null>

/** Name of the cookie that `personaCookie` reads. */
export const personaCookieName = 'routeslip-persona'

/**
 * Identifies people for demonstrations: anyone can become one of `personas` by setting a cookie. Never use it with real
 * data.
 */
export function personaCookie(personas: readonly string[]): Identify {
  const pattern = new RegExp(`(?:^|;\\s*)${personaCookieName}=(\\d+)(?:;|$)`)
  return (request) => {
    const univid = pattern.exec(request.headers.get('cookie') ?? '')?.[1]
    return univid !== undefined && personas.includes(univid) ? { univid } : null
  }
}

/**
 * Returns the groups in a value of the sign-in service: a list, or a text with a separator. Returns an empty list for any
 * other value.
 */
export function readGroups(value: unknown, separator: string): readonly string[] {
  const parts: readonly unknown[] = Array.isArray(value)
    ? value
    : typeof value === 'string'
      ? value.split(separator)
      : []
  return parts.filter((part) => typeof part === 'string').flatMap((part) => part.trim() || [])
}
