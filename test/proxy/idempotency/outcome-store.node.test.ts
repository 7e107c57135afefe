import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testOutcomes } from './outcome-contract.ts'
import {
  createOutcomeStore,
  type Outcome,
  type OutcomeStoreOptions,
} from '../../../src/proxy/idempotency/outcome-store.ts'

const done = (body: string | null = '12345'): Outcome => ({
  head: 'PUT /a',
  state: 'done',
  body: 'fingerprint',
  reply: { status: 200, headers: {}, body },
})

testOutcomes('createOutcomeStore()', () => Promise.resolve(createOutcomeStore()))

/** A store with a clock of its own. `known()` lists the ids among these that it still knows. */
function setUp(options: OutcomeStoreOptions = {}) {
  const clock = { time: 0 }
  const store = createOutcomeStore({ now: () => clock.time, ...options })
  const add = async (id: string, owner = 'a', outcome: Outcome | null = done()) => {
    assert.equal(await store.start(id, owner, 'PUT /a'), undefined, id)
    if (outcome) await store.finish(id, outcome)
  }
  const known = async (...ids: readonly string[]) => {
    const outcomes = await Promise.all(ids.map((id) => store.read(id)))
    return ids.filter((_, index) => outcomes[index] !== undefined)
  }
  return { clock, store, add, known }
}

describe('createOutcomeStore()', () => {
  it('returns what it knows about a request, from its start to its end', async () => {
    const { store } = setUp()
    assert.equal(await store.read('1'), undefined)
    assert.equal(await store.start('1', 'a', 'PUT /a'), undefined)
    const running = { head: 'PUT /a', state: 'running' }
    assert.deepEqual(await store.start('1', 'a', 'PUT /b'), running)
    assert.deepEqual(await store.read('1'), running)
    await store.finish('1', done())
    assert.deepEqual(await store.start('1', 'b', 'PUT /c'), done())
    assert.deepEqual(await store.read('1'), done())
    await store.forget('1')
    await store.forget('1')
    assert.equal(await store.read('1'), undefined)
    await store.finish('1', done())
    assert.equal(await store.read('1'), undefined, 'one that is not running has no outcome')
  })

  it('forgets each outcome a day after its start', async () => {
    const day = 24 * 60 * 60 * 1000
    const { clock, add, known } = setUp()
    await add('1')
    clock.time = 1000
    await add('2')
    clock.time = day - 1
    await add('3')
    assert.deepEqual(await known('1', '2', '3'), ['1', '2', '3'])
    clock.time = day
    await add('4')
    assert.deepEqual(await known('1', '2', '3', '4'), ['2', '3', '4'])
  })

  it('forgets a large reply after ten minutes', async () => {
    const { clock, add, known } = setUp()
    await add('large', 'a', done('x'.repeat(65_537)))
    await add('small', 'a', done('x'.repeat(65_536)))
    clock.time = 10 * 60_000 - 1
    await add('1')
    assert.deepEqual(await known('large', 'small'), ['large', 'small'])
    clock.time = 10 * 60_000
    await add('2')
    assert.deepEqual(await known('large', 'small', '1'), ['small', '1'])
  })

  it('drops the oldest reply of anyone if it is full, and none before', async () => {
    const { add, known } = setUp({ max: 3 })
    await add('1', 'a', null)
    await add('2', 'b')
    await add('3', 'a')
    assert.deepEqual(await known('1', '2', '3'), ['1', '2', '3'])
    await add('4', 'a')
    assert.deepEqual(await known('1', '2', '3', '4'), ['1', '3', '4'])
  })

  it('accepts no request if only requests without a known outcome are left', async () => {
    const full = { message: 'Too many requests have no known outcome' }
    const { store, add, known } = setUp({ max: 3, maxPerOwner: 2 })
    await add('1', 'a', null)
    await add('2', 'a', { head: '', state: 'unknown' })
    await assert.rejects(store.start('3', 'a', ''), full)
    await add('4', 'b', null)
    await assert.rejects(store.start('5', 'c', ''), full)
    assert.deepEqual(await known('1', '2', '3', '4', '5'), ['1', '2', '4'])
    await store.forget('4')
    await add('5', 'c', null)
  })

  it('drops the oldest replies if all are too long together', async () => {
    const { store, add, known } = setUp({ maxSize: 10 })
    await add('0', 'a', null)
    await add('1')
    await add('2', 'b')
    await add('3', 'a', done(null))
    assert.deepEqual(await known('1', '2', '3'), ['1', '2', '3'])
    await add('4', 'a', done('1'))
    assert.deepEqual(await known('0', '1', '2', '3', '4'), ['0', '2', '3', '4'])
    await store.forget('2')
    await add('5', 'a', done('123456789'))
    assert.deepEqual(await known('3', '4', '5'), ['3', '4', '5'])
    await add('6', 'a', done('12345678901'))
    assert.deepEqual(await known('0', '3', '4', '5', '6'), ['0'])
  })
})
