import { expect, fixture, html } from '@open-wc/testing'
import { ForbiddenError, NotFoundError, SignedOutError, UnavailableError } from '../../../src/client/index.ts'
import { WfErrorEvent, WfLoadEvent, WfSignedOutEvent } from '../../../src/elements/element/events.ts'
import type { WfForm } from '../../../src/elements/wf-form/wf-form.ts'
import { breakDown, createBackend, pageNotFound, people } from '../../../stories/backend.ts'
import { settled } from '../../../stories/settled.ts'
import { waitUntil } from '../../wait-until.ts'
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
import { markup } from './markup.ts'

const states = [
  'loading',
  'loaded',
  'busy',
  'failed',
  'forbidden',
  'missing',
  'signed-out',
  'not-configured',
  'no-proxy',
]

const statesOf = (element: WfForm) => states.filter((state) => element.matches(`:state(${state})`))

/** The parts of the page's form that people see. */
const shownParts = (element: WfForm) =>
  ['form', 'documents', 'actions', 'status'].filter((name) => !part(element, name)!.hidden)

/** The content of the element, with this text above the form. */
const base = (above: string, { isHidden = false, hasPackage = false } = {}) => {
  const hidden = (is: boolean) => (is ? ' hidden=""' : '')
  return (
    `<div part="base" aria-busy="false"><div class="own" lang="en">${above}</div>` +
    `<div part="form"${hidden(isHidden)}><slot></slot></div>` +
    `<div part="documents" hidden=""><slot name="documents"${hidden(!hasPackage)}></slot>` +
    `<div class="own" lang="en"${hidden(hasPackage)}>` +
    '<p class="detail">You can add documents when the request is saved.</p>' +
    '<button type="button" part="save">Save and add documents</button></div></div>' +
    `<div part="actions"${hidden(isHidden)}><slot name="actions"></slot></div>` +
    `<div class="own" lang="en"><p part="status"${hidden(isHidden)}></p></div></div>`
  )
}

/** The markup of the element's content. */
function contentOf(element: WfForm): string {
  return markup({ innerHTML: part(element, 'base')!.outerHTML })
}

const message = (slot: string, text: string) =>
  `<div class="message" part="${slot}"><slot name="${slot}"><p>${text}</p></slot></div>`

