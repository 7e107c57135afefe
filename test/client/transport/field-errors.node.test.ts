import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fieldErrorsOf, RefusedError } from '../../../src/client/index.ts'

const refusedFor = (errors: unknown) =>
  new RefusedError('createPackage', 422, { refusedBy: 'service', errors })

describe('fieldErrorsOf()', () => {
  it('returns the codes of each field, whatever its key contains', () => {
    const errors = {
      "entry['cost']": ['validation.required', 5],
      "entry['it's\nlong']": ['validation.length'],
    }
    assert.deepEqual(fieldErrorsOf(refusedFor(errors)), {
      cost: ['validation.required', '5'],
      "it's\nlong": ['validation.length'],
    })
  })

  it('takes only failures of a field as a whole', () => {
    for (const failure of ["other.entry['cost']", "entry['cost'].length", "entry['cost']\n"])
      assert.equal(fieldErrorsOf(refusedFor({ [failure]: ['validation.required'] })), undefined, failure)
  })

  it('ignores errors that are not refusals, even if they have such a field', () => {
    const errors = { "entry['cost']": ['validation.required'] }
    for (const error of [Object.assign(new Error('of the page'), { errors }), { errors }, null, undefined])
      assert.equal(fieldErrorsOf(error), undefined)
  })
})
