import type { Meta, StoryObj } from '@storybook/web-components-vite'
import { html, nothing } from 'lit'
import '../src/define/wf-package-status.ts'
import type { PackageState } from '../src/contract/values.ts'
import type { WfPackageStatus } from '../src/elements/wf-package-status/wf-package-status.ts'
import { type Backend, createBackend, people } from './backend.ts'

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

export const MaySign: StoryObj = {
  render: () => show(createBackend(people.firstApprover), 42, '#sign-{signatureId}'),
}

export const ManyActions: StoryObj = { render: () => show(createBackend(people.administrator)) }

export const Removed: StoryObj = { render: () => show(inState('PRE_ROUTING', { isRemoved: true })) }

export const StartRouting: StoryObj = { render: () => show(inState('PRE_ROUTING', {}, people.initiator)) }

export const DialogDownloadPdf: StoryObj = { render: () => open('getPdf', createBackend()) }

export const DialogStartRouting: StoryObj = {
  render: () => open('routePackage', inState('PRE_ROUTING', {}, people.initiator)),
}

export const DialogReinitiate: StoryObj = {
  render: () => open('reinitiatePackage', inState('PRE_ROUTING', { isRemoved: true })),
}

export const DialogReturnToPerson: StoryObj = { render: () => open('returnPackage', inState('COMPLETE')) }

export const DialogReturnToInitiator: StoryObj = {
  render: () => open('returnToInitiator', createBackend(people.administrator)),
}

export const DialogRestart: StoryObj = {
  render: () => open('restartPackage', createBackend(people.administrator)),
}

export const DialogUnvoid: StoryObj = { render: () => open('unvoidPackage', inState('VOID')) }

export const DialogRemove: StoryObj = {
  render: () => open('removePackage', createBackend(people.administrator)),
}

export const DialogVoid: StoryObj = { render: () => open('voidPackage', createBackend()) }

export const DialogWithoutAnswer: StoryObj = {
  render: () => {
    const backend = createBackend(people.administrator)
    backend.intercept = (request) =>
      request.method === 'PUT' ? Promise.reject(new TypeError('The connection was lost')) : undefined
    return open('restartPackage', backend, true)
  },
}

export const Badge: StoryObj = { render: () => badge(createBackend()) }

export const BadgeNotAvailable: StoryObj = { render: () => badge(createBackend(people.outsider)) }

export const BadgeFailed: StoryObj = {
  render: () => {
    const backend = createBackend()
    backend.intercept = () => Promise.reject(new TypeError('The emulator is down'))
    return badge(backend)
  },
}

export const BadgeLoading: StoryObj = {
  render: () => {
    const backend = createBackend(people.initiator, { timeout: 3_600_000 })
    backend.intercept = () => new Promise(() => {})
    return badge(backend)
  },
}

function show({ client }: Backend, packageId = 42, signUrl = '') {
  return html`<wf-package-status
    .client=${client}
    form-id="6025"
    package-id=${packageId}
    sign-url=${signUrl || nothing}
  ></wf-package-status>`
}

function badge({ client }: Backend) {
  return html`<wf-package-status
    variant="badge"
    .client=${client}
    form-id="6025"
    package-id="42"
  ></wf-package-status>`
}

/** Opens the dialog of an action as soon as it is offered; `confirms` it as well. */
function open(action: string, { client }: Backend, confirms = false) {
  const onLoad = async ({ currentTarget }: Event) => {
    const { shadowRoot } = currentTarget as WfPackageStatus
    const find = async (selector: string) => {
      for (let tries = 0; tries < 50; tries++) {
        const found = shadowRoot?.querySelector<HTMLElement>(selector)
        if (found) return found
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      return undefined
    }
    ;(await find(`[data-action=${action}]`))?.click()
    if (confirms) (await find('dialog[open] [type=submit]'))?.click()
  }
  return html`<wf-package-status
    .client=${client}
    form-id="6025"
    package-id="42"
    @wf-load=${{ handleEvent: onLoad, once: true }}
  ></wf-package-status>`
}

function inState(state: PackageState, more: object = {}, person: string = people.administrator) {
  const backend = createBackend(person)
  const found = backend.emulator.packages.test.get(42)
  if (found)
    Object.assign(found, {
      state,
      inbox: [],
      voidReason: state === 'VOID' ? 'INCORRECT_FORM' : null,
      ...more,
    })
  return backend
}
