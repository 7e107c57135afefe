import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { RoutingOverride } from '../../../src/contract/schemas/overrides.ts'
import { isDone, type OverrideChange } from '../../../src/elements/wf-overrides/override-change.ts'
import { effectOf } from '../../../src/elements/wf-overrides/override-effect.ts'
import { problemOf } from '../../../src/elements/wf-overrides/override-problem.ts'

const override: RoutingOverride = {
  subjectUnivid: '1',
  replacementUnivid: '2',
  type: 'DELEGATE',
  reason: 'CONFLICT_OF_INTEREST',
}

describe('problemOf()', () => {
  const content = { overrides: [], user: '9', initiator: '5' }
  const wanted = { subjectUnivid: '1', replacementUnivid: '2', type: 'DELEGATE' } as const

  it('finds nothing against an override of two other people', () => {
    assert.equal(problemOf(wanted, content), undefined)
    assert.equal(problemOf(wanted, { ...content, initiator: null }), undefined)
    assert.equal(problemOf({ ...wanted, subjectUnivid: '5' }, content), undefined, 'of the initiator')
    assert.equal(problemOf(wanted, { ...content, overrides: [null] }), undefined)
  })

  it('names the first problem and its field', () => {
    const others = (subjectUnivid: string) => ({ ...content, overrides: [{ ...override, subjectUnivid }] })
    for (const [changes, state, field, problem] of [
      [{ subjectUnivid: '' }, content, 'subject', 'subjectMissing'],
      [{ subjectUnivid: '9' }, content, 'subject', 'self'],
      [{}, others('9'), 'subject', 'self'],
      [{}, others('1'), 'subject', 'active'],
      [{ type: undefined }, content, 'type', 'typeMissing'],
      [{ replacementUnivid: '' }, content, 'replacement', 'replacementMissing'],
      [{ replacementUnivid: '1' }, content, 'replacement', 'same'],
      [{ replacementUnivid: '9' }, content, 'replacement', 'self'],
      [{ replacementUnivid: '5' }, content, 'replacement', 'initiator'],
      [{}, others('2'), 'replacement', 'replaced'],
      // Of several, the first.
      [{ subjectUnivid: '', type: undefined, replacementUnivid: '' }, content, 'subject', 'subjectMissing'],
      [{ type: undefined, replacementUnivid: '' }, others('1'), 'subject', 'active'],
      [{ type: undefined, replacementUnivid: '' }, content, 'type', 'typeMissing'],
    ] as const) {
      const { type, ...rest } = { ...wanted, ...changes }
      assert.deepEqual(problemOf({ ...rest, ...(type && { type }) }, state), { field, problem })
    }
  })
})

describe('effectOf()', () => {
  const names = new Map([
    ['1', 'Daniel Reyes'],
    ['2', 'Ruth Lindqvist'],
    ['3', 'Daniel Reyes'],
  ])

  it('is proven by the inboxes only', () => {
    const effect = (inboxes: readonly string[] | null) => effectOf(override, { names, inboxes })
    assert.equal(effect(['Ruth Lindqvist']), 'inForce')
    assert.equal(effect(['Daniel Reyes']), 'notYet')
    assert.equal(effect(['Ruth Lindqvist', 'Daniel Reyes']), 'notYet')
    assert.equal(effect(['Mei-Ling Zhou']), 'later')
    assert.equal(effect([]), 'later')
    assert.equal(effect(null), 'unproven')
  })

  it('is not proven by names that are equal or unknown', () => {
    const effect = (changes: Partial<RoutingOverride>, inboxes = ['Ruth Lindqvist', 'Daniel Reyes']) =>
      effectOf({ ...override, ...changes }, { names, inboxes })
    assert.equal(effect({ replacementUnivid: '3' }), 'unproven')
    assert.equal(effect({ subjectUnivid: '4' }), 'unproven')
    assert.equal(effect({ replacementUnivid: '4' }, ['Mei-Ling Zhou']), 'unproven')
    assert.equal(effect({ replacementUnivid: null }, ['Mei-Ling Zhou']), 'unproven')
    assert.equal(effect({ replacementUnivid: '4' }), 'notYet', 'the name of the subject is enough')
  })
})

describe('isDone()', () => {
  const create: OverrideChange = {
    operation: 'createOverride',
    override: {
      subjectUnivid: '1',
      replacementUnivid: '2',
      type: 'DELEGATE',
      reason: 'CONFLICT_OF_INTEREST',
    },
  }
  const end: OverrideChange = { operation: 'deactivateOverride', override }

  it('is not known without a list', () => {
    assert.equal(isDone(create, undefined), false)
    assert.equal(isDone(end, undefined), false)
  })

  it('finds exactly the override that was to be created', () => {
    assert.equal(isDone(create, [null, override]), true)
    assert.equal(isDone(create, []), false)
    assert.equal(isDone(create, [null]), false)
    for (const changes of [{ subjectUnivid: '3' }, { replacementUnivid: '3' }, { type: 'CHANGE' as const }])
      assert.equal(isDone(create, [{ ...override, ...changes }]), false)
  })

  it('finds no other override of the person, and no row that could be one', () => {
    assert.equal(isDone(end, []), true)
    assert.equal(isDone(end, [{ ...override, subjectUnivid: '3' }]), true)
    assert.equal(isDone(end, [{ ...override, subjectUnivid: '3' }, override]), false)
    assert.equal(isDone(end, [{ ...override, subjectUnivid: '3' }, null]), false)
  })
})
