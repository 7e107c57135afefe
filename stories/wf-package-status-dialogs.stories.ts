import type { Meta } from '@storybook/web-components-vite'
import { html } from 'lit'
import '../src/define/wf-package-status.ts'
import { createBackend, people } from './backend.ts'
import { inState } from './package-state.ts'
import { after, signMeanwhile, tool, withdrawable } from './routing.ts'
import { package42, type Context, applyArgs, type Story } from './story.ts'

const meta: Meta = {
  title: 'Elements/wf-package-status/Dialogs',
  component: 'wf-package-status',
  // A page can show only one dialog at a time.
  tags: ['!autodocs'],
  args: package42,
  render: (args, context) => html`<wf-package-status ${applyArgs(args, context)}></wf-package-status>`,
}
export default meta

export const DownloadPdf: Story = {
  play: open('getPdf'),
  parameters: { shows: /Download this request as a PDF\?.*Include the attachments/ },
}

export const StartRouting: Story = {
  play: open('routePackage'),
  parameters: {
    backend: () => inState('PRE_ROUTING', {}, people.initiator),
    shows: /Start routing this request\?/,
  },
}

export const Reinitiate: Story = {
  play: open('reinitiatePackage'),
  parameters: {
    backend: () => after((backend) => tool(backend, 'PUT', '/remove')),
    shows: /Re-initiate this request\?/,
  },
}

export const ReturnToPerson: Story = {
  play: open('returnPackage'),
  parameters: {
    backend: () => inState('COMPLETE'),
    shows: /Return this request to a person\?.*Name or university ID/,
  },
}

export const ReturnToNamedPerson: Story = {
  play: async (context) => {
    await open('returnPackage')(context)
    await type(context, 'dialog[open] [name=univid]', 'Daniel Reyes')
    await click(context, 'dialog[open] [type=submit]')
  },
  parameters: { backend: () => inState('COMPLETE'), shows: /Daniel Reyes \(10000002\)/ },
}

export const ReturnToInitiator: Story = {
  play: open('returnToInitiator'),
  parameters: {
    backend: () => createBackend(people.administrator),
    shows: /Return this request to its initiator\?.*Comment/,
  },
}

export const Restart: Story = {
  play: open('restartPackage'),
  parameters: {
    backend: () => createBackend(people.administrator),
    shows: /Restart routing\?.*All approvers must sign again/,
  },
}

export const Unvoid: Story = {
  play: open('unvoidPackage'),
  parameters: { backend: () => inState('VOID'), shows: /Unvoid this request\?/ },
}

export const Remove: Story = {
  play: open('removePackage'),
  parameters: {
    backend: () => createBackend(people.administrator),
    shows: /Remove this request from routing\?/,
  },
}

export const Withdraw: Story = {
  play: open('withdrawPackage'),
  parameters: { backend: () => withdrawable(), shows: /Withdraw this request\?.*nobody is emailed/ },
}

/** Somebody signs after the proxy has checked that nobody had. */
export const WithdrawnTooLate: Story = {
  args: { 'edit-url': 'https://northfield.test/edit/{packageId}' },
  play: async (context) => {
    await open('withdrawPackage')(context)
    await click(context, 'dialog[open] [type=submit]')
    await find(context, 'dialog[open] a')
  },
  parameters: {
    backend: () => signMeanwhile(withdrawable()),
    shows:
      /You have withdrawn the request.*Daniel Reyes signed at the same moment\. That signature is gone\..*Edit and submit/,
  },
}

export const Void: Story = {
  play: open('voidPackage'),
  parameters: { shows: /Void this request\?.*Duplicate transaction/ },
}

export const LostResponse: Story = {
  play: async (context) => {
    await open('restartPackage')(context)
    await click(context, 'dialog[open] [type=submit]')
  },
  parameters: {
    backend: () => {
      const backend = createBackend(people.administrator)
      backend.intercept = (request) =>
        request.method === 'PUT' ? Promise.reject(new TypeError('The connection was lost')) : undefined
      return backend
    },
    shows: /The response was lost/,
  },
}

/** Opens the dialog of an action as soon as the element offers the action. */
function open(action: string) {
  return (context: Context) => click(context, `[data-action=${action}]`)
}

/** Types into a field, once the names of the people of the package have loaded. */
async function type(context: Context, selector: string, text: string): Promise<void> {
  const input = await find<HTMLInputElement>(context, selector)
  await find(context, 'dialog[open] option:nth-of-type(2)')
  if (!input) return
  input.value = text
  input.dispatchEvent(new InputEvent('input', { bubbles: true }))
}

/** Clicks an element when it appears. Does nothing if it does not. */
async function click(context: Context, selector: string): Promise<void> {
  ;(await find(context, selector))?.click()
}

/** Finds an element when it appears. Gives up after 30 seconds, because a setting of the toolbar may have removed it. */
async function find<Found extends HTMLElement>(
  { canvasElement }: Context,
  selector: string,
): Promise<Found | undefined> {
  for (let tries = 0; tries < 600; tries++) {
    const found = canvasElement.querySelector('wf-package-status')?.shadowRoot?.querySelector<Found>(selector)
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return undefined
}
