import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it, type TestContext } from 'node:test'
import { CallbackError } from '../../../src/proxy/callbacks/callback-error.ts'
import { createCallbackInbox, parseCallback } from '../../../src/proxy/callbacks/callback-inbox.ts'
import {
  type CallbackStore,
  type CallbackWorker,
  createMemoryCallbackStore,
  type StoredCallback,
} from '../../../src/proxy/callbacks/callback-store.ts'
import { type AppOptions, createApp, type Sent, useClock } from './callback-app.ts'

const fail = (text: string) => () => Promise.reject(new Error(text))
const idOf = ({ body }: Sent) => createHash('sha256').update(body).digest('hex')

/** Creates a receiver whose time passes only with the clock, and whose delays are not extended. */
async function setUp(t: TestContext, options: AppOptions = {}) {
  const clock = useClock(t)
  t.mock.method(Math, 'random', () => 0)
  const app = await createApp(options)
  return { app, clock }
}

/** A store whose processes a test stands in for. */
function createShared(memory = createMemoryCallbackStore()) {
  const calls: string[] = []
  let worker: CallbackWorker | undefined
  const store: CallbackStore = {
    ...memory,
    sharing: {
      start: (given) => (worker = given),
      readOwn: (id) => {
        calls.push(`readOwn ${id}`)
        return memory.read(id)
      },
      replay: (id) => {
        calls.push(`replay ${id}`)
        return Promise.resolve(id === 'known')
      },
      stop: () => void calls.push('stop'),
    },
  }
  return {
    store,
    calls,
    worker: () => {
      assert.ok(worker)
      return worker
    },
  }
}

