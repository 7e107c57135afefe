import { css, html, nothing, type TemplateResult } from 'lit'
import type { Comment } from '../../contract/schemas/comments.ts'
import type { HistoryEvent } from '../../contract/schemas/history.ts'
import { personKey } from '../../contract/values/patterns.ts'
import type { Texts } from '../../locales/messages.ts'

/** The events of a history by the person that they are about. */
type EventsByPerson = ReadonlyMap<string, readonly HistoryEvent[]>

/** Renders the initials before the name of an author, and the role and the mark of a new comment after it. */
export function renderAuthor(
  comment: Comment,
  events: EventsByPerson,
  isNew: boolean,
  messages: Texts['comments'],
): readonly [before: TemplateResult, after: TemplateResult] {
  const role = roleOf(comment, events, messages)
  return [
    html`<span class="initials" aria-hidden="true">${initialsOf(comment.person?.displayName ?? '')}</span>`,
    html`
      ${role ? html`<span class="detail">${role}</span>` : nothing}
      ${isNew ? html`<span class="mark new">${messages.new}</span>` : nothing}
    `,
  ]
}

export function groupByPerson(history: readonly (HistoryEvent | null)[]): EventsByPerson {
  const groups = new Map<string, HistoryEvent[]>()
  for (const event of history) {
    if (!event?.person?.univid) continue
    const key = personKey(event.person.univid)
    const group = groups.get(key)
    if (group) group.push(event)
    else groups.set(key, [event])
  }
  return groups
}

/**
 * Returns the role of the author of a comment: the initiator, or an approver at the latest stop that they had reached by then. If
 * they wrote before they reached one, it is their first stop. Empty if the history does not contain the author.
 */
export function roleOf(
  { createdAt, person }: Comment,
  events: EventsByPerson,
  messages: Texts['comments'],
): string {
  const own = events.get(personKey(person?.univid ?? '')) ?? []
  if (own.some((event) => event['@class'] === 'initiation')) return messages.initiator
  const stops = own.filter((event) => event['@class'] === 'signature' && event.stop?.stopNumber)
  const reached = stops.filter(({ actionDate }) => actionDate && createdAt && actionDate <= createdAt)
  const number = (reached.at(-1) ?? stops[0])?.stop?.stopNumber
  return number ? messages.approver(String(number)) : ''
}

/** Returns the first letters of the first and the last word of a name, or a question mark. */
export function initialsOf(name: string): string {
  const [first = '?', ...others] = name.match(/(?<!\S)\p{L}\p{M}*/gu) ?? []
  return first + (others.at(-1) ?? '')
}

export const authorStyles = css`
  /* In the space before each comment. */
  .initials {
    display: grid;
    place-items: center;
    position: absolute;
    inline-size: 2.5em;
    block-size: 2.5em;
    margin-inline-start: -3.4em;
    border: 1px solid var(--_line);
    border-radius: 50%;
    color: var(--_muted);
    font-size: 0.8125em;
    font-weight: 600;
  }

  .new {
    border: 2px solid var(--_accent);
  }
`
