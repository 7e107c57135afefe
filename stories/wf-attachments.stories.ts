import type { Meta, StoryObj } from '@storybook/web-components-vite'
import { html } from 'lit'
import '../src/define/wf-attachments.ts'
import type { WfAttachments } from '../src/elements/wf-attachments/wf-attachments.ts'
import type { PackageState } from '../src/contract/values.ts'
import { type Backend, createBackend, people } from './backend.ts'

const meta: Meta = { title: 'wf-attachments', component: 'wf-attachments' }
export default meta

export const Missing: StoryObj = { render: () => show(createBackend()) }

export const Complete: StoryObj = { render: () => show(withAttachments()) }

export const BeforeRouting: StoryObj = { render: () => show(inState('DRAFT')) }

export const Void: StoryObj = { render: () => show(inState('VOID')) }

export const Chosen: StoryObj = {
  render: () => doing(show(createBackend()), (element) => element.add(2, [pdf('receipt.pdf')])),
}

export const Uploading: StoryObj = {
  render: () =>
    doing(
      show(
        createBackend(people.initiator, {
          upload: ({ onProgress }) => {
            onProgress?.(900_000, 2_000_000)
            return new Promise(() => {})
          },
        }),
      ),
      uploadReceipt,
    ),
}

export const NotPdf: StoryObj = {
  render: () =>
    doing(show(createBackend()), (element) => element.add(1, [new File(['Text'], 'itinerary.docx')])),
}

export const Refused: StoryObj = {
  render: () =>
    doing(show(createBackend()), (element) => {
      element.add(3, [new File(['No picture'], 'photo.png', { type: 'image/png' })])
      void element.updateComplete.then(() => element.shadowRoot?.querySelector('form')?.requestSubmit())
    }),
}

export const None: StoryObj = {
  render: () => {
    const backend = createBackend()
    backend.intercept = (request) =>
      request.url.includes('/attachments') ? Promise.resolve(Response.json([])) : undefined
    return show(backend)
  },
}

export const NotAvailable: StoryObj = { render: () => show(createBackend(people.outsider)) }

export const SignedOut: StoryObj = { render: () => show(createBackend(null)) }

export const NotFound: StoryObj = { render: () => show(createBackend(), 43) }

export const Loading: StoryObj = {
  render: () => {
    const backend = createBackend(people.initiator, { timeout: 3_600_000 })
    backend.intercept = () => new Promise(() => {})
    return show(backend)
  },
}

export const Failed: StoryObj = {
  render: () => {
    const backend = createBackend()
    backend.intercept = () => Promise.reject(new TypeError('The emulator is down'))
    return show(backend)
  },
}

export const Stale: StoryObj = {
  render: () => {
    const backend = withAttachments(createBackend(people.initiator, { interval: 500 }))
    setTimeout(() => {
      backend.intercept = () => Promise.reject(new TypeError('The emulator is down'))
    }, 250)
    return show(backend)
  },
}

export const NotConfigured: StoryObj = { render: () => html`<wf-attachments></wf-attachments>` }

function show({ client }: Backend, packageId = 42): WfAttachments {
  const element = document.createElement('wf-attachments')
  element.client = client
  element.formId = 6025
  element.packageId = packageId
  return element
}

/** Does something as soon as the attachments have been loaded. */
function doing(element: WfAttachments, act: (element: WfAttachments) => void): WfAttachments {
  element.addEventListener('wf-load', () => act(element), { once: true })
  return element
}

function uploadReceipt(element: WfAttachments): void {
  element.add(2, [pdf('receipt.pdf')])
  void element.updateComplete.then(() => element.shadowRoot?.querySelector('form')?.requestSubmit())
}

function withAttachments(backend = createBackend()): Backend {
  const { attachments } = backend.emulator.packages.test.get(42) ?? {}
  const facts = { contentType: 'application/pdf', fileSize: 48_213, object: 'seed' }
  attachments?.push(
    {
      id: 501,
      type: 1,
      fileName: 'itinerary.pdf',
      description: 'With the change of 14 November',
      person: people.initiator,
      uploadTimestamp: '2026-11-16T09:40:00',
      ...facts,
    },
    {
      id: 502,
      type: 2,
      fileName: 'Quittung Hôtel de la Gare, 3 Übernachtungen.pdf',
      description: '',
      person: people.firstApprover,
      uploadTimestamp: '2026-11-17T11:02:00',
      ...facts,
    },
    {
      id: 503,
      type: 99,
      fileName: 'notes.txt',
      description: '',
      person: people.secondApprover,
      uploadTimestamp: '2026-11-17T11:05:00',
      ...facts,
    },
  )
  return backend
}

function inState(state: PackageState): Backend {
  const backend = createBackend(people.initiator)
  const found = backend.emulator.packages.test.get(42)
  if (found) Object.assign(found, { state, inbox: [], routingDate: '2026-11-16T09:42:00' })
  const [itinerary, , other] = backend.emulator.forms.test.get(6025)?.attachmentTypes ?? []
  Object.assign(itinerary ?? {}, { requiredPreRouting: true })
  Object.assign(other ?? {}, { visiblePreRouting: false })
  return backend
}

function pdf(name: string): File {
  return new File(['%PDF-1.7', new Uint8Array(1_999_992)], name, { type: 'application/pdf' })
}