describe('what the proxy logs about callbacks', () => {
  it('names the callback, its attempts, their errors and the time until the next one', async (t) => {
    let error: Error = new CallbackError('x'.repeat(600), { retryAfter: 7000.4 })
    const store = createMemoryCallbackStore()
    const { app, clock } = await setUp(t, { onCallback: () => Promise.reject(error), delays: [5000], store })
    const sent = await app.key.callback()
    await app.send(sent)
    await clock.settle()
    error = new TypeError('no such table')
    const waiting = await store.list()
    await clock.pass(7001)
    const facts = { callback: idOf(sent), formId: 6025, packageId: 42 }
    const lastError = `CallbackError: ${'x'.repeat(485)}`
    assert.deepEqual(app.logs, [
      ['info', 'A callback has arrived', { ...facts, state: 'ROUTING' }],
      [
        'error',
        'A callback could not be processed and is tried again',
        { ...facts, attempts: 1, error: lastError, inMs: 7000 },
      ],
      [
        'error',
        'A callback could not be processed and is now a dead letter',
        { ...facts, attempts: 2, error: 'TypeError: no such table' },
      ],
    ])
    const dueAt = Date.UTC(2026, 10, 16, 10) + 7000.4
    assert.deepEqual(
      waiting.map(({ progress }) => progress),
      [{ attempts: 1, dueAt, lastError }],
    )
    assert.deepEqual(app.counts(), { callback_verified: 1, callback_failed: 1, callback_dead: 1 })
  })

  it('extends each delay by up to a fifth', async (t) => {
    const { app, clock } = await setUp(t, { onCallback: fail('down'), delays: [5000] })
    t.mock.method(Math, 'random', () => 0.5)
    await app.send(await app.key.callback())
    await clock.settle()
    assert.equal(app.logs.at(-1)?.[2]['inMs'], 5500)
  })

  it('names an attempt that takes too long', async (t) => {
    const { app, clock } = await setUp(t, { onCallback: () => new Promise(() => {}), timeout: 1000 })
    await app.send(await app.key.callback())
    await clock.settle()
    await clock.pass(1000)
    assert.equal(app.logs.at(-1)?.[2]['error'], 'TimeoutError: The handler took longer than 1000 ms')
  })

  it('includes what the store cannot do', async (t) => {
    const store = {
      ...createMemoryCallbackStore(),
      list: fail('cannot list'),
      update: fail('cannot update'),
      finish: fail('cannot finish'),
    }
    let isDown = false
    const { app, clock } = await setUp(t, {
      onCallback: () => (isDown ? Promise.reject(new Error('down')) : undefined),
      delays: [],
      store,
    })
    const [first, second] = [await app.key.callback(), await app.key.callback({ packageId: 7 })]
    await app.send(first)
    await clock.settle()
    isDown = true
    await app.send(second)
    await clock.settle()
    const facts = (sent: Sent, packageId: number) => ({ callback: idOf(sent), formId: 6025, packageId })
    assert.deepEqual(
      app.logs.filter(([level]) => level === 'error'),
      [
        ['error', 'The callbacks of an earlier process could not be read', { error: 'Error: cannot list' }],
        [
          'error',
          'A callback has taken effect, but will be processed again after a restart',
          { ...facts(first, 42), error: 'Error: cannot finish' },
        ],
        [
          'error',
          'A callback could not be processed and is now a dead letter',
          { ...facts(second, 7), attempts: 1, error: 'Error: down' },
        ],
        [
          'error',
          'A failed attempt could not be recorded',
          { ...facts(second, 7), error: 'Error: cannot update' },
        ],
      ],
    )
  })

  it('tells what becomes of callbacks that are left when the proxy closes', async (t) => {
    for (const [isDurable, isShared, level, text] of [
      [false, false, 'error', 'are lost because they are only in memory'],
      [true, false, 'info', 'wait for the next start'],
      [true, true, 'info', 'are left to another process'],
    ] as const) {
      const memory = { ...createMemoryCallbackStore(), isDurable }
      const shared = createShared(memory)
      const { app, clock } = await setUp(t, {
        onCallback: () => new Promise(() => {}),
        store: isShared ? shared.store : memory,
      })
      const sent = await app.key.callback()
      await app.send(sent)
      const stored = await memory.read(idOf(sent))
      assert.ok(stored)
      if (isShared) shared.worker().onTurn(stored)
      await clock.settle()
      void app.inbox.close(1000)
      await clock.pass(1000)
      assert.deepEqual(app.logs.at(-1), [level, `Callbacks that have not taken effect ${text}`, { count: 1 }])
      const quiet = await createApp({ store: createMemoryCallbackStore() })
      await quiet.inbox.close(0)
      assert.deepEqual(quiet.logs, [], 'nothing if none is left')
      t.mock.timers.reset()
      t.mock.restoreAll()
    }
  })

  it('includes callbacks of other forms, and those that cannot be stored', async () => {
    const store = { ...createMemoryCallbackStore(), add: fail('ENOSPC') }
    const app = await createApp({ store })
    const facts = { packageId: 42, state: 'ROUTING' }
    await app.send(await app.key.callback({ formId: 7 }))
    await app.send(await app.key.callback())
    assert.deepEqual(app.logs, [
      ['warn', 'A callback belongs to a form that is not served here', { formId: 7, ...facts }],
      ['error', 'A callback could not be stored', { formId: 6025, ...facts, error: 'Error: ENOSPC' }],
      [
        'warn',
        'A callback was refused',
        {
          reason: 'The callback could not be stored, so it has no effect. Send it again later.',
          cause: 'callback',
          suppressedBefore: 0,
        },
      ],
    ])
  })
})

