import type { Meta } from '@storybook/web-components-vite'
import { html } from 'lit'
import '../src/define/wf-package-status.ts'
import type { PackageState } from '../src/contract/values/values.ts'
import { addLanguage } from '../src/elements/text/added-languages.ts'
import type { WfPackageStatus } from '../src/elements/wf-package-status/wf-package-status.ts'
import * as spanish from '../src/locales/es.ts'
import { type Backend, createBackend, people } from './backend.ts'
import { createReminderBackend } from './listed-requests.ts'
import { inState } from './package-state.ts'
import {
  after,
  freeze,
  hold,
  receipt,
  releasing,
  returnIt,
  sign,
  skipToEnd,
  tool,
  useOddRoute,
  voidPackage,
} from './routing.ts'
import { package42, busy, common, applyArgs, loaded, stale, type Story } from './story.ts'

const meta: Meta = {
  title: 'Elements/wf-package-status',
  component: 'wf-package-status',
  args: package42,
  render: (args, context) => html`<wf-package-status ${applyArgs(args, context)}></wf-package-status>`,
}
export default meta

export const InRouting: Story = {
  parameters: { backend: () => createBackend(people.secondApprover), shows: /In routing.*Daniel Reyes/ },
}

export const MayVoid: Story = {
  parameters: { backend: () => createBackend(people.initiator), shows: /In routing.*Void…/ },
}

/** The policy lets initiators have the approvers reminded. */
export const Reminded: Story = {
  parameters: {
    backend: () => createReminderBackend(),
    act: async (element: WfPackageStatus, { other }: Backend) => {
      await loaded(element)
      await other.sendReminder({ params: { formId: 6025, packageId: 42 }, body: {} })
      await element.refresh()
    },
    shows: /In routing.*Remind… Reminded .+, 1 of 5$/,
  },
}

export const Draft: Story = {
  parameters: {
    backend: () => inState('DRAFT', { history: [] }),
    shows: /Draft.*Waiting for Amara Okafor Must submit it/,
  },
}

export const ReturnedToTheInitiator: Story = {
  args: { 'edit-url': '#edit-{packageId}' },
  parameters: {
    backend: () => after(returnIt, people.initiator),
    shows: /Draft.*submit it again.*Returned by Priya Raman.*Add the.*Edit and submit/,
  },
}

export const ReturnedWithoutEditUrl: Story = {
  parameters: {
    backend: () => after(returnIt, people.initiator),
    shows: /Returned by Priya Raman.*Edit and submit it on the page where you filled it in/,
  },
}

export const LacksARequiredDocument: Story = {
  parameters: { backend: () => after(skipToEnd), shows: /Waiting for Receipt Required document/ },
}

export const HeldByAnApplication: Story = {
  parameters: { backend: () => after(hold), shows: /Waiting for release at “College”/ },
}

export const FrozenByACallback: Story = {
  parameters: {
    backend: () => after(freeze, people.initiator),
    shows: /Waiting for release at “College”.*Paused at stop 2, College, since/,
  },
}

export const FrozenAndMayContinue: Story = {
  parameters: {
    backend: () => after(freeze, people.administrator, releasing),
    shows: /Paused at stop 2, College, since.*Let it continue/,
  },
}

export const WaitsForNobody: Story = {
  parameters: {
    backend: () =>
      after(async (backend) => {
        await skipToEnd(backend)
        backend.emulator.packages.test.get(42)?.attachments.push(receipt)
      }),
    shows: /Waiting for nobody.*We don’t know why/,
  },
}

export const NotInRouting: Story = {
  parameters: {
    backend: () => inState('PRE_ROUTING', { history: [] }),
    shows: /Not in routing.*Routing has not started/,
  },
}

export const Complete: Story = {
  parameters: {
    backend: () =>
      after(async (backend) => {
        backend.emulator.packages.test.get(42)?.attachments.push(receipt)
        await sign(backend, people.firstApprover)
        await sign(backend, people.secondApprover)
      }),
    shows: /Complete Test Approved on/,
  },
}

