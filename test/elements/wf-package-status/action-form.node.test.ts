import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ShownPackage } from '../../../src/elements/element/events.ts'
import { readActionForm } from '../../../src/elements/wf-package-status/actions/action-form.ts'
import type { ActionName } from '../../../src/elements/wf-package-status/actions/actions.ts'

/** Reads the form of package 42 with these entries. */
function read(name: ActionName, entries: Readonly<Record<string, string | Blob>> = {}, found: object = {}) {
  const form = new FormData()
  for (const [key, value] of Object.entries(entries)) form.set(key, value)
  return readActionForm(name, form, { id: 42, ...found } as unknown as ShownPackage, '10000002')
}

describe('readActionForm()', () => {
  it('needs a reason to void a package', () => {
    const body = { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' }
    assert.deepEqual(read('voidPackage', { reason: ' INCORRECT_FORM ' }), { body })
    for (const entries of [{}, { reason: ' ' }, { comment: 'x' }, { reason: new Blob(['x']) }])
      assert.deepEqual(read('voidPackage', entries), { problem: 'voidReasonMissing' })
  })

  it('needs a comment to return a package to its initiator', () => {
    assert.deepEqual(read('returnToInitiator', { comment: '\n Add receipts. ' }), {
      body: { comment: 'Add receipts.' },
    })
    for (const entries of [{}, { comment: '\n' }, { reason: 'x' }])
      assert.deepEqual(read('returnToInitiator', entries), { problem: 'commentMissing' })
  })

  it('sends the sub-type with a new start, and the person with a return', () => {
    assert.deepEqual(read('routePackage'), { body: { state: 'ROUTING', subType: null } })
    assert.deepEqual(read('routePackage', {}, { subType: 'FOREIGN' }), {
      body: { state: 'ROUTING', subType: 'FOREIGN' },
    })
    assert.deepEqual(read('returnPackage'), { body: { univid: '10000002' } })
  })

  it('sends no body otherwise', () => {
    for (const name of ['reinitiatePackage', 'restartPackage', 'unvoidPackage', 'removePackage'] as const)
      assert.deepEqual(read(name, { reason: 'x', comment: 'x' }), {})
  })
})
