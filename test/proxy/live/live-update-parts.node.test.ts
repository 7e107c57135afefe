import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, it, type TestContext } from 'node:test'
import { createMemoryCallbackStore, type CallbackStore } from '../../../src/proxy/callbacks/callback-store.ts'
import { type Bus, createLocalBus, type Hint } from '../../../src/proxy/changes/bus.ts'
import { createLiveUpdates, type LiveUpdatesOptions } from '../../../src/proxy/live/live-updates.ts'
import type { OpenLocks } from '../../../src/proxy/locks/open-locks.ts'
import { ProxyError } from '../../../src/proxy/http/problem.ts'
import type { Authorizer } from '../../../src/proxy/rights/authorizer.ts'
import type { UpstreamCall } from '../../../src/proxy/upstream/upstream.ts'
import { storedCallback } from '../callbacks/store-contract.ts'
import { until } from '../until.ts'
import { readEvents } from './event-reader.ts'

const hint: Hint = { formId: 6025, packageId: 42 }
const person = { univid: '10000001' }

/** Live updates over fixed responses, and everything that they ask, log and hold. */
function setUp(t: TestContext, options: Partial<LiveUpdatesOptions> = {}) {
  const calls: { readonly name: string; readonly facts: object; readonly call: UpstreamCall }[] = []
  const asked: unknown[] = []
  const checks: Hint[] = []
  const held: unknown[] = []
  const logged: unknown[] = []
  const counts = { released: 0, announced: 0, closedLocks: 0 }
  const key = { text: '' }
  const record = (name: string, call: UpstreamCall) => {
    const { signal: _, requestId: __, ...facts } = call
    calls.push({ name, facts, call })
  }
  const live = createLiveUpdates({
    forms: [6025, 6026],
    upstream: {
      async call(name: string, call: UpstreamCall) {
        record(name, call)
        if (name === 'getPackage') return { commentCount: 1, attachmentCount: 2 }
        return [{ id: 42, state: 'ROUTING', inboxSignatures: [null, { id: 9 }, { id: 8 }] }, null]
      },
      async download(name: string, call: UpstreamCall) {
        record(name, call)
        return { stream: () => new Response(key.text).body! }
      },
    } as unknown as LiveUpdatesOptions['upstream'],
    rights: {
      viewable: async (
        request: UpstreamCall & { person: object },
        formId: number,
        ids: readonly number[],
      ) => {
        asked.push([request.person, formId, ids])
        return new Set(ids)
      },
    } as unknown as Authorizer,
    callbacks: {},
    callbackStore: createMemoryCallbackStore(),
    locks: {
      check: ({ formId, packageId }: Hint) => checks.push({ formId, packageId }),
      close: () => (counts.closedLocks += 1),
    } as unknown as OpenLocks,
    onAnnounced: () => (counts.announced += 1),
    bodyTimeout: 1000,
    limiter: {
      hold: async (...facts) => {
        held.push(facts)
        return () => (counts.released += 1)
      },
      count: async () => 0,
    },
    streamsPerPerson: 3,
    streams: 2,
    watchInterval: 2 ** 30,
    log: (...entry) => logged.push(entry),
    metrics: undefined,
    ...options,
  })
  t.after(() => live.close())
  const open = (query: string, init?: RequestInit) =>
    live.open(new Request(`https://northfield.test/events?${query}`, init), person)
  return { live, open, calls, asked, checks, held, logged, counts, key }
}

describe('createLiveUpdates() opens a stream', () => {
  it('of the packages of its forms, with the rights of the person', async (t) => {
    const { open, asked, calls, held, counts } = setUp(t)
    const reader = readEvents(await open('package=6025-42&package=9-1'))
    await until(() => asked.length > 0 && calls.length === 2)
    assert.deepEqual(asked, [[person, 6025, [42]]])
    assert.deepEqual(held, [['streams', '10000001', 3]])
    const application = { as: 'application' }
    assert.deepEqual(
      calls.map(({ name, facts }) => [name, facts]),
      [
        ['getStatus', { ...application, params: { formId: 6025 }, query: { id: [42] }, version: '1.2' }],
        [
          'getPackage',
          { ...application, params: { formId: 6025, packageId: 42 }, bypassAuthorization: true },
        ],
      ],
    )
    const ids = calls.map(({ call }) => call.requestId)
    assert.ok(ids.every((id) => /^[\da-f-]{36}$/.test(id)) && ids[0] !== ids[1])
    assert.equal(counts.released, 0)
    await reader.cancel()
    assert.equal(counts.released, 1)
  })

  it('after the last event that the browser names', async (t) => {
    const { live, open } = setUp(t)
    await live.announceChange(hint)
    const known = await live.announceChange(hint)
    const newest = await live.announceChange(hint)
    const reader = readEvents(await open('package=6025-42', { headers: { 'Last-Event-ID': known! } }))
    assert.equal((await reader.next())?.lastEventId, newest)
    assert.equal(reader.text().includes('resync'), false)
  })

  it('unless the person has too many, and gives its place back if it cannot be opened', async (t) => {
    const limiter = { hold: async () => undefined, count: async () => 0 }
    const limited = setUp(t, { limiter })
    await assert.rejects(limited.open('package=6025-42'), (error) => {
      assert.ok(error instanceof ProxyError)
      const message = 'Too many open pages receive live updates. Close one of them.'
      assert.deepEqual([error.status, error.message, error.retryAfter], [429, message, 30])
      return true
    })
    assert.deepEqual(limited.calls, [])

    const full = setUp(t)
    for (let count = 0; count < 2; count++) await full.open('package=6025-42')
    await assert.rejects(full.open('package=6025-42'), { status: 503 })
    assert.equal(full.counts.released, 1)
    await assert.rejects(full.open('package=x'), { status: 400 })
    assert.equal(full.held.length, 3)
  })
})

