import type { Meta } from '@storybook/web-components-vite'
import { html } from 'lit'
import '../src/define/fs-uploader.ts'
import type { ClientOptions } from '../src/client/index.ts'
import type { FsUploader } from '../src/elements/fs-uploader/fs-uploader.ts'
import { type Backend, breakDown, createBackend, people } from './backend.ts'
import { never } from './settled.ts'
import { common, applyArgs, type Story } from './story.ts'
import { sampleUuids, storeFiles } from './stored-files.ts'

const meta: Meta = {
  title: 'Elements/fs-uploader',
  component: 'fs-uploader',
  args: { endpoint: '/api/wf' },
  render: (args, context) => html`<fs-uploader ${applyArgs(args, context)}></fs-uploader>`,
}
export default meta

type Upload = NonNullable<ClientOptions['upload']>

export const Empty: Story = {
  parameters: { shows: /^Choose files or drop or paste here Up to 50 MB each\.$/, state: 'empty' },
}

export const Limits: Story = {
  args: { accept: '.pdf, .docx', 'max-files': 3, 'max-size': 5_242_880, folder: true },
  parameters: { shows: /Choose a folder.*Up to 5 MB each\. Types: \.pdf, \.docx\. Up to 3 files\.$/ },
}

export const Uploaded: Story = {
  parameters: { act: adding(itinerary()), shows: /1 uploaded itinerary\.pdf.*Uploaded .* · kept until/ },
}

/** A page that its server wrote again names the files of an earlier visit. One of them does not exist any more. */
export const Restored: Story = {
  args: { value: `${sampleUuids[0]} 00000000-0000-4000-8000-000000000000` },
  parameters: {
    backend: () => {
      const backend = createBackend()
      storeFiles(backend, [{ filename: 'quote.pdf' }])
      return backend
    },
    shows: /1 uploaded quote\.pdf.*Uploaded.*Not available/,
  },
}

export const OneOfSeveralFailed: Story = {
  args: { 'max-size': 2_500_000 },
  parameters: {
    act: adding(itinerary('a.pdf'), itinerary('b.pdf'), new File([new Uint8Array(3_000_000)], 'photos.zip')),
    shows: /2 uploaded, 1 failed: photos\.zip photos\.zip.*larger than.*a\.pdf.*b\.pdf/,
  },
}

export const Full: Story = {
  args: { 'max-files': 1 },
  parameters: {
    act: adding(itinerary(), itinerary('b.pdf')),
    shows: /One file was not added.*Uploaded/,
  },
}

export const Uploading: Story = {
  parameters: {
    backend: () => sending(900_000),
    act: adding(itinerary()),
    shows: /itinerary\.pdf.*45%/,
    state: 'busy',
  },
}

export const WaitingForConfirmation: Story = {
  parameters: {
    backend: () => sending(2_000_000),
    act: adding(itinerary()),
    shows: /Waiting for confirmation/,
  },
}

export const Many: Story = {
  parameters: {
    backend: () => sending(900_000),
    act: adding(...['a', 'b', 'c', 'd', 'e'].map((name) => itinerary(`${name}.pdf`))),
    shows: /45%.*Waiting to upload/,
  },
}

export const NotUploaded: Story = {
  parameters: {
    backend: () => uploading(() => Promise.reject(new TypeError('No network'))),
    act: adding(itinerary()),
    shows: /Not uploaded.*Try again Remove/,
  },
}

export const Uncertain: Story = {
  parameters: {
    backend: () =>
      uploading(({ onProgress }) => {
        onProgress?.(2_000_000, 2_000_000)
        return Promise.reject(new TypeError('No network'))
      }),
    act: adding(itinerary()),
    shows: /may or may not be uploaded.*Try again Remove/,
  },
}

export const Unconfirmed: Story = {
  parameters: {
    backend: () =>
      uploading(() =>
        Promise.resolve(
          Response.json(
            { status: 502, title: 'Bad Gateway', outcome: 'unknown' },
            { status: 502, headers: { 'content-type': 'application/problem+json', 'x-routeslip': '1' } },
          ),
        ),
      ),
    act: adding(itinerary()),
    shows: /Check first.*Try again Remove/,
  },
}

