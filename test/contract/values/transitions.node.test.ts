import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  mayFollow,
  toolNames,
  type TransitionName,
  transitions,
} from '../../../src/contract/values/transitions.ts'
import { packageStates } from '../../../src/contract/values/values.ts'

const names = Object.keys(transitions) as TransitionName[]

describe('transitions', () => {
  it('are exactly those of the spec', () => {
    const rows = Object.entries(transitions).flatMap(([name, { from, to }]) =>
      from.map((state) => `${state} ${name} ${to}`),
    )
    assert.deepEqual(rows.sort(), [
      'COMPLETE removePackage PRE_ROUTING',
      'COMPLETE returnPackage ROUTING',
      'COMPLETE voidPackage VOID',
      'PRE_ROUTING routePackage ROUTING',
      'ROUTING removePackage PRE_ROUTING',
      'ROUTING restartPackage ROUTING',
      'ROUTING returnToInitiator DRAFT',
      'ROUTING voidPackage VOID',
      'VOID removePackage PRE_ROUTING',
      'VOID unvoidPackage held',
      'removed reinitiatePackage ROUTING',
      'removed routePackage ROUTING',
    ])
  })
})

describe('toolNames', () => {
  it('lists every operation that changes the state, except routePackage, for which the service checks rights', () => {
    assert.deepEqual(toolNames, [
      'voidPackage',
      'unvoidPackage',
      'restartPackage',
      'returnPackage',
      'removePackage',
      'reinitiatePackage',
      'returnToInitiator',
    ])
  })
})

describe('mayFollow()', () => {
  for (const [state, expected] of [
    ['PRE_ROUTING', ['routePackage', 'reinitiatePackage']],
    ['DRAFT', []],
    ['ROUTING', ['voidPackage', 'restartPackage', 'removePackage', 'returnToInitiator']],
    ['COMPLETE', ['voidPackage', 'returnPackage', 'removePackage']],
    ['VOID', ['unvoidPackage', 'removePackage']],
    ['ON_HOLD', []],
    ['', []],
  ] as const) {
    it(`allows in ${state || 'no state'}: ${expected.join(', ') || 'nothing'}`, () => {
      assert.deepEqual(
        names.filter((name) => mayFollow(state, name)),
        expected,
      )
    })
  }

  it('allows something in every state but DRAFT, which only the initiator leaves, in the service itself', () => {
    assert.deepEqual(
      packageStates.filter((state) => !names.some((name) => mayFollow(state, name))),
      ['DRAFT'],
    )
  })
})
