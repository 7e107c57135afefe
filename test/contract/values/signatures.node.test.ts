import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { signaturesOfOthers } from '../../../src/contract/values/signatures.ts'

const event = (type: string, univid: string | null = '2', state: string | null = null) => ({
  '@class': type,
  state,
  person: { univid },
})
const start = event('initiation', '1')
const found = (...history: readonly (ReturnType<typeof event> | null)[]) => signaturesOfOthers(history, '1')

describe('signaturesOfOthers()', () => {
  it('returns what other people have signed (3.1)', () => {
    const [approved, received] = [event('signature', '2', 'APPROVED'), event('signature', '3', 'RECEIVED')]
    assert.deepEqual(found(start, approved, received), [approved])
  })

  it('counts no inbox, no bypassed approver, no other event and no own signature (3.1)', () => {
    const own = event('signature', '01', 'APPROVED')
    const bypassed = event('signature', '2', 'BYPASSED_REMOVE')
    assert.deepEqual(found(start, own, bypassed, event('remove'), event('signature', '2', 'RECEIVED')), [])
  })

  it('counts an unknown state, an unknown person and a row that could not be read (3.1)', () => {
    const unclear = [
      event('signature', '2', 'VOIDED'),
      event('signature', '2', null),
      event('signature', null, 'APPROVED'),
      null,
    ]
    for (const one of unclear) assert.deepEqual(found(start, one), [one])
  })

  it('counts from the latest initiation or re-initiation, not from a removal (3.1)', () => {
    const signed = event('signature', '2', 'APPROVED')
    for (const type of ['initiation', 're_initiate'])
      assert.deepEqual(found(start, signed, null, event(type, '1')), [], type)
    assert.deepEqual(found(start, signed, event('remove')), [signed])
    assert.deepEqual(found(signed), [signed], 'without a start, everything counts')
  })

  it('counts everyone if it is not known who asks', () => {
    assert.equal(signaturesOfOthers([start, event('signature', '1', 'APPROVED')], undefined).length, 1)
  })
})