/** A firewall in front of the site does not let the file pass. */
export const RefusedInBetween: Story = {
  parameters: {
    backend: () => uploading(() => Promise.resolve(new Response('<html>Blocked', { status: 403 }))),
    act: adding(itinerary()),
    shows: /a server between this page and the service refused the file.*Try again Remove/,
  },
}

/** Behind a service worker, the browser reports no progress. */
export const WithoutProgress: Story = {
  parameters: {
    backend: () =>
      uploading(({ onProgress }) => {
        onProgress?.(0, 0)
        return never()
      }),
    act: adding(itinerary()),
    shows: /1 uploading itinerary\.pdf.*Sending….*Cancel/,
  },
}

export const TooLarge: Story = {
  args: { 'max-size': 1_000_000 },
  parameters: { act: adding(itinerary()), shows: /larger than 977 kB/ },
}

export const Paused: Story = {
  parameters: {
    backend: () =>
      uploading(() =>
        Promise.resolve(
          Response.json({ title: 'Sign in' }, { status: 401, headers: { 'x-routeslip': '1' } }),
        ),
      ),
    act: adding(itinerary()),
    shows: /Paused: you are signed out.*Continue Cancel/,
  },
}

export const SignedOut: Story = {
  args: { 'sign-in-url': '#sign-in-{returnUrl}' },
  parameters: { ...common.signedOut.parameters, act: adding(itinerary()) },
}

export const Forbidden: Story = {
  parameters: {
    backend: () => {
      const backend = createBackend()
      const allows = { operations: [], maxFileSize: 1, extensions: null }
      const getSession = () => Promise.resolve({ univid: '1', env: 'test' as const, forms: [], allows })
      Object.assign(backend.client, { getSession })
      return backend
    },
    shows: /^You don’t have permission to upload files here\.$/,
    state: 'forbidden',
  },
}

export const NoProxy: Story = common.noProxy

export const Failed: Story = {
  parameters: {
    backend: () =>
      createBackend(people.initiator, { fetch: () => Promise.reject(new TypeError('The proxy is down')) }),
    shows: /be loaded.*Try again/,
    state: 'failed',
  },
}

export const Loading: Story = {
  parameters: {
    backend: () => createBackend(people.initiator, { fetch: () => never(), timeout: 3_600_000 }),
    shows: /^Choose files/,
    state: 'loading',
  },
}

export const Stale: Story = {
  parameters: {
    backend: () => createBackend(people.initiator, { interval: 500 }),
    act: async (element: FsUploader, backend) => {
      element.addEventListener('fs-change', () => breakDown(backend), { once: true })
      element.add([itinerary()])
      // A poll finds that the backend is broken.
      await new Promise((resolve) => element.addEventListener('fs-error', resolve, { once: true }))
    },
    shows: /what was known at.*Uploaded/,
    state: 'stale',
  },
}

export const InAForm: Story = {
  args: { name: 'files', required: true },
  render: (args, context) =>
    html`<form>
      <fs-uploader ${applyArgs(args, context)}></fs-uploader>
      <p><button>Submit</button></p>
    </form>`,
  parameters: { shows: /Choose files/ },
}

export const Disabled: Story = { args: { disabled: true }, parameters: { shows: /Choose files/ } }

export const WrongAttribute: Story = {
  args: { 'expires-in': 'a month' },
  parameters: { shows: /is not a duration such as/, state: 'not-configured' },
}

export const NotConfigured: Story = {
  args: { endpoint: '' },
  parameters: { backend: null, shows: /needs endpoint/, state: 'not-configured' },
}

function adding(...files: readonly File[]) {
  return (element: FsUploader) => element.add(files)
}

/** Creates a backend to which each upload sends this number of bytes and then stops. */
function sending(sent: number): Backend {
  return uploading(({ onProgress }) => {
    onProgress?.(0, 2_000_000)
    // eslint-disable-next-line no-restricted-syntax -- The story shows a speed, which is bytes per time.
    const later = new Promise((resolve) => setTimeout(resolve, 250))
    return never(later.then(() => onProgress?.(sent, 2_000_000)))
  })
}

function uploading(upload: Upload): Backend {
  return createBackend(undefined, { upload })
}

function itinerary(name = 'itinerary.pdf') {
  return new File(['%PDF-1.7', new Uint8Array(1_999_992)], name, { type: 'application/pdf' })
}
