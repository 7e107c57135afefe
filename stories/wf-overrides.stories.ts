import type { Meta } from '@storybook/web-components-vite'
import { html } from 'lit'
import '../src/define/wf-overrides.ts'
import { breakDown, hang, people } from './backend.ts'
import { createOverrideBackend, findPeople, openForm, replace } from './overrides.ts'
import { applyArgs, busy, common, loaded, package42, stale, type Story } from './story.ts'

const meta: Meta = {
  title: 'Elements/wf-overrides',
  component: 'wf-overrides',
  args: package42,
  parameters: { backend: () => createOverrideBackend() },
  render: (args, context) =>
    html`<wf-overrides .findPeople=${findPeople} ${applyArgs(args, context)}></wf-overrides>`,
}
export default meta

export const Nobody: Story = {
  parameters: { shows: /^Nobody is replaced on this request\. Replace an approver$/, state: 'empty' },
}

export const InForce: Story = {
  parameters: {
    backend: () => createOverrideBackend([replace(people.firstApprover, people.viewer)]),
    shows:
      /^Ruth Lindqvist acts for Daniel Reyes .*Daniel Reyes can look at this request, but cannot sign it\..*In force: it is in the inbox of Ruth Lindqvist, and not of Daniel Reyes\. End/,
  },
}

export const NoAccess: Story = {
  parameters: {
    backend: () => createOverrideBackend([replace(people.firstApprover, people.viewer, 'CHANGE')]),
    shows: /Daniel Reyes cannot see this request at all\. Conflict/,
  },
}

export const LaterStop: Story = {
  parameters: {
    backend: () => createOverrideBackend([replace(people.secondApprover, people.outsider)]),
    shows: /Takes effect when the request would reach Mei-Ling Zhou\./,
  },
}

export const NotYetInForce: Story = {
  parameters: {
    backend: () => createOverrideBackend([replace(people.firstApprover, people.viewer)], { isLate: true }),
    shows: /Not yet in force: it is still in the inbox of Daniel Reyes\./,
  },
}

export const WithoutDirectory: Story = {
  args: { findPeople: undefined },
  render: (args, context) => html`<wf-overrides ${applyArgs(args, context)}></wf-overrides>`,
  parameters: {
    backend: () => createOverrideBackend([replace(people.firstApprover, people.outsider)]),
    shows: /Theo Marchetti acts for University ID 10000002.*couldn’t be checked/,
  },
}

export const OwnReplacement: Story = {
  parameters: {
    backend: () => createOverrideBackend([replace(people.firstApprover, people.administrator)]),
    shows: /^Priya Raman acts for Daniel Reyes.*In force.*not of Daniel Reyes\. Replace an approver$/,
  },
}

export const Form: Story = {
  parameters: {
    act: openForm({}),
    shows: /^Replace an approver\?.*Who must not decide\?.*Who signs instead\?.*Continue Cancel$/,
  },
}

export const Problem: Story = {
  parameters: {
    act: openForm({ subject: 'Daniel Reyes', type: 'DELEGATE', replacement: 'Amara Okafor' }),
    shows: /This person made the request\. Choose somebody else to sign\./,
  },
}

export const SeveralPeople: Story = {
  parameters: {
    act: openForm({ subject: 'Daniel Reyes', type: 'DELEGATE', replacement: 'th' }),
    shows: /Choose the person: Ruth Lindqvist Biology Theo Marchetti History/,
  },
}

export const Confirmation: Story = {
  parameters: {
    act: openForm({ subject: 'Daniel Reyes', type: 'CHANGE', replacement: '10000008' }),
    shows:
      /^Replace Daniel Reyes\? Daniel Reyes cannot see this request at all\. Theo Marchetti signs instead\. Daniel Reyes \(10000002\) Theo Marchetti \(10000008\) Replace Daniel Reyes Back$/,
  },
}

export const UnknownPerson: Story = {
  parameters: {
    act: openForm({ subject: 'Daniel Reyes', type: 'CHANGE', replacement: '999' }),
    shows: /The name of 999 couldn’t be looked up\. Make sure that the university ID is right\./,
  },
}

export const Ending: Story = {
  parameters: {
    backend: () => createOverrideBackend([replace(people.firstApprover, people.viewer)]),
    act: async (element: HTMLElement) => {
      await loaded(element)
      await (element as unknown as { updateComplete: Promise<boolean> }).updateComplete
      element.shadowRoot?.querySelector<HTMLElement>('[part=end]')?.click()
    },
    shows: /^End the replacement of Daniel Reyes\? Daniel Reyes gets back all rights.*End Keep it$/,
  },
}

export const ReadOnly: Story = {
  parameters: {
    backend: () =>
      createOverrideBackend([replace(people.firstApprover, people.viewer)], { allowed: ['getOverrides'] }),
    shows: /not of Daniel Reyes\. You don’t have the right to replace somebody/,
  },
}

export const Forbidden: Story = {
  parameters: {
    ...common.forbidden.parameters,
    backend: () => createOverrideBackend([], { person: people.viewer }),
    shows: /don’t have the right to replace somebody/,
  },
}

export const SignedOut: Story = {
  parameters: { ...common.signedOut.parameters, backend: () => createOverrideBackend([], { person: null }) },
}

export const NoProxy: Story = { args: package42, ...common.noProxy }

export const Loading: Story = {
  args: package42,
  parameters: {
    ...common.loading.parameters,
    backend: () => {
      const backend = createOverrideBackend([], { timeout: 3_600_000 })
      hang(backend)
      return backend
    },
  },
}

export const Failed: Story = {
  args: package42,
  parameters: {
    ...common.failed.parameters,
    backend: () => {
      const backend = createOverrideBackend()
      breakDown(backend)
      return backend
    },
  },
}

const shown = () => createOverrideBackend([replace(people.firstApprover, people.viewer)])

export const Stale: Story = stale(/what was known at.*Try again.*Ruth Lindqvist/, shown)

export const Busy: Story = busy(/Ruth Lindqvist/, shown)

export const NotConfigured: Story = {
  args: common.notConfigured.args,
  parameters: common.notConfigured.parameters,
}
