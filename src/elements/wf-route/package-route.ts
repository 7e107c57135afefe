import { isSamePerson } from '../../contract/values/patterns.ts'
import type { HistoryEvent } from '../../contract/schemas/history.ts'
import { overrideReaders } from '../../contract/readers/override-readers.ts'
import { overrideRoutes } from '../../contract/routes/override-routes.ts'
import type { RoutingOverride } from '../../contract/schemas/overrides.ts'
import type { Package } from '../../contract/schemas/workflow.ts'
import { isBeforeRouting } from '../../contract/values/package-states.ts'
import type { Texts } from '../../locales/messages.ts'
import { type PackageTarget, readRights } from '../element/package-element.ts'
import { routeOfEvents } from './route-events.ts'
import { present, type ShownRoute } from './route-stops.ts'

/** The route of a saved package. */
export interface PackageRoute {
  /** The package. */
  readonly package: Package
  /** The actual history; null before the package was submitted. */
  readonly past: readonly (HistoryEvent | null)[] | null
  /** The expected events. A row that could not be read is null. */
  readonly future: readonly (HistoryEvent | null)[]
  /** Whether the signed-in user has made the request. */
  readonly isOwn: boolean
  /** The routing overrides in force, if the signed-in user may change them; otherwise none. */
  readonly overrides: readonly (RoutingOverride | null)[]
  /** When the route was calculated. */
  readonly at: Date
}

export async function loadPackageRoute(target: PackageTarget, signal: AbortSignal): Promise<PackageRoute> {
  const [client, formId, packageId] = target
  const input = { params: { formId, packageId } }
  const [found, future, session] = await Promise.all([
    client.getPackage(input, { signal }),
    client.getFutureHistory(input, { signal }),
    client.getSession({ signal }),
  ])
  const [past, overrides] = await Promise.all([
    isBeforeRouting(found.state) ? null : client.getHistory(input, { signal }),
    session.allows.operations.includes('getOverrides') ? loadOverridesForTools(target, signal) : [],
  ])
  const isOwn = isSamePerson(session.univid, found.initiator?.univid)
  return { package: found, past, future, isOwn, overrides, at: new Date() }
}

/** Loads the overrides for people who may change them. Others may not be allowed to read them, so none are requested. */
async function loadOverridesForTools(target: PackageTarget, signal: AbortSignal) {
  const [client, formId, packageId] = target
  try {
    const { tools } = await readRights(target, signal)
    // Every initiator who may void has a tool.
    if (!tools.some((tool) => tool === 'createOverride' || tool === 'deactivateOverride')) return []
    const params = { formId, packageId }
    const full = client.extend({ routes: overrideRoutes, readers: overrideReaders })
    return await full.getOverrides({ params }, { signal })
  } catch {
    // The route matters more.
    return []
  }
}

/** Returns the route of a package, with its overrides in words. */
export function routeOfPackage(
  content: PackageRoute,
  messages: Texts['route'] & Texts['savedRoute'],
  common: Texts['common'],
): ShownRoute {
  const {
    package: { initiator },
    past,
    future,
    isOwn,
    overrides,
  } = content
  const events = [...(past ?? []), ...future]
  const name = initiator?.displayName ?? common.someone
  const requester = { id: initiator?.univid, isSelf: isOwn, name }
  const people = present([initiator, ...present(events).map(({ person }) => person)])
  const names = new Map(people.map(({ univid, displayName }) => [univid, displayName]))
  const nameOf = (univid: string | null) => names.get(univid) ?? common.someone
  const notes = present(overrides).map(({ subjectUnivid, replacementUnivid, type }) =>
    messages.overrides[type === 'DELEGATE' ? type : 'CHANGE'](
      nameOf(replacementUnivid),
      nameOf(subjectUnivid),
    ),
  )
  return { ...routeOfEvents(events, requester, messages), notes }
}
