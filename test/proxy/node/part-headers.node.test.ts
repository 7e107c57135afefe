import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { boundaryOf } from '../../../src/proxy/node/part-headers.ts'

describe('boundaryOf()', () => {
  it('returns the boundary of a type without other parameters', () => {
    for (const [type, boundary] of [
      ['multipart/form-data; boundary=abc', 'abc'],
      ['Multipart/Form-Data;Boundary=abc', 'abc'],
      ['multipart/form-data \t; \tboundary=abc \t', 'abc'],
      [`multipart/form-data; boundary="it's (a)/b:c=d?"`, undefined],
      [`multipart/form-data; boundary="it's(a)/b:c=d?"`, "it's(a)/b:c=d?"],
      [`multipart/form-data; boundary=${'a'.repeat(70)}`, 'a'.repeat(70)],
    ] as const)
      assert.equal(boundaryOf(type), boundary, type)
  })

  it('returns nothing if readers could disagree', () => {
    for (const type of [
      '',
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'multipart/form-data; boundary=""',
      'multipart/form-data; boundary=a b',
      'multipart/form-data; boundary=a; charset=utf-8',
      'multipart/form-data; charset=utf-8; boundary=a',
      'multipart/form-data; boundary=a, multipart/form-data; boundary=b',
      'multipart/mixed; boundary=a',
      'text/plain, multipart/form-data; boundary=a',
      'x-multipart/form-data; boundary=a',
      `multipart/form-data; boundary=${'a'.repeat(71)}`,
    ])
      assert.equal(boundaryOf(type), undefined, type)
  })
})
