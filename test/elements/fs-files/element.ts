import { fixture, html } from '@open-wc/testing'
import '../../../src/define/fs-files.ts'
import type { FsFiles } from '../../../src/elements/fs-files/fs-files.ts'
import type { Backend } from '../../../stories/backend.ts'
import { createFilesBackend, sampleUuids } from '../../../stories/stored-files.ts'
import { waitUntil } from '../../wait-until.ts'

// <fs-files> on a page, for its tests.

/** Shows a list with `sampleFiles`, and waits until each row has loaded. */
export async function show(
  properties: Partial<FsFiles> = {},
  backend: Backend = createFilesBackend(),
): Promise<{ element: FsFiles; backend: Backend }> {
  const element = await fixture<FsFiles>(html`<fs-files .client=${backend.client}></fs-files>`)
  Object.assign(element, { value: sampleUuids, ...properties })
  await waitUntil(
    () =>
      element.matches(':state(loaded)') &&
      element.shadowRoot!.querySelectorAll('li').length === 3 &&
      !element.shadowRoot!.textContent?.includes('Loading…'),
  )
  return { element, backend }
}

export function textOf(element: FsFiles, selector: string): string {
  return element.shadowRoot!.querySelector<HTMLElement>(selector)?.innerText.replace(/\s+/g, ' ').trim() ?? ''
}

export function row(element: FsFiles, number: number): string {
  return textOf(element, `li:nth-child(${number})`)
}

export function button(element: FsFiles, label: string): HTMLButtonElement {
  return element.shadowRoot!.querySelector(`button[aria-label="${label}"]`)!
}

export function focused(element: FsFiles): Element | null {
  return element.shadowRoot!.activeElement
}

export function deletions(backend: Backend): string[] {
  return backend.journal.filter((line) => line.startsWith('DELETE'))
}
