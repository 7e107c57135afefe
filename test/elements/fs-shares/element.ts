import { fixture, html, oneEvent } from '@open-wc/testing'
import '../../../src/define/fs-shares.ts'
import type { FsShares } from '../../../src/elements/fs-shares/fs-shares.ts'
import { type Backend, people } from '../../../stories/backend.ts'
import { createFilesBackend, directory, sampleUuids, share } from '../../../stories/stored-files.ts'

// <fs-shares> on a page, for its tests.

const [first = '', second = '', third = ''] = sampleUuids

/** A backend with one share of all files and two of single files. */
export function withShares(person: string = people.administrator): Backend {
  const backend = createFilesBackend(person)
  backend.emulator.shares.test.clear()
  share(backend, 'partner-app', null, 9)
  share(backend, 'storage-admin', first, 4)
  share(backend, 'storage-admin', second, 2)
  return backend
}

/** Seven shares, which are enough for filters: one of all files, and six of single files. */
export function withMany(): Backend {
  const backend = withShares()
  for (let number = 1; number <= 4; number++) share(backend, `department-${number}`, third, 20 + number)
  return backend
}

export async function show(
  backend: Backend,
  properties: Partial<FsShares> = {},
): Promise<{ element: FsShares; backend: Backend }> {
  const element = await fixture<FsShares>(html`<fs-shares></fs-shares>`)
  const loaded = oneEvent(element, 'wf-load')
  const files = properties.file ? '' : sampleUuids.join(' ')
  Object.assign(element, { client: backend.client, grantees: directory, files, ...properties })
  await loaded
  await element.updateComplete
  return { element, backend }
}

export function find(element: FsShares, selector: string): HTMLElement | null {
  return element.shadowRoot!.querySelector(selector)
}

export function textOf(element: FsShares, selector: string): string {
  return find(element, selector)?.innerText.replace(/\s+/g, ' ').trim() ?? ''
}

export function rows(element: FsShares): string[] {
  return textsOf(element, '[part=share]')
}

/** The text of each application, with the files that are shared with it. */
export function applications(element: FsShares): string[] {
  return textsOf(element, '[part=application]')
}

function textsOf(element: FsShares, selector: string): string[] {
  return [...element.shadowRoot!.querySelectorAll<HTMLElement>(selector)].map(({ innerText }) =>
    innerText.replace(/\s+/g, ' ').trim(),
  )
}

export function choose(element: FsShares, name: string, value: string): void {
  const select = find(element, `[name=${name}]`) as HTMLSelectElement
  select.value = value
  select.dispatchEvent(new Event('change', { bubbles: true }))
}

export function create(element: FsShares, file: string, grantee: string): void {
  choose(element, 'file', file)
  choose(element, 'grantee', grantee)
  ;(find(element, '[part=create]') as HTMLFormElement).requestSubmit()
}
