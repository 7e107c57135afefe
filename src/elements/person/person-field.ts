import { html, nothing, type TemplateResult } from 'lit'
import type { DirectoryPerson, Lookup } from './person-lookup.ts'

/** A field for a person, who is entered by name or university id. */
export interface PersonField {
  /** Name of the input. Ids of its texts begin with it. */
  readonly name: string
  readonly label: string
  readonly hint: string
  /** The problem with the input; empty if it is valid. */
  readonly error: string
  readonly typed: string
  /** The result of the latest search. */
  readonly lookup: Lookup | undefined
  /** Label of the choice if a search has found several people. */
  readonly several: string
  readonly onInput: (event: Event) => void
  readonly onChoose: (person: DirectoryPerson) => void
}

/** Renders the field, with the people to choose from. `renderSuggestions()` has to be next to it. */
export function renderPersonField({
  name: field,
  label,
  hint,
  error,
  typed,
  lookup,
  several,
  onInput,
  onChoose,
}: PersonField): TemplateResult {
  return html`
    <label class="field">
      ${label}
      <input
        name=${field}
        list="people"
        autocomplete="off"
        aria-required="true"
        aria-invalid=${error !== ''}
        aria-describedby="${field}-hint ${field}-error"
        .value=${typed}
        @input=${onInput}
      />
    </label>
    <p class="detail" id="${field}-hint">${hint}</p>
    <p class="error" id="${field}-error" role="alert">${error}</p>
    ${
      lookup?.kind === 'several'
        ? html`<fieldset part="people">
            <legend>${several}</legend>
            ${lookup.people.map(
              (person) =>
                html`<label
                  ><input
                    type="radio"
                    name="${field}-choice"
                    value=${person.univid}
                    @change=${() => onChoose(person)}
                  /><span
                    ><bdi>${person.name}</bdi
                    >${person.detail ? html` <span class="detail">${person.detail}</span>` : nothing}</span
                  ></label
                >`,
            )}
          </fieldset>`
        : nothing
    }
  `
}

/** Renders the names that the browser suggests while somebody types. */
export function renderSuggestions(names: Iterable<string>): TemplateResult {
  return html`<datalist id="people">
    ${[...new Set(names)].map((name) => html`<option value=${name}></option>`)}
  </datalist>`
}
