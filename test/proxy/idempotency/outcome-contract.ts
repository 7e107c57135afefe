import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Outcome, OutcomeStore } from '../../../src/proxy/idempotency/outcome-store.ts'

// What every store of outcomes has to do, whatever keeps them. Its limits are the default ones.

export const doneWith = (body: string | null): Outcome => ({
  head: 'head',
  state: 'done',
  body: 'fingerprint',
  reply: { status: 200, headers: {}, body },
})

/** Tests a store. `open` opens an empty one. */
export function testOutcomes(name: string, open: () => Promise<OutcomeStore>): void {
  /** Adds requests of a person, one after the other. Returns the ids among them that are still known. */
  async function knownAfter(store: OutcomeStore, owner: string, count: number, body: string | null) {
    const ids = Array.from({ length: count }, (_, index) => `${owner}${index}`)
    for (const id of ids) {
      assert.equal(await store.start(id, owner, 'head'), undefined)
      await store.finish(id, doneWith(body))
    }
    const known = await Promise.all(ids.map((id) => store.read(id)))
    return ids.filter((_, index) => known[index] !== undefined)
  }

  describe(`${name} as a store of outcomes`, () => {
    it('lets one of many equal requests run, and returns its outcome to the others', async () => {
      const store = await open()
      const starts = await Promise.all(Array.from({ length: 20 }, () => store.start('1', 'a', 'head')))
      assert.equal(starts.filter((known) => known === undefined).length, 1)
      assert.deepEqual(starts.find(Boolean), { head: 'head', state: 'running' })
      await store.finish('1', doneWith('{}'))
      assert.deepEqual(await store.start('1', 'a', 'head'), doneWith('{}'))
      assert.deepEqual(await store.read('1'), doneWith('{}'))
      await store.start('2', 'a', 'head')
      await store.forget('2')
      assert.equal(await store.read('2'), undefined)
      assert.equal(await store.start('2', 'a', 'head'), undefined, 'it may run again')
      await store.forget('2')
    })

    it('drops the oldest replies of a person with too many, and those of nobody else', async () => {
      const store = await open()
      assert.deepEqual(await knownAfter(store, 'b', 2, null), ['b0', 'b1'])
      const known = await knownAfter(store, 'a', 502, null)
      assert.equal(known.length, 500)
      assert.deepEqual([known[0], known.at(-1)], ['a2', 'a501'])
      assert.ok((await store.read('b0')) && (await store.read('b1')))
    })

    it('drops the oldest replies of a person that are too long together, and those of nobody else', async () => {
      const store = await open()
      const long = 'x'.repeat(60_000)
      assert.deepEqual(await knownAfter(store, 'b', 2, long), ['b0', 'b1'])
      const known = await knownAfter(store, 'a', 40, long)
      assert.ok(known.length > 30 && known.length < 34, `${known.length}`)
      assert.equal(known.at(-1), 'a39')
      assert.ok((await store.read('b0')) && (await store.read('b1')))
    })

    it('refuses a request of a person with too many that have no known outcome, and serves others', async () => {
      const store = await open()
      const ids = Array.from({ length: 500 }, (_, index) => `a${index}`)
      await Promise.all(ids.map((id) => store.start(id, 'a', 'head')))
      await assert.rejects(store.start('more', 'a', 'head'), /Too many requests have no known outcome/)
      assert.equal(await store.start('b', 'b', 'head'), undefined)
      await store.finish('a7', { head: 'head', state: 'unknown' })
      await assert.rejects(store.start('more', 'a', 'head'), /Too many/, 'an unknown outcome is kept')
      await store.forget('a8')
      assert.equal(await store.start('more', 'a', 'head'), undefined)
      for (const id of [...ids, 'b', 'more']) await store.forget(id)
    })
  })
}
