import type { Meta } from '@storybook/web-components-vite'
import { html } from 'lit'
import { ForbiddenError } from '../src/client/index.ts'
import '../src/define/fs-files.ts'
import '../src/define/fs-uploader.ts'
import type { FsFiles } from '../src/elements/fs-files/fs-files.ts'
import { type Backend, breakDown, createBackend, hang, people } from './backend.ts'
import { never } from './settled.ts'
import { applyArgs, common, find, type Story } from './story.ts'
import { createFilesBackend, directory, sampleUuids, share, storeFiles } from './stored-files.ts'

const meta: Meta = {
  title: 'Elements/fs-files',
  component: 'fs-files',
  args: { endpoint: '/api/wf', value: sampleUuids.join(' ') },
  parameters: { backend: createFilesBackend },
  render: (args, context) => html`<fs-files ${applyArgs(args, context)}></fs-files>`,
}
export default meta

export const Files: Story = {
  parameters: {
    shows:
      /^3 files itinerary\.pdf 209 kB Uploaded .* · kept until .* purpose: travel trip: Tucson Download Edit Delete/,
    state: 'loaded',
  },
}

export const Editing: Story = {
  parameters: {
    act: (element: FsFiles) => press(element, 'Edit itinerary.pdf'),
    shows: /Name \.pdf Keep until The test environment deletes files 30 days after their upload/,
  },
}

export const InvalidName: Story = {
  parameters: {
    act: async (element: FsFiles) => {
      await press(element, 'Edit itinerary.pdf')
      const stem = await find<HTMLInputElement>(element, '[name=stem]')
      stem.value = '  '
      stem.form?.requestSubmit()
    },
    shows: /Enter a name\./,
  },
}

export const NotSaved: Story = {
  parameters: {
    act: async (element: FsFiles, backend: Backend) => {
      await press(element, 'Edit itinerary.pdf')
      const stem = await find<HTMLInputElement>(element, '[name=stem]')
      stem.value = 'A better name'
      breakDown(backend)
      stem.form?.requestSubmit()
    },
    shows: /Couldn’t be saved\. Your changes are still here\./,
  },
}

export const Undo: Story = {
  args: { grantees: directory },
  parameters: {
    backend: () => {
      const backend = createFilesBackend()
      share(backend, 'partner-app', sampleUuids[0] ?? '')
      return backend
    },
    act: (element: FsFiles) => press(element, 'Delete itinerary.pdf'),
    shows: /Will be deleted when you leave this page\. Also lost for: Library archive\. Undo Delete now/,
  },
}

export const Deleted: Story = {
  parameters: {
    act: async (element: FsFiles) => {
      await press(element, 'Delete itinerary.pdf')
      await press(element, 'Delete now itinerary.pdf')
    },
    shows: /^3 files 1 is not available itinerary\.pdf 209 kB Deleted\./,
  },
}

export const NotAvailable: Story = {
  args: { value: [...sampleUuids, '0f5e0000-0000-4000-8000-000000000009'].join(' ') },
  parameters: {
    backend: () => {
      const backend = createFilesBackend()
      storeFiles(backend, [{ filename: 'thesis.pdf', age: 40 }])
      const [first = '', second = ''] = sampleUuids
      const expired = backend.emulator.files.test.get(first)?.asset
      // A service may still describe an expired file.
      backend.intercept = ({ url }) =>
        url.includes(first) ? Promise.resolve(Response.json(expired)) : undefined
      const { getFileMeta } = backend.client
      const readFile: typeof getFileMeta = (input, options) =>
        input.params.uuid === second
          ? Promise.reject(new ForbiddenError('getFileMeta', 'is not allowed'))
          : getFileMeta(input, options)
      Object.assign(backend.client, { getFileMeta: readFile })
      return backend
    },
    shows:
      /^4 files 3 are not available thesis\.pdf 86 kB Expired on .*don’t have access.*expenses.*Not available\./,
  },
}

export const ReadOnly: Story = {
  args: { disabled: true },
  parameters: { shows: /^3 files itinerary\.pdf 209 kB Uploaded [^E]* Download lodging/ },
}

export const OfAnUploader: Story = {
  parameters: { shows: /3 files itinerary\.pdf/ },
  render: () => html`
    <fs-uploader id="receipts" endpoint="/api/wf" value=${sampleUuids.join(' ')}></fs-uploader>
    <fs-files for="receipts" endpoint="/api/wf"></fs-files>
  `,
}

export const Empty: Story = {
  args: { value: '' },
  parameters: { shows: /^No files yet\.$/, state: 'empty' },
}

export const Loading: Story = {
  parameters: {
    backend: () => createFilesBackend(people.initiator, { fetch: () => never(), timeout: 3_600_000 }),
    shows: /^Loading…$/,
    state: 'loading',
  },
}

export const Busy: Story = {
  parameters: {
    act: async (element: FsFiles, backend: Backend) => {
      await find(element, '[part=file] a')
      hang(backend)
      void element.refresh()
    },
    shows: /^3 files itinerary/,
    state: 'busy',
  },
}

export const Stale: Story = {
  parameters: {
    act: async (element: FsFiles, backend: Backend) => {
      await find(element, '[part=file] a')
      breakDown(backend)
      void element.refresh()
    },
    shows: /^Showing what was known at .* 3 files/,
    state: 'stale',
  },
}

export const Failed: Story = {
  parameters: {
    backend: () =>
      createFilesBackend(people.initiator, {
        fetch: () => Promise.reject(new TypeError('The proxy is down')),
      }),
    shows: /^Files: Couldn’t be loaded\. Try again$/,
    state: 'failed',
  },
}

export const SignedOut: Story = {
  parameters: { backend: () => createBackend(null), shows: /^You are signed out/, state: 'signed-out' },
}

export const NoProxy: Story = common.noProxy

export const NotConfigured: Story = {
  args: { endpoint: '' },
  parameters: { backend: null, shows: /<fs-files> needs endpoint/, state: 'not-configured' },
}

/** Presses the button of this accessible name, as soon as it is there. */
async function press(element: FsFiles, label: string): Promise<void> {
  const button = await find(element, `button[aria-label="${label}"]`)
  button.click()
}