describe('<wf-form> by state', () => {
  it('shows the form of a new request when the session has loaded', async () => {
    const { element } = await show()
    expect(contentOf(element)).to.equal(base(''))
    expect(statesOf(element)).to.deep.equal(['loaded'])
  })

  it('shows the form of a package, and hides it until the package has loaded', async () => {
    const backend = createBackend(people.firstApprover)
    const element = await fixture<WfForm>(html`
      <wf-form .client=${backend.client} form-id="6025" package-id="42">${travelForm()}</wf-form>
    `)
    expect(shownParts(element)).to.deep.equal([])
    expect(statesOf(element)).to.deep.equal(['loading', 'busy'])
    await waitUntil(() => statesOf(element).join() === 'loaded')
    const hints =
      '<p part="not-submitted">This request is in routing. Changes are saved, but it is not submitted again.</p>' +
      '<p part="mail">If you save a change, these people get an email about it: Daniel Reyes and Ruth Lindqvist.</p>'
    expect(contentOf(element)).to.equal(base(hints, { hasPackage: true }))
  })

  it('shows why the form is missing, to people without rights or without a session, or of no package', async () => {
    for (const [backend, packageId, state, text, Expected] of [
      [
        createBackend(people.outsider),
        42,
        'forbidden',
        'This request is not available to you.',
        ForbiddenError,
      ],
      [createBackend(), 43, 'missing', 'This request does not exist.', NotFoundError],
    ] as const) {
      const errors: unknown[] = []
      const onError = ({ error }: WfErrorEvent) => void errors.push(error)
      document.addEventListener(WfErrorEvent.type, onError, { once: true })
      const { element } = await show({ backend, packageId })
      expect(contentOf(element)).to.equal(base(message(state, text), { isHidden: true }))
      expect(statesOf(element)).to.deep.equal([state])
      expect(errors).to.have.length(1)
      expect(errors[0] instanceof Expected).to.equal(true)
    }
  })

  it('asks people to sign in, and reports the end of the session to the page', async () => {
    const events: string[] = []
    const onEvent = ({ type }: Event) => void events.push(type)
    for (const name of [WfErrorEvent.type, WfSignedOutEvent.type, WfLoadEvent.type])
      document.addEventListener(name, onEvent)
    const { element } = await show({ backend: createBackend(null) })
    for (const name of [WfErrorEvent.type, WfSignedOutEvent.type, WfLoadEvent.type])
      document.removeEventListener(name, onEvent)
    const text = 'You are signed out. Sign in, then return to this page.'
    expect(contentOf(element)).to.equal(base(message('signed-out', text)))
    expect(statesOf(element)).to.deep.equal(['signed-out'])
    expect(events).to.deep.equal(['wf-error', 'wf-signed-out'])

    element.signInUrl = '/login?next={returnUrl}'
    await element.updateComplete
    const link = part<HTMLAnchorElement>(element, 'sign-in')!
    expect(link.href).to.equal(`${location.origin}/login?next=${encodeURIComponent(location.href)}`)
    expect(link.target, 'nothing is lost').to.equal('')
    expect(textOf(element)).to.equal('You are signed out. Sign in')
  })

  it('keeps what is typed if the session ends later, and links to the sign-in in a new tab', async () => {
    const { element, backend } = await show({ attributes: { 'sign-in-url': '/login' } })
    type(element, complete)
    backend.person = null
    await element.refresh()
    await waitUntil(() => part(element, 'failure'))
    expect(shownParts(element)).to.include('form')
    const link = part<HTMLAnchorElement>(element, 'sign-in')!
    expect([link.pathname, link.target]).to.deep.equal(['/login', '_blank'])
    expect(part(element, 'failure')!.querySelector('p')!.innerText).to.equal(
      'You are signed out. Open another tab to sign in, then try again. What you typed stays here. Sign in',
    )
    expect(statesOf(element)).to.deep.equal(['signed-out'])
    backend.person = people.initiator
    button(element, 'Try again')!.click()
    await waitUntil(() => !part(element, 'failure'))
    expect(control(element, 'purpose').value).to.equal('Field work')
  })

  it('keeps the form if it cannot be loaded again', async () => {
    const backend = createBackend(people.firstApprover)
    const { element } = await show({ backend, packageId: 42 })
    const errors: unknown[] = []
    element.addEventListener(WfErrorEvent.type, ({ error }) => errors.push(error))
    breakDown(backend)
    await element.refresh()
    await waitUntil(() => part(element, 'failure'))
    expect(textOf(element)).to.match(/^Couldn’t be loaded\. Try again/)
    expect(shownParts(element)).to.deep.equal(['form', 'actions', 'status'])
    expect(statesOf(element)).to.deep.equal(['failed'])
    expect(errors[0] instanceof UnavailableError && !(errors[0] instanceof SignedOutError)).to.equal(true)
    expect(part(element, 'sign-in') === null).to.equal(true)
  })

  it('tells the page author that there is no proxy, unless a form is on the screen', async () => {
    const backend = createBackend()
    const { send } = backend
    backend.send = pageNotFound
    const { element } = await show({ backend, packageId: 42 })
    await waitUntil(() => part(element, 'no-proxy'))
    expect(part(element, 'no-proxy')!.innerText).to.equal(
      'No Routeslip proxy found at https://northfield.test/api/wf.',
    )
    expect(statesOf(element)).to.deep.equal(['no-proxy'])
    expect(shownParts(element)).to.deep.equal([])
    backend.send = send
    await element.refresh()
    await waitUntil(() => control(element, 'nights').value === '4')
    backend.send = pageNotFound
    await element.refresh()
    await waitUntil(() => part(element, 'failure'))
    expect(part(element, 'no-proxy') === null).to.equal(true)
    expect(shownParts(element)).to.include('form')
  })

  it('names a form that the proxy does not serve, and leaves the form to the page', async () => {
    for (const packageId of [0, 42]) {
      const backend = createBackend()
      const element = await fixture<WfForm>(html`
        <wf-form .client=${backend.client} form-id="9999" .packageId=${packageId}>${travelForm()}</wf-form>
      `)
      await waitUntil(() => part(element, 'not-configured'))
      expect(part(element, 'not-configured')!.innerText).to.equal(
        '<wf-form> cannot use form 9999, because the proxy does not serve it. Check form-id.',
      )
      expect(textOf(element)).not.to.include('not available to you')
      expect(statesOf(element)).to.deep.equal(['not-configured'])
      expect(shownParts(element)).to.deep.equal(['form', 'actions', 'status'])
      type(element, complete)
      press(element, 'ROUTING')
      await settled(element)
      expect(control(element, 'purpose').value).to.equal(complete.purpose)
      expect(control(element, 'purpose').matches(':read-write')).to.equal(true)
      expect(writes(backend)).to.deep.equal([])
      // The control: with a form that is served, the same element sends what was typed.
      element.formId = 6025
      element.packageId = 0
      await waitUntil(() => element.value)
      await element.submit()
      expect(created(backend).map(({ state }) => state)).to.deep.equal(['ROUTING'])
      element.remove()
      localStorage.clear()
    }
  })

  it('tells the page author which settings are missing, and shows the form', async () => {
    const element = await fixture<WfForm>(html`<wf-form><p>No form</p></wf-form>`)
    expect(part(element, 'not-configured')!.innerText).to.equal(
      '<wf-form> needs endpoint, form-id, a <form> to show anything.',
    )
    expect(statesOf(element)).to.deep.equal(['not-configured'])
    expect(shownParts(element)).to.deep.equal(['form', 'actions', 'status'])
    element.endpoint = '/nowhere'
    element.formId = 6025
    element.packageId = 42
    await element.updateComplete
    expect(shownParts(element), 'not even with a package').to.deep.equal(['form', 'actions', 'status'])
    expect(part(element, 'not-configured')!.innerText).to.equal('<wf-form> needs a <form> to show anything.')
  })
})
