import { html, nothing, type TemplateResult } from 'lit'
import type { Texts } from '../../../locales/messages.ts'
import type { ActionLink } from './action-link.ts'
import type { ActionName } from './actions.ts'

/** The actions of the list, and its callbacks. */
export interface ActionListOptions {
  readonly names: readonly ActionName[]
  readonly links: readonly ActionLink[]
  readonly messages: Texts['packageStatus']
  /** Id of the element with what is missing; `undefined` if nothing is. */
  readonly describedBy: string | undefined
  readonly onOpen: (name: ActionName) => void
  readonly onFollow: (event: Event, link: ActionLink) => void
  /** Called when the pointer or the focus comes near an action. */
  readonly onApproach: () => void
}

/** Renders the links and a button for each action; more than two buttons become a menu. */
export function renderActionList(options: ActionListOptions): TemplateResult | typeof nothing {
  const { names, links, messages, describedBy, onOpen, onFollow, onApproach } = options
  if (links.length + names.length === 0) return nothing
  const buttons = names.map(
    (name) =>
      html`<li>
        <button
          type="button"
          part="action"
          class=${name === 'voidPackage' || name === 'removePackage' ? 'danger quiet' : ''}
          data-action=${name}
          aria-haspopup="dialog"
          @click=${() => onOpen(name)}
        >
          ${messages[name]}…
        </button>
      </li>`,
  )
  return html`
    <div class="row" @pointerenter=${onApproach} @focusin=${onApproach}>
      ${links.map(
        (link) =>
          html`<a
            class="button ${link.label === 'edit' ? '' : 'solid'}"
            part=${link.name}
            href=${link.url}
            aria-describedby=${(link.name === 'sign' && describedBy) || nothing}
            @click=${(event: Event) => onFollow(event, link)}
            >${messages[link.label]}</a
          >`,
      )}
      ${
        names.length > 2
          ? html`<details part="actions" @keydown=${onMenuKey}>
              <summary class="button">${messages.actions}</summary>
              <ul>
                ${buttons}
              </ul>
            </details>`
          : html`<ul class="row">
              ${buttons}
            </ul>`
      }
    </div>
  `
}

/** Closes the menu by Escape, as menus do. */
function onMenuKey({ key, currentTarget }: KeyboardEvent): void {
  const menu = currentTarget as HTMLDetailsElement
  if (key !== 'Escape' || !menu.open) return
  menu.open = false
  menu.querySelector('summary')?.focus()
}
