import type { RouteSummary } from '../../contract/schemas/offices.ts'
import type { Texts } from '../../locales/messages.ts'

/** A person or a role that a stop sends the request to. */
export interface RoutePerson {
  /** Null if the service names nobody. */
  readonly name: string | null
  /** Further facts besides the name: the role, the title, the office. */
  readonly details: readonly string[]
  /** Whether the person is named by a role, and so only at present. */
  readonly isRole: boolean
  /** One of `permissions`, or one that the spec does not list. */
  readonly permission: string | null
  /** The same wherever the route names the same person; never shown. Null if the service names nobody. */
  readonly id: string | number | null
  /** Whether the person has signed. */
  readonly hasSigned: boolean
}

export interface RouteStop {
  readonly name: string
  readonly people: readonly RoutePerson[]
}

/** The person who makes the request, as the stops identify them, and how to speak about them. */
export interface Requester {
  readonly id: string | number | null | undefined
  readonly isSelf: boolean
  readonly name: string
}

/** The stops of a route, and how many of its rows could not be read. */
export interface ShownRoute {
  readonly stops: readonly RouteStop[]
  readonly leftOut: number
  readonly requester: Requester
  /** Sentences about anything unusual, apart from the stops. */
  readonly notes?: readonly string[]
}

/** Returns the usual route of an office, which the signed-in user asks for. */
export function routeOfSummary(
  summaries: readonly (RouteSummary | null)[],
  messages: Texts['route'],
): ShownRoute {
  let own: number | null = null
  const rows = summaries.flatMap((summary) => summary?.stops ?? [null])
  const stops = present(rows).map(({ name, destinations }, index): RouteStop => ({
    name: name ?? messages.stop(index + 1),
    people: present(destinations ?? []).map(
      ({ type, subject, approverName, permission, approver, isSelf }) => {
        if (isSelf) own = approver
        const isRole = type !== 'PERSON'
        return {
          name: approverName ?? (isRole ? null : subject),
          // A type that is not known could be anything, so it is shown as the service writes it.
          details: present(isRole ? [type === 'OFFICE_ROLE' ? null : type, subject] : []),
          isRole,
          permission,
          id: approver,
          hasSigned: false,
        }
      },
    ),
  }))
  const all = [...rows, ...present(rows).flatMap(({ destinations }) => destinations ?? [])]
  return {
    stops,
    leftOut: all.filter((row) => row === null).length,
    requester: { id: own, isSelf: true, name: '' },
  }
}

/** Whether a person is asked for a signature, and not only shown the request. */
export function isSigner({ permission }: RoutePerson): boolean {
  return permission === 'SIGNATURE_REQUIRED' || permission === 'SIGNATURE_PERMITTED'
}

/** Returns what is unusual about a route, as sentences. */
export function warningsOf(
  { stops, requester, notes = [] }: ShownRoute,
  messages: Texts['route'],
  language: string | undefined,
): readonly string[] {
  const signatures = stops.flatMap(({ name: stop, people }) =>
    people.filter(isSigner).map((person) => ({ stop, person })),
  )
  const list = new Intl.ListFormat(language)
  const own = signatures.filter(({ person }) => person.id !== null && person.id === requester.id)
  const repeated = new Map<unknown, typeof signatures>()
  for (const one of signatures) repeated.set(one.person.id, [...(repeated.get(one.person.id) ?? []), one])
  return [
    ...notes,
    ...own.map(({ stop }) =>
      requester.isSelf ? messages.own(stop) : messages.initiatorApproves(requester.name, stop),
    ),
    ...[...repeated].flatMap(([id, several]) =>
      id !== null && several.length > 1
        ? messages.twice(`${several[0]?.person.name}`, list.format(several.map(({ stop }) => stop)))
        : [],
    ),
    ...stops
      .filter(({ people }) => people.every(({ name }) => name === null))
      .map(({ name }) => messages.nobodyAt(name)),
  ]
}

/** Returns the values without those that the service left empty. */
export function present<T>(values: readonly (T | null | undefined)[]): T[] {
  return values.flatMap((value) => (value === null || value === undefined || value === '' ? [] : [value]))
}
