import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  ForbiddenError,
  NoProxyError,
  NotFoundError,
  RefusedError,
  SignedOutError,
  UnavailableError,
} from '../../../src/client/index.ts'
import type { Package } from '../../../src/contract/schemas/workflow.ts'
import { UnknownOutcomeError } from '../../../src/elements/wf-form/state/carry-out.ts'
import { failureOf } from '../../../src/elements/wf-form/state/failure.ts'
import type { FormDraft } from '../../../src/elements/wf-form/draft/form-draft.ts'
import {
  type FormTexts,
  loadErrorText,
  statusText,
  timeText,
} from '../../../src/elements/wf-form/state/form-texts.ts'
import { type AttemptOutcome, RequestState } from '../../../src/elements/wf-form/state/request-state.ts'
import { common } from '../../../src/locales/en.ts'
import { formOutcome } from '../../../src/locales/en-form-outcome.ts'
import { form } from '../../../src/locales/en-form.ts'
import { textsOf } from '../texts.ts'

const texts: FormTexts = {
  messages: textsOf(form),
  common: textsOf(common),
  language: 'en',
  timeOf: (time) => `${time} o'clock`,
  signIn: undefined,
}

const signedOut = new SignedOutError('getEntry', 'needs a session')

describe('statusText()', () => {
  const textOf = (state: object, draft: Partial<FormDraft> = {}) =>
    statusText(Object.assign(new RequestState(), state), draft as FormDraft, texts)

  it('states what is being done, whatever was before', () => {
    const outcome: AttemptOutcome = { kind: 'saved', at: 3 }
    assert.equal(textOf({ busy: 'save', outcome }), 'Saving…')
    assert.equal(textOf({ busy: 'submit', outcome }), 'Submitting…')
  })

  it('states when the request was saved or submitted, until the input changes', () => {
    assert.equal(textOf({}), '')
    const found = { id: 42 } as Package
    assert.equal(
      textOf({ found, outcome: { kind: 'saved', at: 3 } }, { keptAt: 4 }),
      "Saved at 3 o'clock as request 42.",
    )
    assert.equal(textOf({ outcome: { kind: 'submitted', at: 3 } }), "Submitted at 3 o'clock.")
    const later = { isChanged: true, keptAt: 4 }
    assert.equal(
      textOf({ outcome: { kind: 'saved', at: 3 } }, later),
      "Kept in this browser at 4 o'clock. Not saved yet.",
    )
    assert.equal(
      textOf({}, { isChanged: true, keptAt: 0 }),
      'Not saved yet. This browser cannot keep what you type, so save often.',
    )
    assert.equal(textOf({}, { isChanged: true, keptAt: undefined }), '')
  })

  it('leaves other outcomes to their notices', () => {
    assert.equal(textOf({ outcome: { kind: 'failed', isSaved: true } }, { isChanged: true, keptAt: 4 }), '')
    for (const kind of ['elsewhere', 'resubmit', 'conflict']) assert.equal(textOf({ outcome: { kind } }), '')
  })
})

describe('timeText()', () => {
  it('is the time of day in the zone of the institution', () => {
    const noon = Date.UTC(2027, 0, 1, 12)
    assert.equal(timeText(noon, { language: 'de', timeZone: 'America/Chicago' }), '06:00')
    assert.equal(timeText(noon, { language: 'de', timeZone: 'Asia/Tokyo' }), '21:00')
    assert.match(timeText(noon, { language: 'de' }), /^\d\d:\d\d$/)
  })
})

describe('loadErrorText()', () => {
  it('says why the form could not be loaded', () => {
    for (const [error, text] of [
      [new ForbiddenError('getPackage', 'is not allowed'), 'This request is not available to you.'],
      [new NotFoundError('getPackage', 'found nothing'), 'This request does not exist.'],
      [signedOut, 'You are signed out. Sign in, then return to this page.'],
      [new NoProxyError('getPackage', '/api/wf'), 'No Routeslip proxy found at /api/wf.'],
      [new UnavailableError('getPackage', 'got no response'), 'Couldn’t be loaded.'],
    ] as const)
      assert.equal(loadErrorText(error, false, texts), text)
    assert.match(
      loadErrorText(signedOut, true, texts),
      /Open another tab to sign in.* What you typed stays here\.$/,
    )
  })
})

