import type { Meta } from '@storybook/web-components-vite'
import { html } from 'lit'
import '../src/define/wf-history.ts'
import { type Backend, createBackend, people } from './backend.ts'
import { after, call, receipt, sign, tool, voidPackage } from './routing.ts'
import { package42, busy, common, applyArgs, stale, type Story } from './story.ts'
import { beyondSpec, unknownValues } from './unknown-values.ts'

const meta: Meta = {
  title: 'Elements/wf-history',
  component: 'wf-history',
  args: { ...package42, 'time-zone': 'UTC' },
  render: (args, context) => html`<wf-history ${applyArgs(args, context)}></wf-history>`,
}
export default meta

export const InRouting: Story = {
  parameters: { shows: /Daniel Reyes must sign.*Still to come \(1 stop\)/ },
}

export const Signed: Story = {
  parameters: {
    backend: () => after((backend) => sign(backend, people.firstApprover)),
    shows: /Daniel Reyes signed/,
  },
}

export const Complete: Story = {
  parameters: {
    backend: () =>
      after(async (backend) => {
        await sign(backend, people.firstApprover)
        backend.emulator.packages.test.get(42)?.attachments.push(receipt)
        await sign(backend, people.secondApprover)
      }),
    shows: /Routing is complete/,
  },
}

export const VoidAndUnvoid: Story = {
  parameters: {
    backend: () =>
      after(async (backend) => {
        await sign(backend, people.firstApprover)
        await voidPackage(backend)
        await tool(backend, 'PUT', '/unvoid')
      }),
    shows: /voided it.*reversed the void/,
  },
}

export const Void: Story = {
  parameters: { backend: () => after(voidPackage), shows: /Priya Raman voided it/ },
}

export const RemovedAndReinitiated: Story = {
  parameters: {
    backend: () =>
      after(async (backend) => {
        await tool(backend, 'PUT', '/remove')
        await tool(backend, 'PUT', '/re_initiate')
      }),
    shows: /removed it.*started routing again/,
  },
}

export const Delegated: Story = {
  parameters: {
    backend: () =>
      after(async (backend) => {
        const body = {
          subjectUnivid: people.firstApprover,
          type: 'DELEGATE',
          reason: 'CONFLICT_OF_INTEREST',
          replacementUnivid: people.administrator,
        }
        await call(backend, 'POST', `/wf/test/api/developer/forms/6025/packages/42/routing/overrides`, body)
      }),
    shows: /Priya Raman must sign.*delegated/,
  },
}

export const UnknownValues: Story = {
  args: { history: unknownValues },
  parameters: { shows: /Held for audit.*Sent back.*1 entry couldn’t be read/ },
}

export const ValuesBeyondTheSpec: Story = {
  args: { history: beyondSpec },
  parameters: {
    shows:
      /College of Sciences opted out.*application was notified.*let routing continue.*signature voided.*Dean of Sciences/,
  },
}

export const FromProperties: Story = {
  args: { history: unknownValues.slice(0, 2), future: unknownValues.slice(3, 4) },
  parameters: { shows: /signed automatically.*Still to come/ },
}

export const InvalidHistory: Story = {
  args: { history: '{"error": 500}' },
  parameters: { shows: /needs a list of events/ },
}

export const Long: Story = {
  args: { history: long(300) },
  // Not on the page of all stories, which would become slow.
  tags: ['!autodocs'],
  parameters: { shows: /Show 100 earlier Show all 150 earlier.*Daniel Reyes signed/ },
}

export const Empty: Story = {
  parameters: {
    backend: () => responding((request) => (request.url.includes('history') ? Response.json([]) : undefined)),
    shows: /^Nothing has happened yet\./,
    state: 'empty',
  },
}

export const FutureFailed: Story = {
  parameters: {
    backend: () =>
      responding((request) =>
        request.url.endsWith('/future_history') ? new Response('', { status: 500 }) : undefined,
      ),
    shows: /The stops still to come couldn’t be loaded.*Daniel Reyes/,
  },
}

export const Forbidden = common.forbidden

export const SignedOut = common.signedOut

export const NotFound = common.notFound

export const NoProxy = common.noProxy

export const Loading = common.loading

export const Failed = common.failed

export const Stale = stale(/what was known at.*Try again.*Daniel Reyes/)

export const Busy = busy(/Daniel Reyes must sign/)

export const NotConfigured = common.notConfigured

function responding(respond: (request: Request) => Response | undefined): Backend {
  const backend = createBackend()
  backend.intercept = (request) => {
    const response = respond(request)
    return response && Promise.resolve(response)
  }
  return backend
}

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
