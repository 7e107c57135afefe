import type { Meta } from '@storybook/web-components-vite'
import { html } from 'lit'
import '../src/define/fs-shares.ts'
import type { FsShares } from '../src/elements/fs-shares/fs-shares.ts'
import { type Backend, breakDown, createBackend, people } from './backend.ts'
import { never } from './settled.ts'
import { applyArgs, common, loaded, type Story } from './story.ts'
import { createFilesBackend, directory, sampleUuids, share } from './stored-files.ts'

const [first = '', second = '', third = ''] = sampleUuids

const meta: Meta = {
  title: 'Elements/fs-shares',
  component: 'fs-shares',
  args: { endpoint: '/api/wf', files: sampleUuids.join(' '), grantees: directory },
  parameters: { backend: () => withShares(people.administrator) },
  render: (args, context) => html`<fs-shares ${applyArgs(args, context)}></fs-shares>`,
}
export default meta

export const Shares: Story = {
  parameters: {
    shows:
      /^3 shares Access to all files, including future ones Library archive · since .* Records office lodging-receipt\.png · since .* Stop sharing… itinerary\.pdf .*Share a file/,
    state: 'loaded',
  },
}

export const OfOneFile: Story = {
  args: { file: first, files: '' },
  parameters: {
    backend: () => {
      const backend = createFilesBackend()
      share(backend, 'partner-app', first)
      return backend
    },
    shows: /^1 share .*Library archive itinerary\.pdf · since .* Share itinerary\.pdf Application/,
  },
}

export const WithFilters: Story = {
  parameters: { backend: manyShares, shows: /^7 shares Application .* File .* Order .*Records office/ },
}

export const Pages: Story = {
  args: { 'page-size': 2 },
  parameters: { backend: manyShares, shows: /1–2 of 7 Previous Next/ },
}

export const WithoutNames: Story = {
  args: { grantees: [], files: '' },
  parameters: {
    backend: () => {
      const backend = withShares(people.administrator)
      // The names of the files cannot be read.
      backend.intercept = ({ url }) =>
        url.endsWith('/meta') ? Promise.reject(new TypeError('No connection')) : undefined
      return backend
    },
    shows: /Another application For support Unnamed file · since .* For support/,
  },
}

export const StopSharing: Story = {
  parameters: {
    act: (element: FsShares) => press(element, '.revoke'),
    shows:
      /^Stop sharing lodging-receipt\.png with Records office\? Records office loses access to the file\..* Stop sharing Keep sharing$/,
  },
}

export const NotStopped: Story = {
  parameters: {
    act: async (element: FsShares, backend: Backend) => {
      await press(element, '.revoke')
      breakDown(backend)
      await press(element, 'dialog .danger')
    },
    shows: /Couldn’t be stopped\. Try again\./,
  },
}

export const HasAccessToAll: Story = {
  parameters: {
    act: (element: FsShares) => create(element, third, 'partner-app'),
    shows: /Library archive already has access to all files, so this file needs no share of its own\.$/,
  },
}

export const NothingChosen: Story = {
  parameters: {
    act: (element: FsShares) => create(element, '', ''),
    shows: /Choose a file\.$/,
  },
}

export const Empty: Story = {
  args: { file: second },
  parameters: {
    backend: createFilesBackend,
    shows: /^Not shared with any application\. Share lodging-receipt\.png/,
    state: 'empty',
  },
}

export const Loading: Story = {
  parameters: {
    backend: () => createFilesBackend(people.initiator, { fetch: () => never(), timeout: 3_600_000 }),
    shows: /^Loading…$/,
    state: 'loading',
  },
}

export const Stale: Story = {
  parameters: {
    act: async (element: FsShares, backend: Backend) => {
      await loaded(element)
      breakDown(backend)
      void element.refresh()
    },
    shows: /^Showing what was known at .* 3 shares/,
    state: 'stale',
  },
}

export const Failed: Story = {
  parameters: {
    backend: () =>
      createFilesBackend(people.initiator, {
        fetch: () => Promise.reject(new TypeError('The proxy is down')),
      }),
    shows: /^Shares: Couldn’t be loaded\. Try again$/,
    state: 'failed',
  },
}

export const Forbidden: Story = {
  parameters: {
    backend: () => createFilesBackend(people.outsider),
    shows: /^You don’t have permission to see who files are shared with\. Ask the owner of the file\.$/,
    state: 'forbidden',
  },
}

export const SignedOut: Story = {
  parameters: { backend: () => createBackend(null), shows: /^You are signed out/, state: 'signed-out' },
}

export const NoProxy: Story = common.noProxy

export const NotConfigured: Story = {
  args: { endpoint: '' },
  parameters: { backend: null, shows: /<fs-shares> needs endpoint/, state: 'not-configured' },
}

/** One application with access to all files, and two shares of single files. */
function withShares(person: string): Backend {
  const backend = createFilesBackend(person)
  backend.emulator.shares.test.clear()
  share(backend, 'partner-app', null, 9)
  share(backend, 'storage-admin', first, 4)
  share(backend, 'storage-admin', second, 2)
  return backend
}

function manyShares(): Backend {
  const backend = withShares(people.administrator)
  for (let number = 1; number <= 4; number++) share(backend, `department-${number}`, third, number)
  return backend
}

/** Presses a control as soon as it is there. */
async function press(element: FsShares, selector: string): Promise<void> {
  const found = await find(element, selector)
  found?.click()
}

/** Enters a share in the form, and sends it. */
async function create(element: FsShares, file: string, grantee: string): Promise<void> {
  const form = (await find(element, '[part=create]')) as HTMLFormElement
  for (const [name, value] of Object.entries({ file, grantee })) {
    const select = form.querySelector<HTMLSelectElement>(`[name=${name}]`)
    if (select) select.value = value
  }
  form.requestSubmit()
}

async function find(element: FsShares, selector: string): Promise<HTMLElement | null | undefined> {
  for (;;) {
    const found = element.shadowRoot?.querySelector<HTMLElement>(selector)
    if (found || !element.isConnected) return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
