import { expect, fixture, html } from '@open-wc/testing'
import type { TemplateResult } from 'lit'
import { fieldErrorsOf } from '../../../src/client/index.ts'
import { formReaders } from '../../../src/contract/readers/form-readers.ts'
import { formRoutes } from '../../../src/contract/routes/form-routes.ts'
import { type FieldKind, fieldKinds, validationCodes } from '../../../src/contract/values/values.ts'
import { FormFields } from '../../../src/elements/wf-form/fields/form-fields.ts'
import { type Backend, createBackend } from '../../../stories/backend.ts'
import { settled } from '../../../stories/settled.ts'
import { waitUntil } from '../../wait-until.ts'
import { press, show, type } from './form.ts'
import { valuesIn } from './values-in.ts'

/** The field of each kind in the form of the emulator, with a valid value. */
const fields: Readonly<Record<FieldKind, readonly [name: string, valid: string]>> = {
  text: ['purpose', 'Field work'],
  date: ['departure', '2027-03-01'],
  url: ['website', 'https://example.edu/'],
  email: ['contact', 'ana@example.edu'],
  number: ['nights', '4'],
  currency: ['cost', '1,250.50'],
  no_answer: ['notice', ''],
  university_id: ['traveler', '10000001'],
  org: ['org', '05'],
  department: ['department', '05-0333'],
  sub_department: ['sub_department', '05-0333-0001'],
  position: ['position', '00012345'],
}

const names = fieldKinds.map((kind) => fields[kind][0])
const valid = Object.fromEntries(Object.values(fields))

/** A form with a text field for each kind, so that people can type anything. */
const form: TemplateResult = html`
  <form lang="en">
    ${fieldKinds.map(
      (kind) => html`
        <p>
          <label for=${`va-${kind}`}>Label of ${kind}</label>
          <input id=${`va-${kind}`} name=${fields[kind][0]} data-kind=${kind} />
        </p>
      `,
    )}
    <button value="ROUTING">Submit</button>
  </form>
`

describe('<wf-form> and the codes of a validation failure', () => {
  for (const code of validationCodes) {
    it(`shows ${code} at a field of each kind, and clears it when the field is edited`, async () => {
      const backend = createBackend()
      let isRefused = true
      backend.intercept = (request) =>
        isRefused && request.method === 'POST'
          ? Promise.resolve(
              Response.json(Object.fromEntries(names.map((name) => [`entry['${name}']`, [code]])), {
                status: 400,
              }),
            )
          : undefined
      const { element } = await show({ backend, form })
      type(element, valid)
      press(element, 'ROUTING')
      await waitUntil(
        () => element.querySelectorAll('.wf-problem').length === fieldKinds.length,
        'no message',
      )

      const links = [...element.shadowRoot!.querySelectorAll('[part=problems] a')]
      expect(links).to.have.length(fieldKinds.length)
      for (const [at, kind] of fieldKinds.entries()) {
        const control = element.querySelector<HTMLInputElement>(`#va-${kind}`)!
        const message = control.previousElementSibling!
        expect(message.textContent.toLowerCase(), kind).to.include(`label of ${kind}`)
        expect(message.textContent, kind).to.match(/^[A-Z].*\.$/)
        expect(control.getAttribute('aria-invalid'), kind).to.equal('true')
        expect(control.getAttribute('aria-describedby'), kind).to.equal(message.id)
        expect(links[at]!.textContent, kind).to.equal(message.textContent)
      }
      await expect(element).to.be.accessible()

      for (const [at, name] of names.entries()) {
        type(element, { [name]: valid[name] ?? '' })
        await element.updateComplete
        expect(element.querySelectorAll('.wf-problem'), name).to.have.length(names.length - at - 1)
      }
      isRefused = false
      press(element, 'ROUTING')
      await settled(element)
      expect([...backend.emulator.packages.test.values()].at(-1)?.state).to.equal('ROUTING')
      expect(element.querySelector('.wf-problem')).to.equal(null)
    })
  }
})

/** What people can type for each kind so that the emulator refuses it, by code. */
const refused: Readonly<Record<string, Partial<Readonly<Record<FieldKind, string>>>>> = {
  'validation.required': {
    text: '',
    date: '',
    url: '',
    email: '',
    number: '',
    currency: '',
    university_id: '',
    org: '',
    department: '',
    sub_department: '',
    position: '',
  },
  'validation.badAnswerType': {
    date: 'tomorrow',
    number: 'several',
    currency: '1.250,50',
    university_id: 'Ana',
    org: '5',
    department: 'Biology',
    sub_department: '05-0333',
    position: 'Lecturer',
  },
  'validation.notFound': {
    university_id: '99999999',
    org: '99',
    department: '99-9999',
    sub_department: '99-9999-9999',
    position: '99999999',
  },
  'validation.invalidValue': { date: '2027-02-30', url: 'example.edu', email: 'ana' },
}

describe('FormFields and the service', () => {
  it('send a valid entry with all kinds', async () => {
    const { create } = await strictForm()
    expect(await create({})).to.deep.equal({})
  })

  for (const [code, texts] of Object.entries(refused)) {
    it(`send what was typed, and get ${code} for exactly these fields`, async () => {
      const { create, fieldsOf } = await strictForm()
      const typed = Object.fromEntries(
        Object.entries(texts).map(([kind, text]) => [fields[kind as FieldKind][0], text]),
      )
      const expected = Object.fromEntries(Object.keys(typed).map((name) => [name, [code]]))
      expect(await create(typed)).to.deep.equal(expected)
      // The page knows beforehand if text does not have the shape of its kind, and only then.
      const hasShape = code === 'validation.required' || code === 'validation.notFound'
      expect(Object.keys(fieldsOf().problems())).to.deep.equal(
        hasShape ? [] : names.filter((name) => Object.hasOwn(typed, name)),
      )
    })
  }

  it('send a field that the form does not have, and get validation.invalidValue', async () => {
    const { create } = await strictForm(html`<input name="unknown" value="x" />`)
    expect(await create({})).to.deep.equal({ unknown: ['validation.invalidValue'] })
  })
})

/** A page whose form requires all fields. `create` types, sends, and returns the errors of the service. */
async function strictForm(more: TemplateResult | string = '') {
  const backend: Backend = createBackend()
  const found = backend.emulator.forms.test.get(6025)!
  Object.assign(found, { fields: found.fields.map((field) => ({ ...field, required: true })) })
  const wrapper = await fixture<HTMLElement>(html`<div>${form}</div>`)
  const native = wrapper.querySelector('form')!
  if (more) native.append(await fixture<HTMLElement>(more))
  const client = backend.client.extend({ routes: formRoutes, readers: formReaders })
  return {
    fieldsOf: () => new FormFields(native),
    async create(typed: Readonly<Record<string, string>>): Promise<object> {
      for (const [name, text] of Object.entries({ ...valid, ...typed }))
        native.querySelector<HTMLInputElement>(`[name=${name}]`)!.value = text
      const entry = valuesIn(new FormFields(native))
      try {
        await client.createPackage({ params: { formId: 6025 }, body: { state: 'PRE_ROUTING', entry } })
        return {}
      } catch (error) {
        const errors = fieldErrorsOf(error)
        if (!errors) throw error
        return errors
      }
    },
  }
}
