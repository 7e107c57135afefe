import type { Meta, StoryObj } from '@storybook/web-components-vite'
import { html } from 'lit'
import '../src/define/fs-uploader.ts'
import type { ClientOptions } from '../src/client/index.ts'
import { FsUploader } from '../src/elements/fs-uploader/fs-uploader.ts'
import { type Backend, createBackend } from './backend.ts'

const meta: Meta = { title: 'fs-uploader', component: 'fs-uploader' }
export default meta

type Upload = NonNullable<ClientOptions['upload']>

export const Empty: StoryObj = { render: () => show(createBackend(), []) }

export const Limits: StoryObj = {
  render: () =>
    show(createBackend(), [], { accept: '.pdf, .docx', maxFiles: 3, maxSize: 5_242_880, folder: true }),
}

export const Uploaded: StoryObj = { render: () => show(createBackend(), [itinerary()]) }

export const Full: StoryObj = {
  render: () => show(createBackend(), [itinerary(), itinerary('b.pdf')], { maxFiles: 1 }),
}

export const Uploading: StoryObj = { render: () => show(sending(900_000), [itinerary()]) }

export const WaitingForConfirmation: StoryObj = { render: () => show(sending(2_000_000), [itinerary()]) }

export const Many: StoryObj = {
  render: () =>
    show(
      sending(900_000),
      ['a', 'b', 'c', 'd', 'e'].map((name) => itinerary(`${name}.pdf`)),
    ),
}

export const Failed: StoryObj = {
  render: () =>
    show(
      uploading(() => Promise.reject(new TypeError('No network'))),
      [itinerary()],
    ),
}

export const Uncertain: StoryObj = {
  render: () =>
    show(
      uploading(({ onProgress }) => {
        onProgress?.(2_000_000, 2_000_000)
        return Promise.reject(new TypeError('No network'))
      }),
      [itinerary()],
    ),
}

export const TooLarge: StoryObj = {
  render: () => show(createBackend(), [itinerary()], { maxSize: 1_000_000 }),
}

export const Paused: StoryObj = {
  render: () =>
    show(
      uploading(() => Promise.resolve(Response.json({ title: 'Sign in' }, { status: 401 }))),
      [itinerary()],
    ),
}

export const SignedOut: StoryObj = { render: () => show(createBackend(null), [itinerary()]) }

export const Forbidden: StoryObj = {
  render: () => {
    const backend = createBackend()
    const allows = { operations: [], maxFileSize: 1, extensions: null }
    const getSession = () => Promise.resolve({ univid: '1', env: 'test' as const, forms: [], allows })
    return show({ ...backend, client: { ...backend.client, getSession } }, [])
  },
}

export const Stale: StoryObj = {
  render: () => {
    const backend = createBackend(undefined, { interval: 500 })
    const element = show(backend, [itinerary()])
    element.addEventListener('fs-change', () => {
      backend.intercept = () => Promise.reject(new TypeError('The emulator is down'))
    })
    return element
  },
}

export const InAForm: StoryObj = {
  render: () =>
    html`<form>
      ${show(createBackend(), [], { name: 'files', required: true })}
      <p><button>Submit</button></p>
    </form>`,
}

export const WrongAttribute: StoryObj = {
  render: () => show(createBackend(), [], { expiresIn: 'a month' }),
}

export const NotConfigured: StoryObj = { render: () => html`<fs-uploader></fs-uploader>` }

function show(
  { client }: Pick<Backend, 'client'>,
  files: readonly File[],
  properties: Partial<FsUploader> = {},
): FsUploader {
  const element = Object.assign(new FsUploader(), properties)
  element.client = client
  element.add(files)
  return element
}

/** A backend to which uploads get as far as this. */
function sending(sent: number): Backend {
  return uploading(({ onProgress }) => {
    onProgress?.(0, 2_000_000)
    setTimeout(() => onProgress?.(sent, 2_000_000), 250)
    return new Promise(() => {})
  })
}

function uploading(upload: Upload): Backend {
  return createBackend(undefined, { upload })
}

function itinerary(name = 'itinerary.pdf') {
  return new File(['%PDF-1.7', new Uint8Array(1_999_992)], name, { type: 'application/pdf' })
}
