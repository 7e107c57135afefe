import { expect } from '@open-wc/testing'
import { html } from 'lit'
import { type Backend, createBackend, people, type Rights } from '../../../stories/backend.ts'
import type { WfForm } from '../../../src/elements/wf-form/wf-form.ts'
import { tool } from '../../../stories/routing.ts'
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
})

describe('<wf-form> with a request that was returned', () => {
  const resubmitUrl = 'https://service.example.edu/{formId}/{packageId}'
  const isPut = (line: string) => line.startsWith('PUT') && line.endsWith('/packages/42')
  function returned({ isStarted = true, ...rights }: Rights & { isStarted?: boolean } = {}): Backend {
    const backend = createBackend(undefined, {}, undefined, {}, rights)
    const pkg = package42(backend)
    Object.assign(pkg, { state: 'DRAFT', inbox: [] })
    if (!isStarted) pkg.history = []
    return backend
  }

  /** Shows the request, changes it and submits it. Returns what was shown then. */
  async function submitAgain(backend: Backend, attributes: Record<string, string> = {}) {
    const { element } = await show({ backend, packageId: 42, attributes })
    type(element, { nights: '7' })
    await element.submit()
    return element
  }

  it('submits it again with its sub-type if the service accepts that (3.5)', async () => {
    const backend = returned()
    backend.emulator.specOptions.resubmit = 'accept'
    const element = await submitAgain(backend, { 'resubmit-url': resubmitUrl })
    const pkg = package42(backend)
    expect(pkg.entry).to.deep.include({ nights: 7 })
    expect(pkg.state).to.equal('ROUTING')
    expect(pkg.history.filter((event) => event.class === 'initiation')).to.have.length(2)
    expect(textOf(element)).to.match(/Submitted at/)
    expect(part(element, 'problem')).to.equal(null)
  })

  it('keeps the saved text and shows reason and link if the service refuses that (3.5)', async () => {
    const backend = returned()
    const element = await submitAgain(backend, { 'resubmit-url': resubmitUrl })
    expect(package42(backend).entry, 'it was saved').to.deep.include({ nights: 7 })
    expect(control(element, 'nights').value, 'it stays on the screen').to.equal('7')
    expect(package42(backend).state).to.equal('DRAFT')
    const problem = part(element, 'problem')!
    expect(problem.textContent).to.match(/Saved, but not submitted\. The service refused it\./)
    expect(problem.querySelector('bdi')!.textContent).to.include(
      'A package in state DRAFT cannot start routing',
    )
    const link = problem.querySelector('a')!
    expect(link.href).to.equal('https://service.example.edu/6025/42')
    expect(link.textContent).to.equal('Submit it again in the service')
    expect(problem.querySelector('button'), 'no second attempt is promised').to.equal(null)
  })

  it('does not take the refusal of a server in between for that of the service (3.5)', async () => {
    const backend = returned()
    const { send } = backend
    backend.send = (input, init) =>
      init?.method === 'PUT' && `${input instanceof Request ? input.url : input}`.endsWith('/packages/42')
        ? Promise.resolve(new Response('<h1>Refused</h1>', { status: 403 }))
        : send(input, init)
    const element = await submitAgain(backend, { 'resubmit-url': resubmitUrl })
    const problem = part(element, 'problem')!
    expect(problem.querySelector('a')).to.equal(null)
    expect(problem.querySelector('button')!.textContent).to.match(/again/)
  })

  it('only links to the service if that is known to refuse it (3.5)', async () => {
    const backend = returned({ resubmit: 'link' })
    backend.emulator.specOptions.resubmit = 'accept'
    const element = await submitAgain(backend, { 'resubmit-url': resubmitUrl })
    expect(package42(backend).entry, 'it is saved').to.deep.include({ nights: 7 })
    expect(package42(backend).state).to.equal('DRAFT')
    expect(backend.journal.filter(isPut)).to.deep.equal([])
    const problem = part(element, 'problem')!
    expect(problem.textContent).to.match(/Saved, but not submitted\./)
    expect(problem.textContent).to.not.include('refused')
    expect(problem.querySelector('a')!.href).to.equal('https://service.example.edu/6025/42')
  })

  it('disables only the button that submits if the service is known to refuse it, with the reason (3.5)', async () => {
    const buttons = (element: WfForm) =>
      [...element.querySelectorAll('button')].flatMap(({ disabled, value }) => (disabled ? [value] : []))
    const { element, backend } = await show({
      backend: returned({ resubmit: 'link' }),
      packageId: 42,
      attributes: { 'resubmit-url': resubmitUrl },
    })
    expect(buttons(element)).to.deep.equal(['ROUTING'])
    expect(textOf(element)).to.equal(
      'This draft can only be submitted in the service itself. Submit it in the service',
    )
    type(element, { nights: '7' })
    press(element, 'PRE_ROUTING')
    await waitUntil(() => package42(backend).entry['nights'] === 7)
    // The control: the same request, if the service is asked.
    const other = await show({ backend: returned(), packageId: 42 })
    expect(buttons(other.element)).to.deep.equal([])
  })

  it('leaves an approver one action while the request is in routing: to save', async () => {
    const backend = createBackend(people.firstApprover)
    const { element } = await show({ backend, packageId: 42 })
    const [save, submit] = element.querySelectorAll('button')
    expect([save!.disabled, submit!.disabled]).to.deep.equal([false, true])
    type(element, { nights: '7' })
    save!.click()
    await waitUntil(() => package42(backend).entry['nights'] === 7)
    expect(package42(backend).state).to.equal('ROUTING')
  })

  it('asks the service in the same place otherwise (control)', async () => {
    const backend = returned()
    const { element } = await show({ backend, packageId: 42, attributes: { 'resubmit-url': resubmitUrl } })
    backend.journal.length = 0
    await element.submit()
    expect(backend.journal.filter(isPut)).to.have.length(1)
  })
})

