import type { Meta } from '@storybook/web-components-vite'
import { html } from 'lit'
import '../src/define/wf-office.ts'
import type { WfOffice } from '../src/elements/wf-office/wf-office.ts'
import { createBackend, breakDown, hang } from './backend.ts'
import { applyArgs, common, type Story } from './story.ts'

const meta: Meta = {
  title: 'Elements/wf-office',
  component: 'wf-office',
  args: { endpoint: '/api/wf', name: 'department' },
  render: (args, context) => html`
    <form>
      <label style="display: grid; gap: 0.25rem"
        >Office <wf-office ${applyArgs(args, context)}></wf-office
      ></label>
    </form>
  `,
}
export default meta

export const Empty: Story = { parameters: { shows: /^The number of an office, such as 11-0420\.$/ } }

export const Chosen: Story = { args: { value: '11-0420' }, parameters: { shows: /^Biology$/ } }

export const List: Story = {
  args: { within: '11' },
  parameters: { act: open, shows: /Freshwater Laboratory 11-0420-0010.*6 offices\./ },
}

export const Departments: Story = {
  args: { within: '11', level: 'department' },
  parameters: {
    act: open,
    shows: /^Biology 11-0420 Chemistry 11-0430 2 offices\. The number of a department/,
  },
}

export const DrillDown: Story = {
  args: { within: '11', level: 'sub_department' },
  parameters: {
    backend: () => {
      const backend = createBackend()
      const template = backend.emulator.offices.get('11-0420-0010')
      for (let number = 1001; template && number <= 1060; number++) {
        const naturalKey = `11-0420-${number}`
        backend.emulator.offices.set(naturalKey, {
          ...template,
          naturalKey,
          name: `Research Group ${number}`,
        })
      }
      return backend
    },
    act: open,
    shows: /Biology 11-0420 See the offices below.*2 of 63 offices\. Type more of the number\./,
  },
}

export const NameAmongLoaded: Story = {
  args: { within: '11' },
  parameters: {
    act: async (element: WfOffice) => {
      await open(element)
      await typeInto(element, 'lab')
    },
    shows:
      /Freshwater Laboratory 11-0420-0010 1 office\. Names are searched only in the 6 offices loaded so far/,
  },
}

export const Required: Story = {
  args: { required: true, level: 'department' },
  parameters: { act: judge, shows: /^Enter the number of a department, such as 11-0420\.$/ },
}

export const NotANumber: Story = {
  args: { value: 'Biologie' },
  parameters: { shows: /^Choose an office from the list, or enter its number/ },
}

export const WrongLevel: Story = {
  args: { value: '11-0420-0010', level: 'department' },
  parameters: { shows: /^11-0420-0010 is the number of a sub-department\. Enter the number of a department/ },
}

export const Unknown: Story = {
  args: { value: '12-0420' },
  parameters: { shows: /^No office was found for 12-0420\. Check the number\.$/ },
}

export const OwnMessage: Story = {
  args: { value: '11-0420' },
  parameters: {
    act: async (element: WfOffice) => {
      await element.updateComplete
      element.setCustomValidity('This office is closed.')
    },
    shows: /^This office is closed\.$/,
  },
}

export const Checking: Story = {
  args: { value: '11-0420' },
  parameters: { backend: hanging, shows: /^Checking the number…$/, state: 'busy' },
}

export const SearchDown: Story = {
  args: { value: '11-0420' },
  parameters: {
    backend: () => {
      const backend = createBackend()
      breakDown(backend)
      return backend
    },
    shows: /^The number couldn’t be checked\. You can send it as it is\.$/,
    state: 'failed',
  },
}

export const SignedOut: Story = {
  args: { value: '11-0420', 'sign-in-url': '#sign-in-{returnUrl}' },
  parameters: {
    backend: common.signedOut.parameters.backend,
    shows: /You can send it as it is\. You are signed out\. Sign in$/,
    state: 'signed-out',
  },
}

export const NoProxy: Story = {
  args: { value: '11-0420' },
  parameters: {
    backend: common.noProxy.parameters.backend,
    shows: /No Routeslip proxy found at/,
    state: 'no-proxy',
  },
}

export const Disabled: Story = {
  args: { value: '11-0420', disabled: true },
  parameters: { shows: /^Biology$/ },
}

export const ReadOnly: Story = {
  args: { value: '11-0420', readonly: true },
  parameters: { shows: /^Biology$/ },
}

export const NotConfigured: Story = {
  args: { endpoint: '' },
  parameters: { backend: null, shows: /<wf-office> needs endpoint/, state: 'not-configured' },
}

function hanging() {
  const backend = createBackend(undefined, { timeout: 3_600_000 })
  hang(backend)
  return backend
}

async function judge(element: WfOffice): Promise<void> {
  await element.updateComplete
  element.checkValidity()
}

/** Opens the list, as a click does. */
async function open(element: WfOffice): Promise<void> {
  await element.updateComplete
  element.shadowRoot?.querySelector<HTMLElement>('[part=toggle]')?.click()
}

async function typeInto(element: WfOffice, text: string): Promise<void> {
  // Until its offices have loaded.
  while (element.isConnected && !element.shadowRoot?.querySelector('[role=option]'))
    await new Promise((resolve) => setTimeout(resolve, 20))
  const input = element.shadowRoot?.querySelector('input')
  if (!input) return
  input.value = text
  input.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }))
}
