import { fixture, html } from '@open-wc/testing'
import type { TemplateResult } from 'lit'
import '../../../src/define/wf-office.ts'
import '../../../src/define/wf-route.ts'
import { configure } from '../../../src/elements/configuration/configuration.ts'
import type { WfRoute } from '../../../src/elements/wf-route/wf-route.ts'
import type { Backend } from '../../../stories/backend.ts'
import { waitUntil } from '../../wait-until.ts'

// What the tests of <wf-route> share.

/** Shows the usual route of an office. */
export async function showUsual(
  backend: Backend,
  attributes: Readonly<Record<string, string>> = { office: '11-0420' },
  until = '[part=stop]',
): Promise<WfRoute> {
  const element = document.createElement('wf-route')
  Object.assign(element, { client: backend.client, formId: 6025 })
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  await fixture(html`${element}`)
  await waitFor(element, until)
  return element
}

/** Shows the route of a package. */
export async function showPackage(
  backend: Backend,
  packageId = 42,
  until = '[part=stops]',
): Promise<WfRoute> {
  const element = await fixture<WfRoute>(
    html`<wf-route form-id="6025" package-id=${packageId} .client=${backend.client}></wf-route>`,
  )
  await waitFor(element, until)
  return element
}

/** Shows a form with a client for everything inside. */
export async function showForm(backend: Backend, content: TemplateResult): Promise<HTMLFormElement> {
  configure({ client: backend.client, formId: 6025 })
  return await fixture<HTMLFormElement>(html`<form>${content}</form>`)
}

afterEach(() => {
  configure({ client: undefined, formId: undefined })
  localStorage.removeItem('routeslip-routes')
})

export async function waitFor(element: WfRoute, selector: string): Promise<void> {
  await waitUntil(() => element.shadowRoot!.querySelector(selector), `${selector} did not appear`)
}

/** The visible text of a part, on one line; empty if the part is missing. */
export function textOf(element: WfRoute, part: string): string {
  const found = element.shadowRoot!.querySelector<HTMLElement>(`[part~="${part}"]`)
  return found?.innerText.replace(/\s+/g, ' ').trim() ?? ''
}

/** The stops, each on one line. */
export function stops(element: WfRoute): string[] {
  return [...element.shadowRoot!.querySelectorAll<HTMLElement>('[part=stop]')].map(({ innerText }) =>
    innerText.replace(/\s+/g, ' ').trim(),
  )
}
