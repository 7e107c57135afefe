import { fixture, html } from '@open-wc/testing'
import type { TemplateResult } from 'lit'
import '../../../src/define/wf-form.ts'
import type { WfForm } from '../../../src/elements/wf-form/wf-form.ts'
import { type Backend, createBackend } from '../../../stories/backend.ts'
import { waitUntil } from '../../wait-until.ts'

// What the tests of <wf-form> share.

beforeEach(() => localStorage.clear())
after(() => localStorage.clear())

/** The form of a travel request, as a page contains it. It lacks the optional fields that the page does not ask for. */
export function travelForm(more: TemplateResult | string = ''): TemplateResult {
  return html`
    <form action="/travel" method="post">
      <p>
        <label>Purpose <input name="purpose" required /></label>
      </p>
      <p>
        <label>Departure <input name="departure" type="date" required /></label>
      </p>
      <p>
        <label>Cost <input name="cost" data-kind="currency" lang="en" required /></label>
      </p>
      <p>
        <label>Nights <input name="nights" type="number" /></label>
      </p>
      ${otherKeys.map((name) => html`<input type="hidden" name=${name} data-kind="text" />`)} ${more}
      <button value="PRE_ROUTING">Save</button>
      <button value="ROUTING">Submit</button>
    </form>
  `
}

/** The service requires all keys of the form in a creation. */
const otherKeys = [
  'website',
  'contact',
  'notice',
  'traveler',
  'org',
  'department',
  'sub_department',
  'position',
]

export interface ShowOptions {
  readonly backend?: Backend
  readonly packageId?: number
  /** Further attributes. */
  readonly attributes?: Readonly<Record<string, string>>
  readonly form?: TemplateResult
  /** Content after the form. */
  readonly more?: TemplateResult | string
}

export interface Shown {
  readonly element: WfForm
  readonly backend: Backend
}

export async function show({
  backend = createBackend(),
  packageId,
  attributes = {},
  form = travelForm(),
  more = '',
}: ShowOptions = {}): Promise<Shown> {
  const element = await fixture<WfForm>(html`
    <wf-form .client=${backend.client} form-id="6025">${form}${more}</wf-form>
  `)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  if (packageId) element.packageId = packageId
  await element.updateComplete
  await waitUntil(
    () =>
      element.value ??
      element.matches(
        ':is(:state(forbidden), :state(failed), :state(missing), :state(signed-out), :state(no-proxy))',
      ),
  )
  return { element, backend }
}

/** A complete travel request. */
export const complete = { purpose: 'Field work', departure: '2027-03-01', cost: '1,250.50' }

export function control(element: WfForm, name: string): HTMLInputElement {
  return element.querySelector<HTMLInputElement>(`[name="${name}"]`)!
}

/** Types values into the form. */
export function type(element: WfForm, values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) {
    control(element, name).value = value
    control(element, name).dispatchEvent(new Event('input', { bubbles: true }))
  }
}

export function press(element: WfForm, value: 'PRE_ROUTING' | 'ROUTING'): void {
  element.querySelector<HTMLElement>(`button[value=${value}]`)!.click()
}

export function isBusy(element: WfForm): boolean {
  return part(element, 'base')?.ariaBusy === 'true'
}

export function part<Found extends HTMLElement>(element: WfForm, name: string): Found | null {
  return element.shadowRoot!.querySelector<Found>(`[part~="${name}"]`)
}

/** The element's own visible text, without that of the form. */
export function textOf(element: WfForm): string {
  return [...element.shadowRoot!.querySelectorAll<HTMLElement>('.own')]
    .filter((one) => one.checkVisibility())
    .map(({ innerText }) => innerText)
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()
}

export function button(element: WfForm, label: string): HTMLElement | undefined {
  return [...element.shadowRoot!.querySelectorAll<HTMLElement>('button')].find(
    ({ innerText }) => innerText.trim() === label,
  )
}

/** The packages of the form that the tests created. */
export function created({ emulator }: Backend) {
  return [...emulator.packages.test.values()].filter(({ id }) => id !== 42)
}

export function writes({ journal }: Backend): string[] {
  return journal.filter((line) => !line.startsWith('GET '))
}
