import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type OperationInput, packageScope, scopeOf } from '../../../src/client/transport/operation-input.ts'

describe('scopeOf()', () => {
  it('returns the scope of the package that a call names', () => {
    assert.equal(scopeOf({ params: { formId: 6025, packageId: 42, lockId: 7 } }), packageScope(6025, 42))
  })

  it('is empty for a call that names no package', () => {
    const inputs: readonly OperationInput[] = [
      {},
      { params: {} },
      { params: { formId: 6025 } },
      { query: { id: [42] } },
    ]
    for (const input of inputs) assert.equal(scopeOf(input), '')
  })
})
