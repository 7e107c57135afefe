import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { createMemoryLockStore, type LockStore } from '../../../src/proxy/locks/lock-store.ts'
import {
  createOpenLocks,
  type OpenLocksOptions,
  type Standstill,
} from '../../../src/proxy/locks/open-locks.ts'
import { createStandstills } from '../../../src/proxy/locks/standstills.ts'
import { ProxyError } from '../../../src/proxy/http/problem.ts'
import { refusals } from '../../../src/proxy/http/refusals.ts'
import { until } from '../until.ts'
import { createdAt, moving, paused, stop, stopCallback } from './stop-callback.ts'

const hour = 3_600_000
const isVoid: Standstill = { state: 'VOID', isPaused: false, isOver: false }

/** Open locks over states that a test sets, and everything that they read, log and measure. */
function setUp(t: TestContext, options: Partial<OpenLocksOptions> = {}) {
  const states = new Map<number, Standstill | 'missing' | undefined>()
  const reads: unknown[] = []
  const logs: unknown[] = []
  const gauges: unknown[] = []
  const clock = { now: 0 }
  const broken = { reads: false, store: false }
  const memory = createMemoryLockStore()
  const failing = () => Promise.reject(new Error('The disk is full'))
  const store: LockStore = {
    ...memory,
    get: (hint) => (broken.store ? failing() : memory.get(hint)),
    list: () => (broken.store ? failing() : memory.list()),
    put: (lock) => (broken.store ? failing() : memory.put(lock)),
  }
  const locks = createOpenLocks({
    store,
    readStandstills(formId, ids) {
      reads.push([formId, ids])
      if (broken.reads) return Promise.reject(new Error('The service is down'))
      const rows = ids.map((id) => [id, states.has(id) ? states.get(id) : paused] as const)
      return Promise.resolve(new Map(rows.flatMap(([id, state]) => (state ? [[id, state] as const] : []))))
    },
    log: (...entry) => logs.push(entry),
    metrics: { locks: (...counts) => gauges.push(counts) },
    now: () => clock.now,
    interval: 2 ** 30,
    ...options,
  })
  t.after(() => locks.close())
  const lockIds = async () => (await memory.list()).map(({ lockId }) => lockId)
  return { locks, store, states, reads, logs, gauges, clock, broken, lockIds }
}

const hint = { formId: 6025, packageId: 42 }
const stored = { ...hint, lockId: 7, stop, createdAt, receivedAt: 5 }

