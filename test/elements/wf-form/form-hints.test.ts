import { expect } from '@open-wc/testing'
import type { FormContent } from '../../../src/elements/wf-form/state/form-content.ts'
import { type HintsView, lockOf, renderHints } from '../../../src/elements/wf-form/fields/form-hints.ts'
import { common } from '../../../src/locales/en.ts'
import { textsOf } from '../texts.ts'
import { markup, rendered } from './markup.ts'

/** A new request that has loaded, and that the person has not changed. */
const calm: HintsView = {
  element: document.createElement('wf-form'),
  texts: {
    common: textsOf(common),
    language: 'en',
    timeOf: (time) => `${time} o'clock`,
  },
  content: undefined,
  restoredAt: undefined,
  isContinued: false,
  submittedAt: undefined,
  packageId: 0,
  url: undefined,
  resubmitUrl: undefined,
  isReadOnly: false,
  fields: { submits: true, chosenFiles: [] },
  keeper: undefined,
  notify: '',
  isBusy: false,
  onDiscard: () => {},
  onStartNew: () => {},
}

const shown = (view: Partial<HintsView>) => rendered(renderHints({ ...calm, ...view }))

const hint = (text: string, label: string) =>
  `<div class="notice" part="restored"><p>${text}</p>` +
  `<button type="button" aria-disabled="false">${label}</button></div>`

const readOnly = 'You can view this request, but not change it.'
const restored = hint("Restored: what you typed until 5 o'clock. It is not saved yet.", 'Discard it')

/** A request in a state, and what the proxy says of requests that were returned. */
const inState = (state: string, resubmit: 'ask' | 'link' = 'ask') =>
  ({
    session: { allows: { resubmit } },
    found: { id: 42, state },
    actions: { inboxSignatures: [{ approver: 'Ana' }] },
  }) as unknown as FormContent

describe('renderHints()', () => {
  it('renders nothing if there is nothing to know', () => {
    expect(markup(shown({}))).to.equal('')
    expect(markup(shown({ content: inState('PRE_ROUTING') }))).to.equal('')
  })

  it('says that the screen shows an earlier draft, or that the person may not change it', () => {
    expect(markup(shown({ isContinued: true }))).to.equal(
      hint('You are continuing the draft that you saved as request 0.', 'Start a new request'),
    )
    expect(markup(shown({ isContinued: true, isReadOnly: true }))).to.equal(
      hint(readOnly, 'Start a new request'),
    )
    expect(markup(shown({ isReadOnly: true }))).to.equal(`<p part="read-only">${readOnly}</p>`)
    expect(markup(shown({ restoredAt: 5, isContinued: true, isReadOnly: true }))).to.equal(restored)
  })

  it('links the draft and the submitted request to their pages', () => {
    const url = '/requests/42'
    const linked = (text: string) => hint(`<a href="/requests/42">${text}</a>`, 'Start a new request')
    expect(markup(shown({ isContinued: true, packageId: 42, url }))).to.equal(
      linked('You are continuing the draft that you saved as request 42.'),
    )
    expect(
      markup(shown({ isContinued: true, packageId: 42, url, submittedAt: 5, isReadOnly: true })),
    ).to.equal(linked("You submitted this at 5 o'clock as request 42."))
  })

  it('names the files that the browser could not keep, until one is chosen', () => {
    const keeper = { lostFiles: ['a.pdf', 'b.pdf'] }
    const text = 'Browsers cannot keep files. Choose again: a.pdf, b.pdf.'
    expect(markup(shown({ keeper }))).to.equal(`<p part="upload-again">${text}</p>`)
    expect(markup(shown({ keeper, fields: { submits: true, chosenFiles: ['c.pdf'] } }))).to.equal('')
  })

  it('says why a request can be saved, but not submitted', () => {
    const why = (text: string) => `<p part="not-submitted">${text}</p>`
    const routed = why('This request is in routing. Changes are saved, but it is not submitted again.')
    const mail = '<p part="mail">If you save a change, these people get an email about it: Ana.</p>'
    expect(markup(shown({ content: inState('ROUTING'), restoredAt: 5 }))).to.equal(restored + routed + mail)
    expect(markup(shown({ content: inState('DRAFT') })), 'the service is asked').to.equal('')
    expect(
      markup(shown({ content: inState('ROUTING'), fields: { submits: false, chosenFiles: [] } })),
    ).to.equal(mail)
    const content = inState('DRAFT', 'link')
    const elsewhere = 'This draft can only be submitted in the service itself.'
    expect(markup(shown({ content }))).to.equal(why(elsewhere))
    expect(markup(shown({ content, resubmitUrl: '/service/42' }))).to.equal(
      why(`${elsewhere}<a href="/service/42">Submit it in the service</a>`),
    )
    expect(markup(shown({ content, isReadOnly: true })), 'it cannot be saved either').to.equal(
      `<p part="read-only">${readOnly}</p>`,
    )
  })

  it('calls what belongs to each button, unless something is being sent', () => {
    const calls: string[] = []
    const view = { onDiscard: () => calls.push('discard'), onStartNew: () => calls.push('start new') }
    for (const isBusy of [true, false])
      for (const state of [{ restoredAt: 5 }, { isContinued: true }]) {
        const button = shown({ ...view, ...state, isBusy }).querySelector('button')!
        expect(button.ariaDisabled).to.equal(`${isBusy}`)
        button.click()
        expect(calls).to.have.length(isBusy ? 0 : calls.length)
      }
    expect(calls).to.deep.equal(['discard', 'start new'])
  })
})

describe('lockOf()', () => {
  it('locks what cannot be done', () => {
    const locks = (isReadOnly: boolean) =>
      [
        undefined,
        inState('PRE_ROUTING', 'link'),
        inState('DRAFT'),
        inState('DRAFT', 'link'),
        inState('ROUTING'),
      ].map((content) => lockOf(content, isReadOnly))
    expect(locks(false)).to.deep.equal(['none', 'none', 'none', 'submit', 'submit'])
    expect(new Set(locks(true))).to.deep.equal(new Set(['all']))
  })
})
