import { expect } from '@open-wc/testing'
import {
  type PersonField,
  renderPersonField,
  renderSuggestions,
} from '../../../src/elements/person/person-field.ts'
import { markup, rendered } from '../wf-form/markup.ts'

const empty: PersonField = {
  name: 'recipient',
  label: 'Recipient',
  hint: 'A name or a university ID',
  error: '',
  typed: '',
  lookup: undefined,
  several: 'Which one?',
  onInput: () => {},
  onChoose: () => {},
}

const ana = { univid: '1', name: 'Ana', detail: 'Biology' }
const ben = { univid: '2', name: 'Ben' }

const show = (field: Partial<PersonField>) => rendered(renderPersonField({ ...empty, ...field }))

const field = (isInvalid: boolean, error = '') =>
  '<label class="field">Recipient<input list="people" autocomplete="off" aria-required="true" name="recipient" ' +
  `aria-invalid="${isInvalid}" aria-describedby="recipient-hint recipient-error"></label>` +
  '<p class="detail" id="recipient-hint">A name or a university ID</p>' +
  `<p class="error" role="alert" id="recipient-error">${error}</p>`

describe('renderPersonField()', () => {
  it('renders a required field with its hint', () => {
    const shown = show({ typed: 'An' })
    expect(markup(shown)).to.equal(field(false))
    expect(shown.querySelector('input')!.value).to.equal('An')
  })

  it('renders the problem, and marks the field', () => {
    expect(markup(show({ error: 'Nobody has this name.' }))).to.equal(field(true, 'Nobody has this name.'))
  })

  it('renders no choice unless a search has found several people', () => {
    for (const lookup of [
      { kind: 'none' },
      { kind: 'failed' },
      { kind: 'found', univid: '1', name: 'Ana' },
    ] as const)
      expect(markup(show({ lookup })), lookup.kind).to.equal(field(false))
  })

  it('renders the people to choose from, with what distinguishes them', () => {
    const choice = (value: string, text: string) =>
      `<label><input type="radio" name="recipient-choice" value="${value}"><span>${text}</span></label>`
    expect(markup(show({ lookup: { kind: 'several', people: [ana, ben] } }))).to.equal(
      `${field(false)}<fieldset part="people"><legend>Which one?</legend>` +
        choice('1', '<bdi>Ana</bdi><span class="detail">Biology</span>') +
        choice('2', '<bdi>Ben</bdi>') +
        '</fieldset>',
    )
  })

  it('reports what is typed and who is chosen', () => {
    const calls: unknown[] = []
    const shown = show({
      lookup: { kind: 'several', people: [ana, ben] },
      onInput: ({ type }) => calls.push(type),
      onChoose: (person) => calls.push(person),
    })
    shown.querySelector('input')!.dispatchEvent(new Event('input'))
    shown.querySelector('[value="2"]')!.dispatchEvent(new Event('change'))
    expect(calls).to.deep.equal(['input', ben])
  })
})

describe('renderSuggestions()', () => {
  it('renders each name once, in the list that the field uses', () => {
    expect(markup(rendered(renderSuggestions(['Ana', 'Ben', 'Ana'])))).to.equal(
      '<datalist id="people"><option value="Ana"></option><option value="Ben"></option></datalist>',
    )
  })
})
