import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { SignedBody, Verification } from '../../../src/proxy/callbacks/callback-key.ts'
import type { UnverifiedCallback, UnverifiedStore } from '../../../src/proxy/callbacks/callback-store.ts'
import {
  createPendingCallbacks,
  type PendingCallbacksOptions,
} from '../../../src/proxy/callbacks/pending-callbacks.ts'
import { until } from '../until.ts'

/** A callback whose body has `size` bytes. */
const signed = (size = 10): SignedBody => ({
  body: new Uint8Array(size),
  signature: new Uint8Array(64),
  generation: 0,
})

function setUp(t: TestContext, options: Partial<PendingCallbacksOptions> = {}) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const logs: (readonly unknown[])[] = []
  const decided: (readonly [number, Verification])[] = []
  const service = { verification: 'valid' as Verification, requests: 0 }
  const pending = createPendingCallbacks({
    key: {
      generation: () => 3,
      verify: () => Promise.resolve(service.verification),
      refresh: () => Promise.resolve(++service.requests > 0),
      refreshDelay: () => 5000,
    },
    maxCount: 2,
    maxSize: 100,
    onDecided: ({ generation }, verification) => {
      decided.push([generation, verification])
      return Promise.resolve()
    },
    log: (...line) => void logs.push(line),
    ...options,
  })
  t.after(() => pending.close())
  return { pending, logs, decided, service, pass: (ms: number) => t.mock.timers.tick(ms) }
}

/** A store whose content a test can see. */
function createStore(left: readonly UnverifiedCallback[] = []) {
  const kept = new Set(left)
  const store: UnverifiedStore = {
    add: (callback) => Promise.resolve(void kept.add(callback)),
    remove({ body }) {
      for (const callback of kept) if (callback.body === body) kept.delete(callback)
      return Promise.resolve()
    },
    list: () => Promise.resolve([...kept]),
  }
  return { store, kept }
}

describe('createPendingCallbacks()', () => {
  it('verifies what an earlier process has left with the next key, if there is room for it', async (t) => {
    const { store, kept } = createStore([signed(), signed(), signed()])
    const { pending, decided, service, pass } = setUp(t, { store })
    await until(() => {
      pass(5000)
      return service.requests > 0
    })
    await pending.verifyAll()
    await until(() => kept.size === 1)
    assert.deepEqual(
      decided,
      [
        [3, 'valid'],
        [3, 'valid'],
      ],
      'with the next key after the start',
    )
  })

  it('logs that what an earlier process has left cannot be read', async (t) => {
    const { store } = createStore()
    const list = () => Promise.reject(new Error('The disk is gone'))
    const { logs } = setUp(t, { store: { ...store, list } })
    await until(() => logs.length > 0)
    assert.deepEqual(logs, [
      [
        'error',
        'The unverified callbacks of an earlier process could not be read',
        { error: 'Error: The disk is gone' },
      ],
    ])
  })

  it('keeps a callback that could not be handled for the next start, and logs that', async (t) => {
    const { store, kept } = createStore()
    const onDecided = () => Promise.reject(new Error('The database is down'))
    const durable = setUp(t, { store, onDecided })
    await durable.pending.add(signed())
    await durable.pending.verifyAll()
    await until(() => durable.logs.length > 0)
    assert.equal(kept.size, 1)
    const message = 'A callback that waited for the public key has no effect before the next start'
    assert.deepEqual(durable.logs, [['error', message, { error: 'Error: The database is down' }]])
  })

  it('logs that a callback is lost if there is no store', async (t) => {
    const onDecided = () => Promise.reject(new Error('The database is down'))
    const { pending, logs } = setUp(t, { onDecided })
    await pending.add(signed())
    await pending.verifyAll()
    await until(() => logs.length > 0)
    const message = 'A callback that waited for the public key is lost'
    assert.deepEqual(logs, [['error', message, { error: 'Error: The database is down' }]])
  })

  it('logs how many callbacks are lost when it closes, unless a store keeps them', async (t) => {
    const inMemory = setUp(t)
    await inMemory.pending.add(signed())
    inMemory.pending.close()
    const message = 'Pending callbacks are discarded because the proxy closes'
    assert.deepEqual(inMemory.logs, [['warn', message, { count: 1 }]])
    inMemory.pass(60_000)
    assert.equal(inMemory.service.requests, 0)
    inMemory.pending.close()
    assert.equal(inMemory.logs.length, 1, 'none is left')
  })

  it('logs nothing when it closes with a store', async (t) => {
    const { pending, logs } = setUp(t, { store: createStore().store })
    await pending.add(signed())
    pending.close()
    assert.deepEqual(logs, [])
  })
})
