import type { Meta } from '@storybook/web-components-vite'
import { html } from 'lit'
import '../src/define/wf-comments.ts'
import type { WfComments } from '../src/elements/wf-comments/wf-comments.ts'
import { type Backend, createBackend, people } from './backend.ts'
import { rendered } from './settled.ts'
import { package42, busy, common, applyArgs, stale, type Story } from './story.ts'

const meta: Meta = {
  title: 'Elements/wf-comments',
  component: 'wf-comments',
  args: package42,
  render: (args, context) => html`<wf-comments ${applyArgs(args, context)}></wf-comments>`,
}
export default meta

export const Thread: Story = {
  parameters: {
    backend: () => withComments(4),
    shows: /Hide inactive \(1\) DR Daniel Reyes Approver, stop 1 Nov 16, 2026.*Approvers only.*Inactive/,
  },
}

export const New: Story = {
  parameters: {
    backend: () => withComments(2),
    act: async (element: WfComments, backend: Backend) => {
      while (!element.shadowRoot?.querySelector('.initials')) await rendered()
      backend.emulator.packages.test.get(42)?.comments.push({
        id: 9100,
        comment: 'The travel fund pays it.',
        approversOnly: false,
        createdAt: '2026-11-17T11:30:00',
        person: people.secondApprover,
        state: 'ACTIVE',
      })
      await element.refresh()
    },
    shows: /Initiator Nov 16.*Mei-Ling Zhou New Nov 17/,
  },
}

export const WithSearch: Story = {
  parameters: { backend: () => withComments(9), shows: /Search comments 9 of 9 Hide inactive/ },
}

export const Long: Story = {
  parameters: {
    backend: () => withComments(1, { comment: 'I read all of it again. '.repeat(80) }),
    shows: /… Show more$/,
  },
}

export const Empty: Story = { parameters: { shows: /^No comments yet\.$/, state: 'empty' } }

export const Forbidden = common.forbidden

export const SignedOut = common.signedOut

export const NotFound = common.notFound

export const NoProxy = common.noProxy

export const Loading = common.loading

export const Failed = common.failed

export const Stale = stale(/what was known at.*Try again.*grant allows/, () => withComments(2))

export const Busy = busy(/grant allows/, () => withComments(2))

export const NotConfigured = common.notConfigured

const texts = [
  'The hotel costs more than the grant allows. Can this be taken from the travel fund?',
  'Yes: up to $400 a night.\nI have noted it in the budget.',
  'Not for the initiator: last year’s report is still missing.',
  'Posted by mistake.',
]

/** Creates a backend with a number of comments: for everyone, for approvers only, and inactive, by turns. */
function withComments(count: number, change: { readonly comment?: string } = {}) {
  const backend = createBackend(people.firstApprover)
  const authors = [people.firstApprover, people.initiator, people.secondApprover]
  for (let index = 0; index < count; index++) {
    backend.emulator.packages.test.get(42)?.comments.push({
      id: 9000 + index,
      comment: texts[index % texts.length] ?? '',
      approversOnly: index % texts.length === 2,
      createdAt: `2026-11-16T${String(10 + Math.floor(index / 600)).padStart(2, '0')}:${String(Math.floor(index / 10) % 60).padStart(2, '0')}:00`,
      person: authors[index % authors.length] ?? '',
      state: index % texts.length === 3 ? 'INACTIVE' : 'ACTIVE',
      ...change,
    })
  }
  return backend
}
