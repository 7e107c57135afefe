import { adoptStyles, css, html, nothing, type TemplateResult } from 'lit'
import type { Client, PageClient } from '../../client/index.ts'
import { formListReaders } from '../../contract/readers/form-list-readers.ts'
import { ownListRoutes } from '../../contract/routes/list-routes.ts'
import type { FormListQuery, FormListRow, ListRow } from '../../contract/schemas/lists.ts'
import { packageStates } from '../../contract/values/package-states.ts'
import { formList as english } from '../../locales/en-form-list.ts'
import { packageStates as englishStates } from '../../locales/en-package-states.ts'
import type { Texts } from '../../locales/messages.ts'
import type { Announcer } from '../notices/announcer.ts'
import { joinTexts } from '../text/join-texts.ts'
import { messagesFor } from '../text/messages.ts'
import { keyOf, readOfficeText } from '../wf-office/office-key.ts'
import { stateLabel } from '../wf-package-status/labels.ts'
import { type ListContent, readParts } from './list-content.ts'
import type { ExtendedList } from './shown-rows.ts'

/** The list of a form: the conditions that a person chooses, and what its rows show besides. */
export class FormList {
  readonly #host: ExtendedList
  readonly #announcer: Announcer
  /** The form to which the stops and offices belong. */
  #form = ''
  /** The stops and offices of the rows that were shown, by number. */
  #stops = new Map<number, string>()
  #offices = new Map<string, string>()
  /** The conditions of the rows that were announced last; `undefined` before the first rows. */
  #announced: string | undefined
  /** Text of the office that is not a number. */
  #wrongOffice = ''

  constructor(host: ExtendedList, announcer: Announcer) {
    this.#host = host
    this.#announcer = announcer
    const root = host.renderRoot as ShadowRoot
    adoptStyles(root, [...root.adoptedStyleSheets, styles])
    host.requestUpdate()
  }

