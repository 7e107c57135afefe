import { html, nothing, type TemplateResult } from 'lit'
import type { Texts } from '../../locales/messages.ts'
import type { Formatting } from '../text/format.ts'
import { humanize } from '../text/humanize.ts'
import { isSigner, type RoutePerson, type ShownRoute, warningsOf } from './route-stops.ts'

export interface RouteListContext {
  readonly messages: Texts['route']
  readonly common: Texts['common']
  readonly formatting: Formatting
}

/** Renders a route: what is unusual about it, and its stops in their order. */
export function renderRoute(route: ShownRoute, context: RouteListContext): TemplateResult {
  const { messages, common, formatting } = context
  const warnings = warningsOf(route, messages, formatting.language)
  return html`
    ${warnings.length > 0 ? renderSentences('warnings', warnings) : nothing}
    <ol part="stops" aria-label=${messages.label}>
      ${route.stops.map(({ name, people }) => {
        const viewers = people.filter((person) => !isSigner(person))
        return html`<li part="stop">
          <strong><bdi>${name}</bdi></strong>
          <ul>
            ${people.filter(isSigner).map((person) => renderPerson(person, context))}
          </ul>
          ${
            viewers.length > 0
              ? html`<p class="detail">${messages.viewers}</p>
                  <ul class="viewers">
                    ${viewers.map((person) => renderPerson(person, context))}
                  </ul>`
              : nothing
          }
        </li>`
      })}
    </ol>
    ${route.leftOut > 0 ? html`<p class="detail">${common.leftOut(route.leftOut)}</p>` : nothing}
  `
}

/** Renders sentences as a list that catches the eye. */
export function renderSentences(
  part: 'warnings' | 'differences',
  sentences: readonly string[],
  heading?: string,
): TemplateResult {
  return html`<div class="notice" part=${part}>
    ${heading ? html`<p>${heading}</p>` : nothing}
    <ul>
      ${sentences.map((sentence) => html`<li>${sentence}</li>`)}
    </ul>
  </div>`
}

function renderPerson(
  { name, details, isRole, permission, hasSigned }: RoutePerson,
  { messages, common }: RouteListContext,
) {
  const verbs: Readonly<Record<string, string>> = common.permissions
  const verb = permission !== null && Object.hasOwn(verbs, permission) ? verbs[permission] : undefined
  const what = hasSigned ? messages.signed : (verb ?? humanize(permission ?? ''))
  const more = [...details, ...(isRole && name ? [messages.atPresent] : [])]
  return html`<li part="person" class=${hasSigned ? 'signed' : name ? '' : 'nobody'}>
    <bdi>${name ?? messages.nobody}</bdi> <span class="what">${what}</span>
    ${
      more.length > 0
        ? html`<p class="detail">
            ${more.map((text, index) => html`${index > 0 ? ' · ' : ''}<bdi>${text}</bdi>`)}
          </p>`
        : nothing
    }
  </li>`
}
