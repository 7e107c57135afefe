import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Office } from '../../../src/contract/schemas/offices.ts'
import type { OfficeLevel } from '../../../src/elements/wf-office/office-key.ts'
import { readOfficeText } from '../../../src/elements/wf-office/office-key.ts'
import { maxOptions, officeNamed, optionsFor } from '../../../src/elements/wf-office/office-options.ts'

const office = (naturalKey: string, name: string | null = `Office ${naturalKey}`) =>
  ({ naturalKey, name }) as Office

const offices = [
  office('11-0430', 'Chemistry'),
  office('11'),
  office('11-0420', 'Biología'),
  office('11-0420-0010', 'Herbarium'),
  office('05-0333', null),
]

/** As many laboratories of one department. */
const laboratories = (count: number) =>
  Array.from({ length: count }, (_, index) => office(`11-0420-${1001 + index}`))

const list = (all: readonly Office[], text: string, level?: OfficeLevel) =>
  optionsFor(all, readOfficeText(text), level)
const keys = (...args: Parameters<typeof list>) => list(...args).options.map(({ key }) => key)

describe('optionsFor()', () => {
  it('lists the offices that match the number and the name, by number', () => {
    const all = ['05-0333', '11', '11-0420', '11-0420-0010', '11-0430']
    assert.deepEqual(keys(offices, ''), all)
    assert.deepEqual(keys(offices, '110'), ['11-0420', '11-0420-0010', '11-0430'])
    assert.deepEqual(keys(offices, 'BIOLOGIA'), ['11-0420'], 'without capitals and accents')
    assert.deepEqual(keys(offices, '11 chem'), ['11-0430'])
    assert.deepEqual(keys(offices, '05 chem'), [])
    assert.deepEqual(list(offices, '05').options, [{ key: '05-0333', name: '', isChoice: true }])
  })

  it('lists only the offices of the accepted level if there are some, and otherwise those above it', () => {
    assert.deepEqual(keys(offices, '11', 'department'), ['11-0420', '11-0430'])
    assert.deepEqual(keys(offices, '11', 'org'), ['11'])
    assert.deepEqual(
      list([office('11'), office('11-0430')], '11', 'sub_department'),
      { options: [{ key: '11-0430', name: 'Office 11-0430', isChoice: false }], total: 1 },
      'the office whose number is typed leads nowhere new',
    )
    assert.deepEqual(keys(offices, '1104300001', 'org'), [], 'nothing below the accepted level')
    assert.deepEqual(keys([office('11-0420-0010')], '11', 'department'), [])
  })

  it('lists all offices up to the maximum, and more of them by the next level', () => {
    const exact = list([office('11-0420'), ...laboratories(maxOptions)], '11', 'sub_department')
    assert.equal(exact.options.length, maxOptions)
    assert.equal(exact.total, maxOptions)

    const many = [office('11'), office('11-0420'), ...laboratories(maxOptions + 1)]
    assert.deepEqual(list(many, '11', 'sub_department'), {
      options: [{ key: '11-0420', name: 'Office 11-0420', isChoice: false }],
      total: maxOptions + 1,
    })
    assert.deepEqual(keys(many, '11'), ['11', '11-0420'], 'also if each level is accepted')
    assert.deepEqual(keys(many, '1'), ['11'], 'the next level of one digit')

    assert.equal(keys(laboratories(maxOptions + 1), '11').length, maxOptions, 'if the next level has none')

    const below = list(many, '110420', 'sub_department')
    assert.equal(below.options.length, maxOptions)
    assert.equal(below.options[0]?.key, '11-0420-1001')
    assert.equal(below.total, maxOptions + 1)
  })
})

describe('officeNamed()', () => {
  const named = (text: string, all = offices, level?: OfficeLevel) =>
    officeNamed(list(all, '', level), readOfficeText(text))?.key

  it('finds the only office with the whole name, alone or after its number', () => {
    assert.equal(named('biologia'), '11-0420')
    assert.equal(named('11-0420 Biología'), '11-0420')
    assert.equal(named('11-0430 Biología'), undefined)
    assert.equal(named('bio'), undefined)
    assert.equal(named('Chemistry', [...offices, office('05-0400', 'Chemistry')]), undefined, 'two offices')
  })

  it('finds no office that the field does not accept', () => {
    const choice = { key: '11', name: 'Life', isChoice: true }
    const found = (isChoice: boolean) =>
      officeNamed({ options: [{ ...choice, isChoice }], total: 1 }, readOfficeText('life'))
    assert.equal(found(true)?.key, '11')
    assert.equal(found(false), undefined)
  })
})
