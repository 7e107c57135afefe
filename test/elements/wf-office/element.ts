import { fixture, html } from '@open-wc/testing'
import type { TemplateResult } from 'lit'
import '../../../src/define/wf-office.ts'
import type { WfOffice } from '../../../src/elements/wf-office/wf-office.ts'
import { type Backend, createBackend } from '../../../stories/backend.ts'
import { waitUntil } from '../../wait-until.ts'

// What the tests of <wf-office> share.

export interface Shown {
  readonly element: WfOffice
  readonly backend: Backend
  readonly form: HTMLFormElement
}

/** Shows the field in a form with a label, another field after it, and a submit button. */
export async function show(
  attributes: Readonly<Record<string, string | boolean>> = {},
  backend: Backend = createBackend(),
  more: TemplateResult = html``,
): Promise<Shown> {
  const form = await fixture<HTMLFormElement>(html`
    <form @submit=${(event: Event) => event.preventDefault()}>
      <label for="office">Department</label>
      <wf-office id="office" name="department" .client=${backend.client}></wf-office>
      <input id="next" />
      ${more}
      <button name="state" value="ROUTING">Send</button>
    </form>
  `)
  const element = form.querySelector('wf-office')!
  for (const [name, value] of Object.entries(attributes))
    element.toggleAttribute(name, value !== false) && value !== true && element.setAttribute(name, `${value}`)
  await element.updateComplete
  return { element, backend, form }
}

export function input(element: WfOffice): HTMLInputElement {
  return element.shadowRoot!.querySelector('input')!
}

/** Types a text in place of the one that is there, and leaves the field. */
export async function enter(element: WfOffice, text: string): Promise<void> {
  const field = input(element)
  field.focus()
  field.value = text
  field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }))
  await element.updateComplete
  field.blur()
  await element.updateComplete
  await element.updateComplete
}

export function options(element: WfOffice): HTMLElement[] {
  return [...element.shadowRoot!.querySelectorAll<HTMLElement>('[role=option]')].filter((option) =>
    option.checkVisibility(),
  )
}

/** The listed offices, as `key name`. */
export function listed(element: WfOffice): string[] {
  return options(element).map(({ innerText }) => innerText.replace(/\s+/g, ' ').trim())
}

/** The visible text of a part; empty if it is hidden. */
export function textOf(element: WfOffice, part: string): string {
  const found = element.shadowRoot!.querySelector<HTMLElement>(`[part~="${part}"]`)
  return found?.checkVisibility({ visibilityProperty: true }) ? found.innerText.trim() : ''
}

/** The value that the form sends. */
export function sent(form: HTMLFormElement): FormDataEntryValue | null {
  return new FormData(form).get('department')
}

/** Waits for that many offices. Those of a shorter text are replaced first, though they may be the same. */
export async function waitForOptions(element: WfOffice, count: number): Promise<void> {
  await waitUntil(
    () => options(element).length === count && textOf(element, 'note') !== 'Loading…',
    `${count} options did not appear, but: ${listed(element).join()}`,
  )
}
