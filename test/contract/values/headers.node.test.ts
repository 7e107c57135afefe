import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { verificationHeader } from '../../../src/contract/schemas/callbacks.ts'
import {
  acceptVersion,
  callHeader,
  eventHeader,
  keyHeader,
  replayedHeader,
  personHeader,
} from '../../../src/contract/values/headers.ts'

describe('headers', () => {
  it('have the names that docs/proxy.md and the spec give to other implementations', () => {
    assert.equal(callHeader, 'x-routeslip')
    assert.equal(personHeader, 'x-routeslip-person')
    assert.equal(eventHeader, 'x-routeslip-event')
    assert.equal(keyHeader, 'idempotency-key')
    assert.equal(replayedHeader, 'idempotency-replayed')
    assert.equal(verificationHeader, 'x-workflow-verification')
    assert.equal(acceptVersion('1.2'), 'application/vnd.workflow+json;version=1.2')
  })
})