describe('<wf-form> with a request that was withdrawn', () => {
  const isStart = (line: string) => /^PUT .*[/](?:packages[/]42|re_initiate)$/.test(line)
  const startsOf = ({ journal }: Backend) => journal.filter(isStart).map((line) => line.split('/').at(-1))
  const mayReinitiate = { policy: ({ operation }) => operation === 'reinitiatePackage' } satisfies Rights

  /** A backend with a request of sub-type FOREIGN that its initiator has withdrawn. */
  async function withdrawn(rights: Rights = mayReinitiate): Promise<Backend> {
    const backend = createBackend(undefined, {}, undefined, {}, rights)
    const { forms } = backend.emulator
    Object.assign(forms.test.get(6025)!, { subTypes: ['DOMESTIC', 'FOREIGN'] })
    Object.assign(package42(backend), { subType: 'FOREIGN' })
    await tool(backend, 'PUT', '/remove')
    return backend
  }

  /** Shows the request, changes it and submits it. Returns the buttons of the notice then, too. */
  async function correct(backend: Backend, attributes: Record<string, string> = {}) {
    const { element } = await show({ backend, packageId: 42, attributes })
    type(element, { nights: '7' })
    await element.submit()
    const labels = () =>
      [...(part(element, 'problem')?.querySelectorAll('button') ?? [])].map(({ innerText }) => innerText)
    return { element, labels }
  }

  it('corrects it, and starts its routing with the sub-type that it had (3.2)', async () => {
    const backend = await withdrawn()
    const { element } = await correct(backend)
    expect(textOf(element)).to.match(/Submitted at/)
    expect(startsOf(backend)).to.deep.equal(['42'])
    const { state, subType, entry, isRemoved, history } = package42(backend)
    expect([state, subType, isRemoved]).to.deep.equal(['ROUTING', 'FOREIGN', false])
    expect(entry).to.deep.include({ nights: 7 })
    expect(history.filter((event) => event.class === 'initiation')).to.have.length(2)
  })

  it('starts it again if the service refuses that and the policy allows to re-initiate it (3.3)', async () => {
    const backend = await withdrawn()
    backend.emulator.specOptions.routeRemoved = 'refuse'
    const { element, labels } = await correct(backend)
    expect(part(element, 'problem')!.textContent).to.match(
      /Saved, but not submitted\. The service refused it\.\s+A removed package cannot start routing/,
    )
    expect(labels()).to.deep.equal(['Try again', 'Start again'])
    const sent: unknown[] = []
    element.addEventListener('wf-before-change', (event) => sent.push(event.operation))
    part(element, 'problem')!.querySelectorAll('button')[1]!.click()
    await waitUntil(() => /Submitted at/.test(textOf(element)), 'it was not started')
    expect(sent).to.deep.equal(['reinitiatePackage'])
    expect(startsOf(backend)).to.deep.equal(['42', 're_initiate'])
    const { state, subType, entry } = package42(backend)
    expect([state, subType, entry['nights']]).to.deep.equal(['ROUTING', 'FOREIGN', 7])
    expect(part(element, 'problem')).to.equal(null)
  })

  it('tries the ordinary way first each time, and saves what was typed since (3.3)', async () => {
    const backend = await withdrawn()
    backend.emulator.specOptions.routeRemoved = 'refuse'
    const { element, labels } = await correct(backend)
    await element.submit()
    expect(startsOf(backend)).to.deep.equal(['42', '42'])
    expect(labels()).to.deep.equal(['Try again', 'Start again'])
    type(element, { nights: '8' })
    part(element, 'problem')!.querySelectorAll('button')[1]!.click()
    await waitUntil(() => /Submitted at/.test(textOf(element)), 'it was not started')
    expect(package42(backend).entry).to.deep.include({ nights: 8 })
  })

  it('offers no second way without the policy, with another sub-type, and for what was never in routing (3.3)', async () => {
    const denied = await withdrawn({ policy: () => false })
    denied.emulator.specOptions.routeRemoved = 'refuse'
    expect((await correct(denied)).labels(), 'policy').to.deep.equal(['Try again'])

    const other = await withdrawn()
    other.emulator.specOptions.routeRemoved = 'refuse'
    expect((await correct(other, { 'sub-type': 'DOMESTIC' })).labels(), 'sub-type').to.deep.equal([
      'Try again',
    ])

    const unstarted = await withdrawn()
    unstarted.emulator.specOptions.routeRemoved = 'refuse'
    package42(unstarted).history = []
    expect((await correct(unstarted)).labels(), 'history').to.deep.equal(['Try again'])
  })
})
