import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { nearestName } from '../../../src/proxy/rights/nearest-name.ts'

describe('nearestName()', () => {
  const names = ['createShare', 'deleteShare', 'getShares', 'voidPackage']

  for (const [text, nearest, why] of [
    ['getShares', 'getShares', 'the name itself'],
    ['getShare', 'getShares', 'a letter is missing'],
    ['gettShares', 'getShares', 'a letter too many'],
    ['getSharez', 'getShares', 'another letter'],
    ['voidPackage', 'voidPackage', 'the last of the list'],
    ['creatShares', 'createShare', 'two letters'],
    ['voidPacXXXX', 'voidPackage', 'four letters'],
    ['voidPaXXXXX', undefined, 'five letters'],
    ['gxtX', undefined, 'more than half of its letters'],
    ['', undefined, 'nothing'],
  ] as const) {
    it(`returns ${nearest} for "${text}": ${why}`, () => assert.equal(nearestName(text, names), nearest))
  }

  it('accepts half of the letters of a short text', () => {
    assert.equal(nearestName('ab', ['ax']), 'ax')
    assert.equal(nearestName('ab', ['xy']), undefined)
  })

  it('returns nothing without names', () => assert.equal(nearestName('x', []), undefined))
})
