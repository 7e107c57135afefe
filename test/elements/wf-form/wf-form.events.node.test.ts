import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Package } from '../../../src/contract/schemas/workflow.ts'
import { WfFormSavedEvent, WfFormSubmittedEvent } from '../../../src/elements/wf-form/wf-form.events.ts'

const facts = ({ type, bubbles, composed, cancelable }: Event) => ({ type, bubbles, composed, cancelable })

describe('events of <wf-form>', () => {
  it('reach the page with what was saved, and with what was submitted, which can be canceled', () => {
    const saved = new WfFormSavedEvent(7)
    assert.deepEqual(facts(saved), {
      type: 'wf-form-saved',
      bubbles: true,
      composed: true,
      cancelable: false,
    })
    assert.deepEqual(saved.packageId, 7)

    const value = { id: 7 } as Package
    const submitted = new WfFormSubmittedEvent(value, 'https://northfield.test/')
    assert.deepEqual(facts(submitted), {
      type: 'wf-form-submitted',
      bubbles: true,
      composed: true,
      cancelable: true,
    })
    assert.deepEqual([submitted.value, submitted.url], [value, 'https://northfield.test/'])
  })
})
