import { expect, oneEvent } from '@open-wc/testing'
import { sendKeys } from '@web/test-runner-commands'
import { WfBeforeChangeEvent } from '../../src/elements/element/events.ts'
import { WfOverrideChangeEvent } from '../../src/elements/wf-overrides/wf-overrides.events.ts'
import { breakDown, people } from '../../stories/backend.ts'
import { createOverrideBackend, fill, findPeople, replace } from '../../stories/overrides.ts'
import { settled } from '../../stories/settled.ts'
import { waitUntil } from '../wait-until.ts'
import {
  dialog,
  find,
  focused,
  open,
  part,
  show,
  status,
  submit,
  textOf,
  writes,
} from './wf-overrides/element.ts'

const given = [replace(people.firstApprover, people.viewer)]

describe('<wf-overrides>', () => {
  it('lists replacements with their effect, and proves from the inboxes that they are in force', async () => {
    const element = await show(createOverrideBackend(given))
    expect(textOf(element)).to.match(
      /^Ruth Lindqvist acts for Daniel Reyes.*can look at this request, but cannot sign it\..*In force: it is in the inbox of Ruth Lindqvist, and not of Daniel Reyes/,
    )
    await expect(element).to.be.accessible()
  })

  it('states that a replacement is not in force while the inboxes do not show it', async () => {
    const element = await show(createOverrideBackend(given, { isLate: true }))
    expect(textOf(element)).to.contain('Not yet in force: it is still in the inbox of Daniel Reyes.')
  })

  it('replaces somebody by keyboard after it has shown both names @engines', async () => {
    const backend = createOverrideBackend()
    const element = await show(backend)
    part(element, 'add').focus()
    await sendKeys({ press: 'Enter' })
    await waitUntil(() => focused(element)?.getAttribute('name') === 'subject')
    await sendKeys({ type: 'Daniel Reyes' })
    await sendKeys({ press: 'Tab' })
    await sendKeys({ press: ' ' })
    await sendKeys({ press: 'Tab' })
    await sendKeys({ type: '10000008' })
    await expect(element).to.be.accessible()
    await sendKeys({ press: 'Enter' })
    await waitUntil(() => textOf(element).startsWith('Replace Daniel Reyes?'))
    expect(textOf(element)).to.contain('Daniel Reyes (10000002) Theo Marchetti (10000008)')
    expect(writes(backend)).to.deep.equal([])
    await expect(element).to.be.accessible()

    const changed = oneEvent<WfOverrideChangeEvent>(element, WfOverrideChangeEvent.type)
    // The focus is on the button that changes nothing. The dialog was open, so the button is read with the question.
    expect(focused(element)?.getAttribute('aria-describedby')).to.equal('title consequence')
    await sendKeys({ down: 'Shift' })
    await sendKeys({ press: 'Tab' })
    await sendKeys({ up: 'Shift' })
    await sendKeys({ press: 'Enter' })
    const wanted = replace(people.firstApprover, people.outsider)
    expect((await changed).override).to.deep.equal(wanted)
    expect(backend.emulator.packages.test.get(42)!.overrides).to.deep.equal([wanted])
    await waitUntil(() => !dialog(element).open)
    await waitUntil(() => textOf(element).includes('In force: it is in the inbox of Theo Marchetti'))
    await waitUntil(() => status(element) === 'Theo Marchetti now acts for Daniel Reyes.')
  })

  it('ends a replacement after a confirmation', async () => {
    const backend = createOverrideBackend(given)
    const element = await show(backend)
    part(element, 'end').click()
    await waitUntil(() => dialog(element).open)
    expect(textOf(element)).to.match(/^End the replacement of Daniel Reyes\?.*End Keep it$/)
    submit(element)
    await waitUntil(() => textOf(element).startsWith('Nobody is replaced'))
    expect(backend.emulator.packages.test.get(42)!.overrides).to.deep.equal([])
    await waitUntil(() => focused(element) === part(element, 'add'))
  })

  it('opens the form also while the event of the dialog before is still on its way @engines', async () => {
    const element = await show(createOverrideBackend(given))
    part(element, 'end').click()
    await waitUntil(() => dialog(element).open)
    const closed = oneEvent(dialog(element), 'close')
    dialog(element).close()
    part(element, 'add').click()
    await waitUntil(() => dialog(element).open, 'the form did not open')
    await closed
    await settled(element)
    expect(dialog(element).open, 'and it stays open').to.equal(true)
    expect(textOf(element)).to.match(/^Replace an approver\?/)
  })

  const problems: readonly (readonly [subject: string, replacement: string, problem: RegExp])[] = [
    ['10000009', 'Theo', /cannot make a replacement that concerns you/],
    ['Daniel Reyes', 'Amara Okafor', /This person made the request/],
    ['Nobody Known', 'Theo', /Nobody was found/],
  ]
  it('names what speaks against a replacement, and sends nothing', async () => {
    const backend = createOverrideBackend([replace(people.secondApprover, people.viewer)])
    const element = await show(backend)
    for (const [subject, replacement, problem] of problems) {
      await open(element)
      fill(element.shadowRoot!, { subject, type: 'DELEGATE', replacement })
      await waitUntil(() => problem.test(textOf(element)), `${subject} by ${replacement}`)
      expect(focused(element)?.getAttribute('aria-invalid'), subject).to.equal('true')
      dialog(element).close()
      await waitUntil(() => !dialog(element).querySelector('h2'))
    }
    expect(writes(backend)).to.deep.equal([])
  })

  it('asks which person is meant if the directory finds several', async () => {
    const element = await show(createOverrideBackend())
    await open(element)
    fill(element.shadowRoot!, { subject: 'Daniel Reyes', type: 'CHANGE', replacement: 'th' })
    await waitUntil(() => focused(element)?.getAttribute('name') === 'replacement-choice')
    await expect(element).to.be.accessible()
    find<HTMLElement>(element, `[value="${people.outsider}"]`).click()
    await element.updateComplete
    submit(element)
    await waitUntil(() => textOf(element).includes('Theo Marchetti (10000008)'))
  })

  it('sends nothing if the page prevents it', async () => {
    const backend = createOverrideBackend(given)
    const element = await show(backend)
    element.addEventListener(WfBeforeChangeEvent.type, (event) => event.preventDefault())
    part(element, 'end').click()
    await waitUntil(() => dialog(element).open)
    submit(element)
    await waitUntil(() => !dialog(element).open)
    expect(writes(backend)).to.deep.equal([])
  })

  it('reads the list again if a response is lost, and reports what it shows', async () => {
    for (const isDone of [true, false]) {
      const backend = createOverrideBackend(given)
      const element = await show(backend)
      const { intercept } = backend
      backend.intercept = (request) => {
        if (request.method !== 'DELETE') return intercept(request)
        if (isDone) backend.emulator.packages.test.get(42)!.overrides = []
        return Promise.resolve(new Response(null, { status: 502 }))
      }
      part(element, 'end').click()
      await waitUntil(() => dialog(element).open)
      submit(element)
      const expected = isDone ? /^Nobody is replaced/ : /may or may not have happened/
      await waitUntil(() => expected.test(textOf(element)))
    }
  })

  it('keeps what was typed while the session has ended, but not for another person @engines', async () => {
    const backend = createOverrideBackend()
    const element = await show(backend, { signInUrl: '/login?to={returnUrl}' })
    await open(element)
    fill(element.shadowRoot!, { subject: 'Daniel Reyes', type: 'DELEGATE', replacement: 'Nobody Known' })
    await waitUntil(() => textOf(element).includes('Nobody was found'))

    backend.person = null
    await element.refresh()
    expect(dialog(element).open).to.equal(true)
    submit(element)
    await waitUntil(() => textOf(element).includes('You are signed out. Nothing was changed. Sign in'))
    expect(find<HTMLAnchorElement>(element, 'dialog [part=sign-in]').target).to.equal('_blank')

    // An outage after the sign-in does not show yet who it is.
    backend.person = people.administrator
    breakDown(backend)
    await element.refresh()
    expect(dialog(element).open).to.equal(true)

    backend.intercept = () => undefined
    await element.refresh()
    expect(find<HTMLInputElement>(element, '[name=replacement]').value).to.equal('Nobody Known')
    fill(element.shadowRoot!, { subject: 'Daniel Reyes', type: 'DELEGATE', replacement: 'Ruth Lindqvist' })
    await waitUntil(() => textOf(element).startsWith('Replace Daniel Reyes?'))

    backend.person = people.viewer
    await element.refresh()
    await waitUntil(() => !dialog(element).open, 'another person sees it')
  })

  it('can be closed while the directory does not respond', async () => {
    const element = await show(createOverrideBackend(), { findPeople: () => new Promise(() => {}) })
    await open(element)
    fill(element.shadowRoot!, { subject: 'Theo', type: 'DELEGATE', replacement: 'Ruth Lindqvist' })
    find<HTMLElement>(element, 'dialog button[type=button]').click()
    await waitUntil(() => !dialog(element).open)
    await open(element)
    fill(element.shadowRoot!, { subject: 'Daniel Reyes', type: 'DELEGATE', replacement: 'Ruth Lindqvist' })
    await waitUntil(() => textOf(element).startsWith('Replace Daniel Reyes?'), 'it is not held up either')
  })

  it('shows a failure even if the browser has closed the dialog meanwhile, as on a second Escape @engines', async () => {
    const backend = createOverrideBackend()
    const element = await show(backend)
    await open(element)
    fill(element.shadowRoot!, { subject: 'Daniel Reyes', type: 'DELEGATE', replacement: 'Ruth Lindqvist' })
    await waitUntil(() => textOf(element).startsWith('Replace Daniel Reyes?'))
    let respond: ((response: Response) => void) | undefined
    backend.intercept = (request) =>
      request.method === 'POST' ? new Promise((resolve) => (respond = resolve)) : undefined
    submit(element)
    await waitUntil(() => respond && dialog(element).getAttribute('closedby') === 'none')
    dialog(element).close()
    respond!(Response.json({ message: 'No' }, { status: 403 }))
    await waitUntil(() => dialog(element).open && find(element, '#failure').textContent.trim() !== '')
  })

  it('takes what was typed last, not what was looked up before', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const slow: typeof findPeople = async (text) => {
      if (text === 'Theo') await held
      return await findPeople(text)
    }
    const element = await show(createOverrideBackend(), { findPeople: slow })
    await open(element)
    fill(element.shadowRoot!, { subject: 'Theo', type: 'DELEGATE', replacement: 'Ruth Lindqvist' })
    const subject = find<HTMLInputElement>(element, '[name=subject]')
    subject.value = 'Daniel Reyes'
    subject.dispatchEvent(new Event('input', { bubbles: true }))
    release()
    await settled(element)
    expect(textOf(element)).not.to.include('Theo Marchetti')
    submit(element)
    await waitUntil(() => textOf(element).startsWith('Replace Daniel Reyes?'))
  })

  it('offers only what the policy allows, and nothing that concerns the user', async () => {
    const readOnly = await show(createOverrideBackend(given, { allowed: ['getOverrides'] }))
    expect(readOnly.shadowRoot!.querySelector('[part=add], [part=end]')).to.equal(null)
    expect(part(readOnly, 'no-right').innerText).to.equal(
      'You don’t have the right to replace somebody on this request. Ask the owner of this site for it.',
    )
    const own = await show(createOverrideBackend([replace(people.firstApprover, people.administrator)]))
    expect(own.shadowRoot!.querySelector('[part=end]')).to.equal(null)
    expect(part(own, 'add').innerText).to.equal('Replace an approver')
    expect(own.shadowRoot!.querySelector('[part=no-right]')).to.equal(null)
  })

  it('tells people without rights which right they lack, and no names', async () => {
    const backend = createOverrideBackend(given, { person: people.viewer })
    const element = await show(backend, {}, 'wf-error')
    await waitUntil(() => textOf(element).includes('the right to replace somebody'))
    expect(textOf(element)).not.to.contain('Daniel')
  })
})
