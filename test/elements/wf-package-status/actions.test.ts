import { expect, oneEvent } from '@open-wc/testing'
import { sendKeys } from '@web/test-runner-commands'
import { WfChangeEvent } from '../../../src/elements/element/events.ts'
import { WfSignEvent } from '../../../src/elements/wf-package-status/wf-package-status.events.ts'
import { type Backend, createBackend, people } from '../../../stories/backend.ts'
import { waitUntil } from '../../wait-until.ts'
import { refuseBefore } from '../refuse-before.ts'
import { announcement } from '../notices/announcements.ts'
import {
  show,
  showWith,
  inState,
  offered,
  changeEvents,
  enter,
  textOf,
  part,
  alertText,
  dialog,
  action,
  openDialog,
  choose,
  submit,
  writes,
} from './element.ts'

describe('<wf-package-status> with actions', () => {
  it('voids with the chosen reason, and moves the focus to the new state @engines', async () => {
    const { element, backend } = await show(createBackend())
    await openDialog(element)
    choose(element, 'INCORRECT_FORM')
    const changed = oneEvent<WfChangeEvent>(element, WfChangeEvent.type)
    submit(element)

    const { from, to } = await changed
    expect([from, to]).to.deep.equal(['ROUTING', 'VOID'])
    expect(backend.emulator.packages.test.get(42)?.voidReason).to.equal('INCORRECT_FORM')
    await waitUntil(() => !dialog(element).open)
    await waitUntil(() => /^Void Test Voided by Amara Okafor .* Reason Incorrect form/.test(textOf(element)))
    expect(action(element, 'voidPackage')).to.equal(null)
    expect(element.shadowRoot!.activeElement).to.equal(part(element, 'state'))
    await waitUntil(() => announcement() === 'The request is now: Void.')
  })

  for (const [status, isSent] of [
    [413, false],
    [403, true],
  ] as const) {
    it(`says who refused an action, and ${isSent ? 'not ' : ''}that nothing was changed, if a server in between sends ${status}`, async () => {
      const { element, backend } = await show(createBackend())
      refuseBefore(backend, 'PUT', status)
      await openDialog(element)
      choose(element, 'INCORRECT_FORM')
      submit(element)
      await waitUntil(() => alertText(element).includes(`refused access (${status})`))
      expect(alertText(element).includes('Nothing was changed.')).to.equal(!isSent)
      expect(alertText(element).includes('It may have happened nevertheless.')).to.equal(isSent)
      expect(dialog(element).open).to.equal(true)
    })
  }

  it('treats a rejected request as a failure, even if the package is void (F29)', async () => {
    const { element, backend } = await show(createBackend())
    backend.intercept = (request) => {
      if (request.method !== 'PUT') return undefined
      Object.assign(backend.emulator.packages.test.get(42)!, { state: 'VOID' })
      return backend.emulator.fetch(request)
    }
    await openDialog(element)
    choose(element, 'INCORRECT_FORM')
    submit(element)
    await waitUntil(() => alertText(element) !== '')

    expect(alertText(element)).to.match(
      /^The service does not allow this in the present state of the request\. Nothing was changed\. A package in state VOID cannot be voided\./,
    )
    expect(dialog(element).open).to.equal(true)
  })

  it('does not offer to start routing while it knows that a required document is missing', async () => {
    const backend = inState(createBackend(), 'PRE_ROUTING')
    requireDocument(backend, 'Curriculum vitae')
    const { element } = await show(backend)
    await waitUntil(() => textOf(element).includes('Upload the required document: Curriculum vitae.'))
    expect(action(element, 'routePackage')).to.equal(null)
    expect(action(element, 'getPdf'), 'other actions stay').not.to.equal(null)

    const attachmentTypeId = backend.emulator.forms.test.get(6025)!.attachmentTypes[0]!.id
    const file = new File(['%PDF-1.7'], 'cv.pdf', { type: 'application/pdf' })
    await backend.client.uploadAttachment({ params: { formId: 6025, packageId: 42, attachmentTypeId }, file })
    await waitUntil(() => action(element, 'routePackage'))
    expect(textOf(element)).not.to.include('Curriculum vitae')
  })

  it('shows the response to the change, even if nothing can be loaded after it', async () => {
    const { element, backend } = await show(createBackend())
    let isVoid = false
    backend.intercept = (request) => {
      if (request.method === 'PUT') isVoid = true
      return isVoid && request.method === 'GET' ? Promise.reject(new TypeError('down')) : undefined
    }
    await openDialog(element)
    choose(element, 'INCORRECT_FORM')
    submit(element)
    await waitUntil(() => part(element, 'stale'))

    expect(part(element, 'state')?.textContent).to.include('Void')
    expect(action(element, 'voidPackage')).to.equal(null)
  })

  it('verifies the state if the response to a void is lost (F09)', async () => {
    const { element, backend } = await show(createBackend())
    backend.intercept = (request) =>
      request.method === 'PUT'
        ? backend.emulator.fetch(request).then(() => Promise.reject(new TypeError('reset')))
        : undefined
    await openDialog(element)
    choose(element, 'INCORRECT_FORM')
    submit(element)
    await waitUntil(() => !dialog(element).open)

    expect(part(element, 'state')?.textContent).to.include('Void')
    expect(writes(backend)).to.have.length(1)
  })

  it('offers only the operations that the proxy serves', async () => {
    const { client } = createBackend(people.administrator)
    const session = await client.getSession()
    const operations = session.allows.operations.filter(
      (name) => !['getPdf', 'restartPackage'].includes(name),
    )
    const element = await showWith({
      ...client,
      getSession: () => Promise.resolve({ ...session, allows: { ...session.allows, operations } }),
    })

    await waitUntil(() => part(element, 'environment'))
    expect(offered(element)).to.deep.equal(['returnToInitiator', 'removePackage', 'voidPackage'])
  })

  it('starts routing, for the initiator alone', async () => {
    const { element, backend } = await show(inState(createBackend(people.initiator), 'PRE_ROUTING'))
    await waitUntil(() => action(element, 'routePackage'))
    const { before, changed } = changeEvents(element)
    await openDialog(element, 'routePackage')
    submit(element)
    await waitUntil(() => !dialog(element).open)

    expect(backend.emulator.packages.test.get(42)?.state).to.equal('ROUTING')
    expect(before).to.deep.equal([['routePackage', { state: 'ROUTING', subType: null }]])
    expect(changed).to.deep.equal([['PRE_ROUTING', 'ROUTING']])
  })

  for (const [name, from, body, to] of [
    ['reinitiatePackage', 'PRE_ROUTING', undefined, 'ROUTING'],
    ['returnPackage', 'COMPLETE', { univid: people.secondApprover }, 'ROUTING'],
    ['unvoidPackage', 'VOID', undefined, 'ROUTING'],
    ['removePackage', 'ROUTING', undefined, 'PRE_ROUTING'],
    ['returnToInitiator', 'ROUTING', { comment: 'Add <b>receipts</b>' }, 'DRAFT'],
    ['voidPackage', 'COMPLETE', { id: 42, state: 'VOID', voidReason: 'TRANSACTION_DENIED' }, 'VOID'],
  ] as const) {
    it(`carries out ${name}, and fires events before and after`, async () => {
      const { element, backend } = await show(inState(createBackend(people.administrator), from))
      const { before, changed } = changeEvents(element)
      await openDialog(element, name)
      await enter(element, { ...body })
      for (let click = 0; click < 5; click++) submit(element)
      await waitUntil(() => !dialog(element).open)

      expect(backend.emulator.packages.test.get(42)?.state).to.equal(to)
      expect(writes(backend), 'F37').to.have.length(1)
      expect(before).to.deep.equal([[name, body]])
      expect(changed).to.deep.equal([[from, to]])
      await waitUntil(() => part(element, 'state')?.getAttribute('data-state') === to)
      expect(element.shadowRoot!.activeElement).to.equal(part(element, 'state'))
    })
  }

  it('restarts, and announces it although the state is the same', async () => {
    const { element, backend } = await show(createBackend(people.administrator))
    const { changed } = changeEvents(element)
    await openDialog(element, 'restartPackage')
    submit(element)
    await waitUntil(() => !dialog(element).open)

    expect(changed).to.deep.equal([[undefined, undefined]])
    await waitUntil(() => announcement() === 'Routing has restarted.')
    expect(writes(backend)).to.have.length(1)
  })

  it('does not accept the state as proof that routing was restarted', async () => {
    const { element, backend } = await show(createBackend(people.administrator))
    backend.intercept = (request) =>
      request.method === 'PUT'
        ? backend.emulator.fetch(request).then(() => Promise.reject(new TypeError('reset')))
        : undefined
    await openDialog(element, 'restartPackage')
    submit(element)
    await waitUntil(() => alertText(element) !== '')

    expect(alertText(element)).to.include('the state does not show whether routing has restarted')
    expect(dialog(element).open).to.equal(true)
  })

  it('links people who may sign to the signing page, unless the page cancels wf-sign @engines', async () => {
    const { element } = await show(createBackend(people.firstApprover))
    expect(part(element, 'sign'), 'without an address').to.equal(null)
    element.signUrl = '/sign?form={formId}&package={packageId}&signature={signatureId}&x={y}'
    await element.updateComplete
    const link = part<HTMLAnchorElement>(element, 'sign')!
    expect(link.href).to.equal(`${location.origin}/sign?form=6025&package=42&signature=9001&x={y}`)

    const signed = oneEvent<WfSignEvent>(element, WfSignEvent.type)
    element.addEventListener(WfSignEvent.type, (event) => event.preventDefault())
    let wasStopped = false
    element.addEventListener('click', (event) => {
      wasStopped = event.defaultPrevented
      event.preventDefault()
    })
    link.click()
    const { url, signatureId } = await signed
    expect([url, signatureId]).to.deep.equal([link.href, 9001])
    expect(wasStopped).to.equal(true)
  })

  it('supports the keyboard in its menu and its dialogs @engines', async () => {
    const { element } = await show(createBackend(people.administrator))
    const summary = element.shadowRoot!.querySelector('summary')!
    summary.focus()
    await sendKeys({ press: 'Enter' })
    await sendKeys({ press: 'Tab' })
    expect(element.shadowRoot!.activeElement?.closest('details'), 'in the menu').to.not.equal(null)
    await sendKeys({ press: 'Escape' })
    expect(summary.closest('details')!.open).to.equal(false)
    expect(element.shadowRoot!.activeElement).to.equal(summary)
    await sendKeys({ press: 'Enter' })
    await sendKeys({ press: 'Tab' })
    await sendKeys({ press: 'Tab' })
    expect(element.shadowRoot!.activeElement).to.equal(action(element, 'returnToInitiator'))
    await sendKeys({ press: 'Enter' })
    await waitUntil(() => dialog(element)?.open)
    expect(element.shadowRoot!.activeElement).to.have.property('localName', 'textarea')
    await sendKeys({ press: 'Escape' })

    expect(dialog(element).open).to.equal(false)
    expect(element.shadowRoot!.activeElement).to.equal(action(element, 'returnToInitiator'))
  })
})

/** Makes the form require a document before routing, in place of all others. */
function requireDocument(backend: Backend, title: string): void {
  backend.emulator.forms.test
    .get(6025)!
    .attachmentTypes.forEach((type, index) =>
      Object.assign(type, { requiredPreRouting: index === 0, ...(index === 0 && { title }) }),
    )
  backend.emulator.packages.test.get(42)!.attachments.length = 0
}
