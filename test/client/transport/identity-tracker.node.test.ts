import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createIdentityTracker } from '../../../src/client/transport/identity-tracker.ts'

describe('createIdentityTracker()', () => {
  it('reports nothing while the responses are for one user, or do not name one', () => {
    const { tracker, reports } = setUp()
    for (const univid of [null, '10000001', '10000001', null, '10000001'])
      assert.equal(tracker.accept(univid), true)
    assert.deepEqual(reports, [])
  })

  it('reports another user once, also after responses that name none', () => {
    const { tracker, reports } = setUp()
    tracker.accept('10000001')
    tracker.accept(null)
    assert.equal(tracker.accept('10000002'), false)
    assert.equal(tracker.accept('10000002'), true)
    assert.deepEqual(reports, ['identity'])
  })

  it('reports the end of a session once, and the next sign-in once', () => {
    const { tracker, reports } = setUp()
    tracker.accept('10000001')
    tracker.signOut()
    tracker.signOut()
    assert.deepEqual(reports, ['identity'])
    assert.equal(tracker.accept('10000002'), true)
    assert.equal(tracker.accept('10000002'), true)
    assert.deepEqual(reports, ['identity', 'sign-in'])
  })

  it('reports a sign-in, but no change of user, if nobody was signed in at first', () => {
    const { tracker, reports } = setUp()
    tracker.signOut()
    assert.deepEqual(reports, [])
    assert.equal(tracker.accept('10000001'), true)
    assert.deepEqual(reports, ['sign-in'])
  })

  function setUp() {
    const reports: string[] = []
    const tracker = createIdentityTracker({
      onIdentity: () => reports.push('identity'),
      onSignIn: () => reports.push('sign-in'),
    })
    return { tracker, reports }
  }
})