describe('createOpenLocks() reads', () => {
  it('the state of a package before it returns its lock', async (t) => {
    const { locks, states, reads, logs, lockIds } = setUp(t)
    assert.equal(await locks.find(hint), undefined)
    assert.deepEqual(reads, [])
    await locks.observe(stopCallback(), 5)
    assert.deepEqual(await locks.find(hint), { ...stored, ...paused })
    states.set(42, isVoid)
    assert.equal(await locks.find(hint), undefined)
    assert.deepEqual([await lockIds(), logs], [[7], []], 'a void package keeps its lock')
    states.set(42, moving)
    assert.equal(await locks.find(hint), undefined)
    assert.deepEqual(await lockIds(), [])
    assert.deepEqual(logs, [['info', 'A lock is no longer open', { ...hint, lockId: 7 }]])
  })

  it('no lock of a package that does not exist, and forgets it', async (t) => {
    const { locks, states, lockIds } = setUp(t)
    await locks.observe(stopCallback(), 5)
    states.set(42, 'missing')
    assert.equal(await locks.find(hint), undefined)
    assert.deepEqual(await lockIds(), [])
    assert.equal(await locks.verify(hint), undefined)
  })

  it('the locks of a form from the oldest on', async (t) => {
    const { locks, states, reads } = setUp(t)
    for (const [packageId, receivedAt] of [
      [1, 30],
      [2, 10],
      [3, 20],
      [4, 5],
    ] as const)
      await locks.observe(stopCallback({ packageId }), receivedAt)
    states.set(4, isVoid)
    await until(() => reads.length >= 1)
    const { locks: listed, hasMore } = await locks.list(6025)
    assert.deepEqual([listed.map(({ packageId }) => packageId), hasMore], [[2, 3, 1], false])
    assert.deepEqual(reads.at(-1), [6025, [4, 2, 3, 1]])
    assert.deepEqual(await locks.list(6026), { locks: [], hasMore: false })
  })

  it('100 locks of a form at most', async (t) => {
    const { locks, lockIds } = setUp(t)
    for (let packageId = 1; packageId <= 100; packageId++)
      await locks.observe(stopCallback({ packageId }), packageId)
    const { locks: all, hasMore } = await locks.list(6025)
    assert.deepEqual([all.length, hasMore], [100, false])
    await locks.observe(stopCallback({ packageId: 500 }), -1)
    const { locks: some, hasMore: hasOthers } = await locks.list(6025)
    assert.deepEqual([some.length, some[0]?.packageId, hasOthers], [100, 500, true])
    await locks.checkAll()
    assert.equal((await lockIds()).length, 101, 'several requests for a form forget no lock')
  })

  it('one batch after the other', async (t) => {
    const ends: (() => void)[] = []
    const batches: (readonly number[])[] = []
    const { locks } = setUp(t, {
      readStandstills: (_, ids) => {
        batches.push(ids)
        return new Promise((resolve) => ends.push(() => resolve(new Map(ids.map((id) => [id, paused])))))
      },
    })
    await locks.observe(stopCallback(), 0)
    await until(() => batches.length >= 1)
    await locks.observe(stopCallback({ packageId: 43 }), 0)
    await locks.observe(stopCallback({ packageId: 44 }), 0)
    await new Promise((resolve) => setTimeout(resolve, 0))
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual(batches, [[42]])
    ends[0]?.()
    await until(() => batches.length >= 2)
    assert.deepEqual(batches, [[42], [43, 44]])
    ends[1]?.()
  })

  it('the state of a package after a release, and forgets its lock if the route continues', async (t) => {
    const { locks, states, lockIds } = setUp(t)
    await locks.observe(stopCallback(), 5)
    for (const [state, left] of [
      [paused, [7]],
      [isVoid, [7]],
      [moving, []],
    ] as const) {
      states.set(42, state)
      assert.deepEqual(await locks.verify(hint), state)
      assert.deepEqual(await lockIds(), left, state.state)
    }
    assert.deepEqual(await locks.verify(hint), moving, 'without a lock')
  })

  it('a batch of changed packages with one request for each form', async (t) => {
    const { locks, reads } = setUp(t)
    await locks.observe(stopCallback(), 0)
    await locks.observe(stopCallback({ packageId: 43 }), 0)
    await locks.observe(stopCallback({ formId: 6026, packageId: 44 }), 0)
    await until(() => reads.length >= 2)
    reads.length = 0
    for (const packageId of [42, 43, 42, 99]) locks.check({ formId: 6025, packageId })
    locks.check({ formId: 6026, packageId: 44 })
    await until(() => reads.length >= 2)
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual(reads, [
      [6025, [42, 43]],
      [6026, [44]],
    ])
  })
})

describe('createOpenLocks() keeps', () => {
  it('the locks of stops, and not those that state-based callbacks name', async (t) => {
    const { locks, lockIds } = setUp(t)
    await locks.observe(stopCallback({ stop: null }), 0)
    await locks.observe(stopCallback({ lockId: null }), 0)
    assert.deepEqual(await lockIds(), [])
    await locks.observe(stopCallback(), 0)
    assert.deepEqual(await lockIds(), [7])
  })

  it('a lock until a later callback comes and the route continues', async (t) => {
    const { locks, states, lockIds } = setUp(t)
    await locks.observe(stopCallback(), 0)
    await locks.checkAll()
    assert.deepEqual(await lockIds(), [7])
    states.set(42, moving)
    await locks.observe(stopCallback({ stop: null, state: 'COMPLETE' }), 1)
    await until(async () => (await lockIds()).length === 0)
  })

  it('a lock while the state of its package is not known', async (t) => {
    const { locks, states, logs, gauges, lockIds } = setUp(t)
    states.set(42, undefined)
    await locks.observe(stopCallback(), 0)
    await locks.checkAll()
    assert.deepEqual(gauges.at(-1), [1, 0])
    assert.ok(logs.some((line) => String(line).startsWith('warn,A lock is kept')))
    await assert.rejects(locks.find(hint), { status: 502 })
    await assert.rejects(locks.list(6025), { status: 502 })
    assert.equal(await locks.verify(hint), undefined)
    assert.deepEqual(await lockIds(), [7])
  })

  it('the lock that has taken the place of one to forget', async (t) => {
    const { locks, lockIds } = setUp(t)
    await locks.observe(stopCallback({ lockId: 9 }), 0)
    await locks.forget({ ...hint, lockId: 7 })
    assert.deepEqual(await lockIds(), [9])
    await locks.forget({ ...hint, lockId: 9 })
    assert.deepEqual(await lockIds(), [])
  })

  it('the lock of a callback that is sent again, and any lock without a time until one with a time comes', async (t) => {
    const { locks, lockIds } = setUp(t)
    for (const [lockId, time, expected] of [
      [1, null, 1],
      [2, null, 2],
      [3, createdAt, 3],
      [4, null, 3],
      [5, createdAt, 5],
      [6, '2026-11-16T09:59:59', 5],
      [7, '2026-11-16T10:05:00', 7],
    ] as const) {
      await locks.observe(stopCallback({ lockId, createdAt: time }), 0)
      assert.deepEqual(await lockIds(), [expected])
    }
  })

  it('the later of two locks that arrive at the same time', async (t) => {
    const { locks, lockIds } = setUp(t)
    await Promise.all([
      locks.observe(stopCallback({ lockId: 9, createdAt: '2026-11-16T10:05:00' }), 0),
      locks.observe(stopCallback(), 0),
    ])
    assert.deepEqual(await lockIds(), [9])
  })

  it('nothing if it could not be stored, and continues afterwards', async (t) => {
    const { locks, broken, lockIds } = setUp(t)
    broken.store = true
    await assert.rejects(locks.observe(stopCallback(), 0), /The disk is full/)
    broken.store = false
    await locks.observe(stopCallback(), 0)
    assert.deepEqual(await lockIds(), [7])
  })
})