describe('a store that several processes share', () => {
  it('decides which callbacks this process handles', async (t) => {
    const { store, calls, worker } = createShared()
    const arrivals: unknown[] = []
    const { app, clock } = await setUp(t, { store, onArrival: (...arrival) => void arrivals.push(arrival) })
    const sent = await app.key.callback()
    const id = idOf(sent)
    assert.equal((await app.send(sent)).status, 200)
    await clock.settle()
    assert.deepEqual([app.taken, arrivals, app.logs], [[], [], []], 'another process may handle it')

    const stored = await store.read(id)
    assert.ok(stored)
    worker().onArrival(stored)
    assert.deepEqual(arrivals, [[{ formId: 6025, packageId: 42 }, 'ROUTING']])
    worker().onTurn(stored)
    await clock.settle()
    assert.equal(app.taken.length, 1)
    assert.equal(await store.read(id), undefined)

    assert.deepEqual([await app.inbox.replay('known'), await app.inbox.replay('other')], [true, false])
    await app.inbox.close(0)
    assert.deepEqual(calls, [`readOwn ${id}`, 'replay known', 'replay other', 'stop'])
  })

  it('does not hand out dead letters, and wakes a package that waits', async (t) => {
    const { store, worker } = createShared()
    let isDown = true
    let attempts = 0
    const { app, clock } = await setUp(t, {
      store,
      onCallback() {
        attempts++
        return isDown ? Promise.reject(new Error('down')) : undefined
      },
    })
    const sent = await app.key.callback()
    await app.send(sent)
    const stored = (await store.read(idOf(sent))) as StoredCallback
    worker().onTurn({ ...stored, progress: { attempts: 3, dueAt: null, lastError: 'x' } })
    await clock.settle()
    assert.equal(attempts, 0)
    worker().onTurn(stored)
    await clock.settle()
    isDown = false
    worker().onWake({ formId: 6025, packageId: 42 })
    await clock.settle()
    assert.equal(attempts, 2)
  })
})

describe('createCallbackInbox()', () => {
  it('gives later callbacks a later place in the order, although the clock was set back', async () => {
    const clock = { time: 5000 }
    const store = createMemoryCallbackStore()
    const old = (sequence: number, dueAt: number | null): StoredCallback => ({
      id: `old ${sequence}`,
      body: new Uint8Array(),
      formId: 6025,
      packageId: 1,
      sequence,
      receivedAt: 0,
      progress: { attempts: 0, dueAt, lastError: null },
    })
    await store.add(old(6000, 1e12))
    await store.add(old(5500, null))
    const arrivals: unknown[] = []
    const app = await createApp({
      store,
      now: () => clock.time,
      onArrival: (...arrival) => void arrivals.push(arrival),
      onCallback: () => new Promise(() => {}),
    })
    for (const [time, packageId] of [
      [5000, 2],
      [4000, 3],
      [9000, 4],
    ] as const) {
      clock.time = time
      await app.send(await app.key.callback({ packageId }))
    }
    // A dead letter of an earlier process does not arrive again.
    assert.deepEqual(arrivals[0], [{ formId: 6025, packageId: 1 }, undefined])
    assert.notDeepEqual(arrivals[1], arrivals[0])
    const listed = await store.list()
    assert.deepEqual(
      listed.map(({ packageId, sequence, receivedAt, progress }) => [
        packageId,
        sequence,
        receivedAt,
        progress.dueAt,
      ]),
      [
        [1, 5500, 0, null],
        [1, 6000, 0, 1e12],
        [2, 6001, 5000, 5000],
        [3, 6002, 4000, 4000],
        [4, 9000, 9000, 9000],
      ],
    )
  })

  it('does nothing with callbacks except storing them, if there is no handler', async () => {
    const store = createMemoryCallbackStore()
    const lines: unknown[] = []
    const inbox = createCallbackInbox({ store, log: (...line) => void lines.push(line) })
    const body = new TextEncoder().encode('{"formId":6025,"packageId":42,"state":"VOID"}')
    const callback = parseCallback(body)
    assert.ok(callback)
    await inbox.add(body, callback)
    await inbox.add(body, callback)
    await inbox.close(10_000)
    assert.deepEqual(await store.list(), [])
    assert.deepEqual(lines, [
      [
        'info',
        'A callback has arrived',
        {
          callback: createHash('sha256').update(body).digest('hex'),
          formId: 6025,
          packageId: 42,
          state: 'VOID',
        },
      ],
    ])
  })
})