describe('failureOf()', () => {
  const all = { ...texts, reasons: textsOf(formOutcome) }

  it('says whether anything was saved, and why not', () => {
    const refused = { detail: 'Too late', refusedBy: 'service' as const }
    for (const [error, reason, detail, isSignedOut] of [
      [signedOut, texts.messages.signedOut, undefined, true],
      [new ForbiddenError('a', 'b'), formOutcome.forbidden, undefined, false],
      [new NotFoundError('a', 'b'), common.missing, undefined, false],
      [new NoProxyError('a', '/wf'), 'No Routeslip proxy found at /wf.', undefined, false],
      [new RefusedError('a', 409, refused), formOutcome.refused, 'Too late', false],
      [new RefusedError('a', 422, { detail: 'No' }), formOutcome.refusedHere, 'No', false],
      [
        new UnavailableError('a', 'b', { limitedUntil: 5 }),
        "You have reached a limit of this site. Try again after 5 o'clock.",
        undefined,
        false,
      ],
      [new UnavailableError('a', 'b'), formOutcome.unavailable, undefined, false],
    ] as const) {
      const facts = { detail, isUnknown: false, isSignedOut }
      assert.deepEqual(failureOf(error, false, all), { text: `Not saved. ${reason}`, ...facts })
      assert.deepEqual(failureOf(error, true, all), { text: `Saved, but not submitted. ${reason}`, ...facts })
    }
  })

  it('says that an outcome is not known, and that the person has to sign in to learn it', () => {
    const lost = new UnknownOutcomeError(new UnavailableError('a', 'b'))
    assert.deepEqual(failureOf(lost, false, all), {
      text: 'No confirmation arrived, so this may or may not be saved.',
      isUnknown: true,
      isSignedOut: false,
    })
    assert.equal(failureOf(lost, true, all).text, formOutcome.unknownSubmit)
    assert.deepEqual(failureOf(new UnknownOutcomeError(signedOut), false, all), {
      text: `${formOutcome.unknownSave} ${texts.messages.signedOut}`,
      isUnknown: true,
      isSignedOut: true,
    })
  })
})

describe('RequestState', () => {
  const pkg = (state: string) => ({ id: 7, state }) as Package
  const failed = (error: unknown): AttemptOutcome => ({ kind: 'failed', error, isSaved: false })

  it('is a draft before routing', () => {
    const state = new RequestState()
    assert.equal(state.isDraft, false)
    for (const [name, isDraft] of [
      ['PRE_ROUTING', true],
      ['DRAFT', true],
      ['ROUTING', false],
      ['VOID', false],
    ] as const) {
      state.loaded(pkg(name))
      assert.equal(state.isDraft, isDraft, name)
    }
  })

  it('ends the check of the answers when the request is submitted elsewhere', () => {
    const state = Object.assign(new RequestState(), { isReviewing: true })
    state.loaded(pkg('PRE_ROUTING'))
    assert.equal(state.isReviewing, true)
    state.loaded(pkg('ROUTING'))
    assert.equal(state.isReviewing, false)
    assert.deepEqual(state.found, pkg('ROUTING'))
  })

  it('forgets a failure that the sign-in has solved, and no other', () => {
    const state = Object.assign(new RequestState(), { outcome: failed(signedOut) })
    state.loaded(pkg('PRE_ROUTING'))
    assert.equal(state.outcome, undefined)
    for (const outcome of [failed(new UnavailableError('a', 'b')), { kind: 'saved', at: 3 } as const]) {
      state.outcome = outcome
      state.loaded(pkg('PRE_ROUTING'))
      assert.equal(state.outcome, outcome)
    }
  })

  it('forgets everything with the request, but not what the person asked for', () => {
    const state = Object.assign(new RequestState(), {
      outcome: failed(signedOut),
      isReviewing: true,
      found: pkg('DRAFT'),
      creation: { key: '1', body: {} },
      lastIntent: 'submit',
    })
    state.reset()
    const { outcome, isReviewing, found, creation, lastIntent } = state
    assert.deepEqual([outcome, found, creation], [undefined, undefined, undefined])
    assert.equal(isReviewing, false)
    assert.equal(lastIntent, 'submit')
  })
})
