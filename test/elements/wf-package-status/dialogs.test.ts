import { expect, fixture, html, oneEvent } from '@open-wc/testing'
import { sendKeys } from '@web/test-runner-commands'
import { WfBeforeChangeEvent, WfErrorEvent } from '../../../src/elements/element/events.ts'
import { configure } from '../../../src/elements/configuration/configuration.ts'
import type { DirectoryPerson, FindPeople } from '../../../src/elements/person/person-lookup.ts'
import type { WfPackageStatus } from '../../../src/elements/wf-package-status/wf-package-status.ts'
import { type Backend, createBackend, people } from '../../../stories/backend.ts'
import { findPeople } from '../../../stories/overrides.ts'
import { settled } from '../../../stories/settled.ts'
import { waitUntil } from '../../wait-until.ts'
import {
  show,
  inState,
  fill,
  enter,
  changeEvents,
  part,
  alertText,
  dialog,
  action,
  openDialog,
  choose,
  submit,
  writes,
} from './element.ts'

describe('the dialogs of <wf-package-status>', () => {
  it('requires a reason before it sends a request', async () => {
    const { element, backend } = await show(createBackend())
    await openDialog(element)
    submit(element)
    await element.updateComplete

    expect(element.shadowRoot!.querySelector('[role=alert]')).to.have.trimmed.text('Choose a reason.')
    expect(element.shadowRoot!.activeElement).to.have.property('name', 'reason')
    expect(writes(backend)).to.deep.equal([])
  })

  it('sends one request, even if the dialog is submitted repeatedly (F37)', async () => {
    const { element, backend } = await show(createBackend())
    await openDialog(element)
    choose(element, 'TRANSACTION_DENIED')
    for (let click = 0; click < 10; click++) submit(element)
    await waitUntil(() => !dialog(element).open)

    expect(writes(backend)).to.have.length(1)
  })

  it('closes the dialog and sends nothing if the package changes @engines', async () => {
    const backend = createBackend()
    const packages = backend.emulator.packages.test
    packages.set(43, { ...packages.get(42)!, id: 43 })
    const { element } = await show(backend)
    await openDialog(element)
    await element.updateComplete
    expect(dialog(element).querySelector('h2')).to.have.trimmed.text('Void this request?')
    choose(element, 'INCORRECT_FORM')
    element.packageId = 43
    await element.updateComplete
    expect(dialog(element).open).to.equal(false)
    submit(element)
    await settled(element)

    expect(writes(backend)).to.deep.equal([])
  })

  it('shows in the dialog that someone else changed the package, and sends nothing', async () => {
    const { element, backend } = await show(createBackend())
    await openDialog(element)
    choose(element, 'INCORRECT_FORM')
    Object.assign(backend.emulator.packages.test.get(42)!, {
      state: 'VOID',
      voidReason: 'DUPLICATE_TRANSACTION',
    })
    void element.refresh()
    await waitUntil(() => alertText(element).includes('It is now: Void.'))
    submit(element)
    await settled(element)

    expect(dialog(element).open).to.equal(true)
    expect(writes(backend)).to.deep.equal([])
    dialog(element).close()
    await waitUntil(() => element.shadowRoot!.activeElement === part(element, 'state'))
  })

  it('shows a failure, even if Escape was pressed meanwhile @engines', async () => {
    const { element, backend } = await show(createBackend(people.firstApprover))
    let respond!: (response: Response) => void
    backend.intercept = (request) =>
      request.method === 'PUT' ? new Promise((resolve) => (respond = resolve)) : undefined
    await openDialog(element)
    choose(element, 'INCORRECT_FORM')
    submit(element)
    await waitUntil(() => respond)
    for (let press = 0; press < 4; press++) await sendKeys({ press: 'Escape' })
    respond(new Response('', { status: 403 }))
    await waitUntil(() => alertText(element) !== '')

    expect(alertText(element)).to.include('You can no longer do this.')
    expect(dialog(element).open).to.equal(true)
  })

  it('can be opened again after the element was moved with its dialog open @engines', async () => {
    const { element } = await show(createBackend())
    await openDialog(element)
    const elsewhere = await fixture<HTMLElement>(html`<div></div>`)
    elsewhere.append(element)
    expect(dialog(element).open).to.equal(false)
    await openDialog(element)
    expect(dialog(element).matches(':modal')).to.equal(true)
  })

  it('resets a choice that was not confirmed @engines', async () => {
    const { element } = await show(createBackend())
    await openDialog(element)
    choose(element, 'INCORRECT_FORM')
    dialog(element).close()
    await openDialog(element)

    expect(element.shadowRoot!.querySelector('input:checked')).to.equal(null)
  })

  it('closes the dialog and returns the focus to its button if the page cancels the change @engines', async () => {
    const { element, backend } = await show(createBackend())
    element.addEventListener(WfBeforeChangeEvent.type, (event) => event.preventDefault())
    action(element, 'voidPackage')!.focus()
    await openDialog(element)
    choose(element, 'TRANSACTION_DENIED')
    submit(element)
    await waitUntil(() => !dialog(element).open, 'the dialog stays open')
    await settled(element)

    expect(dialog(element).open).to.equal(false)
    expect(writes(backend)).to.deep.equal([])
    expect(element.shadowRoot!.activeElement, 'the focus').to.equal(action(element, 'voidPackage'))
  })

  it('keeps the dialog and the choice if the person lost the right meanwhile (F17)', async () => {
    const { element, backend } = await show(createBackend(people.firstApprover))
    await openDialog(element)
    choose(element, 'INCORRECT_FORM')
    backend.emulator.packages.test.get(42)!.inbox = []
    const failed = oneEvent<WfErrorEvent>(element, WfErrorEvent.type)
    submit(element)
    await failed
    await waitUntil(() => alertText(element) !== '')

    expect(alertText(element)).to.equal('You can no longer do this. Nothing was changed.')
    expect(dialog(element).open).to.equal(true)
    expect(element.shadowRoot!.querySelector<HTMLInputElement>('input:checked')?.value).to.equal(
      'INCORRECT_FORM',
    )
    expect(action(element, 'voidPackage')).to.equal(null)
  })

  it('works with the keyboard alone @engines', async () => {
    const { element, backend } = await show(createBackend())
    action(element, 'voidPackage')!.focus()
    await sendKeys({ press: 'Enter' })
    await waitUntil(() => dialog(element)?.open)
    await sendKeys({ press: 'Escape' })
    expect(dialog(element).open).to.equal(false)
    expect(element.shadowRoot!.activeElement).to.equal(action(element, 'voidPackage'))

    await sendKeys({ press: 'Enter' })
    await waitUntil(() => dialog(element).open)
    element.shadowRoot!.querySelector('input')!.focus()
    await sendKeys({ press: 'ArrowDown' })
    await sendKeys({ press: 'Enter' })
    await waitUntil(() => !dialog(element).open)
    expect(backend.emulator.packages.test.get(42)?.voidReason).to.equal('INCORRECT_FORM')
  })

  describe('of a return to a person', () => {
    const inComplete = () => inState(createBackend(people.administrator), 'COMPLETE')
    const field = (element: WfPackageStatus) =>
      dialog(element).querySelector<HTMLInputElement>('[name=univid]')!
    const next = (element: WfPackageStatus) =>
      dialog(element).querySelector('[type=submit]')!.textContent.trim()
    /** Opens the dialog, and waits for the names of the people of the package. */
    async function open(backend: Backend, findPeople?: FindPeople) {
      configure({ findPeople })
      const { element } = await show(backend)
      await openDialog(element, 'returnPackage')
      await waitUntil(() => dialog(element).querySelectorAll('option').length > 1)
      return element
    }
    afterEach(() => configure({ findPeople: undefined }))

    it('requires a person, and keeps the input if the service rejects it', async () => {
      const backend = inComplete()
      const element = await open(backend)
      const missing = 'Enter a university ID of up to 12 digits.'
      const unknown = 'Nobody was found. Check the name, or enter the university ID.'
      for (const [wrong, problem] of [
        ['', missing],
        ['mzhou', unknown],
        ['1234567890123', unknown],
        ['１２３４５６７８９０１２３', unknown],
      ] as const) {
        fill(element, { univid: wrong })
        submit(element)
        await waitUntil(() => alertText(element) === problem, wrong)
        const input = field(element)
        expect(element.shadowRoot!.activeElement).to.equal(input)
        expect(input).to.have.attribute('aria-invalid', 'true')
        const described = input.getAttribute('aria-describedby')!.split(' ')
        expect(described).to.include(dialog(element).querySelector('[role=alert]')!.id)
        expect(next(element)).to.equal('Continue')
      }
      fill(element, { univid: ' ９９９９９９９９ ' })
      expect(alertText(element), 'gone with the next letter').to.equal('')
      submit(element)
      await waitUntil(() => part(element, 'named'))
      expect(part(element, 'named')!.textContent).to.include('99999999 couldn’t be looked up')
      expect(writes(backend)).to.deep.equal([])

      submit(element)
      await waitUntil(() => alertText(element) !== '')
      expect(alertText(element)).to.include('The service refused this. Nothing was changed.')
      expect(field(element).value.trim()).to.equal('９９９９９９９９')
    })

    it('finds people of the history by name, and shows who it is before it sends anything', async () => {
      const backend = inComplete()
      const element = await open(backend)
      const { before } = changeEvents(element)
      fill(element, { univid: 'daniel reyes' })
      submit(element)
      await waitUntil(() => part(element, 'named'))
      expect(part(element, 'named')).to.have.trimmed.text(`Daniel Reyes (${people.firstApprover})`)
      expect(next(element)).to.equal('Return to a person')
      expect(writes(backend)).to.deep.equal([])

      submit(element)
      await waitUntil(() => !dialog(element).open)
      expect(before).to.deep.equal([['returnPackage', { univid: people.firstApprover }]])
    })

    it('finds anybody else in the directory of the page, and lets people choose', async () => {
      const backend = inComplete()
      const element = await open(backend, findPeople)
      const { before } = changeEvents(element)
      fill(element, { univid: 'th' })
      submit(element)
      await waitUntil(() => part(element, 'people'))
      expect(part<HTMLElement>(element, 'people')!.innerText).to.match(
        /Ruth Lindqvist\s+Biology\s+Theo Marchetti/,
      )
      expect(element.shadowRoot!.activeElement).to.have.property('name', 'univid-choice')
      dialog(element).querySelector<HTMLElement>(`[value="${people.outsider}"]`)!.click()
      await waitUntil(() => part(element, 'named'))
      expect(part(element, 'named')).to.have.trimmed.text(`Theo Marchetti (${people.outsider})`)
      expect(element.shadowRoot!.activeElement, 'the choice is gone').to.equal(field(element))

      submit(element)
      await waitUntil(() => !dialog(element).open)
      expect(before).to.deep.equal([['returnPackage', { univid: people.outsider }]])
    })

    it('sends nothing for a name that was changed after it was shown', async () => {
      const backend = inComplete()
      const element = await open(backend, findPeople)
      await enter(element, { univid: 'Daniel Reyes' })
      fill(element, { univid: 'Theo' })
      expect(part(element, 'named') === null).to.equal(true)
      submit(element)
      await waitUntil(() => part(element, 'named'))
      expect(writes(backend)).to.deep.equal([])
    })

    it('can be closed while the directory does not respond, which forgets the search @engines', async () => {
      const signals: AbortSignal[] = []
      let respond: ((found: readonly DirectoryPerson[]) => void) | undefined
      const element = await open(inComplete(), (_, signal) => {
        signals.push(signal)
        return new Promise((resolve) => (respond = resolve))
      })
      fill(element, { univid: 'Theo' })
      // As a click does. In the field, WebKit first closes the suggestions.
      dialog(element).querySelector<HTMLElement>('button[type=submit]')!.focus()
      for (let click = 0; click < 3; click++) submit(element)
      await waitUntil(() => signals.length > 0)
      expect(next(element)).to.equal('One moment…')
      await sendKeys({ press: 'Escape' })
      await waitUntil(() => !dialog(element).open)
      await waitUntil(() => signals[0]!.aborted)
      expect(signals).to.have.length(1)

      await openDialog(element, 'returnPackage')
      respond!([{ univid: people.outsider, name: 'Theo Marchetti' }])
      await settled(element)
      expect(field(element).value).to.equal('')
      expect(part(element, 'named') === null).to.equal(true)
      expect(next(element)).to.equal('Continue')
    })
  })

  it('keeps the comment if the session ends, and sends it after the person signs in again @engines', async () => {
    const { element, backend } = await show(createBackend(people.administrator))
    await openDialog(element, 'returnToInitiator')
    submit(element)
    await waitUntil(() => alertText(element) === 'Enter what the initiator should do.')
    fill(element, { comment: 'Receipts are missing.' })
    backend.person = null
    submit(element)
    await waitUntil(() => alertText(element).includes('You are signed out.'))

    expect(dialog(element).querySelector('textarea')!.value).to.equal('Receipts are missing.')
    backend.person = people.administrator
    submit(element)
    await waitUntil(() => !dialog(element).open)
    expect(backend.emulator.packages.test.get(42)?.comments[0]?.comment).to.equal('Receipts are missing.')
  })

  it('does not keep the input of one person for the next', async () => {
    const { element, backend } = await show(createBackend(people.administrator))
    await waitUntil(() => part(element, 'environment'))
    await openDialog(element, 'voidPackage')
    choose(element, 'INCORRECT_FORM')
    backend.person = people.initiator
    await element.refresh()
    await waitUntil(() => !dialog(element).open, 'it is still open for someone else')

    await waitUntil(() => action(element, 'voidPackage'))
    await openDialog(element, 'voidPackage')
    expect(dialog(element).querySelector(':checked')).to.equal(null)
  })

  it('lists the attachments that a PDF omits, as text, and links to the chosen PDF', async () => {
    const backend = createBackend()
    const found = backend.emulator.packages.test.get(42)!
    addAttachment(found, 1, 'itinerary.PDF')
    addAttachment(found, 2, '<img src=x>.docx')
    const { element } = await show(backend)
    await openDialog(element, 'getPdf')
    const link = dialog(element).querySelector<HTMLAnchorElement>('a[download]')!
    expect(link.href).to.equal('https://northfield.test/api/wf/forms/6025/packages/42/pdf')
    dialog(element).querySelector<HTMLElement>('[name=includeRouting]')!.click()
    dialog(element).querySelector<HTMLElement>('[name=mergeAttachments]')!.click()
    await waitUntil(() => dialog(element).querySelector('li'))

    expect(link.href).to.match(/\/pdf\?includeRouting=true&mergeAttachments=true$/)
    const names = [...dialog(element).querySelectorAll('li')].map((item) => item.textContent.trim())
    expect(names).to.deep.equal(['<img src=x>.docx'])
    link.addEventListener('click', (event) => event.preventDefault())
    link.click()
    expect(dialog(element).open).to.equal(false)
    expect(writes(backend)).to.deep.equal([])
  })

  it('does not show the attachments of another package, which arrive late', async () => {
    const backend = createBackend()
    const packages = backend.emulator.packages.test
    const found = packages.get(42)!
    packages.set(43, { ...found, id: 43, attachments: [...found.attachments] })
    addAttachment(found, 2, 'notes.docx')
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    let isSent = false
    backend.intercept = (request) => {
      if (isSent || !request.url.endsWith('/42/attachments')) return undefined
      return held.then(() => {
        isSent = true
        return backend.emulator.fetch(request)
      })
    }
    const { element } = await show(backend)
    await openDialog(element, 'getPdf')
    element.packageId = 43
    await waitUntil(() => !dialog(element).open)
    await openDialog(element, 'getPdf')
    dialog(element).querySelector<HTMLElement>('[name=mergeAttachments]')!.click()
    release()
    await waitUntil(() => isSent)
    await settled(element)
    expect(dialog(element).textContent).not.to.include('notes.docx')
    expect(dialog(element).querySelector('li') === null).to.equal(true)
  })

  it('shows a message if the attachments that a PDF omits fail to load', async () => {
    const backend = createBackend()
    backend.intercept = (request) =>
      request.url.endsWith('/attachments') ? Promise.reject(new TypeError('down')) : undefined
    const { element } = await show(backend)
    await openDialog(element, 'getPdf')
    dialog(element).querySelector<HTMLElement>('[name=mergeAttachments]')!.click()

    await waitUntil(() => dialog(element).textContent.includes('couldn’t be loaded'))
  })
})

/** Adds an attachment without its content to a package. */
function addAttachment(found: StoredPackage, id: number, fileName: string): void {
  found.attachments.push({
    id,
    fileName,
    description: null,
    type: 3,
    person: people.initiator,
    fileSize: 5,
    uploadTimestamp: '2026-11-16T10:00:00',
    contentType: 'application/octet-stream',
    object: '',
  } as unknown as StoredPackage['attachments'][number])
}

type StoredPackage = NonNullable<ReturnType<Backend['emulator']['packages']['test']['get']>>
