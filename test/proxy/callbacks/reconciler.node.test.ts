import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import type { Hint } from '../../../src/proxy/live/bus.ts'
import { until } from '../until.ts'
import {
  createReconciler,
  type Reconciler,
  type ReconcilerOptions,
} from '../../../src/proxy/callbacks/reconciler.ts'

const open: Reconciler[] = []
afterEach(() => open.splice(0).forEach((reconciler) => reconciler.close()))

function setUp(options: Partial<ReconcilerOptions> = {}) {
  const watched: Hint[] = []
  const states = new Map<number, string>()
  const published: string[] = []
  const counted: string[] = []
  const logged: string[] = []
  const requests: string[] = []
  const reconciler = createReconciler({
    watched: () => watched,
    readStates: async (formId, ids) => {
      requests.push(`${formId}:${ids.length}`)
      return new Map(ids.flatMap((id) => (states.has(id) ? [[id, states.get(id) ?? '']] : [])))
    },
    publish: ({ formId, packageId }) => published.push(`${formId}-${packageId}`),
    log: (_level, message, facts) => logged.push(`${message} ${JSON.stringify(facts)}`),
    metrics: { count: (event) => counted.push(event) },
    // Tests call `compare()` unless they are about the timer.
    interval: 2 ** 30,
    firstCheckDelay: 2 ** 30,
    ...options,
  })
  open.push(reconciler)
  const watch = (...ids: number[]) => {
    watched.splice(0, Infinity, ...ids.map((packageId) => ({ formId: 6025, packageId })))
  }
  return { reconciler, watched, watch, states, published, counted, logged, requests }
}

describe('createReconciler()', () => {
  it('announces each change that no callback announced, once (F60)', async () => {
    const { reconciler, watch, states, published, counted } = setUp()
    watch(41, 42)
    states.set(41, 'ROUTING,7').set(42, 'ROUTING,8')
    await reconciler.compare()
    await reconciler.compare()
    assert.deepEqual(published, [], 'the first state is not a change')
    states.set(42, 'COMPLETE')
    await reconciler.compare()
    await reconciler.compare()
    assert.deepEqual(published, ['6025-42'])
    assert.deepEqual(counted, ['difference_found'])
    states.delete(41)
    await reconciler.compare()
    states.set(41, 'ROUTING,7')
    await reconciler.compare()
    assert.deepEqual(published.slice(1), ['6025-41', '6025-41'], 'deleted, and created again')
  })

  it('compares periodically, and checks newly followed packages earlier (F60)', async () => {
    let time = 0
    const { watch, states, published, requests } = setUp({
      now: () => time,
      interval: 60_000,
      firstCheckDelay: 1,
    })
    watch(42)
    states.set(42, 'ROUTING')
    await until(() => requests.length === 1)
    states.set(42, 'COMPLETE')
    time = 59_999
    watch(42, 43)
    await until(() => requests.length === 2)
    assert.deepEqual(requests, ['6025:1', '6025:1'], 'only the new one')
    assert.deepEqual(published, [])
    time = 60_000
    await until(() => requests.length === 3)
    assert.deepEqual(published, ['6025-42'])
    assert.equal(requests[2], '6025:2')
    time = 119_999
    watch(42, 43, 44)
    await until(() => requests.length === 4)
    assert.equal(requests[3], '6025:1')
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
      firstCheckDelay: 1,
      readStates: async (_formId, ids) => {
        most = Math.max(most, ++running)
        await new Promise<void>((resolve) => pending.push(resolve))
        running--
        count++
        return new Map(ids.map((id) => [id, `state ${count}`]))
      },
    })
    watch(42)
    await until(() => pending.length === 1)
    const compared = reconciler.compare()
    const ticks = await new Promise<number>((resolve) => setTimeout(resolve, 10, pending.length))
    assert.equal(ticks, 1)
    pending.shift()?.()
    await until(() => pending.length === 1)
    pending.shift()?.()
    await compared
    assert.equal(most, 1)
    assert.deepEqual(published, ['6025-42'], 'it has announced a change (control)')

    await until(() => pending.length === 1)
    reconciler.close()
    pending.shift()?.()
    await new Promise((resolve) => setTimeout(resolve, 10))
    assert.equal(pending.length, 0)
    assert.equal(published.length, 1)
  })

  it('publishes a hint about an existing package once, until it changes again', async () => {
    const { reconciler, watch, states, published, counted } = setUp()
    watch(42)
    states.set(42, 'ROUTING').set(43, 'ROUTING')
    await reconciler.compare()
    states.set(42, 'COMPLETE')
    await reconciler.verify({ formId: 6025, packageId: 42 })
    await reconciler.compare()
    assert.deepEqual(published, ['6025-42'], 'once')
    await reconciler.verify({ formId: 6025, packageId: 42 })
    assert.deepEqual(
      published,
      ['6025-42'],
      'its state is the same: a replay, or a callback of the other environment (T28)',
    )
    await reconciler.verify({ formId: 6025, packageId: 43 })
    assert.deepEqual(published, ['6025-42', '6025-43'], 'people connected to other processes may follow it')
    await reconciler.verify({ formId: 6025, packageId: 999 })
    assert.equal(published.length, 2)
    assert.deepEqual(counted, [])
  })

  it('publishes a hint unverified if the service cannot be reached', async () => {
    const { reconciler, published, logged } = setUp({
      readStates: () => {
        throw new Error('503')
      },
    })
    await reconciler.verify({ formId: 6025, packageId: 42 })
    assert.deepEqual(published, ['6025-42'])
    assert.equal(logged.length, 1)
  })
})
