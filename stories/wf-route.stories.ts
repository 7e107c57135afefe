import type { Meta } from '@storybook/web-components-vite'
import { html } from 'lit'
import '../src/define/wf-office.ts'
import '../src/define/wf-route.ts'
import type { WfRoute } from '../src/elements/wf-route/wf-route.ts'
import { type Backend, createBackend, people } from './backend.ts'
import { sign } from './routing.ts'
import { applyArgs, busy, common, loaded, package42, stale, type Story } from './story.ts'

const meta: Meta = {
  title: 'Elements/wf-route',
  component: 'wf-route',
  args: { endpoint: '/api/wf', 'form-id': 6025 },
  render: (args, context) => html`<wf-route ${applyArgs(args, context)}></wf-route>`,
}
export default meta

export const UsualRoute: Story = {
  args: { office: '11-0420' },
  parameters: {
    shows:
      /^Usual route for Biology \(11-0420\) .*Daniel Reyes must sign.*No signature needed Ruth Lindqvist/,
  },
}

export const FollowsTheForm: Story = {
  args: { 'office-name': 'department' },
  render: (args, context) => html`
    <form>
      <label>Office <wf-office name="department" value="11-0420"></wf-office></label>
      <wf-route ${applyArgs(args, context)}></wf-route>
    </form>
  `,
  parameters: { shows: /Biology Usual route for Biology \(11-0420\)/ },
}

export const OwnRequest: Story = {
  args: { office: '11-0420-0010' },
  parameters: { shows: /You approve your own request at “Laboratory”\./ },
}

export const NobodyInRole: Story = {
  args: { office: '11-0430' },
  parameters: { shows: /Nobody is named at “Department”.*Nobody at present must sign Chair of Chemistry/ },
}

export const NoOffice: Story = {
  parameters: { shows: /^Choose an office to see its usual route\.$/, state: 'empty' },
}

export const NoUsualRoute: Story = {
  args: { office: '05-0100' },
  parameters: { shows: /^No usual route was found for 05-0100\. You can still submit/, state: 'empty' },
}

export const SubTypeMissing: Story = {
  args: { 'form-id': 6026, office: '11-0420' },
  parameters: {
    backend: () => createBackend(people.initiator, {}, [6026]),
    shows: /^The route may depend on the type of the request\. Choose the type to see it\./,
    state: 'empty',
  },
}

export const WithSubType: Story = {
  args: { 'form-id': 6026, office: '11-0420', 'sub-type': 'FOREIGN' },
  parameters: {
    backend: () => createBackend(people.initiator, {}, [6026]),
    shows: /^Usual route for Biology \(11-0420\)/,
  },
}

export const SavedDraft: Story = {
  parameters: { act: showDraft, shows: /^Calculated at .* from the saved data .*Daniel Reyes must sign/ },
}

export const Outdated: Story = {
  render: (args, context) => html`
    <form>
      <label>Purpose <input name="purpose" /></label>
      <wf-route ${applyArgs(args, context)}></wf-route>
    </form>
  `,
  parameters: {
    act: async (element: WfRoute, backend: Backend) => {
      await showDraft(element, backend)
      element.closest('form')?.elements[0]?.dispatchEvent(new InputEvent('input', { bubbles: true }))
    },
    shows: /^The data has changed since\. Save it to calculate the route again\./,
    state: 'stale',
  },
}

export const AsPredicted: Story = {
  parameters: {
    act: async (element: WfRoute, backend: Backend) => {
      await showDraft(element, backend)
      await submit(element, backend)
    },
    shows: /The route so far, and what is still to come As calculated on/,
  },
}

export const OtherThanPredicted: Story = {
  parameters: {
    act: async (element: WfRoute, backend: Backend) => {
      await showDraft(element, backend)
      Object.assign(backend.emulator.offices.get('05-0333')?.roles ?? {}, { Dean: people.administrator })
      await submit(element, backend)
    },
    shows: /Differs from what was calculated on .*Mei-Ling Zhou expected, Priya Raman on the route/,
  },
}

export const InRouting: Story = {
  args: package42,
  parameters: {
    act: async (element: WfRoute, backend: Backend) => {
      await loaded(element)
      await sign(backend, people.firstApprover)
      await element.refresh()
    },
    shows: /Daniel Reyes signed.*Mei-Ling Zhou must sign/,
  },
}

export const Forbidden: Story = { args: package42, ...common.forbidden }

export const SignedOut: Story = { args: package42, ...common.signedOut }

export const NotFound: Story = { ...common.notFound, args: { ...package42, ...common.notFound.args } }

export const NoProxy: Story = { args: package42, ...common.noProxy }

export const Loading: Story = { args: package42, ...common.loading }

export const Failed: Story = { args: { office: '11-0420' }, ...common.failed }

export const Stale: Story = { args: package42, ...stale(/what was known at.*Try again.*Daniel Reyes/) }

export const Busy: Story = { args: package42, ...busy(/Daniel Reyes/) }

export const NotConfigured: Story = {
  args: { endpoint: '', 'form-id': undefined },
  parameters: { backend: null, shows: /<wf-route> needs endpoint, form-id/, state: 'not-configured' },
}

/** Creates a package that has not been submitted, and shows it. */
async function showDraft(element: WfRoute, { other }: Backend): Promise<void> {
  const names =
    'purpose departure website contact nights cost notice traveler org department sub_department position'
  const given = { purpose: 'Fieldwork', departure: '2027-05-14', cost: 1250.5 }
  const entry = { ...Object.fromEntries(names.split(' ').map((name) => [name, null])), ...given }
  const { id } = await other.createPackage({
    params: { formId: 6025 },
    body: { state: 'PRE_ROUTING', entry },
  })
  const shown = loaded(element)
  element.packageId = id
  await shown
}

async function submit(element: WfRoute, { other }: Backend): Promise<void> {
  const { packageId } = element
  await other.routePackage({ params: { formId: 6025, packageId }, body: { state: 'ROUTING' } })
  await element.refresh()
}
