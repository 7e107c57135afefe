import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { z } from 'zod'
import { parseQuery } from '../../src/contract/services/parse-query.ts'
import { serializeQuery } from '../../src/contract/routes/route.ts'

const Query = z.strictObject({ name: z.string().optional(), id: z.array(z.string()) })

describe('serializeQuery()', () => {
  it('returns an empty string without parameters', () => {
    for (const query of [undefined, {}, { id: [] }, { name: undefined, id: [undefined] }, { name: null }]) {
      assert.equal(serializeQuery(query), '')
    }
  })

  it('repeats the parameter of a list, in order', () => {
    const query = { id: [2, 1], name: 'x', inline: true, off: false, zero: 0, empty: '' }
    assert.equal(serializeQuery(query), '?id=2&id=1&name=x&inline=true&off=false&zero=0&empty=')
  })

  it('omits values that are not a string, a number or a boolean', () => {
    assert.equal(serializeQuery({ a: {}, b: [[1], { c: 1 }, null, 'x'], d: () => 1, e: Symbol('e') }), '?b=x')
  })

  it('escapes names and values, so that parseQuery() reads what it wrote', () => {
    assert.equal(serializeQuery({ name: 'a&b=c d#é' }), '?name=a%26b%3Dc+d%23%C3%A9')
    const text = fc.string({ unit: 'grapheme' })
    fc.assert(
      fc.property(text, fc.array(text, { minLength: 1 }), (name, id) => {
        const search = new URLSearchParams(serializeQuery({ name, id }))
        assert.deepEqual(parseQuery(Query, search).data, { name, id })
      }),
    )
  })
})

describe('parseQuery()', () => {
  const read = (search: string) => parseQuery(Query, new URLSearchParams(search))

  it('reads a list from a parameter that occurs once or several times', () => {
    assert.deepEqual(read('id=1').data, { id: ['1'] })
    assert.deepEqual(read('id=1&id=2').data, { id: ['1', '2'] })
    assert.deepEqual(read('id=1&name=x').data, { id: ['1'], name: 'x' })
    assert.equal(read('').success, false)
  })

  it('fails if a single value repeats or a name is unknown', () => {
    for (const search of ['name=a&name=a', 'other=1', '__proto__=1', 'ID=2', 'constructor=x']) {
      assert.equal(read(`id=1&${search}`).success, false, search)
    }
  })
})
