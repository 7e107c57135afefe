import { fixture, html } from '@open-wc/testing'
import '../../../src/define/wf-package-status.ts'
import { WfBeforeChangeEvent, WfChangeEvent } from '../../../src/elements/element/events.ts'
import type { WfPackageStatus } from '../../../src/elements/wf-package-status/wf-package-status.ts'
import type { Client } from '../../../src/client/index.ts'
import { type Backend, people } from '../../../stories/backend.ts'
import { waitUntil } from '../../wait-until.ts'

// What the tests of <wf-package-status> share.

export async function show(backend: Backend, until = '[part=state]', packageId = 42) {
  const element = await fixture<WfPackageStatus>(html`
    <wf-package-status .client=${backend.client} form-id="6025" package-id=${packageId}></wf-package-status>
  `)
  await waitUntil(() => element.shadowRoot!.querySelector(until), `${until} did not appear`)
  return { element, backend }
}

export async function showWith(client: Client): Promise<WfPackageStatus> {
  const element = await fixture<WfPackageStatus>(html`
    <wf-package-status .client=${client} form-id="6025" package-id="42"></wf-package-status>
  `)
  await waitUntil(() => part(element, 'state'))
  return element
}

/** The event that removes package 42 from routing. */
const removal = {
  class: 'remove',
  actionDate: '2026-11-17T08:00:00',
  person: people.administrator,
  stop: null,
  signature: null,
} as const

/** Puts package 42 into a state as if it had come there by itself. */
export function inState(backend: Backend, state: string): Backend {
  const found = backend.emulator.packages.test.get(42)!
  const isRemoved = state === 'PRE_ROUTING' && backend.person === people.administrator
  if (isRemoved) found.history.push(removal)
  Object.assign(found, {
    state,
    isRemoved,
    voidReason: state === 'VOID' ? 'INCORRECT_FORM' : null,
    ...(state !== 'ROUTING' && state !== 'VOID' && { inbox: [] }),
  } satisfies { state: string; isRemoved: boolean; voidReason: string | null })
  return backend
}

/** Names of the actions that are offered, in their order. */
export function offered(element: WfPackageStatus): (string | undefined)[] {
  return [...element.shadowRoot!.querySelectorAll<HTMLElement>('[data-action]')].map(
    ({ dataset }) => dataset['action'],
  )
}

/** Collects the change events of the element. */
export function changeEvents(element: WfPackageStatus) {
  const before: unknown[] = []
  const changed: unknown[] = []
  element.addEventListener(WfBeforeChangeEvent.type, ({ operation, body }) => before.push([operation, body]))
  element.addEventListener(WfChangeEvent.type, ({ from, to }) => changed.push([from, to]))
  return { before, changed }
}

/** Fills in the open dialog with the values of a body. */
export function fill(
  element: WfPackageStatus,
  body: { univid?: string; comment?: string; voidReason?: string },
): void {
  if (body.voidReason) choose(element, body.voidReason)
  const input = dialog(element).querySelector<HTMLInputElement>('[name=univid], [name=comment]')
  if (!input) return
  input.value = body.univid ?? body.comment ?? ''
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Fills in the open dialog, and continues to the confirmation of a person. */
export async function enter(element: WfPackageStatus, body: Parameters<typeof fill>[1]): Promise<void> {
  fill(element, body)
  if (body.univid === undefined) return
  submit(element)
  await waitUntil(() => part(element, 'named'), 'the person is not shown')
}

/** The visible text, without the announcement and the closed dialog. */
export function textOf(element: WfPackageStatus): string {
  return part<HTMLElement>(element, 'base')!.innerText.replace(/\s+/g, ' ').trim()
}

export function part<Found extends Element>(element: WfPackageStatus, name: string): Found | null {
  return element.shadowRoot!.querySelector<Found>(`[part="${name}"]`)
}

export function alertText(element: WfPackageStatus): string {
  const alerts = [...element.shadowRoot!.querySelectorAll('[role=alert]')]
  return alerts.map(({ textContent }) => textContent.trim()).join('')
}

/** The dialog of the actions. A pause has another one, inside the content. */
export function dialog(element: WfPackageStatus): HTMLDialogElement {
  const { children } = element.shadowRoot!
  return [...children].find((child) => child instanceof HTMLDialogElement)!
}

export function action(element: WfPackageStatus, name: string): HTMLElement | null {
  return element.shadowRoot!.querySelector(`[data-action=${name}]`)
}

export async function openDialog(element: WfPackageStatus, name = 'voidPackage'): Promise<void> {
  // The rights may arrive after the state.
  await waitUntil(() => action(element, name), `no button for ${name}`)
  action(element, name)!.click()
  await waitUntil(() => dialog(element)?.open, `the dialog of ${name} did not open`)
}

export function choose(element: WfPackageStatus, reason: string): void {
  element.shadowRoot!.querySelector<HTMLElement>(`input[value=${reason}]`)!.click()
}

export function submit(element: WfPackageStatus): void {
  element.shadowRoot!.querySelector<HTMLElement>('button[type=submit]')!.click()
}

export function writes({ journal }: Backend): string[] {
  return journal.filter((line) => !line.startsWith('GET '))
}
