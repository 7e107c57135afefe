import { html, nothing } from 'lit'
import { type EventList, latestOf } from './event-list.ts'
import { renderEventIcon } from './event-rows.ts'
import { describeEvent, eventKindOf, type EventLanguage, personNameOf } from './event-text.ts'

/**
 * Renders the current position of a package above a long history: the people it waits for, or else the event that ended its
 * route. `onJump` leads to it.
 */
export function renderPosition(
  list: EventList,
  language: EventLanguage,
  textLanguage: string,
  onJump: () => void,
): unknown {
  const waiting = list.waiting.filter((event) => event && eventKindOf(event) === 'now')
  const latest = latestOf(list)
  const kind = waiting.length > 0 ? 'now' : latest && eventKindOf(latest)
  if (!kind || !['now', 'complete', 'void', 'remove'].includes(kind)) return nothing
  const { messages, common } = language
  const names = waiting.map((event) => personNameOf(event, common))
  const [who, what] = latest && kind !== 'now' ? describeEvent(latest, kind, language) : []
  return html`<p part="now" class=${kind}>
    ${renderEventIcon(kind)}
    <span
      >${
        what === undefined
          ? [messages.waiting, ' ', renderNames(names, textLanguage)]
          : html`<bdi>${who}</bdi>${what}`
      }</span
    >
    <button type="button" part="jump" @click=${onJump}>${messages.jump}</button>
  </p>`
}

function renderNames(names: readonly string[], language: string): unknown {
  const [only = ''] = names
  // Creating a ListFormat takes longer than everything else above the list.
  const parts =
    names.length > 1 ? new Intl.ListFormat(language).formatToParts(names) : [{ type: 'element', value: only }]
  return parts.map(({ type, value }) => (type === 'element' ? html`<bdi>${value}</bdi>` : value))
}
