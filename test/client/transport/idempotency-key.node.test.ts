import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createIdempotencyKey } from '../../../src/client/index.ts'

describe('createIdempotencyKey()', () => {
  it('returns four random numbers as a quoted string, different ones each time', () => {
    const keys = [createIdempotencyKey(), createIdempotencyKey()]
    for (const key of keys) assert.match(key, /^"\d+(-\d+){3}"$/)
    assert.notEqual(keys[0], keys[1])
  })
})
