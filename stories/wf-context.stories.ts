import type { Meta } from '@storybook/web-components-vite'
import { html } from 'lit'
import '../src/define/index.ts'
import { createBackend, people } from './backend.ts'
import { package42, applyArgs, type Story } from './story.ts'
import { travelRequest } from './travel-request.ts'

const meta: Meta = {
  title: 'Elements/wf-context',
  component: 'wf-context',
  args: package42,
  render: (args, context) => html`
    <wf-context ${applyArgs(args, context)}>
      <wf-package-status></wf-package-status>
      <wf-history></wf-history>
    </wf-context>
  `,
}
export default meta

/** The context sets the package of all elements inside it. If it changes, they follow. */
export const OnePackage: Story = {
  parameters: { backend: travelRequest, shows: /In routing.*Daniel Reyes signed/ },
}

export const TimeZone: Story = {
  args: { 'time-zone': 'UTC' },
  parameters: { backend: travelRequest, shows: /In routing.*Daniel Reyes signed/ },
}

export const SignUrl: Story = {
  args: { 'sign-url': '#sign-{packageId}-{signatureId}' },
  parameters: { backend: () => travelRequest(people.secondApprover), shows: /In routing.*Sign/ },
}

/** The first element says it for all of them. */
export const SignedOut: Story = {
  args: { 'sign-in-url': '#sign-in-{returnUrl}' },
  parameters: { backend: () => createBackend(null), shows: /^You are signed out\. Sign in$/ },
}

/** Attributes of an element override those of the context around it, and an inner context overrides an outer one. */
export const Nested: Story = {
  render: (args, context) => html`
    <wf-context ${applyArgs(args, context)}>
      <wf-package-status></wf-package-status>
      <wf-context package-id="43">
        <wf-history></wf-history>
        <wf-comments package-id="42"></wf-comments>
      </wf-context>
    </wf-context>
  `,
  parameters: { backend: travelRequest, shows: /In routing.*does not exist.*travel fund/ },
}

export const NotConfigured: Story = {
  args: { endpoint: '', 'form-id': undefined, 'package-id': undefined },
  parameters: { backend: null, shows: /needs endpoint, form-id, package-id/, state: 'not-configured' },
}
