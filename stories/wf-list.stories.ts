import type { Meta } from '@storybook/web-components-vite'
import { html } from 'lit'
import '../src/define/wf-list.ts'
import type { WfList } from '../src/elements/wf-list/wf-list.ts'
import { type Backend, createBackend, hang, people } from './backend.ts'
import { createFormBackend, createListBackend, createReminderBackend, removedBy } from './listed-requests.ts'
import { never } from './settled.ts'
import { applyArgs, common, find, loaded, stale, type Story } from './story.ts'

const meta: Meta = {
  title: 'Elements/wf-list',
  component: 'wf-list',
  args: {
    endpoint: '/api/wf',
    'form-names': { 6025: 'Travel request' },
    'detail-url': 'https://northfield.test/requests/{formId}/{packageId}',
    'sign-url': 'https://northfield.test/sign/{formId}/{packageId}/{signatureId}',
    'edit-url': 'https://northfield.test/edit/{formId}/{packageId}',
    'copy-url': 'https://northfield.test/travel?copy={packageId}',
    'inbox-url': 'https://northfield.test/inbox',
    'time-zone': 'America/Chicago',
  },
  parameters: { backend: () => createListBackend() },
  render: ({ 'form-names': formNames, ...args }, context) =>
    html`<wf-list .formNames=${formNames as WfList['formNames']} ${applyArgs(args, context)}></wf-list>`,
}
export default meta

const known = /This page knows requests since November 20, 2026\. It last looked at Nov 20, 2026, 9:30 AM\./

/** Opens the dialog, whose button appears after the list. */
async function openReminder(element: WfList): Promise<void> {
  const button = () => element.shadowRoot?.querySelector<HTMLElement>('[part=remind]')
  while (!button()) await new Promise(requestAnimationFrame)
  button()?.click()
}

export const Waiting: Story = {
  parameters: {
    backend: () => createListBackend(people.firstApprover, { 43: {}, 44: {} }),
    shows: new RegExp(
      `^Waiting for me 3 My requests Needs your signature Travel request 44 In routing · Waiting for Daniel Reyes · From Amara Okafor · Since .* Sign .*${known.source} Open the inbox of the routing service$`,
    ),
    state: 'loaded',
  },
}

export const Left: Story = {
  parameters: {
    backend: () => createListBackend(people.firstApprover, { 43: {} }),
    act: async (element: WfList, backend: Backend) => {
      await loaded(element)
      backend.emulator.packages.test.get(43)!.inbox = []
      await element.refresh()
    },
    shows:
      /Needs your signature Travel request 43 This no longer waits for you · From Amara Okafor · Started .* Travel request 42 In routing/,
  },
}

/** Two requests have come, and one no longer waits for the person. */
export const New: Story = {
  parameters: {
    backend: () => createListBackend(people.firstApprover, { 43: {} }),
    act: async (element: WfList, { emulator, other }: Backend) => {
      await loaded(element)
      const { test: packages } = emulator.packages
      for (const id of [44, 45]) packages.set(id, { ...structuredClone(packages.get(42)!), id })
      packages.get(43)!.inbox = []
      for (const packageId of [44, 45]) await other.getPackage({ params: { formId: 6025, packageId } })
      const isShown = () => /: 2$/.test(element.shadowRoot?.querySelector('[part=new]')?.textContent ?? '')
      while (element.isConnected && !isShown()) await element.refresh()
    },
    shows:
      /^Waiting for me 1 My requests Show new requests: 2 Needs your signature .* 43 This no longer waits for you .*Travel request 42 In routing/,
  },
}

/** The service refuses so many bulk calls that some requests could not be checked. */
export const Partial: Story = {
  parameters: {
    backend: () => {
      const ids = Array.from({ length: 60 }, (_, place) => [100 + place, {}] as const)
      const backend = createListBackend(people.firstApprover, Object.fromEntries(ids))
      backend.intercept = ({ url, headers }) =>
        // The proxy itself learns of all of them.
        headers.get('x-workflow-request-user') === people.firstApprover &&
        new URL(url).searchParams.getAll('id').length > 2
          ? Promise.resolve(Response.json({}, { status: 400 }))
          : undefined
      return backend
    },
    shows: /^Waiting for me .* Some requests could not be checked and are missing\./,
  },
}

