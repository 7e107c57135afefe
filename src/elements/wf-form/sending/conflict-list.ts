import { html, type TemplateResult } from 'lit'
import type { Texts } from '../../../locales/messages.ts'
import type { EntryConflict } from '../state/entry-merge.ts'

/** Which values win, by natural key: those of this page, or those that somebody else saved meanwhile. */
export type Choices = Readonly<Record<string, 'mine' | 'theirs'>>

interface ConflictListOptions {
  readonly conflicts: readonly EntryConflict[]
  readonly messages: Texts['formOutcome']
  /** Returns the label of a field. */
  readonly labelOf: (name: string) => string
  /** Called with the choice for each field. */
  readonly onChoose: (choices: Choices) => void
  readonly onCancel: () => void
}

/** Renders the fields that two people have changed, with both values of each, and asks which to keep. */
export function renderConflicts(options: ConflictListOptions): TemplateResult {
  const { conflicts, messages, labelOf, onChoose, onCancel } = options
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget as HTMLFormElement)
    onChoose(
      Object.fromEntries(
        conflicts.map(({ name }, index) => [name, data.get(`${index}`) === 'theirs' ? 'theirs' : 'mine']),
      ),
    )
  }
  return html`
    <form class="notice" part="conflicts" tabindex="-1" @submit=${onSubmit}>
      <p>${messages.conflicts}</p>
      ${conflicts.map(
        ({ name, mine, theirs }, index) => html`
          <fieldset>
            <legend>${labelOf(name)}</legend>
            ${(
              [
                ['mine', mine],
                ['theirs', theirs],
              ] as const
            ).map(
              ([side, value]) => html`
                <label
                  ><input type="radio" name=${index} value=${side} required />
                  <span>${messages[side]}: <bdi>${textOf(value, messages)}</bdi></span></label
                >
              `,
            )}
          </fieldset>
        `,
      )}
      <div class="buttons">
        <button type="submit" class="solid">${messages.keepChosen}</button>
        <button type="button" @click=${onCancel}>${messages.cancel}</button>
      </div>
    </form>
  `
}

function textOf(value: unknown, messages: Texts['formOutcome']): string {
  if (value === null || value === undefined || value === '') return messages.empty
  return typeof value === 'string' ? value : JSON.stringify(value)
}
