import type { Meta, StoryObj } from '@storybook/web-components-vite'
import { html } from 'lit'
import '../src/define/wf-comments.ts'
import { createBackend, people } from './backend.ts'

const meta: Meta = { title: 'wf-comments', component: 'wf-comments' }
export default meta

export const Thread: StoryObj = { render: () => show(withComments(4)) }

export const WithSearch: StoryObj = { render: () => show(withComments(9)) }

export const Long: StoryObj = {
  render: () => show(withComments(1, { comment: 'I read all of it again. '.repeat(80) })),
}

export const TwoThousand: StoryObj = { render: () => show(withComments(2000)) }

export const Empty: StoryObj = { render: () => show(createBackend()) }

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
    const backend = withComments(2, {}, { interval: 500 })
    setTimeout(() => {
      backend.intercept = () => Promise.reject(new TypeError('The emulator is down'))
    }, 250)
    return show(backend)
  },
}

export const NotConfigured: StoryObj = { render: () => html`<wf-comments></wf-comments>` }

const texts = [
  'The hotel costs more than the grant allows. Can this be taken from the travel fund?',
  'Yes: up to $400 a night.\nI have noted it in the budget.',
  'Not for the initiator: last year’s report is still missing.',
  'Posted by mistake.',
]

/** A package with this many comments, by turns of everyone, for approvers only, and inactive. */
function withComments(
  number: number,
  change: { readonly comment?: string } = {},
  options: Parameters<typeof createBackend>[1] = {},
) {
  const backend = createBackend(people.firstApprover, options)
  const authors = [people.firstApprover, people.initiator, people.secondApprover]
  for (let index = 0; index < number; index++) {
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

function show({ client }: ReturnType<typeof createBackend>, packageId = 42) {
  return html`<wf-comments .client=${client} form-id="6025" package-id=${packageId}></wf-comments>`
}
