import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AllowedActions } from '../../../src/contract/schemas/session.ts'
import type { Package } from '../../../src/contract/schemas/workflow.ts'
import { type HintTexts, mailText } from '../../../src/elements/wf-form/fields/mail-text.ts'
import { common } from '../../../src/locales/en.ts'
import { formHints } from '../../../src/locales/en-form-hints.ts'
import { textsOf } from '../texts.ts'

const texts: HintTexts = {
  common: textsOf(common),
  language: 'en',
  timeOf: String,
}

const hints = textsOf(formHints)

describe('mailText()', () => {
  const actions = { inboxSignatures: [{ approver: 'Ana' }, { approver: null }, null] } as AllowedActions
  const textOf = (state: string, notify: string, known: AllowedActions | undefined = actions) =>
    mailText({ state } as Package, known, notify, texts, hints)

  it('names the people whose inboxes hold a request in routing', () => {
    assert.equal(
      textOf('ROUTING', ''),
      'If you save a change, these people get an email about it: Ana, Someone, and Someone.',
    )
    assert.equal(
      textOf('ROUTING', 'always'),
      'If you save, all approvers get an email about it. It is now with Ana, Someone, and Someone.',
    )
  })

  it('is empty if nobody gets an email, or if nobody is known', () => {
    assert.equal(textOf('ROUTING', 'never'), '')
    assert.equal(textOf('PRE_ROUTING', 'always'), '')
    assert.equal(textOf('ROUTING', '', { inboxSignatures: [] } as unknown as AllowedActions), '')
    assert.equal(textOf('ROUTING', '', { inboxSignatures: null } as AllowedActions), '')
    assert.equal(mailText(undefined, undefined, 'always', texts, hints), '')
  })
})
