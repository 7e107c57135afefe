import type { Meta } from '@storybook/web-components-vite'
import { html } from 'lit'
import '../src/define/wf-attachments.ts'
import '../src/define/wf-form.ts'
import '../src/define/wf-route.ts'
import type { WfForm } from '../src/elements/wf-form/wf-form.ts'
import type { Policy } from '../src/proxy/rights/policy.ts'
import { type Backend, breakDown, createBackend, people } from './backend.ts'
import { after, tool, useOddRoute } from './routing.ts'
import { applyArgs, common, loaded, type Story } from './story.ts'

const meta: Meta = {
  title: 'Elements/wf-form',
  component: 'wf-form',
  args: { endpoint: '/api/wf', 'form-id': 6025 },
  parameters: { backend: () => withoutCopies() },
  render: (args, context) => html`
    <wf-form ${applyArgs(args, context)}>
      <form id="travel" action="/travel" method="post">
        <p>
          <label>Purpose <input name="purpose" required /></label>
        </p>
        <p>
          <label>Departure <input name="departure" type="date" required /></label>
        </p>
        <p>
          <label>Cost <input name="cost" data-kind="currency" inputmode="decimal" required /></label>
        </p>
        ${otherKeys.map((name) => html`<input type="hidden" name=${name} data-kind="text" />`)}
      </form>
      <p slot="actions">
        <button form="travel" value="PRE_ROUTING">Save</button>
        <button form="travel" value="ROUTING">Submit</button>
      </p>
    </wf-form>
  `,
}
export default meta

/** The service requires all keys of the form in a creation. */
const otherKeys = [
  'nights',
  'website',
  'contact',
  'notice',
  'traveler',
  'org',
  'department',
  'sub_department',
  'position',
]

const notConfirmed = /^No confirmation arrived, so this may or may not be saved\..*Check again/

export const NewRequest: Story = { parameters: { shows: /^$/, state: 'loaded' } }

export const Problems: Story = {
  parameters: {
    act: async (element: WfForm) => {
      await loaded(element)
      await element.submit()
    },
    shows: /^There is a problem Enter purpose\. Enter departure\. Enter cost\./,
  },
}

export const NotSavedYet: Story = {
  parameters: {
    act: (element: WfForm) => enter(element),
    shows: /^Kept in this browser at .+ Not saved yet\.$/,
  },
}

/** A new request from an earlier one. */
export const UsedAgain: Story = {
  args: { 'copy-from': 42 },
  parameters: {
    backend: () => {
      const backend = withoutCopies()
      backend.emulator.packages.test.get(42)!.attachments.push({
        ...{ id: 501, type: 1, fileName: 'itinerary.pdf', description: '', contentType: 'application/pdf' },
        ...{
          person: people.initiator,
          fileSize: 48_213,
          uploadTimestamp: '2026-11-16T09:40:00',
          object: 'seed',
        },
      })
      return backend
    },
    act: loaded,
    shows:
      /^Filled in from request 42\. .+ Not copied: Departure Upload these documents again: Itinerary: itinerary\.pdf/,
  },
}

/** The earlier request cannot be read. */
export const NotUsedAgain: Story = {
  args: { 'copy-from': 7 },
  parameters: {
    act: loaded,
    shows: /^The form is empty, because you may not read request 7 or it does not exist\.$/,
  },
}

/** The browser has kept something of this form. */
export const AskedBefore: Story = {
  parameters: {
    act: async (element: WfForm) => {
      await enter(element, { purpose: 'Field work' })
      const { parentNode: page } = element
      element.remove()
      element.copyFrom = 42
      page?.append(element)
    },
    shows: /^Fill in the form from request 42\? This replaces what you typed\. .+ Restored: /,
  },
}

/** The service does not save a draft without some fields. */
export const Unfinished: Story = {
  parameters: {
    act: async (element: WfForm) => {
      await enter(element, { purpose: 'Field work' })
      await element.save()
    },
    shows: /^Kept in this browser\. To save it with the service, also enter: Departure Cost /,
  },
}

/** A file in an input of the page, which has `data-attachment-type="itinerary"`. */
export const FileChosen: Story = {
  parameters: {
    act: (element: WfForm) => chooseFile(element, 'itinerary.pdf'),
    shows: /itinerary\.pdf .+ Uploaded when you save or submit\. .+ Remove$/,
  },
}

/** The type of attachment takes only PDF files. */
export const FileRefused: Story = {
  parameters: {
    act: async (element: WfForm) => {
      await chooseFile(element, 'itinerary.docx')
      await element.save()
    },
    shows: /^There is a problem “itinerary\.docx” was not uploaded\. .+ only PDF files are accepted\./,
  },
}

export const Saved: Story = {
  parameters: {
    act: async (element: WfForm) => {
      await enter(element)
      await element.save()
    },
    shows: /Saved at /,
  },
}

export const SavedWithAddress: Story = {
  args: { 'draft-url': 'https://northfield.test/travel/{packageId}' },
  parameters: {
    act: async (element: WfForm) => {
      await enter(element)
      await element.save()
    },
    shows: /^Saved at .+ as request 1000\. To continue on another computer, open: https:/,
  },
}

