import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ReminderBody } from '../../../src/contract/schemas/lists.ts'
import { cleanNote, maxNoteLength, noteLength, noteProblem } from '../../../src/contract/values/note.ts'

describe('a note', () => {
  it('is sent in one line, with each letter as one character', () => {
    assert.equal(
      cleanNote('  The visa\r\noffice\u2028closes\u00a0on\tFriday. \n'),
      'The visa office closes on Friday.',
    )
    assert.equal(cleanNote('e\u0301'), '\u00e9')
    // Some invisible characters belong into words and emojis.
    for (const text of ['می\u200cخواهم', '👩\u200d🎓', '❤\ufe0f']) assert.equal(cleanNote(text), text)
  })

  it('is none if nothing in it is visible', () => {
    for (const text of ['', ' \n', '\u200b\u200d', '\u2060 \ufe0f', '\u3164', '\u{e0041}'])
      assert.equal(cleanNote(text), '', JSON.stringify(text))
  })

  it('has a length in characters, not in bytes or halves of characters', () => {
    const whole = maxNoteLength
    for (const character of ['a', 'é', 'e\u0301', '字', '😀', 'ệ', 'e\u0323\u0302']) {
      const note = cleanNote(character.repeat(whole))
      assert.deepEqual([noteLength(note), noteProblem(note)], [whole, undefined], character)
      assert.equal(noteProblem(cleanNote(character.repeat(whole + 1))), 'length', character)
    }
    assert.equal(
      noteProblem(cleanNote(`${'a'.repeat(whole)}\n\n  `)),
      undefined,
      'spaces at its end are not sent',
    )
  })

  it('contains no address, however it is written', () => {
    for (const text of [
      'https://evil.example',
      'see WWW.evil.example',
      'mail me@evil.example',
      // Wide letters and signs.
      'https：／／evil.example',
      'ｗｗｗ．evil.example',
      'me＠evil.example',
      'me﹫evil.example',
      'www。evil.example',
      'www｡evil.example',
      'www\u2024evil.example',
      // Invisible characters between.
      'https:\u200b//evil.example',
      'https:/\u2060/evil.example',
      'w\u00adw\u200dw\ufeff.evil.example',
      'ww\u034fw.evil.example',
      'www\ufe0f.evil.example',
      'www\u{e0020}.evil.example',
      'www\u3164.evil.example',
    ])
      assert.equal(noteProblem(cleanNote(text)), 'address', JSON.stringify(text))
  })

  it('contains no control characters, and none that reverse other text', () => {
    for (const code of [0, 7, 0x1b, 0x7f, 0x85, 0x9b, 0x202e, 0x202a, 0x2066, 0x2069, 0xd800, 0xdfff])
      assert.equal(noteProblem(cleanNote(`a${String.fromCharCode(code)}b`)), 'control', code.toString(16))
  })

  it('may contain what people write', () => {
    for (const text of [
      'The visa office closes on Friday: please sign before <noon> & thanks!',
      'Cost: 3/4 of $1,200. Ask Dr. Wu (ext. 5-1234).',
      'Bitte bis 3.12. unterschreiben – danke!',
      'أرجو التوقيع قبل يوم الجمعة.\u200f',
      'कृपया शुक्रवार तक हस्ताक्षर करें।',
      '金曜日までにお願いします。よろしく…',
      'Xin vui lòng ký trước thứ Sáu. 😀',
    ])
      assert.equal(noteProblem(cleanNote(text)), undefined, text)
  })

  it('is checked in the body of a reminder by the same rules', () => {
    assert.deepEqual(ReminderBody.parse({}), {})
    assert.deepEqual(ReminderBody.parse({ note: ' a\nb ' }), { note: 'a b' })
    assert.deepEqual(ReminderBody.parse({ note: '\u200b' }), { note: '' })
    for (const body of [
      { note: 'a'.repeat(maxNoteLength + 1) },
      { note: 'www.evil.example' },
      { note: 'a\u0000' },
      { note: null },
      { note: 1 },
      { note: 'a', text: 'b' },
    ])
      assert.equal(ReminderBody.safeParse(body).success, false, JSON.stringify(body))
  })
})
