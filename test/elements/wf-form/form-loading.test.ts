import { expect, fixture, html } from '@open-wc/testing'
import { WfErrorEvent, WfLoadEvent } from '../../../src/elements/element/events.ts'
import type { FormContent } from '../../../src/elements/wf-form/state/form-content.ts'
import type { WfForm } from '../../../src/elements/wf-form/wf-form.ts'
import { breakDown, createBackend, people } from '../../../stories/backend.ts'
import { settled } from '../../../stories/settled.ts'
import { waitUntil } from '../../wait-until.ts'
import { refuseBefore } from '../refuse-before.ts'
import { complete, control, part, show, textOf, travelForm, type } from './form.ts'

const announcementOf = (element: WfForm) => element.shadowRoot!.querySelector('[role=status]')!.textContent

/** Puts package 42 back before its first routing. */
function asDraft() {
  const backend = createBackend()
  const pkg = backend.emulator.packages.test.get(42)!
  Object.assign(pkg, { state: 'PRE_ROUTING', inbox: [] })
  return { backend, pkg }
}

/** A form whose fields are empty, as the server of the page renders it. */
async function freshForm(): Promise<HTMLFormElement> {
  const form = await fixture<HTMLFormElement>(travelForm())
  form.remove()
  return form
}

describe('<wf-form> while it loads', () => {
  it('names a server in between that refuses it, and loads when that ends', async () => {
    const { backend } = asDraft()
    const { element } = await show({ backend, packageId: 42 })
    const { send } = backend
    refuseBefore(backend, 'GET', 403)
    await element.refresh()
    await settled(element)
    expect(textOf(element)).to.include('A server between this page and the service refused access (403).')
    expect(element.matches(':state(failed):not(:state(forbidden))')).to.equal(true)
    backend.send = send
    await element.refresh()
    await settled(element)
    expect(element.matches(':state(loaded):not(:state(failed))')).to.equal(true)
    expect(textOf(element)).not.to.include('refused access')
  })

  it('reports each content that has loaded', async () => {
    const { backend } = asDraft()
    const loads: FormContent[] = []
    const { element } = await show({ backend, packageId: 42 })
    element.addEventListener(WfLoadEvent.type, (event) =>
      loads.push((event as WfLoadEvent<FormContent>).value),
    )
    await element.refresh()
    expect(loads).to.have.length(1)
    expect(loads[0] === element.value).to.equal(true)
    expect([loads[0]!.found?.id, loads[0]!.session.univid]).to.deep.equal([42, people.initiator])
  })

  it('reads the session of a new request again, and nothing without a client', async () => {
    const { element, backend } = await show()
    const { send } = backend
    let requests = 0
    backend.send = (...args) => (requests++, send(...args))
    await element.refresh()
    expect(requests).to.equal(1)

    const other = await fixture<WfForm>(html`<wf-form><form></form></wf-form>`)
    await other.refresh()
    expect(other.value).to.equal(undefined)
  })

  it('announces an outage with its name, and no lack of rights', async () => {
    const { element, backend } = await show({ packageId: 42, backend: createBackend(people.firstApprover) })
    breakDown(backend)
    await element.refresh()
    await waitUntil(() => announcementOf(element) === 'Form: Couldn’t be loaded.')
    backend.intercept = () => undefined
    backend.person = people.outsider
    await element.refresh()
    await waitUntil(() => textOf(element).startsWith('This request is not available to you.'))
    expect(textOf(element)).to.equal('This request is not available to you. Try again')
    expect(part(element, 'form')!.hidden).to.equal(true)
  })

  it('reports each failure', async () => {
    const { element, backend } = await show()
    const errors: string[] = []
    element.addEventListener(WfErrorEvent.type, ({ error }) => errors.push(error.name))
    breakDown(backend)
    backend.send = () => Promise.reject(new TypeError('No connection'))
    await element.refresh()
    await element.refresh()
    expect(errors).to.deep.equal(['UnavailableError', 'UnavailableError'])
  })
})

describe('<wf-form> and the form of the page', () => {
  it('finds a form that the page adds later, at any depth', async () => {
    const { backend } = asDraft()
    const { element } = await show({ backend, packageId: 42, form: html`<div></div>` })
    expect(textOf(element)).to.equal('<wf-form> needs a <form> to show anything.')
    const form = await freshForm()
    element.querySelector('div')!.append(form)
    await waitUntil(() => control(element, 'nights').value === '4')
    await settled(element)
    expect(form.noValidate, 'as the page has rendered it').to.equal(false)
    control(element, 'purpose').focus()
    expect(form.noValidate, 'drafts may be incomplete').to.equal(true)
    expect(textOf(element)).to.equal('')
    expect(element.isChanged).to.equal(false)
  })

  it('shows the package in a form that replaces another, with what was typed', async () => {
    const { backend } = asDraft()
    const { element } = await show({ backend, packageId: 42 })
    const replace = async () => element.querySelector('form')!.replaceWith(await freshForm())
    await waitUntil(() => control(element, 'nights').value === '4')
    await replace()
    await waitUntil(() => control(element, 'nights').value === '4')
    expect(element.isChanged).to.equal(false)
    type(element, { nights: '9' })
    await replace()
    await waitUntil(() => control(element, 'nights').value === '9')
    expect(control(element, 'cost').value).to.equal('1,250.50')
    expect(element.isChanged).to.equal(true)
  })

  it('says what is missing if the page removes the form', async () => {
    const { element } = await show()
    type(element, complete)
    element.querySelector('form')!.remove()
    await waitUntil(() => textOf(element).startsWith('<wf-form> needs a <form> to show anything.'))
    expect(element.isChanged).to.equal(false)
    await element.save()
    element.append(await freshForm())
    await waitUntil(() => !part(element, 'not-configured'))
    control(element, 'purpose').focus()
    expect(element.querySelector('form')!.noValidate).to.equal(true)
  })
})
