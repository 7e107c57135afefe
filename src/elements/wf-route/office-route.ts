import type { LitElement } from 'lit'
import type { PageClient } from '../../client/index.ts'
import { officeRouteReaders } from '../../contract/readers/office-readers.ts'
import { officeRouteRoutes } from '../../contract/routes/office-routes.ts'
import type { OfficeRouteAssignment, RouteSummary } from '../../contract/schemas/offices.ts'
import { Resource } from '../loading/resource.ts'
import { directoryOf } from '../wf-office/office-directory.ts'

/** The facts that the usual route of an office depends on. `subType` is empty for forms without sub-types. */
export type OfficeRouteKey = readonly [client: PageClient, formId: number, office: string, subType: string]

/** The route that an office has for a form. */
export interface UsualRoute {
  /** Key of the office. */
  readonly office: string
  /** The routes that are assigned to the office. */
  readonly assignment: OfficeRouteAssignment
  /** The stops of the routes. A row that could not be read is null. */
  readonly summaries: readonly (RouteSummary | null)[]
}

interface OfficeRouteOptions {
  readonly key: () => OfficeRouteKey | readonly []
  readonly onLoad: (route: UsualRoute) => void
  readonly onError: (error: unknown) => void
}

/** Returns the name and number of an office, or the number if the name is not known. */
export function nameOfOffice(client: PageClient | undefined, key: string): string {
  const name = client && directoryOf(client).offices.get(key)?.name
  return name ? `${name} (${key})` : key
}

/** Creates the resource that loads the usual route of an office. */
export function createOfficeRoute(
  host: LitElement,
  options: OfficeRouteOptions,
): Resource<OfficeRouteKey, UsualRoute> {
  return new Resource<OfficeRouteKey, UsualRoute>(host, {
    ...options,
    async load([pageClient, formId, office, subType], signal) {
      const directory = directoryOf(pageClient)
      // The route is useful without the name, so it does not wait for it.
      if (!directory.searched.has(office))
        directory.search(office, signal).then(
          () => host.requestUpdate(),
          () => {},
        )
      const client = pageClient.extend({ routes: officeRouteRoutes, readers: officeRouteReaders })
      const params = { officeKey: office, formId }
      const query = subType ? { subType } : {}
      const assignment = await client.getOfficeRoute({ params, query }, { signal })
      const { routeId } = assignment
      return {
        office,
        assignment,
        summaries: await client.getRouteSummary({ params: { routeId } }, { signal }),
      }
    },
    // Routes of offices rarely change.
    watch: () => () => {},
  })
}
