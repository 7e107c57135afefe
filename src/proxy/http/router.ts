import { matchPath } from '../../contract/values/path.ts'
import { pathOf } from './request-url.ts'

/** The method and the path template of a route, such as `/forms/:formId`. */
interface RoutePattern {
  readonly method: string
  readonly path: string
}

/** A route and the values of the placeholders in its path. */
export interface RouteMatch<Route> {
  readonly route: Route
  readonly params: Readonly<Record<string, string | number>>
}

/** Creates a function that returns the first route of the list that a request matches below `basePath`. */
export function createRouter<Route extends RoutePattern>(
  basePath: string,
  routes: readonly Route[],
): (request: Request) => RouteMatch<Route> | undefined {
  /** Routes by method and number of segments, so that few patterns are tried. */
  const table = new Map<string, Route[]>()
  const keyOf = (method: string, path: string) => `${method} ${path.split('/').length}`
  for (const route of routes) {
    const key = keyOf(route.method, route.path)
    table.set(key, [...(table.get(key) ?? []), route])
  }

  return (request) => {
    const path = pathOf(request)
    if (!path.startsWith(`${basePath}/`)) return undefined
    const routePath = path.slice(basePath.length)
    for (const route of table.get(keyOf(request.method, routePath)) ?? []) {
      const params = paramsOf(route.path, routePath)
      if (params) return { route, params }
    }
    return undefined
  }
}

/** Returns the values of the placeholders. Only a template with placeholders is a pattern: `.` in others is a plain dot. */
function paramsOf(template: string, routePath: string): RouteMatch<never>['params'] | undefined {
  if (template.includes(':')) return matchPath(template, routePath)
  return template === routePath ? {} : undefined
}
