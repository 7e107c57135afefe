import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mergeEntries } from '../../../src/elements/wf-form/state/entry-merge.ts'

const base = { purpose: 'Fieldwork', days: 3, cost: 120.5, note: null, hidden: 'x' }

describe('mergeEntries()', () => {
  it('keeps the fields that the page does not show', () => {
    const theirs = { ...base, hidden: 'changed by somebody else' }
    assert.deepEqual(mergeEntries(base, { purpose: 'Conference' }, theirs), {
      entry: { ...theirs, purpose: 'Conference' },
      conflicts: [],
    })
  })

  it('takes the change of the person who made one', () => {
    const mine = { purpose: 'Fieldwork', days: 4, cost: null }
    const theirs = { ...base, purpose: 'Excavation' }
    assert.deepEqual(mergeEntries(base, mine, theirs), {
      entry: { ...base, purpose: 'Excavation', days: 4, cost: null },
      conflicts: [],
    })
  })

  it('reports a field that both have changed, and keeps their value until someone decides', () => {
    const { entry, conflicts } = mergeEntries(
      base,
      { days: 4, note: 'mine' },
      { ...base, days: 5, note: 'theirs' },
    )
    assert.deepEqual(conflicts, [
      { name: 'days', mine: 4, theirs: 5 },
      { name: 'note', mine: 'mine', theirs: 'theirs' },
    ])
    assert.deepEqual(entry, { ...base, days: 5, note: 'theirs' })
  })

  it('reports no conflict if both have made the same change', () => {
    assert.deepEqual(mergeEntries(base, { days: 4 }, { ...base, days: 4 }), {
      entry: { ...base, days: 4 },
      conflicts: [],
    })
  })

  it('reports what one person has emptied and the other changed', () => {
    assert.deepEqual(mergeEntries(base, { cost: null }, { ...base, cost: 99 }).conflicts, [
      { name: 'cost', mine: null, theirs: 99 },
    ])
  })

  it('treats a field that an entry lacks as empty, and adds it', () => {
    assert.deepEqual(mergeEntries({}, { added: null, typed: 'x' }, {}), {
      entry: { added: null, typed: 'x' },
      conflicts: [],
    })
    assert.deepEqual(mergeEntries({}, { constructor: null }, { constructor: 'theirs' }), {
      entry: { constructor: 'theirs' },
      conflicts: [],
    })
  })

  it('compares lists by their content, and treats a missing value as empty', () => {
    const { entry, conflicts } = mergeEntries(
      { list: ['a'], note: null },
      { list: ['a'], note: undefined },
      { list: ['a', 'b'], note: 'theirs' },
    )
    assert.deepEqual(entry, { list: ['a', 'b'], note: 'theirs' })
    assert.deepEqual(conflicts, [])
  })

  it('tells an empty text from no value, and a text from a number', () => {
    assert.equal(mergeEntries({ a: '' }, { a: null }, { a: '' }).entry['a'], null)
    assert.equal(mergeEntries({ a: 7 }, { a: '7' }, { a: 7 }).entry['a'], '7')
  })
})
