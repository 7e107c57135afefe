import { fixture, html, oneEvent } from '@open-wc/testing'
import '../../../src/define/wf-overrides.ts'
import type { WfOverrides } from '../../../src/elements/wf-overrides/wf-overrides.ts'
import type { Backend } from '../../../stories/backend.ts'
import { findPeople } from '../../../stories/overrides.ts'
import { waitUntil } from '../../wait-until.ts'

// What the tests of <wf-overrides> share.

export async function show(
  { client }: Backend,
  properties: Partial<WfOverrides> = {},
  event = 'wf-load',
): Promise<WfOverrides> {
  const element = document.createElement('wf-overrides')
  Object.assign(element, { client, formId: 6025, packageId: 42, findPeople, ...properties })
  const fired = oneEvent(element, event)
  await fixture(html`${element}`)
  await fired
  await element.updateComplete
  return element
}

export async function open(element: WfOverrides): Promise<void> {
  part(element, 'add').click()
  await waitUntil(() => dialog(element).open)
}

export function find<T extends Element>(element: WfOverrides, selector: string): T {
  return element.shadowRoot!.querySelector<T>(selector)!
}

export const part = (element: WfOverrides, name: string) => find<HTMLElement>(element, `[part=${name}]`)
export const dialog = (element: WfOverrides) => find<HTMLDialogElement>(element, 'dialog')
export const focused = (element: WfOverrides) => element.shadowRoot!.activeElement
export const status = (element: WfOverrides) => find<HTMLElement>(element, '[role=status]').textContent
export const submit = (element: WfOverrides) => find<HTMLElement>(element, '[type=submit]').click()

/** The visible text: of the dialog if it is open. */
export function textOf(element: WfOverrides): string {
  const shown = dialog(element)?.open ? dialog(element) : part(element, 'base')
  return shown.innerText.replace(/\s+/g, ' ').trim()
}

/** Requests that could change something in the services. */
export function writes({ journal }: Backend): readonly string[] {
  return journal.filter((entry) => !entry.startsWith('GET'))
}
