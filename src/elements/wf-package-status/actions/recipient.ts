import { html, nothing, type TemplateResult } from 'lit'
import type { Texts } from '../../../locales/messages.ts'
import { renderPersonField, renderSuggestions } from '../../person/person-field.ts'
import { type FindPeople, type Lookup, lookUp, namesOf } from '../../person/person-lookup.ts'
import type { ActionRequest } from './actions.ts'

/** The input of `Recipient.render()`. */
interface RecipientInput {
  readonly messages: Texts['packageActions']
  readonly personMessages: Texts['overrides']
  readonly findPeople: FindPeople | undefined
}

/**
 * The person who gets a returned package. The service accepts any user, whether or not they had it before (spec, States and
 * transitions).
 */
export class Recipient {
  readonly #onChange: () => void
  readonly #onChosen: () => void
  /** Display names of the people of the package, by university id. */
  #names: ReadonlyMap<string, string> = new Map()
  #typed = ''
  #lookup: Lookup | undefined
  #isMissing = false
  /** Ends the search of the directory. `undefined` if no search is running. */
  #search: AbortController | undefined

  /** `onChosen` runs after a choice has been rendered, which removes the control that had the focus. */
  constructor(onChange: () => void, onChosen: () => void) {
    this.#onChange = onChange
    this.#onChosen = onChosen
  }

  /** University id of the person, once their name or the lack of it is shown. */
  get univid(): string | undefined {
    return this.#lookup?.kind === 'found' ? this.#lookup.univid : undefined
  }

  get isSearching(): boolean {
    return this.#search !== undefined
  }

  /** Empties the field, and reads who belongs to the package. Their names are only a help: without them, ids work. */
  async reset({ target: [client, formId, packageId], found }: ActionRequest): Promise<void> {
    this.stop()
    this.#typed = ''
    this.#lookup = undefined
    this.#isMissing = false
    const names = namesOf([found.initiator])
    this.#names = names
    const events = await client.getHistory({ params: { formId, packageId } }).catch(() => [])
    // Another package may have been chosen meanwhile.
    if (this.#names !== names) return
    const people = events.flatMap((event) => [event?.person, event?.resolution])
    this.#names = new Map([...names, ...namesOf(people)])
    this.#onChange()
  }

  /** Looks up who was typed, unless the dialog closes meanwhile. */
  async find(findPeople: FindPeople | undefined): Promise<void> {
    this.#isMissing = this.#typed.trim() === ''
    if (this.#isMissing) return
    const search = new AbortController()
    this.#search = search
    this.#onChange()
    const lookup = await lookUp(this.#typed, this.#names, findPeople, search.signal)
    if (search.signal.aborted) return
    this.#search = undefined
    this.#lookup = lookup
  }

  /** Stops the search. */
  stop(): void {
    this.#search?.abort()
    this.#search = undefined
  }

  render({ messages, personMessages, findPeople }: RecipientInput): TemplateResult {
    const isSearchable = findPeople !== undefined || this.#names.size > 0
    const lookup = this.#lookup
    const error =
      this.#isMissing || (lookup?.kind === 'none' && !isSearchable)
        ? messages.unividMissing
        : lookup?.kind === 'none'
          ? personMessages.notFound
          : lookup?.kind === 'failed'
            ? personMessages.lookupFailed
            : ''
    return html`
      ${renderPersonField({
        name: 'univid',
        label: messages.univid,
        hint: isSearchable ? personMessages.personHintWithSearch : personMessages.personHint,
        error,
        typed: this.#typed,
        lookup,
        several: personMessages.several,
        onInput: this.#onInput,
        onChoose: ({ univid, name }) => {
          this.#typed = name
          this.#lookup = { kind: 'found', univid, name }
          this.#onChange()
          this.#onChosen()
        },
      })}
      ${renderSuggestions(this.#names.values())}
      <div aria-live="polite">
        ${lookup?.kind === 'found' ? renderFound(lookup, personMessages) : nothing}
      </div>
    `
  }

  readonly #onInput = ({ target }: Event): void => {
    this.stop()
    this.#typed = (target as HTMLInputElement).value
    this.#lookup = undefined
    this.#isMissing = false
    this.#onChange()
  }
}

function renderFound(
  { univid, name }: Extract<Lookup, { kind: 'found' }>,
  messages: Texts['overrides'],
): TemplateResult {
  return name === undefined
    ? html`<p part="named" class="attention">${messages.unknownPerson(univid)}</p>`
    : html`<p part="named"><bdi>${messages.named(name, univid)}</bdi></p>`
}
