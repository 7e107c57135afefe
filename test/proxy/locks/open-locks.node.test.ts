import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { createMemoryLockStore, type LockStore } from '../../../src/proxy/locks/lock-store.ts'
import {
  createOpenLocks,
  type OpenLocksOptions,
  type Standstill,
} from '../../../src/proxy/locks/open-locks.ts'
import { openStorage } from '../../../src/proxy/node/storage/storage.ts'
import { until } from '../until.ts'
import { moving, paused, stopCallback } from './stop-callback.ts'

const hour = 3_600_000

function setUp(t: TestContext, options: Partial<OpenLocksOptions> = {}) {
  const states = new Map<number, Standstill>()
  const reads: (readonly number[])[] = []
  const logs: string[] = []
  const gauges: string[] = []
  const clock = { now: 0, isDown: false }
  const store: LockStore = options.store ?? createMemoryLockStore()
  const locks = createOpenLocks({
    store,
    readStandstills(_formId, ids) {
      reads.push(ids)
      if (clock.isDown) return Promise.reject(new Error('The service is down'))
      return Promise.resolve(new Map(ids.map((id) => [id, states.get(id) ?? paused])))
    },
    log: (level, message, facts) => logs.push(`${level} ${message} ${JSON.stringify(facts)}`),
    metrics: { locks: (...counts) => gauges.push(counts.join('/')) },
    now: () => clock.now,
    interval: 2 ** 30,
    ...options,
  })
  t.after(() => locks.close())
  const idOf = async (packageId = 42) => (await store.get({ formId: 6025, packageId }))?.lockId
  return { locks, store, states, reads, logs, gauges, clock, idOf }
}

