import { html, nothing } from 'lit'
import { savedRoute } from '../../locales/en-saved-route.ts'
import type { Texts } from '../../locales/messages.ts'
import { formatInstant } from '../text/format.ts'
import { messagesFor } from '../text/messages.ts'
import { renderEmpty } from '../notices/empty.ts'
import { loadPackageRoute, type PackageRoute, routeOfPackage } from './package-route.ts'
import { differencesFrom, predictionOf, rememberRoute } from './prediction.ts'
import { renderRoute, renderSentences, type RouteListContext } from './route-list.ts'
import type { ShownRoute } from './route-stops.ts'

/** The element that shows the route of a saved package. */
export interface SavedRouteContext extends RouteListContext {
  readonly element: HTMLElement
  /** Identifies the request among the remembered routes. */
  readonly request: string
  /** When the form around the element was saved; `undefined` if the page has not seen it. */
  readonly savedAt: Date | undefined
  /** Whether that form has been edited since. */
  readonly isEdited: boolean
}

/** The part of `<wf-route>` for saved packages. */
export const savedRoutes = { load: loadPackageRoute, remember, render }

/** Remembers the route of a request that is not submitted yet, to compare it later. */
function remember(content: PackageRoute, context: SavedRouteContext): void {
  if (content.past === null)
    rememberRoute(context.request, routeOf(content, context).stops, content.at.getTime())
}

function render(content: PackageRoute, context: SavedRouteContext): unknown {
  const { formatting, savedAt, isEdited } = context
  const t = textsOf(context)
  const route = routeOf(content, context)
  const time = (date: Date) => formatInstant(date, formatting, { timeStyle: 'short' })
  const source = content.past
    ? t.actual
    : savedAt
      ? t.savedAt(time(savedAt))
      : t.calculatedAt(time(content.at))
  return html`
    ${isEdited ? html`<div class="notice" part="outdated"><p>${t.outdated}</p></div>` : nothing}
    <p part="source">${source}</p>
    ${content.past ? renderComparison(route, context) : nothing}
    ${route.stops.length > 0 ? renderRoute(route, context) : renderEmpty(t.empty)}
  `
}

/** Renders how the route differs from what was shown before it was submitted. */
function renderComparison({ stops }: ShownRoute, context: SavedRouteContext): unknown {
  const { request, formatting } = context
  const prediction = predictionOf(request)
  if (!prediction) return nothing
  const t = textsOf(context)
  const time = formatInstant(prediction.at, formatting, { dateStyle: 'medium', timeStyle: 'short' })
  const differences = differencesFrom(prediction, stops, { ...context.messages, ...t }, formatting.language)
  return differences.length > 0
    ? renderSentences('differences', differences, t.differs(time))
    : html`<p class="detail">${t.asPredicted(time)}</p>`
}

function routeOf(content: PackageRoute, context: SavedRouteContext): ShownRoute {
  const { messages, common } = context
  return routeOfPackage(content, { ...messages, ...textsOf(context) }, common)
}

function textsOf({ element }: SavedRouteContext): Texts['savedRoute'] {
  return messagesFor(element, 'savedRoute', savedRoute)
}
