import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createTabGroup } from '../../src/client/tab-group.ts'

describe('createTabGroup()', () => {
  for (const [name, isShared] of [
    ['that shares nothing with other tabs', false],
    // There is no document here, so there is no name for the group.
    ['that cannot find other tabs', true],
  ] as const) {
    it(`returns a group for a tab ${name}, which leads while it is in the group`, () => {
      const { group, leads } = setUp(isShared)
      assert.equal(group.isLeader, false)
      assert.equal(group.join(), true)
      assert.equal(group.isLeader, true)
      assert.equal(leads(), 1)

      assert.equal(group.join(), false, 'it is in the group already')
      assert.equal(leads(), 1)

      group.leave()
      assert.equal(group.isLeader, false)
      group.leave()
      assert.equal(group.join(), true)
      assert.equal(leads(), 2)
      group.leave()
    })

    it(`posts nothing from a tab ${name}`, () => {
      const { group, messages } = setUp(isShared)
      group.post({ from: 1 })
      group.join()
      group.post({ from: 1 })
      group.leave()
      group.post({ from: 1 })
      assert.deepEqual(messages, [])
    })
  }
})

function setUp(isShared: boolean) {
  let leads = 0
  const messages: unknown[] = []
  const group = createTabGroup({
    root: '/api/wf',
    isShared,
    onLead: () => leads++,
    onMessage: (message) => messages.push(message),
  })
  return { group, messages, leads: () => leads }
}
