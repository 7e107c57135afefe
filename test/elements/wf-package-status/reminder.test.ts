import { expect } from '@open-wc/testing'
import { WfBeforeChangeEvent } from '../../../src/elements/element/events.ts'
import type { WfPackageStatus } from '../../../src/elements/wf-package-status/wf-package-status.ts'
import { type Backend, createBackend, people } from '../../../stories/backend.ts'
import { createReminderBackend } from '../../../stories/listed-requests.ts'
import { settled } from '../../../stories/settled.ts'
import { waitUntil } from '../../wait-until.ts'
import { part as partOf, show as showCard } from './element.ts'

describe('<wf-package-status> of a package whose approvers the person may remind', () => {
  it('offers to remind them, and shows afterwards when that was done', async () => {
    const { element, backend } = await show()
    expect(part(element, 'reminder')!.innerText.trim()).to.equal('Remind…')
    await open(element)
    expect(dialogText(element)).to.match(
      /^Remind the approvers\? Request 42 The service emails every approver .* 300 characters left .* Amara Okafor asks you/,
    )
    await expect(element).shadowDom.to.be.accessible()
    const operations: string[] = []
    element.addEventListener(WfBeforeChangeEvent.type, ({ operation }) => operations.push(operation))
    part(element, 'send')!.click()
    await waitUntil(() => /Reminded .*, 1 of 5/.test(rowText(element)), 'the card shows no reminder')
    expect(openDialog(element)).to.equal(null)
    expect(element.shadowRoot!.activeElement).to.equal(part(element, 'remind'))
    expect(operations).to.deep.equal(['sendReminder'])
    expect(mails(backend)).to.have.length(1)
    await expect(element).shadowDom.to.be.accessible()
    part(element, 'remind')!.click()
    await waitUntil(() => dialogText(element).includes('The next one is possible from'), 'no reason is shown')
    expect(part(element, 'send')).to.equal(null)
  })

  it('can be used with the keyboard', async () => {
    const { element, backend } = await show()
    const button = part(element, 'remind')!
    button.focus()
    expect(element.shadowRoot!.activeElement).to.equal(button)
    await open(element)
    const dialog = openDialog(element)!
    dialog.requestClose?.()
    if (dialog.open) dialog.close()
    await waitUntil(() => element.shadowRoot!.activeElement === button, 'the focus does not return')
    await open(element)
    dialog.querySelector('form')!.requestSubmit()
    await waitUntil(() => mails(backend)[0], 'nothing was sent')
  })

  it('keeps the button if the reminders cannot be read, and the dialog says so', async () => {
    const backend = createReminderBackend({}, operations)
    const { send } = backend
    backend.send = async (input, init) => {
      if (!`${input instanceof Request ? input.url : input}`.includes('/reminder'))
        return await send(input, init)
      throw new TypeError('Failed to fetch')
    }
    const { element } = await show(backend)
    part(element, 'remind')!.click()
    await waitUntil(() => dialogText(element).includes('Couldn’t be loaded.'), 'no error is shown')
  })

  it('closes the dialog and forgets the note if somebody else signs in @engines', async () => {
    const { element, backend } = await show()
    await open(element)
    const field = openDialog(element)!.querySelector('textarea')!
    field.value = 'Please sign.'
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))
    await element.refresh()
    expect(openDialog(element), 'control: it stays open for the same person').not.to.equal(null)
    backend.person = people.administrator
    await element.refresh()
    await waitUntil(() => openDialog(element) === null, 'the dialog stays open')
    await open(element)
    expect(dialogText(element)).to.include('An administrator asks you')
    expect(openDialog(element)!.querySelector('textarea')!.value).to.equal('')
  })

  it('stays open for the next person if the card changes before it has loaded', async () => {
    const { element, backend } = await show()
    await open(element)
    backend.person = people.administrator
    await element.refresh()
    await waitUntil(() => openDialog(element) === null, 'the dialog stays open')
    const { send } = backend
    const held: (() => void)[] = []
    backend.send = async (input, init) => {
      await new Promise<void>((resolve) => held.push(resolve))
      return await send(input, init)
    }
    part(element, 'remind')!.click()
    await waitUntil(() => openDialog(element) && held.length > 0, 'it does not open and ask')
    element.requestUpdate()
    await element.updateComplete
    expect(openDialog(element), 'while it loads').not.to.equal(null)
    backend.send = send
    for (const release of held) release()
    await waitUntil(() => openDialog(element)?.querySelector('[part=send]'), 'the dialog has not loaded')
    expect(dialogText(element)).to.include('An administrator asks you')
  })

  it('leaves nothing of the note to somebody who may not see the package @engines', async () => {
    const { element, backend } = await show()
    await open(element)
    const field = openDialog(element)!.querySelector('textarea')!
    field.value = 'Please sign.'
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))
    backend.person = people.outsider
    await element.refresh()
    await waitUntil(() => openDialog(element) === null, 'the dialog stays open')
    await waitUntil(() => !element.shadowRoot!.querySelector('textarea'), 'the note stays in the page')
  })

  it('closes the dialog if the card shows another package', async () => {
    const backend = createReminderBackend({ 43: {} }, operations)
    const { element } = await show(backend)
    await open(element)
    element.packageId = 43
    await waitUntil(() => openDialog(element) === null, 'the dialog stays open')
    await open(element)
    expect(dialogText(element)).to.include('Request 43')
  })

  it('shows nothing, and asks for nothing, if nobody can be reminded', async () => {
    for (const [name, backend] of [
      ['the policy does not allow it', createReminderBackend({}, [])],
      ['the proxy keeps no lists', createBackend(people.initiator)],
      ['the package is not routing', inDraft(createReminderBackend({}, operations))],
    ] as const) {
      const addresses = watch(backend)
      const { element } = await showCard(backend)
      await settled(element)
      expect(part(element, 'remind'), name).to.equal(null)
      expect(
        addresses.filter((address) => address.includes('/reminder')),
        name,
      ).to.deep.equal([])
    }
    const backend = createReminderBackend({}, operations)
    const addresses = watch(backend)
    const { element } = await show(backend)
    await settled(element)
    expect(
      addresses.filter((address) => address.includes('/reminder')),
      'control',
    ).to.have.length(1)
  })
})

