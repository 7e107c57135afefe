import type { Meta, StoryObj } from '@storybook/web-components-vite'
import { html } from 'lit'
import '../src/define/fs-uploader.ts'
import { FsUploader } from '../src/elements/fs-uploader/fs-uploader.ts'
import { type Backend, createBackend } from './backend.ts'

const meta: Meta = { title: 'fs-uploader', component: 'fs-uploader' }
export default meta

export const Empty: StoryObj = { render: () => show(createBackend(), []) }

export const Uploaded: StoryObj = { render: () => show(createBackend(), [itinerary()]) }

export const Uploading: StoryObj = {
  render: () =>
    show(
      createBackend(undefined, {
        upload: ({ onProgress }) => {
          onProgress?.(900_000, 2_000_000)
          return new Promise(() => {})
        },
      }),
      [itinerary()],
    ),
}

export const WaitingForConfirmation: StoryObj = {
  render: () =>
    show(
      createBackend(undefined, {
        upload: ({ onProgress }) => {
          onProgress?.(2_000_000, 2_000_000)
          return new Promise(() => {})
        },
      }),
      [itinerary()],
    ),
}

export const Failed: StoryObj = {
  render: () =>
    show(createBackend(undefined, { upload: () => Promise.reject(new TypeError('No network')) }), [
      itinerary(),
    ]),
}

export const TooLarge: StoryObj = { render: () => show(createBackend(), [itinerary()], 1_000_000) }

export const SignedOut: StoryObj = { render: () => show(createBackend(null), [itinerary()]) }

export const Stale: StoryObj = {
  render: () => {
    const backend = createBackend(undefined, { interval: 500 })
    setTimeout(() => {
      backend.intercept = () => Promise.reject(new TypeError('The emulator is down'))
    }, 250)
    return show(backend, [itinerary()])
  },
}

export const NotConfigured: StoryObj = { render: () => html`<fs-uploader></fs-uploader>` }

function show({ client }: Backend, files: readonly File[], maxSize?: number): FsUploader {
  const element = new FsUploader()
  element.client = client
  if (maxSize !== undefined) element.maxSize = maxSize
  element.add(files)
  return element
}

function itinerary() {
  return new File(['%PDF-1.7', new Uint8Array(1_999_992)], 'itinerary.pdf', { type: 'application/pdf' })
}
