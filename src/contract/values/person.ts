/** Returns the same text for all forms of a university id: those that differ only in leading zeros name one person. */
export function personKey(univid: string): string {
  return univid.replace(/^0+(?=.)/, '')
}

/** Whether two university ids name the same person. Without an id, nobody is named. */
export function isSamePerson(one: string | null | undefined, other: string | null | undefined): boolean {
  return one != null && other != null && personKey(one) === personKey(other)
}
