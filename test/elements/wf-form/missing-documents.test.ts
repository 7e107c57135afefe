import { expect, fixture, html } from '@open-wc/testing'
import type { PageClient } from '../../../src/client/index.ts'
import type { Package } from '../../../src/contract/schemas/workflow.ts'
import {
  missingDocuments,
  readMissing,
  uploadProblems,
} from '../../../src/elements/wf-form/files/documents.ts'
import { formOutcome } from '../../../src/locales/en-form-outcome.ts'
import { textsOf } from '../texts.ts'

const params = { formId: 6025, packageId: 7 }
const type = (id: number, title: string, more: object = {}) => ({
  id,
  title,
  requiredPreRouting: true,
  ...more,
})

/** A client with these responses, or errors, and the calls that it gets. */
function clientWith(types: unknown, found: unknown, ahead: unknown = []) {
  const calls: unknown[] = []
  const respond = (name: string, response: unknown) => (input: unknown) => {
    calls.push([name, input])
    return response instanceof Error ? Promise.reject(response) : Promise.resolve(response)
  }
  const client = {
    getSession: () => Promise.resolve({ univid: '1' }),
    getAttachmentTypes: respond('getAttachmentTypes', types),
    getAttachments: respond('getAttachments', found),
    getFutureHistory: respond('getFutureHistory', ahead),
  } as unknown as PageClient
  return { client, calls }
}

const draft = { id: 7, state: 'PRE_ROUTING', initiator: { univid: '1' } } as Package

async function missing(form: Element, client: PageClient) {
  return missingDocuments(form, await readMissing(form, client, 6025, draft, false))
}

describe('missingDocuments()', () => {
  it('names all documents that are required before routing and missing, and leads to the place of documents', async () => {
    const form = await fixture(html`<div lang="en"><wf-attachments></wf-attachments></div>`)
    const { client, calls } = clientWith(
      [
        type(1, 'Itinerary'),
        type(2, 'Budget'),
        type(3, 'Visa'),
        null,
        type(4, 'Report', { requiredPreRouting: false, requiredBeforeComplete: true }),
      ],
      [{ attachmentType: { id: 2 } }, null],
    )
    expect(await missing(form, client)).to.deep.equal([
      {
        text: 'Upload the required documents: Itinerary and Visa.',
        target: form.querySelector('wf-attachments'),
      },
    ])
    expect(calls).to.deep.equal([
      ['getAttachmentTypes', { params }],
      ['getAttachments', { params }],
    ])
  })

  it('leads nowhere without a place of documents', async () => {
    const form = await fixture(html`<div lang="en"></div>`)
    const { client } = clientWith([type(1, 'Itinerary')], [])
    expect(await missing(form, client)).to.deep.equal([
      { text: 'Upload the required document: Itinerary.', target: undefined },
    ])
  })

  it('is nothing if all documents are there, or if a list cannot be read', async () => {
    const form = await fixture(html`<div lang="en"></div>`)
    const there = [{ attachmentType: { id: 1 } }]
    for (const [types, found] of [
      [[type(1, 'Itinerary')], there],
      [[], []],
      [new Error('down'), []],
      [[type(1, 'Itinerary')], new Error('down')],
    ])
      expect(await missing(form, clientWith(types, found).client)).to.deep.equal([])
  })
})

describe('readMissing()', () => {
  it('reads the route for a review, unless the review shows it, and notes what failed', async () => {
    const form = await fixture(html`<div lang="en"></div>`)
    const down = new Error('down')
    const { client, calls } = clientWith([], down, down)
    const facts = await readMissing(form, client, 6025, draft, true)
    expect(facts.reads).to.deep.equal({
      getAttachmentTypes: [],
      getAttachments: undefined,
      getFutureHistory: undefined,
    })
    expect([...facts.failed]).to.deep.equal(['getAttachments', 'getFutureHistory'])
    expect(facts.person).to.equal('1')
    expect(calls).to.have.length(3)

    const route = document.createElement('wf-route')
    route.slot = 'review'
    form.append(route)
    for (const isDefined of [false, true]) {
      if (isDefined) customElements.define('wf-route', class extends HTMLElement {})
      const next = clientWith([], [])
      await readMissing(form, next.client, 6025, draft, true)
      expect(next.calls, `${isDefined}`).to.have.length(isDefined ? 2 : 3)
    }
  })
})

describe('uploadProblems()', () => {
  const texts = textsOf(formOutcome)
  const unfinished = { validity: { valid: false }, validationMessage: 'Finish the upload first.' }

  /** The problems of these fields, whose properties are given, as texts with the ids of their targets. */
  async function problems(...fields: readonly (readonly [name: string, facts: object])[]) {
    const form = await fixture(html`<div></div>`)
    for (const [name, facts] of fields) {
      const field = Object.assign(document.createElement(name), { id: `up-${name}` })
      field.setAttribute('name', 'receipts')
      form.append(field)
      for (const [key, value] of Object.entries(facts)) Object.defineProperty(field, key, { value })
    }
    return (own: readonly string[] = []) =>
      uploadProblems(form, own, texts).map(({ text, target }) => [text, target?.id])
  }

  it('names uploads that are not finished, but leaves those of its own fields to these @engines', async () => {
    for (const name of ['wf-attachments', 'fs-uploader']) {
      const found = await problems([name, { value: [], ...unfinished }])
      expect(found(), name).to.deep.equal([['Finish the upload first.', `up-${name}`]])
      expect(found(['other']), name).to.deep.equal([['Finish the upload first.', `up-${name}`]])
      expect(found(['receipts']), name).to.deep.equal([])
    }
  })

  it('names each file that has failed, and leads to its row or else to its field', async () => {
    const row = Object.assign(document.createElement('p'), { id: 'up-row' })
    const failedFiles = [{ name: 'a.pdf', row }, { name: 'b.pdf' }]
    const found = await problems(['fs-uploader', { value: [], failedFiles, ...unfinished }])
    const failed = [
      ['“a.pdf” was not uploaded. Try again or remove it.', 'up-row'],
      ['“b.pdf” was not uploaded. Try again or remove it.', 'up-fs-uploader'],
    ]
    expect(found(['receipts'])).to.deep.equal(failed)
    expect(found()).to.deep.equal([...failed, ['Finish the upload first.', 'up-fs-uploader']])
  })

  it('is nothing for fields that are finished, have not loaded, or have no message', async () => {
    for (const facts of [{ value: [], validity: { valid: true } }, { value: [] }])
      expect((await problems(['fs-uploader', facts]))()).to.deep.equal([])
    expect(
      (await problems(['fs-uploader', unfinished], ['wf-attachments', {}], ['p', unfinished]))(),
    ).to.deep.equal([])
    const silent = await problems(['fs-uploader', { value: [], validity: { valid: false } }])
    expect(silent()).to.deep.equal([['', 'up-fs-uploader']])
  })
})