  /** Reads the first parts of the list, at most `parts`. `filter` is the query of the conditions. */
  async read(client: PageClient, filter: string, parts: number, signal: AbortSignal): Promise<ListContent> {
    const lists: Pick<Client, 'getFormList'> = client.extend({
      routes: ownListRoutes,
      readers: formListReaders,
    })
    const params = { formId: Number(this.#host.forms.trim().split(/\s+/)[0]) }
    const conditions = Object.fromEntries(new URLSearchParams(filter)) as FormListQuery
    return await readParts('form', parts, (after) =>
      lists.getFormList({ params, query: { ...conditions, ...after } }, { signal }),
    )
  }

  /** Takes note of rows that are shown, and announces them if the person has chosen other ones. */
  follow({ rows, hasMore }: ListContent, filter: string): void {
    if (this.#form !== this.#host.forms) this.forget()
    this.#form = this.#host.forms
    for (const row of rows as readonly FormListRow[]) {
      for (const stop of row.stops ?? [])
        if (stop && stop.stopNumber !== null) this.#stops.set(stop.stopNumber, stop.name ?? '')
      for (const inbox of row.inboxSignatures ?? []) {
        const { naturalKey, name } = inbox?.responsibleOffice ?? {}
        if (naturalKey != null) this.#offices.set(naturalKey, name ?? '')
      }
    }
    if (this.#announced !== undefined && this.#announced !== filter) {
      const count = `${rows.length}${hasMore ? '+' : ''}`
      this.#announcer.announce(rows.length > 0 ? this.#texts.shown(count) : this.emptyText(filter))
    }
    this.#announced = filter
    this.#host.requestUpdate()
  }

  /** Forgets what was shown: it belongs to another form or person. */
  forget(): void {
    this.#stops = new Map()
    this.#offices = new Map()
    this.#announced = undefined
  }

  emptyText(filter: string): string {
    return filter ? this.#texts.noneFits : this.#texts.empty
  }

  get refusal(): string {
    return this.#texts.forbidden
  }

  /** Renders where a request is. */
  renderPlace(row: ListRow): unknown {
    const { stops, inboxSignatures } = row as FormListRow
    const stopNames = (stops ?? []).map((stop) => stop?.name || stop?.stopNumber?.toString() || '')
    const officeNames = (inboxSignatures ?? []).map((inbox) => {
      const { name, naturalKey } = inbox?.responsibleOffice ?? {}
      return [name, naturalKey && `(${naturalKey})`].filter(Boolean).join(' ')
    })
    const join = (names: readonly string[]) => joinTexts(this.#host, [...new Set(names.filter(Boolean))])
    const [stop, office] = [join(stopNames), join(officeNames)]
    const facts = [stop && this.#texts.atStop(stop), office && this.#texts.ofOffice(office)].filter(Boolean)
    return facts.length > 0
      ? html`<div class="detail">
          ${facts.map((fact, at) => [at ? ' · ' : '', html`<bdi>${fact}</bdi>`])}
        </div>`
      : nothing
  }

  /** Renders the conditions. `onChange` gets the query of other ones. */
  render(filter: string, onChange: (filter: string) => void): TemplateResult {
    const t = this.#texts
    const conditions = new URLSearchParams(filter)
    const valueOf = (name: string) => conditions.get(name) ?? ''
    const set = (name: string, value: string) => {
      if (value) conditions.set(name, value)
      else conditions.delete(name)
      conditions.sort()
      onChange(conditions.toString())
    }
    const states = messagesFor(this.#host, 'packageStatus', englishStates)
    const chosenStop = valueOf('stop')
    const stops = new Map([
      ...(chosenStop ? [[Number(chosenStop), this.#stops.get(Number(chosenStop)) ?? ''] as const] : []),
      ...this.#stops,
    ])
    const stopOptions = [...stops]
      .sort(([one], [other]) => one - other)
      .map(([number, name]) => [String(number), [String(number), name].filter(Boolean).join(' · ')] as const)
    const stateOptions = packageStates.map((state) => [state, stateLabel(state, states)] as const)
    const onDays = ({ target }: Event) => {
      const field = target as HTMLInputElement
      const days = Math.min(9999, Math.floor(Math.abs(field.valueAsNumber || 0)))
      // The field shows what counts.
      field.value = days ? String(days) : ''
      set('days', field.value)
    }
    const onOffice = ({ target }: Event) => {
      const text = (target as HTMLInputElement).value.trim()
      const key = keyOf(readOfficeText(text)) ?? ''
      this.#wrongOffice = key ? '' : text
      this.#host.requestUpdate()
      if (this.#wrongOffice) this.#announcer.announce(t.notANumber(officeExample))
      else set('office', key)
    }
    const isWrong = this.#wrongOffice !== ''
    return html`
      <form part="conditions" aria-label=${t.conditions} @submit=${(event: Event) => event.preventDefault()}>
        ${renderSelect(t.state, t.allStates, stateOptions, valueOf('state'), (value) => set('state', value))}
        <label class="condition"
          ><span>${t.days}</span
          ><input
            type="number"
            inputmode="numeric"
            min="1"
            max="9999"
            .value=${valueOf('days')}
            @change=${onDays}
        /></label>
        ${renderSelect(t.stop, t.allStops, stopOptions, chosenStop, (value) => set('stop', value))}
        <label class="condition"
          ><span>${t.office}</span
          ><input
            list="offices"
            autocomplete="off"
            spellcheck="false"
            placeholder=${officeExample}
            aria-invalid=${isWrong}
            aria-describedby=${isWrong ? 'wrong-office' : nothing}
            .value=${this.#wrongOffice || valueOf('office')}
            @change=${onOffice}
          />
          <datalist id="offices">
            ${[...this.#offices].sort().map(([key, name]) => html`<option value=${key}>${name}</option>`)}
          </datalist>
        </label>
        ${isWrong ? html`<p class="error" id="wrong-office">${t.notANumber(officeExample)}</p>` : nothing}
        ${
          filter
            ? html`<button
                type="button"
                class="quiet"
                part="all"
                @click=${() => {
                  this.#wrongOffice = ''
                  this.#host.renderRoot.querySelector<HTMLElement>('[part=conditions] select')?.focus()
                  onChange('')
                }}
              >
                ${t.all}
              </button>`
            : nothing
        }
      </form>
    `
  }

  get #texts(): Texts['formList'] {
    return messagesFor(this.#host, 'formList', english)
  }
}

function renderSelect(
  label: string,
  nothingText: string,
  options: readonly (readonly [value: string, text: string])[],
  selected: string,
  onChange: (value: string) => void,
): TemplateResult {
  return html`<label class="condition"
    ><span>${label}</span
    ><select @change=${({ target }: Event) => onChange((target as HTMLSelectElement).value)}>
      <option value="" ?selected=${!selected}>${nothingText}</option>
      ${options.map(
        ([value, text]) => html`<option value=${value} .selected=${value === selected}>${text}</option>`,
      )}
    </select></label
  >`
}

const officeExample = '05-0333'

const styles = css`
  [part='conditions'] {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(11em, 100%), 1fr));
    align-items: end;
    gap: 0.6em 1em;
    padding: 0.7em 1em;
  }

  .condition {
    display: grid;
    gap: 0.3em;
    min-inline-size: 0;
  }

  .condition > span {
    font-weight: 650;
    font-size: 0.9375em;
  }

  input,
  select {
    inline-size: 100%;
    min-inline-size: 0;
    min-block-size: 2.4em;
    padding: 0.3em 0.6em;
    border: 1px solid color-mix(in oklab, currentcolor 60%, transparent);
    border-radius: var(--_radius);
    background: transparent;
    color: inherit;
    font: inherit;
  }

  ::placeholder {
    color: var(--_muted);
    opacity: 1;
  }

  option {
    background: var(--_surface);
    color: var(--_text);
  }

  [aria-invalid='true'] {
    border: 2px solid var(--_danger);
  }

  [part='conditions'] > .error {
    grid-column: 1 / -1;
    margin: 0;
  }

  [part='all'] {
    justify-self: start;
    margin-inline-start: -0.5em;
  }

  [part='conditions'] ~ .notice {
    margin: 0 0.7em 0.7em;
  }

  [part='conditions'] ~ .skeleton,
  [part='conditions'] ~ slot {
    border-block-start: 1px solid var(--_line);
  }

  @media (pointer: coarse) {
    input,
    select {
      /* Smaller text would make phones zoom in. */
      font-size: max(1em, 16px);
      min-block-size: 44px;
    }
  }

  @media print {
    [part='conditions'] {
      display: none;
    }
  }
`
