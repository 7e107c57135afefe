import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { redactRestricted } from '../../../src/proxy/validation/redact.ts'

const contact = {
  email: 'ana@example.edu',
  campusPostalAddress: 'Hall 1',
  officePhone: '555',
  loginid: 'ana',
}
const removed = { email: null, campusPostalAddress: null, officePhone: null, loginid: null }

describe('redactRestricted()', () => {
  it('removes the contact details of a person, unless the person is listed publicly', () => {
    for (const directoryRestricted of [true, null, undefined, 'false', 0])
      assert.deepEqual(redactRestricted({ displayName: 'Ana', directoryRestricted, ...contact }), {
        displayName: 'Ana',
        directoryRestricted,
        ...removed,
      })
    const listed = { displayName: 'Ana', directoryRestricted: false, ...contact }
    assert.deepEqual(redactRestricted(structuredClone(listed)), listed)
  })

  it('changes nothing that is not a person', () => {
    assert.deepEqual(redactRestricted({ ...contact }), contact)
    for (const value of [undefined, null, 'text', 42, true, [], {}, [null, 'text']])
      assert.deepEqual(redactRestricted(structuredClone(value)), value)
  })

  it('adds no details that a person does not have', () => {
    const person = { directoryRestricted: true, email: 'ana@example.edu' }
    assert.deepEqual(redactRestricted(person), { directoryRestricted: true, email: null })
  })

  it('finds people in lists and objects at any depth, and changes the value itself', () => {
    const person = () => ({ directoryRestricted: true, ...contact })
    const gone = { directoryRestricted: true, ...removed }
    const value = { a: 'text', none: null, rows: [[person()], { signer: person() }], delegate: person() }
    assert.equal(redactRestricted(value), value)
    assert.deepEqual(value, {
      a: 'text',
      none: null,
      rows: [[gone], { signer: gone }],
      delegate: gone,
    })
    assert.deepEqual(redactRestricted({ ...person(), deputy: person() }), { ...gone, deputy: gone })
  })
})
