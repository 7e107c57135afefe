import type { Meta } from '@storybook/web-components-vite'
import { html } from 'lit'
import '../src/define/wf-attachments.ts'
import type { WfAttachments } from '../src/elements/wf-attachments/wf-attachments.ts'
import type { PackageState } from '../src/contract/values/values.ts'
import { type Backend, createBackend, people } from './backend.ts'
import { never } from './settled.ts'
import { package42, busy, common, applyArgs, loaded, stale, type Story } from './story.ts'

const meta: Meta = {
  title: 'Elements/wf-attachments',
  component: 'wf-attachments',
  args: package42,
  render: (args, context) => html`<wf-attachments ${applyArgs(args, context)}></wf-attachments>`,
}
export default meta

export const Missing: Story = {
  parameters: { shows: /^0 of 1 required document.*Receipt Needed before completion Add file/ },
}

export const Complete: Story = {
  parameters: {
    backend: withAttachments,
    shows: /1 of 1 required.*itinerary\.pdf 47 kB With the change.*Other attachments/,
  },
}

export const BeforeRouting: Story = {
  parameters: {
    backend: () => inState('DRAFT'),
    shows: /0 of 2.*PDF only Needed before routing.*after routing starts/,
  },
}

export const Void: Story = {
  parameters: {
    backend: () => inState('VOID'),
    shows: /^((?!Add |Needed).)*Receipt((?!Add |Needed).)*$/,
  },
}

export const ViewOnly: Story = {
  parameters: {
    backend: () => createBackend(people.viewer),
    shows: /^((?!Add ).)*Receipt Needed((?!Add ).)*$/,
  },
}

export const Chosen: Story = {
  parameters: {
    act: (element: WfAttachments) => afterwards(element, () => element.add(2, [pdf('receipt.pdf')])),
    shows: /receipt\.pdf 1\.9 MB Description \(optional\).*Upload Cancel/,
  },
}

export const Uploading: Story = {
  parameters: {
    backend: () =>
      createBackend(people.initiator, {
        upload: ({ onProgress }) => {
          onProgress?.(900_000, 2_000_000)
          return never()
        },
      }),
    act: (element) => upload(element, 2, pdf('receipt.pdf')),
    shows: /receipt\.pdf.*45%/,
  },
}

export const NotPdf: Story = {
  parameters: {
    act: (element: WfAttachments) =>
      afterwards(element, () => element.add(1, [new File(['Text'], 'itinerary.docx')])),
    shows: /itinerary\.docx.*only PDF files are accepted.*Remove/,
  },
}

export const Refused: Story = {
  parameters: {
    act: (element) => upload(element, 3, new File(['No picture'], 'photo.png', { type: 'image/png' })),
    shows: /photo\.png.*does not match its name.*Remove/,
  },
}

export const Empty: Story = {
  parameters: {
    backend: () => {
      const backend = createBackend()
      backend.intercept = (request) =>
        request.url.includes('/attachments') ? Promise.resolve(Response.json([])) : undefined
      return backend
    },
    shows: /^This form has no attachments/,
    state: 'empty',
  },
}

export const Forbidden = common.forbidden

export const SignedOut = common.signedOut

export const NotFound = common.notFound

export const NoProxy = common.noProxy

export const Loading = common.loading

export const Failed = common.failed

export const Stale = stale(/what was known at.*Try again.*itinerary\.pdf/, withAttachments)

export const Busy = busy(/itinerary\.pdf/, withAttachments)

export const NotConfigured = common.notConfigured

/** Calls `act` after the attachments have loaded. */
async function afterwards(element: WfAttachments, act: () => void): Promise<void> {
  await loaded(element)
  act()
}

async function upload(element: WfAttachments, type: number, file: File): Promise<void> {
  await afterwards(element, () => element.add(type, [file]))
  await element.updateComplete
  element.shadowRoot?.querySelector('form')?.requestSubmit()
}

function withAttachments(): Backend {
  const backend = createBackend()
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