export const ToRead: Story = {
  parameters: {
    backend: () => createListBackend(people.viewer),
    shows: /^Waiting for me 1 My requests To read or edit Travel request 42 In routing/,
  },
}

/** Each request shows a field of its entry. */
export const Titles: Story = {
  args: { view: 'mine', 'title-field': 'purpose' },
  parameters: {
    backend: () => createListBackend(people.initiator),
    act: async (element: WfList) => {
      await loaded(element)
      // It is read when people see it, and other stories of the page scroll as well.
      const title = () => element.shadowRoot?.querySelector('[part=title]')?.textContent
      while (!title()) {
        element.scrollIntoView()
        await new Promise(requestAnimationFrame)
      }
    },
    shows: /Travel request 42 Annual meeting of the Society for Freshwater Science In routing/,
  },
}

export const Mine: Story = {
  args: { view: 'mine' },
  parameters: {
    backend: () =>
      createListBackend(people.initiator, {
        43: { state: 'DRAFT' },
        44: { state: 'COMPLETE' },
        45: { state: 'VOID' },
      }),
    shows:
      /^Not submitted yet Travel request 43 Draft · Started .* Edit Submitted Travel request 45 Void .*Travel request 44 Complete .*Travel request 42 In routing · Waiting for Daniel Reyes · Started/,
  },
}

/** Of the requests that are not in routing, the initiator has withdrawn one, and somebody else has removed another. */
export const Withdrawn: Story = {
  args: { view: 'mine' },
  parameters: {
    backend: () =>
      createListBackend(people.initiator, {
        43: removedBy(people.initiator),
        44: { state: 'PRE_ROUTING', inbox: [] },
        45: removedBy(people.administrator),
      }),
    shows:
      /Not submitted yet Travel request 45 Not in routing Edit Travel request 44 Not in routing Edit Travel request 43 Withdrawn, not submitted · Started .* Edit/,
  },
}

export const Remind: Story = {
  args: { view: 'mine' },
  parameters: {
    backend: () => createReminderBackend(),
    act: openReminder,
    shows: /^Remind the approvers\? Travel request 42 The service emails every approver/,
  },
}

export const RemindWithNote: Story = {
  args: { view: 'mine' },
  parameters: {
    backend: () => createReminderBackend({}, ['remind', 'remindNote']),
    act: async (element: WfList) => {
      await loaded(element)
      await openReminder(element)
      const field = await find<HTMLTextAreaElement>(element, '[part=note]')
      field.value = 'The visa office closes\non Friday.'
      field.dispatchEvent(new InputEvent('input', { bubbles: true }))
    },
    shows:
      /Note \(optional\) 267 characters left The email contains this text: .* Amara Okafor writes: The visa office closes on Friday\. Send reminder Cancel$/,
  },
}

export const RemindTooSoon: Story = {
  args: { view: 'mine' },
  parameters: {
    backend: () => createReminderBackend(),
    act: async (element: WfList, backend: Backend) => {
      await loaded(element)
      await backend.other.sendReminder({ params: { formId: 6025, packageId: 42 }, body: {} })
      await openReminder(element)
    },
    shows: /Remind the approvers\? .* The next one is possible from .* Close$/,
  },
}

/** The reply of the service to the last reminder was lost. */
export const RemindUnknown: Story = {
  args: { view: 'mine' },
  parameters: {
    backend: () => createReminderBackend(),
    act: async (element: WfList, backend: Backend) => {
      await loaded(element)
      backend.intercept = ({ url, method }) =>
        method === 'PUT' && url.endsWith('/entry')
          ? Promise.resolve(new Response('', { status: 500 }))
          : undefined
      await backend.other.sendReminder({ params: { formId: 6025, packageId: 42 }, body: {} }).catch(() => {})
      await element.refresh()
    },
    shows:
      /Travel request 42 In routing .* It is not known whether the last reminder was sent\. Use again Remind…/,
  },
}

