import { expect } from '@open-wc/testing'
import { html, nothing } from 'lit'
import { RefusedError, SignedOutError, UnavailableError } from '../../../src/client/index.ts'
import { UnknownOutcomeError } from '../../../src/elements/wf-form/state/carry-out.ts'
import { type OutcomeOptions, renderOutcome } from '../../../src/elements/wf-form/sending/form-notices.ts'
import { common } from '../../../src/locales/en.ts'
import { form } from '../../../src/locales/en-form.ts'
import { formHints } from '../../../src/locales/en-form-hints.ts'
import { formOutcome } from '../../../src/locales/en-form-outcome.ts'
import { textsOf } from '../texts.ts'
import { markup, rendered } from './markup.ts'

const options: OutcomeOptions = {
  messages: textsOf(form),
  common: textsOf(common),
  reasons: textsOf(formOutcome),
  hints: textsOf(formHints),
  language: 'en',
  timeOf: (time) => `${time} o'clock`,
  signIn: html`<a href="/login">Sign in</a>`,
  outcome: undefined,
  mayStartOver: false,
  resubmitUrl: undefined,
  labelOf: (name) => `Label of ${name}`,
  onAgain: () => {},
  onStartOver: () => {},
  onReinitiate: () => {},
  onChoose: () => {},
  onCancel: () => {},
}

const show = (more: Partial<OutcomeOptions>) => rendered(renderOutcome({ ...options, ...more }))

const problem = (text: string, ...buttons: readonly string[]) =>
  `<div class="notice problem" part="problem" role="alert" tabindex="-1"><p>${text}</p>` +
  buttons.map((label) => `<button type="button">${label}</button>`).join('') +
  '</div>'

const failed = (error: unknown, isSaved = false) => ({ kind: 'failed', error, isSaved }) as const

describe('renderOutcome()', () => {
  it('renders nothing if nothing kept the attempt from succeeding', () => {
    for (const outcome of [undefined, { kind: 'saved', at: 1 }, { kind: 'submitted', at: 1 }] as const)
      expect(renderOutcome({ ...options, outcome })).to.equal(nothing)
  })

  it('says that another tab sends it, and offers another attempt', () => {
    let attempts = 0
    const shown = show({ outcome: { kind: 'elsewhere' }, onAgain: () => attempts++ })
    expect(markup(shown)).to.equal(
      problem('<strong>This request is being sent from another tab. Look there first.</strong>', 'Try again'),
    )
    shown.querySelector('button')!.click()
    expect(attempts).to.equal(1)
  })

  it('says where a draft can be submitted, with the reason of the service and without a button', () => {
    const outcome = { kind: 'resubmit', isReturned: true, isRefused: false } as const
    const refused = { ...outcome, isRefused: true, detail: 'Too late' } as const
    const resubmitUrl = 'https://service.example.edu/42'
    const link = (text: string) => `<a href="${resubmitUrl}">${text}</a>`
    const saved = '<strong>Saved, but not submitted.</strong>'
    const rows = [
      [
        { outcome },
        `${saved}A request that was returned to you can only be submitted again in the service itself.`,
      ],
      [
        { outcome: { ...outcome, isReturned: false } },
        `${saved}This draft can only be submitted in the service itself.`,
      ],
      [{ outcome, resubmitUrl }, saved + link('Submit it again in the service')],
      [
        { outcome: { ...refused, isReturned: false }, resubmitUrl },
        '<strong>Saved, but not submitted. The service refused it.</strong><bdi lang="en">Too late</bdi>' +
          link('Submit it in the service'),
      ],
    ] as const
    for (const [given, text] of rows) expect(markup(show(given))).to.equal(problem(text))
  })

  it('says why an attempt failed, with the reason of the service in English', () => {
    const refused = new RefusedError('a', 409, { detail: 'Too late', refusedBy: 'service' })
    expect(markup(show({ outcome: failed(refused, true) }))).to.equal(
      problem(
        '<strong>Saved, but not submitted. The service refused it.</strong><bdi lang="en">Too late</bdi>',
        'Try again',
      ),
    )
    expect(markup(show({ outcome: failed(new UnavailableError('a', 'b')) }))).to.equal(
      problem('<strong>Not saved. The service could not be reached. Try again.</strong>', 'Try again'),
    )
  })

  it('links to the page where people sign in if they are signed out', () => {
    expect(markup(show({ outcome: failed(new SignedOutError('a', 'b')) }))).to.equal(
      problem(
        '<strong>Not saved. You are signed out. Open another tab to sign in, then try again. What you typed stays ' +
          'here.</strong><a href="/login">Sign in</a>',
        'Try again',
      ),
    )
  })

  it('offers to check again if the outcome is unknown, and to start over if nothing may exist yet', () => {
    const calls: string[] = []
    const outcome = failed(new UnknownOutcomeError(new UnavailableError('a', 'b')))
    const text = '<strong>No confirmation arrived, so this may or may not be saved.</strong>'
    expect(markup(show({ outcome }))).to.equal(problem(text, 'Check again'))
    const shown = show({
      outcome,
      mayStartOver: true,
      onAgain: () => calls.push('again'),
      onStartOver: () => calls.push('start over'),
    })
    expect(markup(shown)).to.equal(
      problem(
        `${text}<span class="detail">If the first draft exists, it stays in the service, and nobody gets it.</span>`,
        'Check again',
        'Save as a new draft',
      ),
    )
    for (const button of shown.querySelectorAll('button')) button.click()
    expect(calls).to.deep.equal(['again', 'start over'])
  })

  it('offers to start a withdrawn request again if that is possible (3.3)', () => {
    const calls: string[] = []
    const error = new RefusedError('routePackage', 409, { refusedBy: 'service' })
    const outcome = { kind: 'failed', error, isSaved: true } as const
    const text = '<strong>Saved, but not submitted. The service refused it.</strong>'
    expect(markup(show({ outcome }))).to.equal(problem(text, 'Try again'))
    const shown = show({
      outcome: { ...outcome, mayReinitiate: true },
      onReinitiate: () => calls.push('re-initiate'),
    })
    expect(markup(shown)).to.equal(problem(text, 'Try again', 'Start again'))
    shown.querySelectorAll('button')[1]!.click()
    expect(calls).to.deep.equal(['re-initiate'])
  })
})