/** A part of the card or of its dialog. */
const part = (element: WfPackageStatus, name: string) => partOf<HTMLElement>(element, name)

const operations = ['remind', 'remindNote']

async function show(backend = createReminderBackend({}, operations)): Promise<{
  readonly element: WfPackageStatus
  readonly backend: Backend
}> {
  return await showCard(backend, '[part=remind]')
}

async function open(element: WfPackageStatus): Promise<void> {
  await waitUntil(() => part(element, 'remind'), 'the button is missing')
  part(element, 'remind')!.focus()
  part(element, 'remind')!.click()
  await waitUntil(() => openDialog(element)?.querySelector('[part=send]'), 'the dialog has not loaded')
}

function watch(backend: Backend): string[] {
  const addresses: string[] = []
  const { send } = backend
  backend.send = async (input, init) => {
    addresses.push(`${input instanceof Request ? input.url : input}`)
    return await send(input, init)
  }
  return addresses
}

function inDraft(backend: Backend): Backend {
  const { test: packages } = backend.emulator.packages
  packages.set(42, { ...packages.get(42)!, state: 'DRAFT', inbox: [] })
  return backend
}

function openDialog(element: WfPackageStatus): HTMLDialogElement | null {
  return element.shadowRoot!.querySelector('dialog[open]')
}

function dialogText(element: WfPackageStatus): string {
  return openDialog(element)?.innerText.replace(/\s+/g, ' ').trim() ?? ''
}

function rowText(element: WfPackageStatus): string {
  return part(element, 'reminder')?.innerText.replace(/\s+/g, ' ').trim() ?? ''
}

function mails(backend: Backend) {
  return [...backend.emulator.outbox.values()].filter(({ kind }) => kind === 'edit_notification')
}
