import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { killWhileListsAreKept } from '../../../tools/lab/desk.ts'

// A small version of `npm run lab -- desk`.

describe('a proxy with lists that is killed while callbacks arrive and people are reminded', () => {
  it('loses no package of a callback that it has accepted, and has no reminder sent twice (1.6, 2.4, F57)', async () => {
    const result = await killWhileListsAreKept({ store: 'embedded', rounds: 5 })
    assert.deepEqual([result.lost, result.twice], [0, 0], JSON.stringify(result))
    assert.ok(result.callbacks > 0 && result.emails > 0 && result.interrupted > 0, JSON.stringify(result))
  })

  it('would do both if it stored later than it says (control)', async () => {
    const result = await killWhileListsAreKept({ store: 'embedded', rounds: 8, isLate: true })
    assert.ok(result.lost > 0 && result.twice > 0, JSON.stringify(result))
  })
})