describe('createOpenLocks()', () => {
  it('remembers the locks of stops, and not those that state-based callbacks name', async (t) => {
    const { locks, idOf } = setUp(t)
    await locks.observe(stopCallback({ stop: null }), 0)
    await locks.observe(stopCallback({ lockId: null }), 0)
    assert.equal(await idOf(), undefined)
    await locks.observe(stopCallback(), 0)
    assert.equal(await idOf(), 7)
  })

  it('keeps the latest lock of a package, in whichever order the callbacks arrive', async (t) => {
    const { locks, idOf } = setUp(t)
    await locks.observe(stopCallback({ lockId: 9, createdAt: '2026-11-16T10:05:00' }), 0)
    await locks.observe(stopCallback(), 1)
    assert.equal(await idOf(), 9)
    await locks.observe(stopCallback({ lockId: 11, createdAt: '2026-11-16T10:06:00' }), 2)
    assert.equal(await idOf(), 11)
  })

  it('forgets a lock when any later callback comes and the route continues', async (t) => {
    const { locks, states, idOf } = setUp(t)
    await locks.observe(stopCallback(), 0)
    await locks.checkAll()
    assert.equal(await idOf(), 7)
    states.set(42, moving)
    await locks.observe(stopCallback({ stop: null, state: 'COMPLETE' }), 1)
    await until(async () => (await idOf()) === undefined)
  })

  it('reads the states of all packages of a batch in a few requests', async (t) => {
    const { locks, reads } = setUp(t)
    for (let packageId = 1; packageId <= 250; packageId++) await locks.observe(stopCallback({ packageId }), 0)
    await until(() => new Set(reads.flat()).size === 250)
    assert.ok(reads.length <= 20, `${reads.length} requests`)
    assert.ok(reads.every((ids) => ids.length <= 100))
  })

  it('keeps its locks while the service does not respond', async (t) => {
    const { locks, clock, idOf, logs, gauges } = setUp(t)
    clock.isDown = true
    await locks.observe(stopCallback(), 0)
    await locks.checkAll()
    assert.equal(await idOf(), 7)
    assert.equal(gauges.at(-1), '1/0')
    assert.ok(logs.some((line) => line.startsWith('warn Open locks could not be checked')))
    await assert.rejects(locks.find({ formId: 6025, packageId: 42 }), /is down/)
  })

  it('forgets the lock of a package that does not exist, and keeps it if the state is not known', async (t) => {
    const found = new Map<number, Standstill | 'missing'>()
    const { locks, logs, gauges, idOf } = setUp(t, { readStandstills: () => Promise.resolve(found) })
    await locks.observe(stopCallback(), 0)
    await locks.checkAll()
    assert.equal(await idOf(), 7)
    assert.equal(gauges.at(-1), '1/0')
    assert.ok(logs.some((line) => line.startsWith('warn A lock is kept')))
    await assert.rejects(locks.find({ formId: 6025, packageId: 42 }), { status: 502 })
    await assert.rejects(locks.list(6025), { status: 502 })
    assert.equal(await locks.verify({ formId: 6025, packageId: 42 }), undefined)
    assert.equal(await idOf(), 7)
    found.set(42, paused)
    assert.equal((await locks.list(6025)).locks.length, 1)
    found.set(42, 'missing')
    await locks.checkAll()
    assert.equal(await idOf(), undefined)
  })

  it('forgets a lock, but not the one that has taken its place', async (t) => {
    const { locks, idOf } = setUp(t)
    await locks.observe(stopCallback({ lockId: 9 }), 0)
    await locks.forget({ formId: 6025, packageId: 42, lockId: 7 })
    assert.equal(await idOf(), 9)
    await locks.forget({ formId: 6025, packageId: 42, lockId: 9 })
    assert.equal(await idOf(), undefined)
  })

  it('raises an alarm when a lock becomes too old, and once per that time (F58)', async (t) => {
    const { locks, clock, logs, gauges, states } = setUp(t, { alarmAge: 24 * hour })
    const alarms = () => logs.filter((line) => line.startsWith('warn A route is still frozen')).length
    await locks.observe(stopCallback(), 0)
    await locks.observe(stopCallback({ packageId: 43 }), 23 * hour)
    for (const [now, expected, gauge] of [
      [24 * hour - 1, 0, '2/0'],
      [24 * hour, 1, '2/1'],
      [25 * hour, 1, '2/1'],
      [48 * hour, 3, '2/2'],
    ] as const) {
      clock.now = now
      await locks.checkAll()
      assert.deepEqual([alarms(), gauges.at(-1)], [expected, gauge], String(now / hour))
    }
    assert.match(logs.at(-1) ?? '', /"lockId":7|"packageId":43/)
    states.set(42, moving)
    states.set(43, moving)
    await locks.checkAll()
    assert.equal(gauges.at(-1), '0/0')
  })

  it('checks its locks at its interval until it is closed', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const { locks, reads } = setUp(t, { interval: 1000 })
    await locks.observe(stopCallback(), 0)
    await until(() => reads.length === 1)
    t.mock.timers.tick(1000)
    await until(() => reads.length === 2)
    locks.close()
    t.mock.timers.tick(5000)
    for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve))
    assert.equal(reads.length, 2)
  })

  it('lists the 100 oldest locks of a form', async (t) => {
    const { locks } = setUp(t)
    for (let packageId = 1; packageId <= 101; packageId++)
      await locks.observe(stopCallback({ packageId }), 1000 - packageId)
    await locks.observe(stopCallback({ formId: 6026, packageId: 500 }), 0)
    const { locks: listed, hasMore } = await locks.list(6025)
    assert.deepEqual([listed.length, listed[0]?.packageId, hasMore], [100, 101, true])
    assert.deepEqual((await locks.list(6026)).hasMore, false)
  })

  it('knows the locks of an earlier process from the store on disk', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'routeslip-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const first = await openStorage(folder)
    const before = setUp(t, { store: first.callbackStore.locks })
    await before.locks.observe(stopCallback(), 5)
    await before.locks.observe(stopCallback({ packageId: 43 }), 6)
    await before.locks.forget({ formId: 6025, packageId: 43, lockId: 7 })
    before.locks.close()
    await first.close()

    const second = await openStorage(folder)
    t.after(second.close)
    const { locks } = setUp(t, { store: second.callbackStore.locks })
    assert.deepEqual((await locks.list(6025)).locks, [
      {
        ...{ formId: 6025, packageId: 42, lockId: 7, createdAt: '2026-11-16T10:00:00', receivedAt: 5 },
        ...{ stop: { name: 'Department', stopNumber: 1 } },
        ...paused,
      },
    ])
    assert.deepEqual(await second.callbackStore.list(), [], 'control: callbacks are kept apart')
  })
})
