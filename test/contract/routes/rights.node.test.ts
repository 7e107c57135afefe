import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mayVoid } from '../../../src/contract/routes/rights.ts'
import { packageStates } from '../../../src/contract/values/values.ts'
import type { PackageActions } from '../../../src/contract/schemas/workflow.ts'

const none: PackageActions = {
  canView: true,
  canEdit: true,
  canSign: true,
  canVoid: false,
  canInitiatorVoid: false,
  canAddApprover: true,
  canVoidAfter: false,
  packageId: 42,
  signatureId: 9001,
}

/** Who may void with one flag alone, as `STATE person`. Every other state and person may not. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  canVoid: ['ROUTING initiator', 'ROUTING other'],
  canInitiatorVoid: ['ROUTING initiator'],
  canVoidAfter: ['COMPLETE initiator', 'COMPLETE other'],
}

describe('mayVoid() (T4)', () => {
  for (const [flag, expected] of Object.entries(allowed)) {
    it(`allows with ${flag} alone exactly: ${expected.join(', ')}`, () => {
      assert.deepEqual(allowing({ ...none, [flag]: true }), expected)
    })
  }

  it('allows no one without these flags, whatever else is allowed', () => {
    assert.deepEqual(allowing(none), [])
  })

  it('allows no one without any flags', () => {
    assert.deepEqual(allowing(null), [])
  })
})

function allowing(actions: PackageActions | null): string[] {
  return [...packageStates, 'ON_HOLD', ''].flatMap((state) =>
    ['initiator', 'other']
      .filter((person) => mayVoid(state, actions, person === 'initiator'))
      .map((person) => `${state} ${person}`),
  )
}
