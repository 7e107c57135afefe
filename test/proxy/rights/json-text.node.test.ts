import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { JsonTextError, parseJsonText } from '../../../src/proxy/rights/json-text.ts'

describe('parseJsonText()', () => {
  const cases: readonly (readonly [text: string, message: string])[] = [
    ['\uFEFF{}', 'begins with a byte order mark. Save it as UTF-8 without one.'],
    [' \n', 'is empty. Write a JSON object.'],
    ['{\n  "a": 1,\n}', 'is not valid JSON in line 3: there is a comma before }. Remove the comma.'],
    ['[1,\n2,\n\n]', 'is not valid JSON in line 4: there is a comma before ]. Remove the comma.'],
    [
      '{\n"a": [1}',
      'is not valid JSON in line 2: } is not expected here. Check the brackets and what stands before it.',
    ],
    [
      '{}\n}',
      'is not valid JSON in line 2: } is not expected here. Check the brackets and what stands before it.',
    ],
    ['{\n"a": 1\n"b": 2}', 'is not valid JSON in line 3: a comma or colon is missing. Add it.'],
    ['{\n"a" 1}', 'is not valid JSON in line 2: a comma or colon is missing. Add it.'],
    ['{"a": 1 // one\n}', 'is not valid JSON in line 1: JSON has no comments. Remove it.'],
    ["{\n'a': 1}", 'is not valid JSON in line 2: a text is in single quotation marks. Use ".'],
    [
      '{\na: 1}',
      'is not valid JSON in line 2: a word is not in quotation marks. Use ", or true, false or null.',
    ],
    [
      '{"a": True}',
      'is not valid JSON in line 1: a word is not in quotation marks. Use ", or true, false or null.',
    ],
    [
      '{"a":\n"hidden}',
      'is not valid JSON in line 2: a text has no end, or contains a line break or a wrong escape. Check it.',
    ],
    [
      '{\n"a": {',
      'is not valid JSON in line 2: it ends too early. Add the quotation mark or bracket that is missing.',
    ],
    [
      '{"a": 1,\n',
      'is not valid JSON in line 2: it ends too early. Add the quotation mark or bracket that is missing.',
    ],
    [
      '{"a": 01}',
      'is not valid JSON in line 1: a character is not expected here. Check the quotation marks, commas and brackets.',
    ],
  ]
  for (const [text, message] of cases) {
    it(`reports ${JSON.stringify(text)}`, () => {
      assert.throws(() => parseJsonText(text), new JsonTextError(message))
    })
  }

  it('reads everything that JSON.parse reads, and quotes nothing of the rest', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.string(), (json, place, inserted) => {
        assert.deepEqual(parseJsonText(json), JSON.parse(json))
        const at = place % (json.length + 1)
        const changed = json.slice(0, at) + inserted + json.slice(at)
        let expected: unknown
        try {
          expected = JSON.parse(changed)
        } catch {
          assert.throws(
            () => parseJsonText(changed),
            (error) =>
              error instanceof JsonTextError &&
              /^(?:is not valid JSON in line \d+: |is empty|begins with)/.test(error.message),
          )
          return
        }
        assert.deepEqual(parseJsonText(changed), expected)
      }),
    )
  })
})
