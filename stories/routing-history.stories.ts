import type { Meta } from '@storybook/web-components-vite'
import { html } from 'lit'
import '../src/define/routing-history.ts'
import { common, applyArgs, type Story } from './story.ts'
import { unknownValues } from './unknown-values.ts'

const meta: Meta = {
  title: 'Elements/routing-history',
  component: 'routing-history',
  args: { 'package-id': 42 },
  render: (args, context) => html`<routing-history ${applyArgs(args, context)}></routing-history>`,
}
export default meta

/** The page wrote the service's response into the tag. */
export const FromAttributes: Story = {
  args: { history: JSON.stringify(unknownValues.slice(0, 2)) },
  parameters: { shows: /signed automatically.*Request 42$/ },
}

export const FromAttributesWithFuture: Story = {
  args: {
    history: JSON.stringify(unknownValues.slice(0, 2)),
    future: JSON.stringify(unknownValues.slice(3, 4)),
  },
  parameters: { shows: /signed automatically.*Still to come \(1 stop\)/ },
}

export const FromAttributesEmpty: Story = {
  args: { history: '[]' },
  parameters: { shows: /^Nothing has happened yet\./, state: 'empty' },
}

/** With an endpoint and a form, it loads the history itself, as `<wf-history>` does. */
export const Loaded: Story = {
  args: { endpoint: '/api/wf', 'form-id': 6025 },
  parameters: { shows: /Daniel Reyes must sign.*Request 42$/ },
}

export const NotConfigured = common.notConfigured
