import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { HistoryEvent } from '../../../src/contract/schemas/history.ts'
import { lostSignatures } from '../../../src/elements/wf-package-status/actions/send-action.ts'

const signature = (univid: string, stopNumber = 1) =>
  ({ person: { univid }, stop: { stopNumber }, actionDate: null }) as unknown as HistoryEvent
const daniel = signature('2')
const meiLing = signature('3')

describe('lostSignatures()', () => {
  it('returns what was signed between the two reads, and nothing that was signed before (3.4)', () => {
    assert.deepEqual(lostSignatures([], [meiLing]), [meiLing])
    assert.deepEqual(lostSignatures([daniel], [daniel, meiLing]), [meiLing])
    assert.deepEqual(lostSignatures([daniel], [daniel]), [])
    assert.deepEqual(lostSignatures([], []), [])
  })

  it('tells two signatures of one person apart (3.4)', () => {
    const again = signature('2', 2)
    assert.deepEqual(lostSignatures([daniel], [daniel, again]), [again])
    assert.deepEqual(lostSignatures([daniel], [daniel, structuredClone(daniel)]), [daniel])
  })

  it('does not claim to know what could not be read (3.4)', () => {
    assert.equal(lostSignatures([], undefined), undefined)
    assert.equal(lostSignatures(undefined, [daniel]), undefined)
    assert.equal(lostSignatures([], [daniel, null]), undefined)
    assert.deepEqual(lostSignatures([null], [null, daniel]), [daniel])
    assert.deepEqual(lostSignatures(undefined, []), [], 'nobody has signed at all')
  })
})