describe('createLiveUpdates() announces a change', () => {
  it('and returns the id of its event', async (t) => {
    const bus = createLocalBus()
    const { live, checks, counts, logged } = setUp(t, { bus })
    assert.equal(await live.announceChange(hint, 'ROUTING'), bus.last())
    assert.deepEqual([checks, counts.announced, logged], [[hint], 1, []])
    const silent: Bus = { ...bus, publish: async () => {} }
    assert.equal(await setUp(t, { bus: silent }).live.announceChange(hint), undefined)
  })

  it('and logs it if the bus fails', async (t) => {
    const failures = [
      () => Promise.reject(new Error('down')),
      () => {
        throw new Error('down')
      },
    ]
    for (const publish of failures) {
      const { live, logged } = setUp(t, { bus: { ...createLocalBus(), publish } })
      assert.equal(await live.announceChange(hint, 'ROUTING'), undefined)
      const message = 'A change could not be announced'
      assert.deepEqual(logged, [['error', message, { ...hint, error: 'Error: down' }]])
    }
  })

  it('and waits half a second for the bus, no longer', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const bus: Bus = { ...createLocalBus(), publish: () => new Promise(() => {}) }
    const { live } = setUp(t, { bus })
    let id: unknown = 'none'
    const announced = live.announceChange(hint).then((found) => (id = found))
    const settle = async () => {
      for (let turn = 0; turn < 20; turn++) await Promise.resolve()
    }
    await settle()
    t.mock.timers.tick(499)
    await settle()
    assert.equal(id, 'none')
    t.mock.timers.tick(1)
    await announced
    assert.equal(id, undefined)
  })
})

describe('createLiveUpdates() knows of its callbacks', () => {
  const memory = createMemoryCallbackStore()

  it('whether they can be stored', async (t) => {
    const { check: _, ...without } = memory
    for (const [store, expected] of [
      [without, true],
      [{ ...memory, check: () => Promise.resolve() }, true],
      [{ ...memory, check: () => Promise.reject(new Error('full')) }, false],
    ] as const)
      assert.equal(await setUp(t, { callbackStore: store }).live.callbacks.canStore(), expected)
  })

  it('which of them wait, and how many are given up', async (t) => {
    const { body: _, ...callback } = storedCallback('a')
    const at = (receivedAt: number, dueAt: number | null) => ({
      ...{ ...callback, receivedAt },
      progress: { attempts: 1, dueAt, lastError: null },
    })
    const { waiting: __, ...listing } = memory
    const waitingIn = (store: CallbackStore) => setUp(t, { callbackStore: store }).live.callbacks.waiting()
    const list = async () => [at(30, 1), at(20, null), at(9, 5), at(100, 2), at(1, null)]
    assert.deepEqual(await waitingIn({ ...listing, list }), { oldest: 9, dead: 2 })
    assert.deepEqual(await waitingIn({ ...listing, list: async () => [] }), { oldest: undefined, dead: 0 })
    const waiting = async () => ({ oldest: 4, dead: 7 })
    assert.deepEqual(await waitingIn({ ...listing, list, waiting }), { oldest: 4, dead: 7 })
  })

  it('whether they can be verified, with a key that the application reads', async (t) => {
    const { publicKey } = generateKeyPairSync('ed25519')
    const text = publicKey.export({ format: 'pem', type: 'spki' }).toString()
    for (const [length, expected] of [
      [16 * 1024, true],
      [16 * 1024 + 1, false],
    ] as const) {
      const { live, calls, key } = setUp(t)
      key.text = text.padEnd(length, '\n')
      assert.equal(await live.callbacks.hasKey(), expected, `${length} bytes`)
      assert.deepEqual(
        calls.map(({ name, facts }) => [name, facts]),
        [['getPublicKey', { as: 'application' }]],
      )
    }
  })

  it('for ten seconds at most, until it gives the request of the key up', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const signals: UpstreamCall['signal'][] = []
    const download = (_: string, { signal }: UpstreamCall) => {
      signals.push(signal)
      return new Promise(() => {})
    }
    const upstream = { download } as unknown as LiveUpdatesOptions['upstream']
    const { live } = setUp(t, { upstream })
    void live.callbacks.hasKey()
    await until(() => signals.length >= 1)
    t.mock.timers.tick(9999)
    assert.equal(signals[0]?.aborted, false)
    t.mock.timers.tick(1)
    assert.equal((signals[0]?.reason as Error).name, 'TimeoutError')
  })
})

describe('createLiveUpdates() closes', () => {
  it('its streams, its calls and its locks, and leaves the bus of the host open', async (t) => {
    let closes = 0
    const bus = { ...createLocalBus(), close: async () => void (closes += 1) }
    const { live, open, calls, checks, counts } = setUp(t, { bus })
    const reader = readEvents(await open('package=6025-42'))
    await until(() => calls.length >= 2)
    await reader.untilText(': hello\n')
    await live.close()
    assert.equal(await reader.next(), undefined)
    assert.deepEqual([counts.released, counts.closedLocks, closes], [1, 1, 0])
    const { signal } = calls[0]!.call
    assert.deepEqual([signal.aborted, (signal.reason as Error).name], [true, 'AbortError'])
    await bus.publish(hint)
    assert.deepEqual([checks, counts.announced], [[], 0])
    await assert.rejects(open('package=6025-42'), { status: 503 })
  })
})