export const Review: Story = {
  args: { review: true },
  parameters: {
    act: async (element: WfForm) => {
      await enter(element)
      const route = document.createElement('wf-route')
      route.slot = 'review'
      element.append(route)
      await element.submit()
    },
    shows: /^Check your answers before you submit Purpose Field work Change Departure /,
  },
}

/** Before the submission, people see what the request lacks. */
export const ReviewWithGaps: Story = {
  args: { review: true },
  parameters: {
    backend: () => {
      const backend = withoutCopies()
      useOddRoute(backend)
      return backend
    },
    act: async (element: WfForm) => {
      await enter(element)
      await element.submit()
    },
    shows: /before the last signature: Receipt\..*Nobody is named at.*You approve your own request.*Submit/,
  },
}

export const UnknownOutcome: Story = {
  parameters: {
    act: async (element: WfForm, backend: Backend) => {
      await enter(element)
      breakDown(backend)
      await element.save()
    },
    shows: notConfirmed,
  },
}

export const Editing: Story = {
  args: { 'package-id': 42 },
  parameters: {
    backend: () => withoutCopies(people.firstApprover),
    shows: /^This request is in routing\. .+If you save a change, these people get an email about it: /,
    state: 'loaded',
  },
}

export const ReadOnly: Story = {
  args: { 'package-id': 42 },
  parameters: { shows: /^You can view this request, but not change it\.$/, state: 'loaded' },
}

/** The service refuses a request that was returned. */
export const Returned: Story = {
  args: { 'package-id': 42, 'resubmit-url': 'https://service.example.edu/{packageId}' },
  parameters: {
    backend: () => returned(withoutCopies()),
    act: async (element: WfForm) => {
      await loaded(element)
      await element.submit()
    },
    shows: /^Saved, but not submitted\. The service refused it\. .+ Submit it again in the service/,
    state: 'loaded',
  },
}

/** The service refuses to route a request that was withdrawn, and the policy allows to re-initiate it. */
export const Withdrawn: Story = {
  args: { 'package-id': 42 },
  parameters: {
    backend: () => {
      const policy: Policy = ({ operation }) => operation === 'reinitiatePackage'
      localStorage.clear()
      const backend = after((one) => tool(one, 'PUT', '/remove'), people.initiator, { policy })
      backend.emulator.specOptions.routeRemoved = 'refuse'
      return backend
    },
    act: async (element: WfForm) => {
      await loaded(element)
      await element.submit()
    },
    shows: /^Saved, but not submitted\. The service refused it\. .+ Try again Start again/,
    state: 'loaded',
  },
}

/** The site knows that the service refuses drafts that were in routing, so only "Save" can be pressed. */
export const SubmittedElsewhere: Story = {
  args: { 'package-id': 42, 'resubmit-url': 'https://service.example.edu/{packageId}' },
  parameters: {
    backend: () => {
      localStorage.clear()
      return returned(createBackend(undefined, {}, undefined, {}, { resubmit: 'link' }))
    },
    shows: /^This draft can only be submitted in the service itself\. Submit it in the service/,
    state: 'loaded',
  },
}

export const Forbidden: Story = { ...common.forbidden, args: { 'package-id': 42 } }

export const NotFound: Story = common.notFound

export const SignedOut: Story = {
  args: { 'sign-in-url': '#sign-in-{returnUrl}' },
  parameters: { ...common.signedOut.parameters, shows: /^You are signed out\. Sign in/ },
}

export const Failed: Story = { ...common.failed, args: { 'package-id': 42 } }

export const NoProxy: Story = common.noProxy

export const NotConfigured: Story = {
  args: { endpoint: '', 'form-id': undefined },
  parameters: { backend: null, shows: /<wf-form> needs endpoint, form-id/, state: 'not-configured' },
}

/** Creates a backend, without what an earlier story has left in the browser. */
function withoutCopies(person: string = people.initiator): Backend {
  localStorage.clear()
  return createBackend(person)
}

/** Has the request come back to its initiator. */
function returned(backend: Backend): Backend {
  Object.assign(backend.emulator.packages.test.get(42)!, { state: 'DRAFT', inbox: [] })
  return backend
}

/** Enters a travel request, as a person does. */
async function enter(
  element: WfForm,
  values: Readonly<Record<string, string>> = { purpose: 'Field work', departure: '2027-03-01', cost: '1250' },
): Promise<void> {
  await loaded(element)
  await element.updateComplete
  for (const [name, value] of Object.entries(values)) {
    const input = element.querySelector<HTMLInputElement>(`[name=${name}]`)
    if (!input) continue
    input.value = value
    input.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }
}

/** Enters a travel request, and chooses a file in an input that it adds to the form. */
async function chooseFile(element: WfForm, name: string): Promise<void> {
  await enter(element)
  const row = document.createElement('p')
  const label = document.createElement('label')
  const input = Object.assign(document.createElement('input'), { type: 'file', name: 'file' })
  input.dataset['attachmentType'] = 'itinerary'
  label.append('Itinerary ', input)
  row.append(label)
  element.querySelector('form')!.append(row)
  const chosen = new DataTransfer()
  chosen.items.add(new File(['x'.repeat(48_213)], name))
  input.files = chosen.files
  input.focus()
  input.dispatchEvent(new Event('change', { bubbles: true }))
}
