import type { HistoryEvent } from '../../contract/schemas/history.ts'
import type { Texts } from '../../locales/messages.ts'
import { present, type Requester, type RoutePerson, type RouteStop, type ShownRoute } from './route-stops.ts'

/** Returns the route of a saved request from its events, without those of earlier rounds. */
export function routeOfEvents(
  events: readonly (HistoryEvent | null)[],
  requester: Requester,
  messages: Pick<Texts['route'], 'stop'>,
): ShownRoute {
  const rows = present(events)
  const start = rows.findLastIndex((event) => /^(?:re_)?initiat/.test(event['@class']))
  const stops = new Map<string, RouteStop & { readonly people: RoutePerson[] }>()
  let latest: number | undefined
  for (const event of rows.slice(start + 1)) {
    if (event['@class'] !== 'signature' || event.state === 'VOIDED') continue
    const number = event.stop?.stopNumber ?? 0
    // The service names nobody for the stops in between.
    for (let empty = (latest ?? number) + 1; empty < number; empty++)
      stops.set(`${empty}`, { name: messages.stop(empty), people: [] })
    latest = number
    const key = `${number} ${event.stop?.name}`
    const name = event.stop?.name ?? messages.stop(number)
    const stop = stops.get(key) ?? { name, people: [] }
    stops.set(key, stop)
    stop.people.push(personOf(event))
  }
  return { stops: [...stops.values()], leftOut: events.length - rows.length, requester }
}

function personOf({ person, office, resolution, permission, state }: HistoryEvent): RoutePerson {
  return {
    name: person?.displayName ?? null,
    details: present([
      // The directory withholds what it knows about a restricted person.
      person?.directoryRestricted ? null : person?.title,
      office?.name,
      resolution?.name,
    ]),
    isRole: resolution !== null,
    permission,
    id: person?.univid ?? null,
    hasSigned: state === 'APPROVED',
  }
}
