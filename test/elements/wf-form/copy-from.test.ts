import { expect } from '@open-wc/testing'
import { html, type TemplateResult } from 'lit'
import '../../../src/define/fs-uploader.ts'
import type { WfForm } from '../../../src/elements/wf-form/wf-form.ts'
import { type Backend, createBackend, people } from '../../../stories/backend.ts'
import { settled } from '../../../stories/settled.ts'
import { waitUntil } from '../../wait-until.ts'
import { attach } from '../wf-attachments/attach.ts'
import {
  button,
  complete,
  control,
  created,
  part,
  press,
  show,
  textOf,
  travelForm,
  type,
  writes,
} from './form.ts'

const attributes = { 'copy-from': '42' }
const earlier = (backend: Backend) => backend.emulator.packages.test.get(42)!
const filled = (element: WfForm) => waitUntil(() => part(element, 'copied'))
const list = (element: WfForm, name: string) =>
  [...(part(element, name)?.children ?? [])].map((item) => (item as HTMLElement).innerText.trim())
const value = (element: WfForm, name: string) => control(element, name).value

/** Shows a new request that is filled in from request 42. */
async function copied(backend = createBackend(), form?: TemplateResult) {
  const shown = await show({ backend, attributes, ...(form && { form }) })
  await filled(shown.element)
  await settled(shown.element)
  return shown
}

/** Adds values to request 42, and shows a form with these controls for them. */
async function copiedWith(entry: Readonly<Record<string, unknown>>, controls: TemplateResult) {
  const backend = createBackend()
  Object.assign(earlier(backend).entry, entry)
  return await copied(backend, html`<form><input name="purpose" />${controls}<button>Submit</button></form>`)
}

