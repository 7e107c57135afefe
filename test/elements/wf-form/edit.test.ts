import { expect } from '@open-wc/testing'
import { html } from 'lit'
import { type Backend, createBackend, people } from '../../../stories/backend.ts'
import { settled } from '../../../stories/settled.ts'
import { waitUntil } from '../../wait-until.ts'
import { button, control, part, press, show, textOf, travelForm, type, writes } from './form.ts'

function package42({ emulator }: Backend) {
  return emulator.packages.test.get(42)!
}

/** Puts package 42 back before its first routing, so that its initiator may edit it. */
function asDraft(backend = createBackend()): Backend {
  Object.assign(package42(backend), { state: 'PRE_ROUTING', inbox: [] })
  return backend
}

const mails = ({ emulator }: Backend) => [...emulator.outbox.values()]

describe('<wf-form> with an existing package', () => {
  it('shows its values, and saves only what was changed', async () => {
    const { element, backend } = await show({ backend: asDraft(), packageId: 42 })
    expect(control(element, 'purpose').value).to.equal('Annual meeting of the Society for Freshwater Science')
    expect(control(element, 'departure').value).to.equal('2027-05-14')
    expect(control(element, 'cost').value).to.equal('1,250.50')
    expect(element.isChanged).to.equal(false)
    const before = { ...package42(backend).entry }
    type(element, { nights: '6' })
    press(element, 'PRE_ROUTING')
    await settled(element)

    expect(package42(backend).entry).to.deep.equal({ ...before, nights: 6 })
  })

  it('erases nothing that the page does not show', async () => {
    const form = html`<form>
      <label>Nights <input name="nights" type="number" /></label>
    </form>`
    const { element, backend } = await show({ backend: asDraft(), packageId: 42, form })
    const before = { ...package42(backend).entry }
    type(element, { nights: '' })
    await element.save()

    expect(package42(backend).entry).to.deep.equal({ ...before, nights: null })
  })

  it('adds its change to what somebody else has saved meanwhile', async () => {
    const { element, backend } = await show({ backend: asDraft(), packageId: 42 })
    type(element, { nights: '6' })
    const pkg = package42(backend)
    pkg.entry = { ...pkg.entry, purpose: 'Theirs' }
    await element.save()

    expect(package42(backend).entry).to.deep.include({ nights: 6, purpose: 'Theirs' })
    expect(textOf(element)).to.match(/Saved at/)
  })

  for (const [choice, expected] of [
    ['mine', 'Mine'],
    ['theirs', 'Theirs'],
  ] as const) {
    it(`shows both values of a conflict, and saves the chosen one: ${choice}`, async () => {
      const { element, backend } = await show({ backend: asDraft(), packageId: 42 })
      type(element, { purpose: 'Mine', nights: '6' })
      const pkg = package42(backend)
      pkg.entry = { ...pkg.entry, purpose: 'Theirs' }
      press(element, 'PRE_ROUTING')
      await waitUntil(() => part(element, 'conflicts'))
      await settled(element)

      expect(writes(backend), 'nothing is written before the person has chosen').to.deep.equal([])
      expect(textOf(element)).to.match(/Purpose What you entered: Mine What is saved now: Theirs/)
      expect(element.shadowRoot!.activeElement?.part.value).to.equal('conflicts')
      element.shadowRoot!.querySelector<HTMLElement>(`input[value=${choice}]`)!.click()
      button(element, 'Save these values')!.click()
      await waitUntil(() => writes(backend).length === 1)
      await settled(element)
      expect(package42(backend).entry).to.deep.include({ purpose: expected, nights: 6 })
      expect(control(element, 'purpose').value).to.equal(expected)
      expect(part(element, 'conflicts') === null).to.equal(true)
    })
  }

  it('shows a change of somebody else, unless the person has changed something', async () => {
    const { element, backend } = await show({ backend: asDraft(), packageId: 42 })
    const pkg = package42(backend)
    pkg.entry = { ...pkg.entry, purpose: 'Theirs' }
    await element.refresh()
    expect(control(element, 'purpose').value).to.equal('Theirs')

    type(element, { purpose: 'Mine' })
    pkg.entry = { ...pkg.entry, purpose: 'Theirs again' }
    await element.refresh()
    expect(control(element, 'purpose').value).to.equal('Mine')
  })

  it('cannot be changed by people without the right to', async () => {
    const { element, backend } = await show({ packageId: 42 })
    expect(control(element, 'purpose').readOnly).to.equal(true)
    expect(textOf(element)).to.equal('You can view this request, but not change it.')
    expect([...element.querySelectorAll('button')].map(({ disabled }) => disabled)).to.deep.equal([
      true,
      true,
    ])
    await element.submit()
    expect(writes(backend)).to.deep.equal([])
  })

  it('hides the form from people without any right', async () => {
    const { element } = await show({ backend: createBackend(people.outsider), packageId: 42 })
    expect(part(element, 'form')!.hidden).to.equal(true)
    expect(textOf(element)).to.equal('This request is not available to you.')
  })

  for (const [notify, sentence, mailed] of [
    ['', /^If you save a change, these people get an email about it: Daniel Reyes and Ruth Lindqvist\.$/, 2],
    [
      'always',
      /^If you save, all approvers get an email about it\. It is now with Daniel Reyes and Ruth Lindqvist\.$/,
      2,
    ],
    ['never', /^$/, 0],
  ] as const) {
    it(`says who gets an email while the request is in routing: notify="${notify}"`, async () => {
      const backend = createBackend(people.firstApprover)
      const { element } = await show({
        backend,
        packageId: 42,
        attributes: { notify, 'summary-name': 'summary' },
        form: travelForm(html`<label>Summary <textarea name="summary"></textarea></label>`),
      })
      expect(part(element, 'mail')?.innerText ?? '').to.match(sentence)
      const before = mails(backend).length
      type(element, { nights: '7', summary: '3 < 7 nights' })
      await element.save()

      expect(package42(backend).entry).to.deep.include({ nights: 7 })
      expect(package42(backend).entry).not.to.have.property('summary')
      const sent = mails(backend).slice(before)
      expect(sent.flatMap(({ recipients }) => recipients)).to.have.length(mailed)
      if (mailed) expect(JSON.stringify(sent)).to.include('3 &lt; 7 nights')
    })
  }

  it('mails nobody about a draft, whatever the page says', async () => {
    const { element, backend } = await show({
      backend: asDraft(),
      packageId: 42,
      attributes: { notify: 'always' },
    })
    type(element, { nights: '7' })
    await element.save()
    expect(package42(backend).entry).to.deep.include({ nights: 7 })
    expect(mails(backend)).to.deep.equal([])
  })

  it('does not start routing of a request that was returned, and says so', async () => {
    const backend = createBackend()
    Object.assign(package42(backend), { state: 'DRAFT', inbox: [] })
    const { element } = await show({ backend, packageId: 42 })
    type(element, { nights: '7' })
    await element.submit()

    expect(package42(backend).entry).to.deep.include({ nights: 7 })
    expect(package42(backend).state).to.equal('DRAFT')
    expect(textOf(element)).to.include('Saved, but not submitted. A request that was returned to you')
  })
})
