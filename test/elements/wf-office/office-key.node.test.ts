import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  digitsOfNextLevel,
  formatKey,
  keyOf,
  levelOf,
  readOfficeText,
  searchableKey,
} from '../../../src/elements/wf-office/office-key.ts'

describe('readOfficeText()', () => {
  it('separates the number from the name that follows it', () => {
    for (const [text, digits, words] of [
      ['', '', ''],
      [' \n ', '', ''],
      ['11-04', '1104', ''],
      ['11/0420.0010', '1104200010', ''],
      ['11-0420 Biology', '110420', 'Biology'],
      ['11 – Life Sciences', '11', 'Life Sciences'],
      ['Biology 11-0420', '', 'Biology 11-0420'],
    ] as const)
      assert.deepEqual(readOfficeText(text), { digits, words }, text)
  })

  it('reads every way to write a number: dashes, blanks, dots, digits of other scripts, marks of direction', () => {
    for (const text of [
      ...['110420', '11-0420', ' 11 0420 ', '11 – 0420', '11—0420', '11‑0420', '11−0420', '11.0420'],
      ...['１１０４２０', '١١-٠٤٢٠', '११०४२०', '\u202A11-0420\u202C'],
    ])
      assert.deepEqual(readOfficeText(text), { digits: '110420', words: '' }, text)
  })

  it('takes digits that are no whole number as a part of the name', () => {
    for (const text of ['3D Printing', '110 Biology', '1st floor'])
      assert.deepEqual(readOfficeText(` ${text} `), { digits: '', words: text })
  })
})

describe('the number of an office', () => {
  it('is written with dashes, as far as it goes', () => {
    for (const [digits, key] of [
      ['', ''],
      ['1', '1'],
      ['11', '11'],
      ['110', '11-0'],
      ['110420', '11-0420'],
      ['1104200', '11-0420-0'],
      ['1104200010', '11-0420-0010'],
    ] as const)
      assert.equal(formatKey(digits), key)
  })

  it('has 2, 6 or 10 digits and no name', () => {
    const keys = ['11', '110420', '1104200010', '1', '1104', '11042000', '11042000101', '11-0420 Biology']
    assert.deepEqual(
      keys.map((text) => keyOf(readOfficeText(text))),
      ['11', '11-0420', '11-0420-0010', undefined, undefined, undefined, undefined, undefined],
    )
  })

  it('shows the level of the office', () => {
    assert.deepEqual(['11', '11-0420', '11-0420-0010', '', '11-04', '11-0420-00'].map(levelOf), [
      'org',
      'department',
      'sub_department',
      undefined,
      undefined,
      undefined,
    ])
  })

  it('begins with the key to search for, and leads to the next level', () => {
    for (const [digits, key, next] of [
      ['', '', 2],
      ['1', '', 2],
      ['11', '11', 6],
      ['11042', '11', 6],
      ['110420', '11-0420', 10],
      ['110420001', '11-0420', 10],
      ['1104200010', '11-0420-0010', 10],
      ['11042000101', '11-0420-0010', 10],
    ] as const) {
      assert.equal(searchableKey(digits), key, digits)
      assert.equal(digitsOfNextLevel(digits), next, digits)
    }
  })
})
