import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { granteeName, readGrantees } from '../../../src/elements/fs-files/grantees.ts'

describe('readGrantees()', () => {
  it('keeps only complete entries, whatever the attribute holds', () => {
    const archive = { clientId: 'archive', name: 'Library archive' }
    const entries = [archive, { clientId: 'x' }, { name: 'X' }, { clientId: 1, name: 'X' }, null, 'x']
    assert.deepEqual(readGrantees(entries), [archive])
    for (const directory of [null, undefined, 'text', archive]) assert.deepEqual(readGrantees(directory), [])
    assert.equal(granteeName([{ clientId: 'x', name: 'X' }, archive], 'archive'), 'Library archive')
    assert.equal(granteeName([archive], 'x'), undefined)
  })
})