describe('createOpenLocks() reports', () => {
  it('at its interval until it is closed', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const { locks, reads } = setUp(t, { interval: 1000 })
    await locks.observe(stopCallback(), 0)
    await until(() => reads.length >= 1)
    t.mock.timers.tick(1000)
    await until(() => reads.length >= 2)
    locks.close()
    t.mock.timers.tick(5000)
    for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve))
    assert.equal(reads.length, 2)
  })

  it('a route that stays frozen, with its age, once per that time (F58)', async (t) => {
    const { locks, clock, logs, gauges } = setUp(t, { alarmAge: 2 * hour })
    await locks.observe(stopCallback(), 0)
    await locks.observe(stopCallback({ packageId: 43, lockId: 8 }), hour)
    const warning = (packageId: number, lockId: number, hours: number) => [
      'warn',
      'A route is still frozen',
      { formId: 6025, packageId, lockId, stop, hours },
    ]
    const expected: unknown[] = []
    for (const [now, warnings, counts] of [
      [2 * hour - 1, [], [2, 0]],
      [2 * hour, [warning(42, 7, 2)], [2, 1]],
      [4 * hour - 1, [warning(43, 8, 2)], [2, 2]],
      [4 * hour, [warning(42, 7, 4)], [2, 2]],
    ] as const) {
      clock.now = now
      await locks.checkAll()
      expected.push(...warnings)
      assert.deepEqual([logs, gauges.at(-1)], [expected, counts], `${now}`)
    }
  })

  it('a lock of the same package anew after an earlier one', async (t) => {
    const { locks, clock, logs } = setUp(t, { alarmAge: hour })
    await locks.observe(stopCallback(), 0)
    clock.now = hour
    await locks.checkAll()
    await locks.observe(stopCallback({ lockId: 8 }), 0)
    await locks.checkAll()
    const ids = (logs as [string, string, { lockId: number }][]).map(([, , facts]) => facts.lockId)
    assert.deepEqual(ids, [7, 8])
  })

  it('a route anew that was not frozen in the meantime', async (t) => {
    const { locks, clock, states, logs, gauges } = setUp(t, { alarmAge: hour })
    await locks.observe(stopCallback(), 0)
    clock.now = hour
    for (const [state, warnings, counts] of [
      [paused, 1, [1, 1]],
      [isVoid, 1, [0, 0]],
      [paused, 2, [1, 1]],
    ] as const) {
      states.set(42, state)
      await locks.checkAll()
      assert.deepEqual([logs.length, gauges.at(-1)], [warnings, counts])
    }
  })

  it('a service that does not respond, for each form, and raises alarms all the same', async (t) => {
    const { locks, clock, broken, logs, gauges, lockIds } = setUp(t, { alarmAge: hour })
    await locks.observe(stopCallback(), 0)
    await locks.observe(stopCallback({ formId: 6026 }), hour)
    broken.reads = true
    clock.now = hour
    logs.length = 0
    await locks.checkAll()
    const error = 'Error: The service is down'
    assert.deepEqual(logs, [
      ['warn', 'Open locks could not be checked', { formId: 6025, error }],
      ['warn', 'Open locks could not be checked', { formId: 6026, error }],
      ['warn', 'A route is still frozen', { ...hint, lockId: 7, stop, hours: 1 }],
    ])
    assert.deepEqual(gauges.at(-1), [2, 1])
    await assert.rejects(locks.list(6025), /The service is down/)
    await assert.rejects(locks.verify(hint), /The service is down/)
    await assert.rejects(locks.find(hint), /The service is down/)
    assert.deepEqual(await lockIds(), [7, 7])
  })

  it('a store that cannot be read, and checks again afterwards', async (t) => {
    const { locks, broken, logs, gauges, reads } = setUp(t)
    await locks.observe(stopCallback(), 0)
    await until(() => reads.length >= 1)
    broken.store = true
    await locks.checkAll()
    const line = ['error', 'The open locks could not be read', { error: 'Error: The disk is full' }]
    assert.deepEqual([logs, gauges], [[line], []])
    locks.check(hint)
    await until(() => logs.length >= 2)
    assert.deepEqual(logs, [line, line])
    broken.store = false
    locks.check(hint)
    await until(() => reads.length >= 2)
    assert.equal(logs.length, 2)
  })

  it('nothing once it is closed', async (t) => {
    const { locks, broken, logs, gauges, reads, clock } = setUp(t, { alarmAge: hour })
    await locks.observe(stopCallback(), 0)
    await until(() => reads.length >= 1)
    clock.now = hour
    locks.close()
    await locks.checkAll()
    broken.reads = true
    await locks.checkAll()
    broken.store = true
    await locks.checkAll()
    assert.deepEqual([logs, gauges], [[], []])
    broken.store = false
    const before = reads.length
    locks.check(hint)
    await new Promise((resolve) => setTimeout(resolve, 0))
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
    assert.equal(reads.length, before)
  })
})