describe('renderOutcome() of a conflict', () => {
  const outcome = {
    kind: 'conflict',
    conflicts: [
      { name: 'purpose', mine: 'Mine', theirs: '' },
      { name: 'nights', mine: null, theirs: 3 },
      { name: 'list', mine: ['a'], theirs: undefined },
    ],
    theirs: {},
  } as const

  it('renders both values of each field, and the choices', () => {
    const field = (index: number, label: string, mine: string, theirs: string) =>
      `<fieldset><legend>${label}</legend>` +
      `<label><input type="radio" required="" name="${index}" value="mine">` +
      `<span>What you entered:<bdi>${mine}</bdi></span></label>` +
      `<label><input type="radio" required="" name="${index}" value="theirs">` +
      `<span>What is saved now:<bdi>${theirs}</bdi></span></label></fieldset>`
    expect(markup(show({ outcome }))).to.equal(
      '<form class="notice" part="conflicts" tabindex="-1">' +
        '<p>Somebody else changed this too. Choose what to keep.</p>' +
        field(0, 'Label of purpose', 'Mine', 'Nothing') +
        field(1, 'Label of nights', 'Nothing', '3') +
        field(2, 'Label of list', '["a"]', 'Nothing') +
        '<div class="buttons"><button type="submit" class="solid">Save these values</button>' +
        '<button type="button">Cancel</button></div></form>',
    )
  })

  it('returns the choice for each field, and asks for all of them', () => {
    const calls: unknown[] = []
    const shown = show({
      outcome,
      onChoose: (choices) => calls.push(choices),
      onCancel: () => calls.push('cancel'),
    })
    document.body.append(shown)
    const [keep, cancel] = shown.querySelectorAll<HTMLElement>('button')
    const choose = (index: number, side: string) =>
      shown.querySelector<HTMLElement>(`[name="${index}"][value=${side}]`)!.click()
    choose(0, 'theirs')
    choose(1, 'mine')
    keep!.click()
    expect(calls, 'one is not chosen yet').to.deep.equal([])
    choose(2, 'theirs')
    keep!.click()
    cancel!.click()
    shown.remove()
    expect(calls).to.deep.equal([{ purpose: 'theirs', nights: 'mine', list: 'theirs' }, 'cancel'])
  })
})
