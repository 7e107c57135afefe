import { expect, fixture, oneEvent } from '@open-wc/testing'
import '../../src/define/fs-files.ts'
import '../../src/define/fs-shares.ts'
import '../../src/define/wf-attachments.ts'
import '../../src/define/wf-office.ts'
import '../../src/define/wf-package-status.ts'
import type { WfAttachments } from '../../src/elements/wf-attachments/wf-attachments.ts'
import { type Backend, createBackend, people } from '../../stories/backend.ts'
import { freeze, releasing } from '../../stories/routing.ts'
import { settled } from '../../stories/settled.ts'
import { createFilesBackend, directory, sampleUuids } from '../../stories/stored-files.ts'
import { waitUntil } from '../wait-until.ts'
import { announcement } from './notices/announcements.ts'

// What people have entered stays when the proxy responds with 401, and another person does not see it.
// `wf-overrides.test.ts`, `wf-form/nothing-lost.test.ts`, `fs-uploader.test.ts`, `fs-shares/fs-shares-session.test.ts`,
// `wf-office/markup.test.ts`, and `dialogs.test.ts` and `release.test.ts` of `wf-package-status` test the same of what they show.

const [file = ''] = sampleUuids
const ofPackage = { formId: 6025, packageId: 42 }

describe('What a person has entered when the session ends', () => {
  it('stays in the form of a file, with its focus, and can be saved after a sign-in @engines', async () => {
    const { element, backend } = await editFile()
    const hint = find(element, '[id^=day-hint]')!.innerText
    await signOut(element, backend)
    expect(valueOf(element, '[name=stem]')).to.equal('Flights')
    expect(find(element, '[id^=day-hint]')!.innerText).to.equal(hint)
    expect(element.shadowRoot!.activeElement?.getAttribute('name')).to.equal('stem')
    expectLink(element, 'You are signed out. Sign in')
    expect(textOf(element)).not.to.match(/lodging|files$/)
    await expect(element).to.be.accessible()

    submit(element, '[part=editor]')
    await waitUntil(() => find(element, '[part=editor] [role=alert]')!.textContent.includes('Sign in'))
    // One message is enough.
    expectLink(element, 'You are signed out. Sign in')
    expect(valueOf(element, '[name=stem]')).to.equal('Flights')

    backend.person = people.initiator
    submit(element, '[part=editor]')
    await waitUntil(() => find(element, '[aria-label="Edit Flights.pdf"]'), textOf(element))
    expect(backend.emulator.files.test.get(file)!.asset.filename).to.equal('Flights.pdf')
    expect(linksIn(element)).to.deep.equal([])
    expect(textOf(element)).to.include('3 files')
  })

  it('is not shown to another person: the form of a file', async () => {
    const { element, backend } = await editFile()
    await signOut(element, backend)
    expect(valueOf(element, '[name=stem]')).to.equal('Flights')
    // The administrator may change the file too.
    await signIn(element, backend, people.administrator)
    expect(textOf(element)).to.include('itinerary.pdf')
    expect(find(element, '[part=editor]') === null).to.equal(true)
  })

  it('is not announced to another person: the name of a file', async () => {
    const { element, backend } = await editFile()
    submit(element, '[part=editor]')
    await waitUntil(() => announcement() === 'Saved: Flights.pdf')
    await signIn(element, backend, people.administrator)
    expect(announcement()).to.equal('')
  })

  it('leaves only the message if nothing was entered: files', async () => {
    const backend = createFilesBackend()
    const element = await show('fs-files', { value: sampleUuids }, backend)
    await waitUntil(() => find(element, '.edit'))
    await signOut(element, backend)
    expect(textOf(element)).to.equal('You are signed out. Sign in')
  })

  it('stays in the form of a share while a filter changes the list @engines', async () => {
    const { element } = await chooseShare()
    const loaded = oneEvent(element, 'wf-load')
    Object.assign(element, { pageSize: 5 })
    await loaded
    await settled(element)
    expect(valueOf(element, '[name=grantee]')).to.equal('storage-admin')
  })

  it('stays beside a file that waits for its description', async () => {
    const backend = createBackend()
    const element = await show('wf-attachments', ofPackage, backend)
    await waitUntil(() => element.matches(':state(loaded)'))
    await signOut(element, backend)
    expect(linksIn(element)[0]?.target, 'nothing would be lost').to.equal('')
    await signIn(element, backend, people.initiator)

    const [{ id = 0 } = {}] = (element as WfAttachments).value!.types.slice(-1) as { id?: number }[]
    ;(element as WfAttachments).add(id, [new File(['%PDF-1.7'], 'a.pdf', { type: 'application/pdf' })])
    await waitUntil(() => find(element, '[part=file] input'))
    fill(element, '[part=file] input', 'The receipt')
    await signOut(element, backend)
    expectLink(element, 'You are signed out. Sign in')
    await signIn(element, backend, people.initiator)
    expect(valueOf(element, '[part=file] input')).to.equal('The receipt')
  })

  it('is not shown to another person: the dialog that lets a route continue', async () => {
    const { element, backend, dialog } = await startRelease()
    await signOut(element, backend)
    await signIn(element, backend, people.initiator)
    await waitUntil(() => !dialog.open)
    expect(dialog.querySelector('textarea')!.value).to.equal('')
  })
})

