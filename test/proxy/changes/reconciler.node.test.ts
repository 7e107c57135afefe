import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import type { Hint } from '../../../src/proxy/changes/bus.ts'
import { ProxyError } from '../../../src/proxy/http/problem.ts'
import { until } from '../until.ts'
import {
  createReconciler,
  type Reconciler,
  type ReconcilerOptions,
} from '../../../src/proxy/changes/reconciler.ts'

const open: Reconciler[] = []
afterEach(() => open.splice(0).forEach((reconciler) => reconciler.close()))

function setUp(options: Partial<ReconcilerOptions> = {}) {
  const watched: Hint[] = []
  const states = new Map<number, string>()
  const counts = new Map<number, string>()
  const published: string[] = []
  const events: string[] = []
  const logged: string[] = []
  const requests: string[] = []
  const counted: number[] = []
  const outages: string[] = []
  const reconciler: Reconciler = createReconciler({
    watched: () => watched,
    readStates: async (formId, ids) => {
      requests.push(`${formId}:${ids.length}`)
      return new Map(ids.flatMap((id) => (states.has(id) ? [[id, states.get(id) ?? '']] : [])))
    },
    readCounts: async ({ packageId }) => {
      counted.push(packageId)
      return counts.get(packageId) ?? '0,0'
    },
    publish(hint) {
      published.push(`${hint.formId}-${hint.packageId}`)
      reconciler.announced(hint)
    },
    onReachable: (formId, isReachable) => outages.push(`${formId} ${isReachable}`),
    log: (_level, message, facts) => logged.push(`${message} ${JSON.stringify(facts)}`),
    metrics: { count: (event) => events.push(event) },
    // Tests call `compare()` unless they are about the timer.
    interval: 2 ** 30,
    ...options,
  })
  open.push(reconciler)
  const watch = (...ids: number[]) => {
    watched.splice(0, Infinity, ...ids.map((packageId) => ({ formId: 6025, packageId })))
  }
  return { reconciler, watched, watch, states, counts, published, events, logged, requests, counted, outages }
}

