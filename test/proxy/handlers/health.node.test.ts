import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createMemoryCallbackStore } from '../../../src/proxy/callbacks/callback-store.ts'
import { createHealth, type HealthOptions } from '../../../src/proxy/handlers/health.ts'
import { createLocalBus } from '../../../src/proxy/changes/bus.ts'
import { createMetrics } from '../../../src/proxy/node/observe/metrics.ts'
import { setUp } from '../mount.ts'

const plain = { headers: { 'x-routeslip': null, 'sec-fetch-site': null } }

/** Health of a mount in a state that a test sets, with a clock of its own. */
function setUpHealth(callbacks: Partial<HealthOptions['live']['callbacks']> = {}) {
  const state = { time: 0, isConnected: true, paused: [] as ('workflow' | 'storage')[] }
  let looks = 0
  const metrics = createMetrics()
  const health = createHealth({
    bus: { isConnected: () => state.isConnected },
    pausedServices: () => state.paused,
    live: {
      callbacks: {
        canStore: async () => {
          looks++
          return true
        },
        hasKey: async () => true,
        waiting: async () => ({ oldest: undefined, dead: 0 }),
        ...callbacks,
      },
    },
    metrics,
    now: () => state.time,
  })
  const gauges = async () => {
    await health.measure()
    const { text } = await metrics.read()
    return text.split('\n').filter((line) => /^routeslip_(?:redis|breaker|oldest|dead)/.test(line))
  }
  return { health, state, gauges, looks: () => looks }
}

describe('createHealth()', () => {
  it('names all that a mount lacks', async () => {
    const no = async () => false
    const { health, state } = setUpHealth({ canStore: no, hasKey: no })
    state.isConnected = false
    state.paused = ['storage']
    assert.deepEqual(await health.lacks(), ['redis', 'storage', 'callbackStore', 'callbackKey'])
  })

  it('looks again after five seconds, because anyone may ask', async () => {
    const { health, state, looks } = setUpHealth()
    state.time = 60_000
    assert.deepEqual(await health.lacks(), [])
    state.isConnected = false
    state.time = 64_999
    assert.deepEqual(await health.lacks(), [])
    state.time = 65_000
    assert.deepEqual([await health.lacks(), looks()], [['redis'], 2])
    state.isConnected = true
    state.time = 64_999
    assert.deepEqual([await health.lacks(), looks()], [[], 3], 'the clock was set back')
    health.stop()
    assert.deepEqual([await health.lacks(), looks()], [['stopping'], 3])
  })

  it('lacks nothing without Redis and breakers, and measures nothing without metrics', async () => {
    const yes = async () => true
    const waiting = async () => assert.fail('Nobody reads it')
    const options = { pausedServices: undefined, metrics: undefined }
    const live = { callbacks: { canStore: yes, hasKey: yes, waiting } }
    const health = createHealth({ bus: undefined, live, ...options })
    assert.deepEqual(await health.lacks(), [])
    await health.measure()
    const unknown = createHealth({ bus: {}, live, ...options })
    assert.deepEqual(await unknown.lacks(), [])
  })

  it('sets the gauges of Redis, the breakers and the callbacks', async () => {
    const { state, gauges } = setUpHealth({ waiting: async () => ({ oldest: 4000, dead: 3 }) })
    state.time = 64_000
    state.paused = ['workflow']
    assert.deepEqual(await gauges(), [
      'routeslip_breaker_open{service="workflow"} 1',
      'routeslip_breaker_open{service="storage"} 0',
      'routeslip_oldest_callback_seconds 60',
      'routeslip_dead_letters 3',
      'routeslip_redis_up 1',
    ])
    state.isConnected = false
    state.paused = []
    const later = await gauges()
    assert.ok(later.includes('routeslip_redis_up 0'))
    assert.ok(later.includes('routeslip_breaker_open{service="workflow"} 0'))
    state.time = 3999
    assert.ok((await gauges()).includes('routeslip_oldest_callback_seconds 0'), 'the clock was set back')
  })
})

describe('/readyz', () => {
  const readiness = async ({ request }: ReturnType<typeof setUp>) => {
    const response = await request('/readyz', plain)
    const body: unknown = await response.json()
    return [response.status, body]
  }

  it('returns 200 if the mount has all that it needs, and 503 while it stops', async () => {
    const mount = setUp()
    assert.deepEqual(await readiness(mount), [200, { status: 'ready' }])
    await mount.proxy.close()
    assert.deepEqual(await readiness(mount), [503, { status: 'not ready', lacks: ['stopping'] }])
  })

  it('returns 503 and what the mount lacks, without any reason', async () => {
    const store = {
      ...createMemoryCallbackStore(),
      check: () => Promise.reject(new Error('/srv/data is full')),
    }
    const mount = setUp({
      intercept: () => new Response('secret', { status: 500 }),
      storage: { bus: { ...createLocalBus(), isConnected: () => false }, callbackStore: store },
    })
    const lacks = ['redis', 'callbackStore', 'callbackKey']
    assert.deepEqual(await readiness(mount), [503, { status: 'not ready', lacks }])
  })
})
