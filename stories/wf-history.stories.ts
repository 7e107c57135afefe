import type { Meta, StoryObj } from '@storybook/web-components-vite'
import { html } from 'lit'
import '../src/define/routing-history.ts'
import '../src/define/wf-history.ts'
import { type Backend, createBackend, people } from './backend.ts'

const meta: Meta = { title: 'wf-history', component: 'wf-history' }
export default meta

export const InRouting: StoryObj = { render: () => show(createBackend()) }

export const Signed: StoryObj = {
  render: () => show(after((backend) => sign(backend, people.firstApprover))),
}

export const Complete: StoryObj = {
  render: () =>
    show(
      after(async (backend) => {
        await sign(backend, people.firstApprover)
        backend.emulator.packages.test.get(42)?.attachments.push(receipt)
        await sign(backend, people.secondApprover)
      }),
    ),
}

export const VoidAndUnvoid: StoryObj = {
  render: () =>
    show(
      after(async (backend) => {
        await sign(backend, people.firstApprover)
        await voidIt(backend)
        await tool(backend, 'PUT', '/unvoid')
      }),
    ),
}

export const Void: StoryObj = { render: () => show(after(voidIt)) }

export const RemovedAndStartedAgain: StoryObj = {
  render: () =>
    show(
      after(async (backend) => {
        await tool(backend, 'PUT', '/remove')
        await tool(backend, 'PUT', '/re_initiate')
      }),
    ),
}

export const Delegated: StoryObj = {
  render: () =>
    show(
      after(async (backend) => {
        const body = {
          subjectUnivid: people.firstApprover,
          type: 'DELEGATE',
          reason: 'CONFLICT_OF_INTEREST',
          replacementUnivid: people.administrator,
        }
        await call(backend, 'POST', `/wf/test/api/developer/forms/6025/packages/42/routing/overrides`, body)
      }),
    ),
}

export const ValuesThatTheSpecDoesNotList: StoryObj = {
  render: () => html`<wf-history .history=${strange}></wf-history>`,
}

export const Given: StoryObj = {
  render: () =>
    html`<routing-history history=${JSON.stringify(strange.slice(0, 2))} package-id="42"></routing-history>`,
}

export const GivenWithFuture: StoryObj = {
  render: () =>
    html`<wf-history .history=${strange.slice(0, 2)} .future=${strange.slice(3, 4)}></wf-history>`,
}

export const GivenWhatIsNoList: StoryObj = {
  render: () => html`<wf-history history='{"error": 500}'></wf-history>`,
}

export const Long: StoryObj = { render: () => html`<wf-history .history=${long(300)}></wf-history>` }

export const Empty: StoryObj = {
  render: () =>
    show(answering((request) => (request.url.includes('history') ? Response.json([]) : undefined))),
}

export const FutureFailed: StoryObj = {
  render: () =>
    show(
      answering((request) =>
        request.url.endsWith('/future_history') ? new Response('', { status: 500 }) : undefined,
      ),
    ),
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
    const backend = createBackend(people.initiator, { interval: 500 })
    setTimeout(() => {
      backend.intercept = () => Promise.reject(new TypeError('The emulator is down'))
    }, 250)
    return show(backend)
  },
}

export const NotConfigured: StoryObj = { render: () => html`<wf-history></wf-history>` }

function show({ client }: Backend, packageId = 42) {
  return html`<wf-history
    .client=${client}
    form-id="6025"
    package-id=${packageId}
    time-zone="America/Chicago"
  ></wf-history>`
}

/** A backend in which something is done before anyone can ask. */
function after(perform: (backend: Backend) => Promise<void>): Backend {
  const backend = createBackend(people.administrator)
  const done = perform(backend)
  let isDone = false
  backend.intercept = (request) => {
    if (isDone) return undefined
    return done.then(() => {
      isDone = true
      return backend.emulator.fetch(request)
    })
  }
  return backend
}

