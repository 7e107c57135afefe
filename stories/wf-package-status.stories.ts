import type { Meta, StoryObj } from '@storybook/web-components-vite'
import { html } from 'lit'
import '../src/define/wf-package-status.ts'
import type { PackageState } from '../src/contract/values.ts'
import { createBackend, people } from './backend.ts'

const meta: Meta = { title: 'wf-package-status', component: 'wf-package-status' }
export default meta

export const InRouting: StoryObj = { render: () => show(createBackend(people.secondApprover)) }

export const MayVoid: StoryObj = { render: () => show(createBackend(people.initiator)) }

export const Draft: StoryObj = { render: () => show(inState('DRAFT')) }

export const NotYetRouting: StoryObj = { render: () => show(inState('PRE_ROUTING')) }

export const Complete: StoryObj = { render: () => show(inState('COMPLETE')) }

export const Void: StoryObj = { render: () => show(inState('VOID')) }

export const StateThatTheSpecDoesNotList: StoryObj = {
  render: () => show(inState('ON_HOLD' as PackageState)),
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

export const NotConfigured: StoryObj = {
  render: () => html`<wf-package-status></wf-package-status>`,
}

function show({ client }: ReturnType<typeof createBackend>, packageId = 42) {
  return html`<wf-package-status
    .client=${client}
    form-id="6025"
    package-id=${packageId}
  ></wf-package-status>`
}

function inState(state: PackageState) {
  const backend = createBackend(people.administrator)
  const found = backend.emulator.packages.test.get(42)
  if (found)
    Object.assign(found, { state, inbox: [], voidReason: state === 'VOID' ? 'INCORRECT_FORM' : null })
  return backend
}
