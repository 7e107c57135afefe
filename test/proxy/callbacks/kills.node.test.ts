import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isExact, killWhileCallbacksArrive } from '../../../tools/lab/callbacks.ts'
import { stores } from '../../../tools/lab/kills.ts'

// A small version of `npm run lab -- callbacks`. `crash.node.test.ts` shows that callbacks are lost without a store.

describe('a proxy whose processes are killed while callbacks arrive, some of them twice', () => {
  for (const [name, store] of stores) {
    it(`loses none, and each has its effect once for a receiver that records ids: ${name} (F57, T28)`, async () => {
      const options = { store, callbacks: 200, duplicates: 0.3, kills: 3, lease: 3000 }
      const result = await killWhileCallbacksArrive(options)
      assert.deepEqual([result.accepted, result.duplicates, result.kills], [260, 60, 3])
      assert.equal(isExact(result, 200), true, JSON.stringify(result))
    })
  }
})