describe('createStandstills()', () => {
  const facts = () => ({ as: 'application' as const, requestId: 'r1', signal: new AbortController().signal })
  /** Reads packages of which the service sends these rows. `getPackage` responds to each with this, or throws it. */
  async function read(rows: readonly unknown[], ids: readonly number[], found: unknown = {}) {
    const calls: unknown[] = []
    const call = async (name: string, given: object & { signal: unknown }) => {
      const { signal: _, ...rest } = given
      calls.push([name, rest])
      if (name === 'getPackage' && found instanceof Error) throw found
      return name === 'getPackage' ? found : rows
    }
    const known = await createStandstills({ call }, facts)(6025, ids)
    return { found: Object.fromEntries(known), calls }
  }

  it('reads the states as the application', async () => {
    const inboxSignatures: readonly unknown[] = []
    const { calls } = await read(
      [
        { id: 1, state: 'ROUTING', inboxSignatures },
        { id: 2, state: 'ROUTING', inboxSignatures },
      ],
      [1, 2],
    )
    const given = { as: 'application', requestId: 'r1', params: { formId: 6025 }, query: { id: [1, 2] } }
    assert.deepEqual(calls, [['getStatus', { ...given, version: '1.2' }]])
  })

  it('finds packages that wait for nobody, and those whose lock has ended', async () => {
    const inbox = (permission: string | null) => ({ id: 1, permission })
    const states = ['PRE_ROUTING', 'DRAFT', 'COMPLETE', 'VOID', 'OTHER']
    const rows = [
      ...states.map((state, id) => ({ id, state, inboxSignatures: null })),
      { id: 10, state: 'ROUTING', inboxSignatures: null },
      { id: 11, state: 'ROUTING', inboxSignatures: [] },
      { id: 12, state: 'ROUTING', inboxSignatures: [inbox('VIEW_ONLY'), inbox('VIEW_ONLY')] },
      { id: 13, state: 'ROUTING', inboxSignatures: [inbox('VIEW_ONLY'), inbox('SIGN')] },
    ]
    const { found } = await read(
      rows,
      rows.map(({ id }) => id),
    )
    const over = (state: string) => ({ state, isPaused: false, isOver: true })
    assert.deepEqual(found, {
      ...Object.fromEntries(states.map((state, id) => [id, over(state)])),
      3: isVoid,
      4: { ...isVoid, state: 'OTHER' },
      ...{ 10: paused, 11: paused, 12: paused, 13: moving },
    })
  })

  it('says nothing about a package whose row or inbox cannot be read, or that has two rows', async () => {
    const row = { id: 1, state: 'ROUTING', inboxSignatures: [] }
    const unreadable: readonly (readonly unknown[])[] = [
      [],
      [null],
      [{ ...row, id: 2 }],
      [row, { ...row, state: 'COMPLETE' }],
      [row, row, row],
      [{ ...row, inboxSignatures: [null] }],
      [{ ...row, inboxSignatures: [{ id: 1, permission: null }] }],
    ]
    for (const rows of unreadable) assert.deepEqual((await read(rows, [1])).found, {}, JSON.stringify(rows))
    assert.deepEqual((await read([row, null], [1])).found, { 1: paused }, 'control')
  })

  it('takes a package for missing only if the service says so', async () => {
    const { status, message } = refusals.unexpectedResponse()
    assert.deepEqual((await read([], [1], refusals.notFound())).found, { 1: 'missing' })
    assert.deepEqual((await read([], [1], new ProxyError(status, message))).found, {})
    assert.deepEqual((await read([], [1], new Error('No response'))).found, {})
  })
})
