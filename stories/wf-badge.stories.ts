import type { Meta } from '@storybook/web-components-vite'
import { html } from 'lit'
import '../src/define/wf-badge.ts'
import type { WfBadge } from '../src/elements/wf-badge/wf-badge.ts'
import type { PackageState } from '../src/contract/values/values.ts'
import { type Backend, createBackend } from './backend.ts'
import { inState } from './package-state.ts'
import { applyArgs, busy, common, loaded, package42, stale, type Story } from './story.ts'

const meta: Meta = {
  title: 'Elements/wf-badge',
  component: 'wf-badge',
  args: package42,
  render: (args, context) => html`<wf-badge ${applyArgs(args, context)}></wf-badge>`,
}
export default meta

export const InRouting: Story = {
  parameters: { backend: () => createBackend(), shows: /^In routing ?, Waiting for Daniel Reyes$/ },
}

export const Unfolded: Story = {
  parameters: {
    backend: () => createBackend(),
    act: async (element: WfBadge) => {
      await loaded(element)
      element.shadowRoot!.querySelector<HTMLElement>('[part=state]')!.focus()
    },
    shows: /^In routing ?, Waiting for Daniel Reyes$/,
  },
}

export const Draft: Story = {
  parameters: { backend: () => inState('DRAFT', { history: [] }), shows: /^Draft$/ },
}

export const NotInRouting: Story = {
  parameters: { backend: () => inState('PRE_ROUTING', { history: [] }), shows: /^Not in routing$/ },
}

export const Complete: Story = { parameters: { backend: () => inState('COMPLETE'), shows: /^Complete$/ } }

export const Void: Story = { parameters: { backend: () => inState('VOID'), shows: /^Void$/ } }

export const UnknownState: Story = {
  parameters: { backend: () => inState('ON_HOLD' as PackageState), shows: /^On hold$/ },
}

export const Forbidden = badge(common.forbidden, /^Not available$/)

export const SignedOut = badge(common.signedOut, /^Not loaded ?, /)

export const NotFound: Story = { ...common.notFound, parameters: { shows: /^Not available$/ } }

export const NoProxy = common.noProxy

export const Loading = common.loading

export const Failed = badge(common.failed, /^Not loaded ?, Couldn’t be loaded/)

export const Stale = stale(/In routing.*out of date/)

export const Busy = busy(/In routing/)

export const NotConfigured = common.notConfigured

/** The same situation as in the other elements, in fewer words. */
function badge(
  { parameters: { backend } }: { parameters: { backend: () => Backend } },
  shows: RegExp,
): Story {
  return { parameters: { backend, shows } }
}
