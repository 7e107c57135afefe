import type { Office } from '../../contract/schemas/offices.ts'
import type { Handlers } from '../http/handler.ts'
import { displayName } from './directory.ts'
import { ServiceError } from '../http/service-error.ts'
import { findOfficeRoute } from './routing/route.ts'
import type { Destination, OfficeSource, StoredOffice } from '../state/stored-forms.ts'
import type { EmulatorState } from '../state/state.ts'
import type { EmulatorContext } from '../context.ts'

/** Handlers of office and route lookups. They cover both environments and check no rights. */
export const officeHandlers = {
  searchOffices: ({ state }, { query }) => searchByKey(state, query.searchTerm),
  findOffices: ({ state }, { query }) => searchByKey(state, query.key),

  getOfficeRoute({ state }, { params, query }) {
    const { formId, officeKey } = params
    const form = state.forms.test.get(formId) ?? state.forms.prod.get(formId)
    if (!form) throw new ServiceError(404, `Form ${formId} does not exist`)
    if (!state.offices.has(officeKey)) throw new ServiceError(404, `Office ${officeKey} does not exist`)
    const { subType = null } = query
    if (form.subTypes.length === 0 && subType !== null) {
      throw new ServiceError(400, 'subType must be left out: the form has no sub-types')
    }
    if (form.subTypes.length > 0 && (subType === null || !form.subTypes.includes(subType))) {
      throw new ServiceError(400, `subType must be one of ${form.subTypes.join(', ')}`)
    }
    const route = findOfficeRoute(state, officeKey, formId, subType)
    if (!route) throw new ServiceError(404, `Office ${officeKey} has no route for form ${formId}`)
    const { routeId, routeType, routeName, optOutIfPossible } = route
    return { routeId, routeType, routeName, optOutIfPossible }
  },

  getRouteSummary(context, { params }) {
    const route = context.state.officeRoutes.get(params.routeId)
    if (!route) throw new ServiceError(404, `Route ${params.routeId} does not exist`)
    return [
      {
        type: route.routeType,
        name: route.routeName,
        stops: route.stops.map(({ name, destinations }) => ({
          name,
          destinations: destinations.map((destination) => summarize(context, destination)),
        })),
      },
    ]
  },
} satisfies Partial<Handlers>

/** Returns an office as the service shows it, or null if it does not exist. */
export function findOffice(state: EmulatorState, key: string | null): Office | null {
  const office = key === null ? undefined : state.offices.get(key)
  return office ? toOffice(office) : null
}

function toOffice({ id, lastSynced, name, naturalKey, scopeNaturalKey, state }: StoredOffice): Office {
  return { id, lastSynced, name, naturalKey, scopeNaturalKey, state }
}

/** Returns the office with this key and the offices below it. */
function searchByKey(state: EmulatorState, key: string): Office[] {
  return [...state.offices.values()]
    .filter(({ naturalKey }) => naturalKey === key || naturalKey.startsWith(`${key}-`))
    .sort((a, b) => (a.naturalKey < b.naturalKey ? -1 : 1))
    .map(toOffice)
}

function summarize(context: EmulatorContext, destination: Destination) {
  const { type, permission } = destination
  if (type === 'PERSON') {
    const name = displayName(context, destination.univid)
    return { type, subject: name, approverUnivid: destination.univid, approverName: name, permission }
  }
  const office = officeNamed(context.state, destination.office)
  const univid = office?.roles[destination.role] ?? null
  return {
    type,
    subject: `${destination.role} of ${office?.name ?? 'the office that the entry names'}`,
    approverUnivid: univid,
    approverName: univid && displayName(context, univid),
    permission,
  }
}

function officeNamed(state: EmulatorState, source: OfficeSource): StoredOffice | undefined {
  return typeof source === 'string' ? state.offices.get(source) : undefined
}