describe('<wf-form> with copy-from', () => {
  it('fills in a new request from an earlier one, and creates nothing before the person saves (4.1, 4.3)', async () => {
    const backend = createBackend()
    const { element } = await show({ backend, attributes: { ...attributes, autosave: '' } })
    await filled(element)
    await settled(element)
    expect(value(element, 'purpose')).to.equal('Annual meeting of the Society for Freshwater Science')
    expect(value(element, 'cost')).to.equal('1,250.50')
    expect(value(element, 'nights')).to.equal('4')
    expect(element.packageId).to.equal(0)
    expect(writes(backend), 'nothing is sent').to.deep.equal([])
    expect(textOf(element)).to.match(
      /^Filled in from request 42\. Nothing is saved yet\. Not copied: Departure/,
    )
    await expect(element).to.be.accessible()
    const before = structuredClone(earlier(backend))
    type(element, { departure: '2027-10-02' })
    press(element, 'PRE_ROUTING')
    await waitUntil(() => created(backend)[0])
    await settled(element)
    const [found] = created(backend)
    expect(found).to.deep.include({ state: 'PRE_ROUTING' })
    expect(found!.entry).to.deep.include({
      purpose: 'Annual meeting of the Society for Freshwater Science',
      departure: '2027-10-02',
      cost: 1250.5,
      nights: 4,
      website: null,
    })
    expect(earlier(backend), 'the earlier request is as before').to.deep.equal(before)
    expect(textOf(element)).not.to.include('Nothing is saved yet')
  })

  for (const [name, person, id] of [
    ['the person may not read it', people.outsider, '42'],
    ['it does not exist', people.initiator, '999'],
  ] as const) {
    it(`leaves the form empty with the reason if ${name} (4.1)`, async () => {
      const backend = createBackend(person)
      const { element } = await show({ backend, attributes: { 'copy-from': id } })
      await filled(element)
      await settled(element)
      expect(textOf(element)).to.equal(
        `The form is empty, because you may not read request ${id} or it does not exist.`,
      )
      expect(value(element, 'purpose')).to.equal('')
      type(element, complete)
      press(element, 'PRE_ROUTING')
      await waitUntil(() => created(backend)[0], 'the form is usable')
    })
  }

  it('asks the service as the person, also if the request itself can be seen (4.1)', async () => {
    const backend = createBackend()
    backend.intercept = ({ url }) =>
      url.endsWith('/42/entry') ? Promise.resolve(Response.json({}, { status: 403 })) : undefined
    const { element } = await copied(backend)
    expect(textOf(element)).to.match(/^The form is empty, because you may not read request 42/)
    expect(value(element, 'purpose')).to.equal('')
    expect(
      backend.journal.some((line) => line.endsWith('/42/entry')),
      'control: it was asked for',
    ).to.equal(true)
  })

  it('names what it left out: fields that the page lacks, and the documents to upload again (4.2)', async () => {
    const backend = createBackend()
    attach(backend, { fileName: 'trip.pdf' })
    attach(backend, { fileName: 'quote.pdf', type: 2 })
    const { element } = await copied(
      backend,
      html`<form>
        <label>Purpose <input name="purpose" /></label><button>Submit</button>
      </form>`,
    )
    expect(value(element, 'purpose')).not.to.equal('')
    const names = list(element, 'left-out')
    expect(names).to.include.members(['Departure', 'Cost', 'Sub department'])
    expect(names, 'nothing was entered there').not.to.include('Notice')
    expect(names).not.to.include('Purpose')
    expect(list(element, 'upload-again')).to.deep.equal(['Itinerary: trip.pdf', 'Receipt: quote.pdf'])
  })

  it('states that the documents are not known if they cannot be read (4.2)', async () => {
    const backend = createBackend()
    backend.intercept = ({ url }) =>
      url.endsWith('/attachments') ? Promise.resolve(new Response(null, { status: 500 })) : undefined
    const { element } = await copied(backend)
    expect(textOf(element)).to.include('Documents are not copied, and the list of those of request 42')
    expect(value(element, 'nights')).to.equal('4')
  })

  it('leaves out dates of every kind of control (4.2) @engines', async () => {
    const { element } = await copiedWith(
      { until: '2027-05-18', at: '2027-05-14T09:00', month: '2027-05', picked: '2027-05-14', year: '2027' },
      html`
        <label>Until <input name="until" data-kind="date" /></label>
        <label>At <input name="at" type="datetime-local" /></label>
        <label>Month <input name="month" type="month" /></label>
        <label>Picked <input name="picked" /></label>
        <label>Year <input name="year" /></label>
      `,
    )
    for (const name of ['until', 'at', 'month', 'picked']) expect(value(element, name), name).to.equal('')
    expect(list(element, 'left-out').slice(0, 4)).to.deep.equal(['Until', 'At', 'Month', 'Picked'])
    expect(value(element, 'year'), 'control').to.equal('2027')
  })

  it('leaves out controls with data-no-copy, files, secrets, and what the page itself writes (4.2)', async () => {
    const { element } = await copiedWith(
      {
        code: 'A1',
        note: 'B',
        files: 'c4c6b4de-5b1d-4d5c-9d38-0e4b2f9a9a11',
        pin: '77',
        token: 'T',
        day: 'Monday',
        sum: 3,
        fixed: 'old',
      },
      html`
        <label>Code <input name="code" data-no-copy /></label>
        <fieldset data-no-copy>
          <label>Note <input name="note" /></label>
        </fieldset>
        <fs-uploader name="files" aria-label="Photos"></fs-uploader>
        <label>PIN <input name="pin" type="password" /></label>
        <input name="token" type="hidden" data-kind="text" value="of today" />
        <input name="day" type="hidden" data-kind="text" data-label="the day" />
        <label>Sum <output name="sum" data-kind="number">0</output></label>
        <label>Fixed <input name="fixed" readonly value="new" /></label>
      `,
    )
    for (const name of ['code', 'note', 'pin']) expect(value(element, name), name).to.equal('')
    expect(value(element, 'token')).to.equal('of today')
    expect(value(element, 'fixed')).to.equal('new')
    expect(value(element, 'day')).to.equal('')
    expect(list(element, 'left-out').slice(0, 7)).to.have.members([
      'Code',
      'Note',
      'Photos',
      'PIN',
      'the day',
      'Sum',
      'Fixed',
    ])
    expect(list(element, 'left-out'), 'nobody knows that field').not.to.include('Token')
  })

  it('leaves out the text of emails, and names it (4.2)', async () => {
    const backend = createBackend()
    earlier(backend).packageDetails = '<p>Please hurry</p>'
    const { element } = await show({
      backend,
      attributes: { ...attributes, 'details-name': 'hint' },
      form: travelForm(html`<label>Hint <textarea name="hint"></textarea></label>`),
    })
    await filled(element)
    await settled(element)
    expect(value(element, 'hint')).to.equal('')
    expect(list(element, 'left-out')).to.include('Hint')
    const { element: other } = await copied(backend)
    expect(list(other, 'left-out')).to.include('Text in the emails to approvers')
  })

  it('leaves out a choice that the page no longer offers, and copies boxes as they were (4.2) @engines', async () => {
    const { element } = await copiedWith(
      { fund: 'Gone', kind: 'b', size: 'XL', ways: 'bus, train', agreed: null },
      html`
        <label
          >Fund
          <select name="fund">
            <option></option>
            <option>New</option>
          </select></label
        >
        <label
          >Kind
          <select name="kind">
            <option>a</option>
            <option>b</option>
          </select></label
        >
        <fieldset>
          <legend>Size</legend>
          <label><input type="radio" name="size" value="S" /> S</label>
          <label><input type="radio" name="size" value="M" /> M</label>
        </fieldset>
        <label><input type="checkbox" name="ways" value="bus" /> Bus</label>
        <label><input type="checkbox" name="ways" value="train" /> Train</label>
        <label><input type="checkbox" name="agreed" value="yes" checked /> Agreed</label>
      `,
    )
    const boxes = (name: string) =>
      [...element.querySelectorAll<HTMLInputElement>(`[name=${name}]`)].map(({ checked }) => checked)
    expect(value(element, 'fund')).to.equal('')
    expect(element.querySelectorAll('[name=fund] option')).to.have.length(2)
    expect(value(element, 'kind')).to.equal('b')
    expect(boxes('size')).to.deep.equal([false, false])
    expect(boxes('ways')).to.deep.equal([true, true])
    expect(boxes('agreed'), 'it was not checked').to.deep.equal([false])
    expect(list(element, 'left-out').slice(0, 2)).to.deep.equal(['Fund', 'Size'])
  })

  it('fills in controls that the page adds later, and no longer names them', async () => {
    const { element } = await copiedWith({ reason: 'Talk', when: '2027-05-14' }, html``)
    expect(list(element, 'left-out')).to.include.members(['Reason', 'When'])
    const more = document.createElement('p')
    more.innerHTML =
      '<input name="reason" aria-label="Reason"><input name="when" aria-label="When" data-no-copy>'
    element.querySelector('form')!.append(more)
    await waitUntil(() => value(element, 'reason') === 'Talk')
    await settled(element)
    expect(value(element, 'when')).to.equal('')
    expect(list(element, 'left-out')).to.include('When').and.not.include('Reason')
  })

  it('tells the page of each value, and links to the fields', async () => {
    const backend = createBackend()
    const names: string[] = []
    const form = travelForm()
    const { element } = await show({ backend, form })
    element.addEventListener('input', ({ target }) => names.push((target as HTMLInputElement).name))
    element.setAttribute('copy-from', '42')
    await filled(element)
    await settled(element)
    expect(names).to.include.members(['purpose', 'cost', 'nights'])
    part(element, 'left-out')!.querySelector('a')!.click()
    expect(document.activeElement).to.equal(control(element, 'departure'))
  })

  it('empties the form again if the person wants that', async () => {
    const { element, backend } = await copied()
    button(element, 'Empty the form')!.click()
    await settled(element)
    expect(value(element, 'purpose')).to.equal('')
    expect(value(element, 'cost')).to.equal('')
    expect(part(element, 'copied')).to.equal(null)
    expect(element.isChanged).to.equal(false)
    expect(writes(backend)).to.deep.equal([])
  })

  it('withdraws the notice if the page resets the form @engines', async () => {
    const { element } = await copied()
    document.body.click()
    element.querySelector('form')!.reset()
    await waitUntil(() => part(element, 'copied') === null)
    expect(value(element, 'purpose')).to.equal('')
  })

  it('keeps what a person types before the values arrive', async () => {
    const backend = createBackend()
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    backend.intercept = (request) =>
      request.url.endsWith('/42/entry') ? held.then(() => backend.emulator.fetch(request)) : undefined
    const { element } = await show({ backend, attributes })
    type(element, { purpose: 'Mine' })
    release()
    await filled(element)
    await settled(element)
    expect(value(element, 'purpose')).to.equal('Mine')
    expect(value(element, 'nights'), 'control').to.equal('4')
  })

  it('offers to try again if the request cannot be loaded, and does not block the form', async () => {
    const backend = createBackend()
    backend.intercept = ({ url }) =>
      url.endsWith('/42/entry') ? Promise.resolve(new Response(null, { status: 503 })) : undefined
    const { element } = await show({ backend, attributes })
    await waitUntil(() => part(element, 'failure'))
    expect(textOf(element)).to.match(
      /^Request 42 could not be loaded, so the form is not filled in from it\./,
    )
    type(element, { purpose: 'Mine' })
    backend.intercept = () => undefined
    button(element, 'Try again')!.click()
    await filled(element)
    await settled(element)
    expect(value(element, 'purpose')).to.equal('Mine')
    expect(value(element, 'nights')).to.equal('4')
  })

  it('keeps the style of its notice when the code that saves has loaded', async () => {
    const { element } = await copied()
    const indent = () => getComputedStyle(part(element, 'left-out')!).paddingInlineStart
    const [before, sheets] = [indent(), element.shadowRoot!.adoptedStyleSheets.length]
    control(element, 'purpose').focus()
    await waitUntil(() => element.shadowRoot!.adoptedStyleSheets.length > sheets)
    expect(indent()).to.equal(before)
  })

  describe('asks first (4.3)', () => {
    /** Shows the form again that contains what was typed before. */
    async function typedBefore() {
      const backend = createBackend()
      const { element: first } = await show({ backend })
      type(first, { purpose: 'Unsaved' })
      first.remove()
      return await copied(backend)
    }

    /** Shows the form again whose request was saved before. */
    async function savedBefore() {
      const backend = createBackend()
      const { element: first } = await show({ backend })
      type(first, complete)
      press(first, 'PRE_ROUTING')
      await waitUntil(() => created(backend)[0])
      await settled(first)
      first.remove()
      return { ...(await copied(backend)), id: created(backend)[0]!.id }
    }

    it('if the browser has kept something, and leaves that alone', async () => {
      const { element, backend } = await typedBefore()
      expect(value(element, 'purpose')).to.equal('Unsaved')
      expect(value(element, 'nights')).to.equal('')
      expect(part(element, 'copied')!.innerText).to.match(
        /^Fill in the form from request 42\? This replaces what you typed\./,
      )
      await expect(element).to.be.accessible()
      expect(
        backend.journal.some((line) => line.endsWith('/42/entry')),
        'it is not even read',
      ).to.equal(false)
      button(element, 'Leave it as it is')!.click()
      await settled(element)
      expect(part(element, 'copied')).to.equal(null)
      expect(value(element, 'purpose')).to.equal('Unsaved')
      await element.refresh()
      await settled(element)
      expect(part(element, 'copied'), 'it asks once').to.equal(null)
    })

    it('and replaces what was typed if the person wants that', async () => {
      const { element } = await typedBefore()
      button(element, 'Fill it in')!.click()
      await waitUntil(() => value(element, 'nights') === '4')
      expect(value(element, 'purpose')).to.equal('Annual meeting of the Society for Freshwater Science')
      await settled(element)
      expect(textOf(element)).to.match(/^Filled in from request 42/)
    })

    it('if the form continues a saved draft, which stays as it is', async () => {
      const { element, backend, id } = await savedBefore()
      expect(element.packageId).to.equal(id)
      expect(part(element, 'copied')!.innerText).to.match(
        /This starts a new request\. The draft stays saved\./,
      )
      button(element, 'Fill it in')!.click()
      await waitUntil(() => value(element, 'nights') === '4')
      await settled(element)
      expect(element.packageId).to.equal(0)
      expect(value(element, 'departure')).to.equal('')
      const [draft, ...others] = created(backend)
      expect(others).to.deep.equal([])
      expect(draft!.entry).to.deep.include({ purpose: complete.purpose })
    })
  })

  it('does not fill in a package that the page shows', async () => {
    const backend = createBackend()
    const { element } = await show({ backend, packageId: 42, attributes: { 'copy-from': '7' } })
    await waitUntil(() => value(element, 'nights') === '4')
    await settled(element)
    expect(part(element, 'copied')).to.equal(null)
    expect(backend.journal.some((line) => line.includes('/7/'))).to.equal(false)
  })

  it('shows nothing of it to the next person', async () => {
    const { element, backend } = await copied()
    backend.person = people.outsider
    await element.refresh()
    await waitUntil(() =>
      textOf(element).startsWith('The form is empty, because you may not read request 42'),
    )
    expect(value(element, 'purpose')).to.equal('')
    expect(value(element, 'nights')).to.equal('')
  })
})
