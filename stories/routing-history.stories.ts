import type { Meta } from '@storybook/web-components-vite'
import { html } from 'lit'
import '../src/define/routing-history.ts'
import { common, given, type Story } from './story.ts'
import { strange } from './strange-history.ts'

const meta: Meta = {
  title: 'Elements/routing-history',
  component: 'routing-history',
  args: { 'package-id': 42 },
  render: (args, context) => html`<routing-history ${given(args, context)}></routing-history>`,
}
export default meta

/** As a page has it that printed the service's answer into the tag. */
export const Given: Story = {
  args: { history: JSON.stringify(strange.slice(0, 2)) },
  parameters: { shows: /signed automatically.*Package 42$/ },
}

export const GivenWithFuture: Story = {
  args: { history: JSON.stringify(strange.slice(0, 2)), future: JSON.stringify(strange.slice(3, 4)) },
  parameters: { shows: /signed automatically.*Still to come \(1 stop\)/ },
}

export const GivenNothing: Story = {
  args: { history: '[]' },
  parameters: { shows: /^Nothing has happened yet\./, state: 'empty' },
}

/** As `<wf-history>`, it loads the history itself where it is told from where. */
export const Loaded: Story = {
  args: { endpoint: '/api/wf', 'form-id': 6025 },
  parameters: { shows: /Waiting for Daniel Reyes.*Package 42$/ },
}

export const NotConfigured = common.notConfigured