const ended = { 43: { state: 'COMPLETE', inbox: [] }, 44: { state: 'VOID', inbox: [] } } as const

/** For people who administer a form. */
export const OfForm: Story = {
  args: { view: 'form', forms: '6025' },
  parameters: {
    backend: () => createFormBackend(ended),
    shows: new RegExp(
      `Requests Travel request 44 Void .* Travel request 42 Stop: Department · Office: .* \\(05-0100\\) In routing · Waiting for Daniel Reyes .*${known.source}`,
    ),
    state: 'loaded',
  },
}

export const OfFormEmpty: Story = {
  args: { view: 'form', forms: '6025' },
  parameters: {
    backend: () => createFormBackend(ended),
    act: async (element: WfList) => {
      await loaded(element)
      const [state] = element.shadowRoot?.querySelectorAll('select') ?? []
      if (!state) throw new Error('There is no condition')
      state.value = 'DRAFT'
      state.dispatchEvent(new Event('change'))
      await loaded(element)
    },
    shows: new RegExp(
      `Show all This page knows of no request that meets these conditions and that you may view\\. ${known.source}`,
    ),
    state: 'empty',
  },
}

export const OfFormForbidden: Story = {
  args: { view: 'form', forms: '6025' },
  parameters: {
    backend: () => createFormBackend({}, people.initiator, {}, () => false),
    shows: /^This site does not let you list the requests of this form\. Ask the site owner\.$/,
    state: 'forbidden',
  },
}

export const WithoutLinks: Story = {
  args: { 'form-names': {}, 'detail-url': '', 'sign-url': '', 'inbox-url': '' },
  parameters: { shows: /Needs your signature Request 42 In routing .* 9:30 AM\.$/ },
}

export const Long: Story = {
  parameters: {
    backend: () => {
      const ids = Array.from({ length: 130 }, (_, place) => [100 + place, {}] as const)
      return createListBackend(people.firstApprover, Object.fromEntries(ids))
    },
    shows: /^Waiting for me 100\+ My requests .* Show more This page knows/,
  },
}

export const Empty: Story = {
  parameters: {
    backend: () => createListBackend(people.outsider),
    shows: new RegExp(
      `^Waiting for me My requests Nothing that this page knows of waits for you\\. ${known.source} Open the inbox`,
    ),
    state: 'empty',
  },
}

export const EmptyMine: Story = {
  args: { view: 'mine' },
  parameters: {
    backend: () => createListBackend(people.outsider),
    shows: /^This page knows of no request of yours\. This page knows requests since/,
    state: 'empty',
  },
}

export const OtherView: Story = {
  parameters: {
    backend: () => createListBackend(),
    act: async (element: WfList, backend: Backend) => {
      await loaded(element)
      // The other list is empty, so no service is asked.
      backend.send = () => never()
      element.shadowRoot?.querySelector<HTMLElement>('[aria-pressed=false]')?.click()
    },
    shows: /^Loading…$/,
    state: 'loading',
  },
}

export const Loading: Story = {
  parameters: {
    backend: () => {
      const backend = createListBackend()
      hang(backend)
      return backend
    },
    shows: /^Loading…$/,
    state: 'loading',
  },
}

export const Stale: Story = stale(/what was known at.*Try again.*Travel request 42/, () =>
  createListBackend(),
)

export const Failed: Story = {
  parameters: {
    backend: () =>
      createListBackend(
        people.initiator,
        {},
        { fetch: () => Promise.reject(new TypeError('No connection')) },
      ),
    shows: /^Requests: Couldn’t be loaded\. Try again$/,
    state: 'failed',
  },
}

export const NotKept: Story = {
  parameters: {
    backend: () => createBackend(),
    shows: /^This site keeps no lists of requests\.$/,
    state: 'missing',
  },
}

export const SignedOut: Story = {
  parameters: { backend: () => createListBackend(null), shows: /signed out/, state: 'signed-out' },
}

export const NoProxy: Story = common.noProxy

export const NotConfigured: Story = {
  args: { endpoint: '' },
  parameters: { backend: null, shows: /<wf-list> needs endpoint/, state: 'not-configured' },
}