describe('createReconciler()', () => {
  it('announces each change that no callback announced, once (F60)', async () => {
    const { reconciler, watch, states, published, events } = setUp()
    watch(41, 42)
    states.set(41, 'ROUTING,7').set(42, 'ROUTING,8')
    await reconciler.compare()
    await reconciler.compare()
    assert.deepEqual(published, [], 'the first state is not a change')
    states.set(42, 'COMPLETE')
    await reconciler.compare()
    await reconciler.compare()
    assert.deepEqual(published, ['6025-42'])
    assert.deepEqual(events, ['difference_found'])
    states.delete(41)
    await reconciler.compare()
    assert.deepEqual(published.slice(1), [], 'nothing is known about it')
    states.set(41, '')
    await reconciler.compare()
    states.set(41, 'ROUTING,7')
    await reconciler.compare()
    assert.deepEqual(published.slice(1), ['6025-41', '6025-41'], 'deleted, and created again')
  })

  it('announces new comments and attachments, which have no callback', async () => {
    const { reconciler, watch, counts, published } = setUp()
    watch(41, 42)
    await reconciler.compare()
    counts.set(42, '1,0')
    await reconciler.compare()
    await reconciler.compare()
    assert.deepEqual(published, ['6025-42'])
    counts.set(41, '0,1')
    await reconciler.compare()
    assert.deepEqual(published, ['6025-42', '6025-41'])
  })

  it('lets packages take turns if there are more than it may count at a time', async () => {
    const { reconciler, watch, counts, published, counted } = setUp({ maxCounts: 3 })
    watch(1, 2, 3, 4, 5)
    for (let round = 0; round < 5; round++) {
      await reconciler.compare()
      assert.equal(counted.splice(0).length, 3)
    }
    for (const id of [1, 2, 3, 4, 5]) counts.set(id, '1,0')
    await until(async () => {
      await reconciler.compare()
      return published.length >= 5
    })
    assert.deepEqual(
      published.toSorted(),
      [1, 2, 3, 4, 5].map((id) => `6025-${id}`),
    )
  })

  it('reads as many counts as a service has time for, and those of recent changes first', async () => {
    let time = 0
    const read: number[] = []
    const { reconciler, watch } = setUp({
      now: () => time,
      interval: 15_000,
      readCounts: ({ packageId }) => {
        read.push(packageId)
        // Four are read at a time.
        time += 30 / 4
        return Promise.resolve('0,0')
      },
    })
    const ids = Array.from({ length: 5000 }, (_, index) => index + 1)
    watch(...ids)
    reconciler.follow([{ formId: 6025, packageId: 4999 }])
    await until(() => read.length >= 1)
    let rounds = 0
    const seen = new Set<number>()
    while (seen.size < ids.length) {
      read.length = 0
      reconciler.announced({ formId: 6025, packageId: 4999 })
      await reconciler.compare()
      assert.ok(read.length <= 1010, `${read.length} at 30 ms each`)
      assert.ok(rounds === 0 || read.indexOf(4999) < 10, 'a recent change')
      for (const id of read) seen.add(id)
      rounds++
    }
    assert.ok(rounds <= 8, `a round of 5,000 packages takes ${rounds} intervals`)
  })

  it('compares a package with its state at the last announcement, whatever it was before', async () => {
    const { reconciler, watch, states, published, requests } = setUp()
    watch(42)
    states.set(42, 'ROUTING')
    await reconciler.compare()
    states.set(42, 'VOID')
    reconciler.announced({ formId: 6025, packageId: 42 })
    await until(() => requests.length >= 2)
    await reconciler.compare()
    assert.deepEqual(published, [], 'it was announced already')
    states.set(42, 'ROUTING')
    await reconciler.compare()
    assert.deepEqual(published, ['6025-42'], 'back in the state of the first comparison')
  })

  it('does not record a state that was read before an announcement', async () => {
    const reads: ((state: string) => void)[] = []
    const { reconciler, watch, published } = setUp({
      readStates: async (_formId, [id]) => {
        const state = await new Promise<string>((resolve) => reads.push(resolve))
        return new Map([[id ?? 0, state]])
      },
    })
    const finishRead = async (state: string) => {
      await until(() => reads.length > 0)
      reads.shift()?.(state)
    }
    watch(42)
    const first = reconciler.compare()
    await finishRead('ROUTING')
    await first
    const second = reconciler.compare()
    await until(() => reads.length >= 1)
    reconciler.announced({ formId: 6025, packageId: 42 })
    await until(() => reads.length >= 2)
    const [late, fresh] = reads.splice(0)
    fresh?.('VOID')
    late?.('ROUTING')
    await second
    const third = reconciler.compare()
    await finishRead('VOID')
    await third
    assert.deepEqual(published, [])
  })

  it('announces a change again if its state could not be read after the announcement', async () => {
    let isDown = false
    const state = new Map([[42, 'ROUTING']])
    const { reconciler, watch, published, outages } = setUp({
      readStates: async () => {
        if (isDown) throw new Error('503')
        return new Map(state)
      },
    })
    watch(42)
    await reconciler.compare()
    isDown = true
    state.set(42, 'VOID')
    reconciler.announced({ formId: 6025, packageId: 42 })
    await until(() => outages.length >= 1)
    isDown = false
    await reconciler.compare()
    assert.deepEqual(published, ['6025-42'])
  })

  it('compares periodically, and reads newly followed packages at once (F60)', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const { reconciler, watch, states, published, requests } = setUp({ interval: 60_000 })
    watch(42)
    states.set(42, 'ROUTING')
    reconciler.follow([{ formId: 6025, packageId: 42 }])
    await until(() => requests.length >= 1)
    states.set(42, 'COMPLETE')
    watch(42, 43)
    reconciler.follow([
      { formId: 6025, packageId: 42 },
      { formId: 6025, packageId: 43 },
    ])
    await until(() => requests.length >= 2)
    assert.deepEqual(requests, ['6025:1', '6025:1'], 'only the new one')
    t.mock.timers.tick(59_999)
    assert.deepEqual(published, [])
    t.mock.timers.tick(1)
    await until(() => published.length >= 1)
    assert.deepEqual(published, ['6025-42'])
    assert.equal(requests[2], '6025:2')
  })

  it('does not keep the process running, and stops its timer when it is closed', (t) => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const before = timers()
    const set = t.mock.method(globalThis, 'setInterval')
    const clear = t.mock.method(globalThis, 'clearInterval')
    const { reconciler } = setUp()
    assert.equal(timers(), before)
    reconciler.close()
    assert.deepEqual(
      clear.mock.calls.map(({ arguments: [timer] }) => timer),
      set.mock.calls.map(({ result }) => result),
    )
    assert.equal(set.mock.callCount(), 1)
  })

  it('reads up to 100 packages of one form at a time', async () => {
    const { reconciler, watched, requests } = setUp()
    for (let id = 1; id <= 250; id++) watched.push({ formId: 6025 + (id % 2), packageId: id })
    await reconciler.compare()
    assert.deepEqual(requests, ['6026:100', '6026:25', '6025:100', '6025:25'])
  })

  it('forgets packages that are no longer followed', async () => {
    const { reconciler, watch, states, published } = setUp()
    watch(42)
    states.set(42, 'ROUTING')
    await reconciler.compare()
    watch()
    await reconciler.compare()
    states.set(42, 'COMPLETE')
    watch(42)
    await reconciler.compare()
    assert.deepEqual(published, [])
    states.set(42, 'VOID')
    await reconciler.compare()
    assert.deepEqual(published, ['6025-42'])
  })

  it('skips a request that fails, logs that once, and finds the change later', async () => {
    let isDown = false
    const state = new Map([
      [6025, 'A'],
      [6026, 'A'],
    ])
    const { reconciler, watched, published, logged } = setUp({
      readStates: async (formId, ids) => {
        if (isDown && formId === 6025) throw new Error('503')
        return new Map(ids.map((id) => [id, state.get(formId) ?? '']))
      },
    })
    watched.push({ formId: 6025, packageId: 1 }, { formId: 6026, packageId: 2 })
    await reconciler.compare()
    isDown = true
    state.set(6025, 'B').set(6026, 'B')
    await reconciler.compare()
    await reconciler.compare()
    assert.deepEqual(published, ['6026-2'])
    assert.deepEqual(logged, ['The search for missed changes failed {"formId":6025,"error":"Error: 503"}'])
    isDown = false
    await reconciler.compare()
    assert.deepEqual(published, ['6026-2', '6025-1'])
    isDown = true
    await reconciler.compare()
    assert.equal(logged.length, 2)
  })

  it('runs one comparison at a time, and stops when it is closed', async () => {
    let running = 0
    let most = 0
    let count = 0
    const pending: (() => void)[] = []
    const { reconciler, watch, published } = setUp({
      interval: 1,
      readStates: async (_formId, ids) => {
        most = Math.max(most, ++running)
        await new Promise<void>((resolve) => pending.push(resolve))
        running--
        count++
        return new Map(ids.map((id) => [id, `state ${count}`]))
      },
    })
    const other = setUp({ interval: 1 })
    other.watch(42)
    /** Waits until the timer of another reconciler has run several times. */
    const othersRun = () => {
      const { length } = other.requests
      return until(() => other.requests.length > length + 5)
    }
    watch(42)
    await until(() => pending.length >= 1)
    const compared = reconciler.compare()
    await othersRun()
    assert.equal(pending.length, 1)
    pending.shift()?.()
    await until(() => pending.length >= 1)
    pending.shift()?.()
    await compared
    assert.equal(most, 1)
    assert.deepEqual(published, ['6025-42'], 'it has announced a change (control)')

    await until(() => pending.length >= 1)
    reconciler.close()
    pending.shift()?.()
    await othersRun()
    assert.equal(pending.length, 0)
    assert.equal(published.length, 1)
  })

  it('checks a package on request, and announces it only if it has changed (T28)', async () => {
    const { reconciler, watch, states, published, requests } = setUp()
    watch(42)
    states.set(42, 'ROUTING')
    await reconciler.compare()
    for (let repeat = 0; repeat < 1000; repeat++) reconciler.check({ formId: 6025, packageId: 42 })
    await until(() => requests.length >= 2)
    await reconciler.compare()
    assert.deepEqual(published, [])
    assert.ok(requests.length < 10, `${requests.length} requests for 1,000 checks`)
    states.set(42, 'VOID')
    reconciler.check({ formId: 6025, packageId: 42 })
    await until(() => published.length >= 1)
  })

  it('reports an outage of a form once, and its end, but not a refusal', async () => {
    let error: Error | undefined
    const { reconciler, watch, outages, counted } = setUp({
      readStates: async () => {
        if (error) throw error
        return new Map()
      },
    })
    watch(42)
    error = new ProxyError(403, 'Refused')
    await reconciler.compare()
    assert.deepEqual(outages, [])
    error = new ProxyError(503, 'Down')
    await reconciler.compare()
    await reconciler.compare()
    assert.deepEqual(outages, ['6025 false'])
    assert.deepEqual(counted, [], 'no further requests while the first one fails')
    error = undefined
    await reconciler.compare()
    assert.deepEqual(outages, ['6025 false', '6025 true'])
    assert.deepEqual(counted, [42])
  })
})