type Loading = HTMLElement & { refresh(): Promise<void>; updateComplete: Promise<boolean> }

async function editFile() {
  const backend = createFilesBackend()
  const element = await show('fs-files', { value: sampleUuids }, backend)
  await waitUntil(() => find(element, '.edit'))
  find(element, '[aria-label="Edit itinerary.pdf"]')!.focus()
  find(element, '[aria-label="Edit itinerary.pdf"]')!.click()
  await waitUntil(() => element.shadowRoot!.activeElement?.getAttribute('name') === 'stem')
  fill(element, '[name=stem]', 'Flights')
  return { element, backend }
}

async function chooseShare(properties: object = { files: sampleUuids.join(' ') }) {
  const backend = createFilesBackend(people.administrator)
  backend.emulator.shares.test.clear()
  const element = await show('fs-shares', { ...properties, grantees: directory }, backend)
  await waitUntil(() => find(element, '[part=create]'))
  if (find(element, '[name=file]')) choose(element, '[name=file]', file)
  choose(element, '[part=create] [name=grantee]', 'storage-admin')
  return { element, backend }
}

/** Opens the dialog that lets a route continue, and enters a reason. */
async function startRelease() {
  const backend = createBackend(people.administrator, {}, [6025], {}, releasing)
  await freeze(backend)
  const element = await show('wf-package-status', ofPackage, backend)
  await waitUntil(() => find(element, '[part=release]'))
  find(element, '[part=release]')!.click()
  const dialog = find<HTMLDialogElement>(element, 'dialog[open]')!
  fill(element, 'dialog[open] textarea', 'The budget is approved.')
  return { element, backend, dialog }
}

async function show(tag: string, properties: object, { client }: Backend): Promise<Loading> {
  const element = Object.assign(document.createElement(tag), { client, signInUrl: '/login', ...properties })
  element.ariaLabel = 'Test'
  return await fixture<Loading>(element)
}

/** Ends the session, and lets the element read its content again. */
async function signOut(element: Loading, backend: Backend): Promise<void> {
  backend.person = null
  await element.refresh()
  await waitUntil(() => element.matches(':state(signed-out)'))
}

async function signIn(element: Loading, backend: Backend, person: string): Promise<void> {
  backend.person = person
  await element.refresh()
  await waitUntil(() => element.matches(':state(loaded)'))
}

function find<T extends HTMLElement>(element: Loading, selector: string): T | null {
  return element.shadowRoot!.querySelector<T>(selector)
}

const valueOf = (element: Loading, selector: string) => find<HTMLInputElement>(element, selector)?.value

function fill(element: Loading, selector: string, text: string): void {
  const field = find<HTMLInputElement>(element, selector)!
  field.value = text
  field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }))
}

function choose(element: Loading, selector: string, value: string): void {
  const select = find<HTMLSelectElement>(element, selector)!
  select.value = value
  select.dispatchEvent(new Event('change', { bubbles: true }))
}

function submit(element: Loading, form: string): void {
  find<HTMLFormElement>(element, form)!.requestSubmit()
}

/** The visible text. */
function textOf(element: Loading): string {
  return find(element, '[part=base]')!.innerText.replace(/\s+/g, ' ').trim()
}

function linksIn(element: Loading): HTMLAnchorElement[] {
  return [...element.shadowRoot!.querySelectorAll<HTMLAnchorElement>('[part=sign-in]')].filter((link) =>
    link.checkVisibility(),
  )
}

/** Expects one link to the page where people sign in, in another tab, with the text around it. */
function expectLink(element: Loading, text: string | RegExp): void {
  const links = linksIn(element)
  expect(links.map(({ pathname, target }) => [pathname, target])).to.deep.equal([['/login', '_blank']])
  const around = links[0]!.parentElement!.innerText.trim().replace(/\s+/g, ' ')
  expect(around).to.match(typeof text === 'string' ? new RegExp(`^${text}$`) : text)
}
