import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseField } from '../../../src/elements/wf-form/fields/field-kinds.ts'
import { joinParts, kindOfPart, splitParts } from '../../../src/elements/wf-form/fields/field-parts.ts'

const join = (parts: Record<string, string>) => joinParts(new Map(Object.entries(parts)))
const split = (value: string) => Object.fromEntries(splitParts(value))

describe('The parts of a value', () => {
  it('make a date or an amount', () => {
    assert.equal(join({ day: '7', month: '3', year: '1990' }), '1990-03-07')
    assert.equal(join({ day: ' 17 ', month: '12', year: '2027' }), '2027-12-17')
    assert.equal(join({ amount: '12', cents: '5' }), '12.05')
    assert.equal(join({ amount: '', cents: '50' }), '0.50')
    assert.equal(join({ amount: '7', cents: '' }), '7.00')
    assert.deepEqual([kindOfPart('day'), kindOfPart('cents')], ['date', 'currency'])
  })

  it('are empty together, and invalid if one is missing or wrong', () => {
    assert.equal(join({ day: '', month: ' ', year: '' }), '')
    assert.equal(join({ amount: '', cents: '' }), '')
    const isValid = (parts: Record<string, string>) => parseField(join(parts), 'date', null).isValid
    assert.equal(isValid({ day: '7', month: '3', year: '1990' }), true)
    assert.equal(isValid({ day: '٧', month: '٣', year: '١٩٩٠' }), true)
    for (const parts of [
      { day: '', month: '3', year: '1990' },
      { day: '7', month: '', year: '1990' },
      { day: '7', month: '3', year: '' },
      { day: '7', month: '3', year: '90' },
      { day: '31', month: '2', year: '1990' },
      { day: 'x', month: '2', year: '1990' },
    ])
      assert.equal(isValid(parts), false, JSON.stringify(parts))
  })

  it('come from a value again, without leading zeros, and from nothing else', () => {
    assert.deepEqual(split('1990-03-07'), { year: '1990', month: '3', day: '7' })
    assert.deepEqual(split('12.05'), { amount: '12', cents: '05' })
    assert.deepEqual(split('-7'), { amount: '-7', cents: '00' })
    assert.deepEqual(split('12.5'), { amount: '12', cents: '50' })
    for (const value of ['', 'in spring', '1990-03', '1.234']) assert.deepEqual(split(value), {}, value)
  })
})
