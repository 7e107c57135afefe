// The parts and states of elements that no story shows: a link to sign in, more rows than fit, and what comes after several steps.
import type { LitElement } from 'lit'
import '../../src/define/index.ts'
import '../../src/define/fs-files.ts'
import '../../src/define/fs-shares.ts'
import '../../src/define/wf-badge.ts'
import '../../src/define/wf-form.ts'
import '../../src/define/wf-list.ts'
import '../../src/define/wf-overrides.ts'
import '../../src/define/wf-route.ts'
import type { WfAttachments } from '../../src/elements/wf-attachments/wf-attachments.ts'
import type { WfForm } from '../../src/elements/wf-form/wf-form.ts'
import { type Backend, createBackend, people } from '../../stories/backend.ts'
import { createListBackend, createReminderBackend } from '../../stories/listed-requests.ts'
import { findPeople } from '../../stories/overrides.ts'
import { inState } from '../../stories/package-state.ts'
import { never } from '../../stories/settled.ts'
import { sampleUuids } from '../../stories/stored-files.ts'
import { waitUntil } from '../wait-until.ts'

/** Shows an element for package 42 until it has a part or a state. */
async function show(tag: string, backend: Backend, until: string, properties: object = {}) {
  const element = document.createElement(tag) as LitElement
  Object.assign(element, { client: backend.client, formId: 6025, packageId: 42, ...properties })
  document.body.append(element)
  await find(element, until)
  return element
}

async function find(element: LitElement, until: string): Promise<void> {
  await waitUntil(
    () => element.matches(`:state(${until})`) || element.shadowRoot?.querySelector(`[part~=${until}]`),
    `${element.localName}: ${until}`,
  )
}

function click(element: LitElement, selector: string): void {
  element.shadowRoot!.querySelector<HTMLElement>(selector)!.click()
}

const signedOut =
  (tag: string, properties: object = {}, backend = createBackend(null)) =>
  () =>
    show(tag, backend, 'sign-in', { signInUrl: '/sign-in', ...properties })

const reply = (status: number) => () =>
  Promise.resolve(new Response('{}', { status, headers: { 'x-routeslip': '1' } }))

/** Shows a form with one field, whose form a function may complete. */
async function showForm(backend: Backend, until = 'loaded', complete = (_form: HTMLFormElement) => {}) {
  const form = document.createElement('form')
  form.append(Object.assign(document.createElement('input'), { name: 'purpose', required: true }))
  complete(form)
  const element = document.createElement('wf-form')
  element.append(form)
  Object.assign(element, { client: backend.client, formId: 6025, packageId: 42 })
  document.body.append(element)
  await find(element, until)
  return element
}

async function uploads(): Promise<WfForm> {
  const backend = inState('PRE_ROUTING', {}, people.initiator)
  const input = Object.assign(document.createElement('input'), { type: 'file', multiple: true })
  input.dataset['attachmentType'] = 'other'
  const element = await showForm(backend, 'loaded', (form) => form.append(input))
  const choose = (...files: readonly File[]) => {
    const chosen = new DataTransfer()
    for (const file of files) chosen.items.add(file)
    input.files = chosen.files
  }
  choose(new File(['text'], 'notes.txt'), new File([], 'empty.txt'))
  await element.save()
  await find(element, 'outcome')
  choose(new File(['more'], 'more.txt'), new File([], 'empty.txt'))
  backend.intercept = ({ method }) => (method === 'POST' ? never() : undefined)
  void element.save()
  await find(element, 'progress')
  return element
}

async function conflict(): Promise<WfForm> {
  const backend = createBackend(people.firstApprover)
  const element = await showForm(backend)
  const input = element.querySelector('input')!
  input.value = 'Mine'
  input.dispatchEvent(new InputEvent('input', { bubbles: true }))
  const pkg = backend.emulator.packages.test.get(42)!
  pkg.entry = { ...pkg.entry, purpose: 'Theirs' }
  await element.save()
  await find(element, 'conflicts')
  return element
}

/** What shows the rest of each element, by tag. */
export const unshown: readonly (() => Promise<LitElement>)[] = [
  ...['wf-attachments', 'wf-comments', 'wf-history', 'wf-overrides', 'wf-package-status', 'wf-route'].map(
    (tag) => signedOut(tag),
  ),
  signedOut('wf-list', {}, createListBackend(null)),
  signedOut('fs-files', { value: sampleUuids }),
  signedOut('fs-shares', { file: sampleUuids[0] }),
  () => {
    const complete = {
      '@class': 'complete',
      actionDate: '2026-11-16T09:42:10',
      stop: { name: 'End', stopNumber: 1 },
    }
    return show('wf-history', createBackend(), 'earlier', { history: Array(250).fill(complete) })
  },
  async () => {
    const element = (await show('wf-attachments', createBackend(), 'types')) as WfAttachments
    element.add(3, [new File([], 'a.txt'), new File([], 'b.txt')])
    await find(element, 'outcome')
    return element
  },
  () => show('wf-badge', Object.assign(createBackend(), { intercept: reply(403) }), 'forbidden'),
  () => {
    const rows = Array.from({ length: 110 }, (_, place) => [100 + place, {}] as const)
    return show('wf-list', createListBackend(undefined, Object.fromEntries(rows)), 'more')
  },
  async () => {
    const backend = createReminderBackend({}, ['remind', 'remindNote'])
    const element = await show('wf-package-status', backend, 'remind')
    click(element, '[part=remind]')
    await find(element, 'send')
    return element
  },
  async () => {
    const element = await show('wf-package-status', inState('COMPLETE'), 'loaded', { findPeople })
    await waitUntil(() => element.shadowRoot!.querySelector('[data-action=returnPackage]'))
    click(element, '[data-action=returnPackage]')
    await waitUntil(() => element.shadowRoot!.querySelector('[name=univid]'))
    const input = element.shadowRoot!.querySelector<HTMLInputElement>('[name=univid]')!
    input.value = 'th'
    input.dispatchEvent(new InputEvent('input', { bubbles: true }))
    click(element, 'dialog[open] [type=submit]')
    await find(element, 'people')
    return element
  },
  () => show('wf-overrides', createBackend(undefined, { fetch: reply(404) }), 'missing'),
  () => showForm(Object.assign(createBackend(), { intercept: () => never() }), 'loading'),
  uploads,
  conflict,
]