export const Void: Story = {
  parameters: {
    backend: () => after(voidPackage),
    shows: /Void Test Voided by Priya Raman.*Reason Incorrect form/,
  },
}

export const UnknownState: Story = {
  parameters: { backend: () => inState('ON_HOLD' as PackageState), shows: /On hold/ },
}

export const MaySign: Story = {
  args: { 'sign-url': '#sign-{signatureId}' },
  parameters: {
    backend: () => createBackend(people.firstApprover),
    shows: /In routing Test Waiting for you Must sign.*Sign Download PDF… Void…/,
  },
}

/** The last person who must sign. A document is missing without which the service may refuse the signature. */
export const LastSignatureLacksADocument: Story = {
  args: { 'sign-url': '#sign-{signatureId}' },
  parameters: {
    backend: () => after((backend) => sign(backend, people.firstApprover), people.secondApprover),
    shows: /Waiting for you.*Sign.*The service may refuse your signature until Receipt is uploaded\./,
  },
}

/** An approver may sign and edit. The application has described the package. */
export const MayEdit: Story = {
  args: { 'sign-url': '#sign-{signatureId}', 'edit-url': '#edit-{packageId}' },
  parameters: {
    backend: () => {
      const backend = createBackend(people.firstApprover)
      backend.emulator.packages.test.get(42)!.packageDetails =
        '<p>Conference in <b>Lisbon</b>, see <a href="https://example.edu/conference">the programme</a>.</p>' +
        '<ul><li>Train: 120.00 EUR</li><li>Hotel: 300.00 EUR</li></ul>'
      return backend
    },
    shows: /In routing.*Details Conference in Lisbon, see the programme.*Sign Edit/,
  },
}

export const ManyActions: Story = {
  parameters: { backend: () => createBackend(people.administrator), shows: /In routing.*Actions/ },
}

export const Removed: Story = {
  parameters: {
    backend: () => after((backend) => tool(backend, 'PUT', '/remove')),
    shows: /Not in routing.*Removed from routing by Priya Raman.*Re-initiate…/,
  },
}

export const StartRouting: Story = {
  parameters: {
    backend: () => inState('PRE_ROUTING', {}, people.initiator),
    shows: /Not in routing.*Start routing…/,
  },
}

/** The route has a stop without anybody, and another at which the initiator approves. */
export const StartsAnOddRoute: Story = {
  parameters: {
    backend: () => {
      const backend = inState('PRE_ROUTING', { history: [], position: [0, -1] }, people.initiator)
      useOddRoute(backend)
      return backend
    },
    shows:
      /Start routing….*before the last signature: Receipt.*Nobody is named.*You approve your own request/,
  },
}

/** What is missing before a signature could not be read. */
export const CouldNotBeChecked: Story = {
  args: { 'sign-url': '#sign-{signatureId}' },
  parameters: {
    backend: () => {
      const backend = createBackend(people.firstApprover)
      backend.intercept = ({ url }) =>
        url.endsWith('/attachments/types') ? Promise.reject(new TypeError('down')) : undefined
      return backend
    },
    shows: /Waiting for you.*Whether a document is missing could not be checked\./,
  },
}

/** A language that the page adds, without the state "In routing". English replaces what is missing. */
export const MissingWords: Story = {
  render: (args, context) => {
    const { states, ...others } = spanish.packageStatus
    const { ROUTING: _, ...known } = states
    const packageStatus = { ...others, states: known }
    addLanguage('eo', { ...spanish, packageStatus } as unknown as typeof spanish)
    return html`<div lang="eo"><wf-package-status ${applyArgs(args, context)}></wf-package-status></div>`
  },
  parameters: { shows: /In routing.*A la espera de Daniel Reyes/ },
}

export const Forbidden = common.forbidden

export const SignedOut = common.signedOut

export const NotFound = common.notFound

export const NoProxy = common.noProxy

export const Loading = common.loading

export const Failed = common.failed

export const Stale = stale(/what was known at.*Try again.*In routing/)

export const Busy = busy(/In routing/)

export const NotConfigured = common.notConfigured
