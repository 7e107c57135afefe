import { isUnivid } from '../../contract/values/patterns.ts'
import { plainText } from './plain-digits.ts'
import type { Person } from '../../contract/schemas/person.ts'

/** A person that a directory returns. */
export interface DirectoryPerson {
  /** University id. */
  readonly univid: string
  /** Display name. */
  readonly name: string
  /** Distinguishes people of the same name, such as their department. */
  readonly detail?: string | undefined
}

/** Finds people by a part of their name or by university id. Supplied by the page. */
export type FindPeople = (text: string, signal: AbortSignal) => Promise<readonly DirectoryPerson[]>

/** The result of looking up what was typed. */
export type Lookup =
  | { readonly kind: 'found'; readonly univid: string; readonly name: string | undefined }
  | { readonly kind: 'several'; readonly people: readonly DirectoryPerson[] }
  | { readonly kind: 'none' }
  | { readonly kind: 'failed' }

/** Returns the display names of people by university id. */
export function namesOf(people: readonly (Person | null | undefined)[]): Map<string, string> {
  return new Map(
    people.flatMap((person) =>
      person?.univid && person.displayName ? [[person.univid, person.displayName] as const] : [],
    ),
  )
}

/** Maximum number of people to choose from. */
const maxPeople = 8

/**
 * Looks up a person by what was typed, in digits of any script. `names` are the people of the package. A university id that nobody
 * knows is accepted without a name, because the service decides whether it exists.
 */
export async function lookUp(
  typed: string,
  names: ReadonlyMap<string, string>,
  findPeople: FindPeople | undefined,
  signal: AbortSignal,
): Promise<Lookup> {
  const text = plainText(typed)
  const byId = isUnivid(text)
  if (byId && names.has(text)) return { kind: 'found', univid: text, name: names.get(text) }
  const known = [...names].filter(([, name]) => sameText(name, text))
  const [only] = known
  if (only && known.length === 1) return { kind: 'found', univid: only[0], name: only[1] }
  if (!findPeople) return byId ? { kind: 'found', univid: text, name: undefined } : { kind: 'none' }

  let people: readonly DirectoryPerson[]
  try {
    people = (await findPeople(text, signal)).filter(({ univid }) => isUnivid(univid))
  } catch {
    return byId ? { kind: 'found', univid: text, name: undefined } : { kind: 'failed' }
  }
  if (byId) return { kind: 'found', univid: text, name: people.find(({ univid }) => univid === text)?.name }
  const [first] = people
  if (first && people.length === 1) return { kind: 'found', univid: first.univid, name: first.name }
  return people.length > 0 ? { kind: 'several', people: people.slice(0, maxPeople) } : { kind: 'none' }
}

function sameText(one: string, other: string): boolean {
  return one.localeCompare(other, undefined, { sensitivity: 'base' }) === 0
}
