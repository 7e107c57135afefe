import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { wrap, writable } from '../../../../src/emulator/workflow/pdf/pdf-text.ts'

/** Latin-1 with the euro sign: enough to distinguish known characters from unknown ones. */
const knows = (character: string): boolean => /^[\x20-\x7e\xa0-\xff€]$/.test(character)

describe('writable()', () => {
  for (const [text, expected] of [
    ['', ''],
    ['Zoë Ångström, 12,50 €', 'Zoë Ångström, 12,50 €'],
    ['Zoe\u0308', 'Zoë'],
    ['Łukasz Dvořák-Őry', 'Lukasz Dvorák-Ory'],
    ['Nguyễn Thị', 'Nguyen Thi'],
    ['x\u0301y', 'xy'],
    ['王小明', '[U+738B U+5C0F U+660E]'],
    ['Li 王 小明', 'Li [U+738B] [U+5C0F U+660E]'],
    ['Йод', '[U+0419 U+043E U+0434]'],
    ['محمد', '[U+0645 U+062D U+0645 U+062F]'],
    ['हि', '[U+0939 U+093F]'],
    ['한', '[U+D55C]'],
    ['🎓!', '[U+1F393]!'],
    ['\ud800', '[U+D800]'],
    ['a\u0000b\u001bc\u007f', 'a[U+0000]b[U+001B]c[U+007F]'],
    ['a\tb', 'a    b'],
    ['a\r\nb\rc\nd\u2028e', 'a\nb\nc\nd\ne'],
    ['a\u2003b\u202fc\u3000d', 'a b c d'],
    ['co\u00adop\u200b\u200e\ufeff', 'coop'],
    ['ﬁnal ‐ 2−1', 'final - 2-1'],
    ['10⁵', '10[U+2075]'],
    ['constructor', 'constructor'],
  ] as const) {
    it(`writes ${JSON.stringify(text)} as ${JSON.stringify(expected)}`, () => {
      assert.equal(writable(text, knows), expected)
    })
  }
})

describe('wrap()', () => {
  const lines = (text: string, width: number): string[] => wrap(text, width, ({ length }) => length)

  for (const [text, width, expected] of [
    ['', 5, ['']],
    ['one', 5, ['one']],
    ['one two', 7, ['one two']],
    ['one two', 6, ['one', 'two']],
    ['one  two', 4, ['one', 'two']],
    ['a\n\nb', 5, ['a', '', 'b']],
    ['a\n', 5, ['a', '']],
    ['  in', 5, ['  in']],
    ['abcdefgh', 3, ['abc', 'def', 'gh']],
    ['a bcdefg h', 3, ['a', 'bcd', 'efg', 'h']],
    ['   abcdefgh', 5, ['abcde', 'fgh']],
    ['abc', 0.5, ['a', 'b', 'c']],
    ['          ', 3, ['']],
  ] as const) {
    it(`breaks ${JSON.stringify(text)} at ${width}`, () => assert.deepEqual(lines(text, width), expected))
  }

  it('loses only spaces', () => {
    const text = Array.from({ length: 500 }, (_, index) => 'w'.repeat(index % 23)).join(' ')
    assert.equal(lines(text, 10).join('').replaceAll(' ', ''), text.replaceAll(' ', ''))
    assert.deepEqual(
      lines(text, 10).filter(({ length }) => length === 0 || length > 10),
      [],
    )
  })
})
