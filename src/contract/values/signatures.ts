import { isSamePerson } from './patterns.ts'

/** The facts of a history event that show whether somebody has signed. */
interface SignatureEvent {
  readonly '@class': string
  readonly state: string | null
  readonly person: { readonly univid: string | null } | null
}

/**
 * Returns what other people than this one have signed since the latest initiation or re-initiation. What is not clearly
 * unsigned counts: a signature in an unknown state, and a row that could not be read.
 */
export function signaturesOfOthers<Event extends SignatureEvent>(
  history: readonly (Event | null)[],
  univid: string | undefined,
): readonly (Event | null)[] {
  const start = history.findLastIndex((event) => /^(?:re_initiate|initiation)$/.test(event?.['@class'] ?? ''))
  return history.slice(start + 1).filter((event) => {
    if (event === null) return true
    const isSigned = event['@class'] === 'signature' && !unsigned.includes(event.state ?? '')
    return isSigned && !isSamePerson(event.person?.univid, univid)
  })
}

/** States of a signature that nobody has given. */
const unsigned: readonly string[] = ['RECEIVED', 'BYPASSED_REMOVE']
