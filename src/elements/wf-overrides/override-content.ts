import { type Client, ForbiddenError, type PageClient } from '../../client/index.ts'
import { overrideReaders } from '../../contract/readers/override-readers.ts'
import { overrideRoutes } from '../../contract/routes/override-routes.ts'
import type { RoutingOverride } from '../../contract/schemas/overrides.ts'
import type { AllowedActions } from '../../contract/schemas/session.ts'
import type { PackageTarget } from '../element/package-element.ts'
import { type FindPeople, lookUp, namesOf } from '../person/person-lookup.ts'

/** The overrides of a package, and the facts that explain them. */
export interface OverrideContent {
  /** The overrides. A row that could not be read is null. */
  readonly overrides: readonly (RoutingOverride | null)[]
  /** Display names of people of this package, by university id. */
  readonly names: ReadonlyMap<string, string>
  /** University id of the person who made the request; null if the signed-in user may not read it. */
  readonly initiator: string | null
  /** Display names of the people whose inboxes hold the request; null if they are not known. */
  readonly inboxes: readonly string[] | null
  /** University id of the signed-in user. */
  readonly user: string
  /** Whether the proxy lets the user add overrides. */
  readonly canCreate: boolean
  /** Whether the proxy lets the user end overrides. */
  readonly canEnd: boolean
}

/** The client of the page with the operations on overrides. */
type OverrideClient = PageClient & Pick<Client, keyof typeof overrideRoutes>

export function overrideClient(client: PageClient): OverrideClient {
  return client.extend({ routes: overrideRoutes, readers: overrideReaders })
}

/**
 * Reads the overrides. The host's policy allows them, also to people who may not view the package: for these, the names and
 * inboxes are not known.
 */
export async function loadOverrides(
  [pageClient, formId, packageId]: PackageTarget,
  findPeople: FindPeople | undefined,
  signal: AbortSignal,
): Promise<OverrideContent> {
  const client = overrideClient(pageClient)
  const input = { params: { formId, packageId } }
  const session = await client.getSession({ signal })
  // Without it, a site that does not serve overrides would look like one without the package.
  if (!session.allows.operations.includes('getOverrides')) {
    throw new ForbiddenError('getOverrides', 'is not served by this site')
  }
  const [overrides, rows] = await Promise.all([
    client.getOverrides(input, { signal }),
    client.getActions({ params: { formId }, query: { id: [packageId] } }, { signal }),
  ])
  const actions = rows.find((row) => row?.packageId === packageId)
  const [found, past, future] = actions?.canView
    ? await Promise.all([
        client.getPackage(input, { signal }),
        client.getHistory(input, { signal }),
        client.getFutureHistory(input, { signal }),
      ])
    : [null, [], []]
  const events = [...past, ...future]
  const names = namesOf([found?.initiator, ...events.flatMap((event) => [event?.person, event?.resolution])])
  const ids = overrides
    .flatMap((row) => [row?.subjectUnivid, row?.replacementUnivid])
    .filter((id) => id != null)
  const looked = await Promise.all(
    [...new Set(ids)].map(async (id) => await lookUp(id, names, findPeople, signal)),
  )
  for (const one of looked) if (one.kind === 'found' && one.name) names.set(one.univid, one.name)
  return {
    overrides,
    names,
    initiator: found?.initiator?.univid ?? null,
    inboxes: inboxesOf(actions),
    user: session.univid,
    canCreate: actions?.tools.includes('createOverride') === true,
    canEnd: actions?.tools.includes('deactivateOverride') === true,
  }
}

function inboxesOf(actions: AllowedActions | null | undefined): readonly string[] | null {
  const signatures = actions?.inboxSignatures
  if (!signatures || signatures.some((signature) => !signature?.approver)) return null
  return signatures.flatMap((signature) => signature?.approver ?? [])
}
