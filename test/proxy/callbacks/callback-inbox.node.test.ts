import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { CallbackBody } from '../../../src/contract/schemas/callbacks.ts'
import { CallbackError } from '../../../src/proxy/callbacks/callback-error.ts'
import type { CallbackDelivery, CallbackInboxOptions } from '../../../src/proxy/callbacks/callback-inbox.ts'
import { type CallbackStore, createMemoryCallbackStore } from '../../../src/proxy/callbacks/callback-store.ts'
import type { Hint } from '../../../src/proxy/changes/bus.ts'
import { until } from '../until.ts'
import { createApp, minute, useClock } from './callback-app.ts'

const hour = 60 * minute
/** A handler that never settles. */
const never = () => new Promise<void>(() => {})

describe('createCallbackInbox()', () => {
  it('repeats a callback with backoff until it succeeds, each time with the same id', async (t) => {
    const { app, clock, calls, outcome } = await setUp(t)
    outcome(() => Promise.reject(new Error('the database is down')))
    await app.send(await app.key.callback())
    await clock.settle()
    assert.equal(calls.length, 1)
    await clock.pass(4_999)
    assert.equal(calls.length, 1, 'not before five seconds')
    await clock.pass(1_001)
    assert.equal(calls.length, 2)
    await clock.pass(5 * minute - 1)
    assert.equal(calls.length, 2, 'not before another five minutes')
    outcome(() => Promise.resolve())
    await clock.pass(minute + 1)
    await clock.pass(100 * hour)
    assert.deepEqual(
      calls.map(({ attempt }) => attempt),
      [1, 2, 3],
    )
    assert.equal(new Set(calls.map(({ id }) => id)).size, 1)
    assert.match(calls[0]?.id ?? '', /^[0-9a-f]{64}$/)
    assert.equal(app.counts().callback_failed, 2)
  })

  it('is not held up by 100 handlers that never settle', async () => {
    const taken: number[] = []
    const app = await createApp({
      maxRunning: 60,
      onCallback({ packageId }) {
        if (packageId <= 100) return never()
        taken.push(packageId)
      },
    })
    for (let packageId = 1; packageId <= 110; packageId++)
      await app.send(await app.key.callback({ packageId }))
    await until(() => taken.length >= 10)
    // Before the next test replaces the timers.
    await app.inbox.close(0)
  })

  it('aborts an attempt after the timeout and makes another one', async (t) => {
    const { app, clock, calls, outcome } = await setUp(t, { timeout: 1000 })
    outcome(never)
    await app.send(await app.key.callback())
    await clock.settle()
    await clock.pass(999)
    assert.equal(calls[0]?.signal.aborted, false)
    await clock.pass(1)
    assert.equal(calls[0]?.signal.aborted, true)
    outcome(() => undefined)
    await clock.pass(6_000)
    assert.deepEqual([calls.length, calls[1]?.signal.aborted], [2, false])
  })

  it('waits longer, or gives up, if the handler asks for it', async (t) => {
    const { app, clock, calls, outcome } = await setUp(t)
    outcome(() => Promise.reject(new CallbackError('full', { retryAfter: hour })))
    const sent = await app.key.callback()
    await app.send(sent)
    await clock.settle()
    await clock.pass(hour - 1)
    assert.equal(calls.length, 1)
    outcome(() => Promise.reject(new CallbackError('gone', { isFinal: true })))
    await clock.pass(1)
    await clock.pass(100 * hour)
    assert.equal(calls.length, 2)
    assert.equal(app.counts().callback_dead, 1)
    assert.deepEqual([calls[0]?.receivedAt, calls[0]?.body], [Date.UTC(2026, 10, 16, 10), sent.body])
  })

  it('replays a dead letter with all its attempts, once, and a callback that waits now', async (t) => {
    const stored = createMemoryCallbackStore()
    const recorded: number[] = []
    const store: CallbackStore = {
      ...stored,
      update(id, progress) {
        recorded.push(progress.attempts)
        return stored.update(id, progress)
      },
    }
    const { app, clock, calls, outcome } = await setUp(t, { delays: [hour], store })
    outcome(() => Promise.reject(new Error('down')))
    await app.send(await app.key.callback())
    await clock.settle()
    const id = calls[0]?.id ?? ''
    const replay = async () => {
      const replayed = app.inbox.replay(id)
      await clock.settle()
      return await replayed
    }
    const attempts = () => calls.map(({ attempt }) => attempt)
    assert.equal(await replay(), true)
    assert.deepEqual(attempts(), [1, 2], 'now, not in an hour')
    assert.equal(app.counts().callback_dead, 1)

    assert.deepEqual(await Promise.all([replay(), replay()]), [true, true])
    await clock.pass(9 * hour)
    assert.deepEqual(attempts(), [1, 2, 1, 2])
    assert.deepEqual(recorded, [1, 2, 0, 1, 2], 'also after a crash')

    outcome(() => undefined)
    assert.equal(await replay(), true)
    assert.equal(await replay(), false, 'it has taken effect')
    await clock.pass(9 * hour)
    assert.deepEqual(attempts(), [1, 2, 1, 2, 1])
  })

  it('makes a dead letter after 75 hours, continues, and starts anew if the callback is sent again', async (t) => {
    const store = createMemoryCallbackStore()
    const { app, clock, calls, outcome } = await setUp(t, { store })
    outcome(({ state }) => (state === 'ROUTING' ? Promise.reject(new Error('no such table')) : undefined))
    const sent = await app.key.callback()
    await app.send(sent)
    await app.send(await app.key.callback({ state: 'VOID' }))
    await clock.settle()
    // Hour by hour, because an attempt sets the timer for the next one.
    for (let hours = 0; hours < 75; hours++) await clock.pass(hour)
    assert.ok(calls.every(({ state }) => state === 'ROUTING'))
    for (let hours = 0; hours < 20; hours++) await clock.pass(hour)
    assert.deepEqual(
      calls.map(({ state }) => state),
      [...Array.from({ length: 10 }, () => 'ROUTING'), 'VOID'],
    )
    const [dead, ...others] = await store.list()
    assert.deepEqual(others, [])
    assert.deepEqual(dead?.progress, { attempts: 10, dueAt: null, lastError: 'Error: no such table' })
    assert.equal(app.counts().callback_dead, 1)

    outcome(() => undefined)
    assert.equal((await app.send(sent)).status, 200)
    await clock.settle()
    assert.deepEqual([calls.length, calls.at(-1)?.attempt], [12, 1])
    assert.deepEqual(await store.list(), [])
  })

  it('processes what an earlier process has left, in order, and announces it again (F57)', async (t) => {
    const store = createMemoryCallbackStore()
    const first = await setUp(t, { store })
    first.outcome(never)
    for (const state of ['ROUTING', 'VOID', 'COMPLETE']) {
      await first.app.send(await first.app.key.callback({ state }))
      await first.app.send(await first.app.key.callback({ state, packageId: 7 }))
    }
    await first.clock.settle()

    const arrivals: Hint[] = []
    const second = await createApp({
      store,
      onArrival: ({ formId, packageId }) => void arrivals.push({ formId, packageId }),
    })
    await first.clock.until(() => second.taken.length >= 6)
    for (const id of [42, 7]) {
      assert.deepEqual(
        second.taken.filter(({ packageId }) => packageId === id).map(({ state }) => state),
        ['ROUTING', 'VOID', 'COMPLETE'],
      )
    }
    assert.equal(arrivals.length, 6)
    assert.deepEqual(await store.list(), [])
  })

  it('waits for the next attempt after a restart too', async (t) => {
    const store = createMemoryCallbackStore()
    const first = await setUp(t, { store })
    first.outcome(() => Promise.reject(new Error('down')))
    await first.app.send(await first.app.key.callback())
    await first.clock.settle()
    await first.app.inbox.close(0)

    const second = await createApp({ store })
    await first.clock.pass(4_999)
    assert.equal(second.taken.length, 0)
    await first.clock.pass(1_001)
    assert.equal(second.taken.length, 1)
    assert.equal(first.calls.length, 1, 'the first process makes no attempt after close()')
  })

  it('returns 503 if a callback could not be stored, and 200 when it can be', async () => {
    const memory = createMemoryCallbackStore({ maxSize: 2000 })
    let isFull = true
    const store: CallbackStore = {
      ...memory,
      add: (callback) => (isFull ? Promise.reject(new Error('ENOSPC')) : memory.add(callback)),
    }
    const app = await createApp({ store })
    const sent = await app.key.callback()
    const refused = await app.send(sent)
    assert.equal(refused.status, 503)
    assert.match(((await refused.json()) as { detail: string }).detail, /could not be stored/)
    assert.ok(app.logs.some(([level, , { error }]) => level === 'error' && String(error).includes('ENOSPC')))
    isFull = false
    assert.equal((await app.send(sent)).status, 200)
    await until(() => app.taken.length >= 1)
    assert.equal((await app.send(await app.key.callback({}, 2001))).status, 503, 'more than the memory takes')
  })

  it('stores a callback before it responds', async () => {
    const memory = createMemoryCallbackStore()
    let finish = () => {}
    const isFlushed = new Promise<void>((resolve) => (finish = resolve))
    let isAdding = false
    let isResponded = false
    const store: CallbackStore = {
      ...memory,
      add(callback) {
        isAdding = true
        return isFlushed.then(() => memory.add(callback))
      },
    }
    const app = await createApp({ store })
    const response = app.send(await app.key.callback()).then(({ status }) => {
      isResponded = true
      return status
    })
    await until(() => isAdding)
    // One that arrives later, and is not stored there because its signature does not fit, has its response.
    const { body } = await app.key.callback({ packageId: 43 })
    const { signature } = await app.key.callback()
    await app.send({ body, signature })
    assert.equal(isResponded, false)
    finish()
    assert.equal(await response, 200)
  })

  describe('close()', () => {
    it('leaves no rejection that nobody handles while the store is slow, and does not call the handler', async () => {
      const memory = createMemoryCallbackStore()
      let read = () => {}
      const isReadable = new Promise<void>((resolve) => (read = resolve))
      let isReading = false
      const store: CallbackStore = {
        ...memory,
        async read(id) {
          isReading = true
          await isReadable
          return await memory.read(id)
        },
      }
      const app = await createApp({ store })
      await app.send(await app.key.callback())
      await until(() => isReading)
      await app.inbox.close(0)
      // The test runner fails this test if a rejection is not handled in this turn.
      await nextTurn()
      read()
      await nextTurn()
      assert.equal(app.taken.length, 0)
    })
  })
})

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

interface Call extends CallbackDelivery {
  readonly packageId: number
  readonly state: string
}

/** Creates a receiver whose time passes only with the clock, and records the calls of its handler. */
async function setUp(t: TestContext, options: Partial<CallbackInboxOptions> = {}) {
  const clock = useClock(t)
  const calls: Call[] = []
  let outcome: (callback: CallbackBody) => void | Promise<void> = () => undefined
  const app = await createApp({
    ...options,
    onCallback(callback, delivery) {
      const { packageId, state } = callback
      calls.push({ ...delivery, packageId, state })
      return outcome(callback)
    },
  })
  return { app, clock, calls, outcome: (next: typeof outcome) => (outcome = next) }
}
