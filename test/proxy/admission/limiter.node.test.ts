import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createLocalLimiter } from '../../../src/proxy/admission/limiter.ts'
import { createProxy } from '../../../src/proxy/mount/proxy.ts'
import { personaCookie } from '../../../src/proxy/identity/identity.ts'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import type { ProxyLimits } from '../../../src/proxy/mount/options.ts'
import { testLimiter } from '../limiter-contract.ts'
import { overEmulator, people, requestOf, type RequestOptions } from '../mount.ts'

testLimiter('createLocalLimiter()', () => Promise.resolve(createLocalLimiter()))

describe('createLocalLimiter()', () => {
  it('counts within a sliding window', async () => {
    let time = 1_000_000
    const { count } = createLocalLimiter({ now: () => time })
    const next = () => count('requests', '1', 2, 60_000)
    assert.equal(await next(), 0)
    time += 10_000
    assert.deepEqual([await next(), await next()], [0, 50])
    time += 49_500
    assert.equal(await next(), 1)
    time += 500
    assert.equal(await next(), 0, 'the first time has left the window')
    assert.equal(await next(), 10, 'until the second time leaves it')
  })
})

describe('proxies that share a limiter', () => {
  const entry = { purpose: 'trip', departure: '2026-12-01', cost: 12.5, notice: null }

  function setUp(limits: ProxyLimits) {
    const emulator = createEmulator()
    const limiter = createLocalLimiter()
    const proxies = [1, 2].map(() =>
      createProxy({
        ...overEmulator(emulator),
        identity: { identify: personaCookie(Object.values(people)) },
        limits,
        storage: { limiter },
      }),
    )
    let turn = 0
    return {
      /** Sends a request to one of them in turn. */
      send(path: string, options: RequestOptions = {}) {
        const proxy = proxies[turn++ % 2]
        assert.ok(proxy, 'there are two')
        return proxy(requestOf(path, { as: 'initiator', ...options }))
      },
      close: () => Promise.all(proxies.map((proxy) => proxy.close())),
    }
  }

  it('limit the requests per minute, and name the seconds to wait', async () => {
    const { send, close } = setUp({ requestsPerMinute: 3 })
    const path = '/forms/6025/packages/42'
    const responses = []
    for (let count = 0; count < 3; count++) responses.push((await send(path)).status)
    assert.deepEqual(responses, [200, 200, 200])
    const refused = await send(path)
    assert.equal(refused.status, 429)
    const wait = Number(refused.headers.get('retry-after'))
    assert.ok(wait > 50 && wait <= 60, `${wait}`)
    assert.match(((await refused.json()) as { detail: string }).detail, /allows in a minute/)
    assert.equal((await send('/session')).status, 429, 'of every kind')
    assert.equal((await send(path, { as: 'firstApprover' })).status, 200, 'of each person')
    assert.equal((await send('/healthz')).status, 200, 'not of probes')
    await close()
  })

  it('limit no requests per minute by default', async () => {
    const { send, close } = setUp({})
    for (let count = 0; count < 200; count++) assert.equal((await send('/session')).status, 200)
    await close()
  })

  it('limit the packages per hour', async () => {
    const { send, close } = setUp({ packagesPerHour: 2 })
    const create = () =>
      send('/forms/6025/packages', { method: 'POST', json: { state: 'PRE_ROUTING', entry } })
    const statuses = []
    for (let count = 0; count < 3; count++) statuses.push((await create()).status)
    assert.deepEqual(statuses.slice(-1), [429])
    assert.ok(statuses.slice(0, 2).every((status) => status !== 429))
    await close()
  })

  it('limit the streams per person until one of them ends', async () => {
    const { send, close } = setUp({ streamsPerPerson: 2 })
    const open = (signal?: AbortSignal) => send('/events?package=6025-42', { ...(signal && { signal }) })
    const first = new AbortController()
    assert.deepEqual([(await open(first.signal)).status, (await open()).status], [200, 200])
    const refused = await open()
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '30'])
    assert.equal((await send('/events?package=6025-42', { as: 'firstApprover' })).status, 200)
    first.abort()
    assert.equal((await open()).status, 200)
    assert.equal((await open()).status, 429)
    await close()
  })

  it('leave room for the streams of ten visible pages of a person by default', async () => {
    const { send, close } = setUp({})
    for (let count = 0; count < 10; count++) assert.equal((await send('/events?package=6025-42')).status, 200)
    await close()
  })

  it('keep no place of a stream that could not be opened', async () => {
    const { send, close } = setUp({ streamsPerPerson: 1, streams: 1 })
    assert.equal((await send('/events?package=6025-42', { as: 'firstApprover' })).status, 200)
    // Both are at capacity then.
    assert.equal((await send('/events?package=6025-42', { as: 'outsider' })).status, 200)
    for (let count = 0; count < 4; count++) assert.equal((await send('/events?package=6025-42')).status, 503)
    await close()
  })
})