function answering(answer: (request: Request) => Response | undefined): Backend {
  const backend = createBackend()
  backend.intercept = (request) => {
    const response = answer(request)
    return response && Promise.resolve(response)
  }
  return backend
}

/** Signs as someone in whose inbox the package is, an hour later. */
async function sign(backend: Backend, univid: string): Promise<void> {
  await call(backend, 'POST', '/_emulator/clock', { advance: '1h' })
  await call(backend, 'POST', '/_emulator/test/forms/6025/packages/42/sign', { univid })
}

async function voidIt(backend: Backend): Promise<void> {
  await tool(backend, 'PUT', '', { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' })
}

async function tool(backend: Backend, method: string, path: string, body?: unknown): Promise<void> {
  await call(backend, method, `/wf/workflow/test/api/developer/tools/forms/6025/packages/42${path}`, body)
}

/** Asks the emulator, as the service's own screens and the administrator's applications would. */
async function call({ emulator }: Backend, method: string, path: string, body?: unknown): Promise<void> {
  const response = await emulator.fetch(
    new Request(`http://emulator.test${path}`, {
      method,
      headers: {
        Authorization: `Basic ${btoa('demo-app:demo-secret')}`,
        'x-workflow-request-user': people.administrator,
        'x-workflow-bypass-authorization': 'true',
        'Content-Type': 'application/json',
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  )
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
}

/** Without it, the route of package 42 does not end. */
const receipt = {
  id: 1,
  type: 2,
  fileName: 'receipt.pdf',
  description: '',
  contentType: 'application/pdf',
  person: people.initiator,
  fileSize: 1,
  uploadTimestamp: '2026-11-16T10:00:00',
  object: 'receipt',
}

/** A history with classes, states and permissions that the spec does not list, and one row that cannot be read. */
const strange = [
  {
    '@class': 'initiation',
    actionDate: '2026-11-16T09:42:10',
    person: { displayName: 'Amara Okafor', title: 'Associate Professor' },
    stop: { name: null, stopNumber: 0 },
  },
  {
    '@class': 'signature',
    actionDate: '2026-11-16T10:01:00',
    routingDate: '2026-11-16T09:42:12',
    person: { displayName: 'Daniel Reyes', title: 'Department Administrator' },
    stop: { name: 'Department', stopNumber: 1 },
    state: 'APPROVED',
    autoSigned: true,
  },
  {
    '@class': 'HELD_FOR_AUDIT',
    actionDate: '2026-11-16T11:00:00',
    person: { displayName: 'Priya Raman' },
    stop: { name: 'Internal audit', stopNumber: 2 },
  },
  {
    '@class': 'signature',
    actionDate: null,
    person: { displayName: 'Dean of Sciences' },
    resolution: { '@class': 'person', displayName: 'Mei-Ling Zhou' },
    stop: { name: 'College', stopNumber: 3 },
    permission: 'COUNTERSIGNATURE',
    context: 'Approver of College of Sciences',
    office: { name: 'College of Sciences', naturalKey: '05-0333' },
    state: 'SENT_BACK',
  },
  { actionDate: '2026-11-16T12:00:00' },
  { '@class': 'complete', actionDate: 'soon' },
]

function long(count: number): unknown[] {
  return Array.from({ length: count }, (_, index) => ({
    '@class': 'signature',
    actionDate: new Date(Date.UTC(2026, 0, 1) + index * 600_000).toISOString().slice(0, 19),
    person: { displayName: index % 3 === 2 ? 'Mei-Ling Zhou' : 'Daniel Reyes', title: 'Administrator' },
    stop: { name: index % 3 === 2 ? 'College' : 'Department', stopNumber: index % 3 === 2 ? 2 : 1 },
    permission: 'SIGNATURE_REQUIRED',
    state: index < count - 1 ? 'APPROVED' : 'RECEIVED',
    isInInbox: index === count - 1,
  }))
}
