import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Session } from '../../src/contract/schemas/session.ts'
import type { Problem } from '../../src/contract/schemas/problem.ts'
import { browserOperations } from '../../src/contract/services/browser-operations.ts'
import { acceptVersion } from '../../src/contract/values/headers.ts'
import { createSlots } from '../../src/proxy/admission/slots.ts'
import { Disconnect } from '../../src/proxy/http/disconnect.ts'
import { groupByForm } from '../../src/proxy/changes/group-by-form.ts'
import { isNavigation, isShareable, isTransfer } from '../../src/proxy/operation/operation-kinds.ts'
import { pathOf, searchOf } from '../../src/proxy/http/request-url.ts'
import { streamOf } from '../../src/proxy/upstream/send.ts'
import { createMemoryCallbackStore, type StoredCallback } from '../../src/proxy/callbacks/callback-store.ts'
import type { Metrics } from '../../src/proxy/observe/metrics.ts'
import { people, setUp } from './mount.ts'

const package42 = '/forms/6025/packages/42'
const operationsOffByDefault = [
  'createOverride',
  'getOverrides',
  'deactivateOverride',
  'deleteLock',
  'createShare',
  'getShares',
  'revokeShare',
]

describe('createProxy()', () => {
  it('serves all operations by default, except those on overrides, locks and shares', async () => {
    const { request } = setUp()
    const session: unknown = await (await request('/session', { as: 'initiator' })).json()
    const all = Object.keys(browserOperations)
    assert.deepEqual(session, {
      univid: people.initiator,
      env: 'test',
      forms: [6025],
      allows: {
        operations: [...all.filter((name) => !operationsOffByDefault.includes(name)), 'getLocks'],
        maxFileSize: 52_428_800,
        extensions: null,
        resubmit: 'ask',
      },
    })
  })

  it('tells pages what to do with a draft that is submitted', async () => {
    for (const resubmit of ['ask', 'link'] as const) {
      const { request } = setUp({ resubmit })
      const session = (await (await request('/session', { as: 'initiator' })).json()) as Session
      assert.equal(session.allows.resubmit, resubmit)
    }
  })

  it('creates links for 1 to 60 seconds', () => {
    const error = { name: 'RangeError', message: 'linkSeconds must be from 1 to 60' }
    for (const linkSeconds of [0.9, 0, -1, 60.1, NaN])
      assert.throws(() => setUp({ limits: { linkSeconds } }), error)
    for (const linkSeconds of [1, 60]) assert.ok(setUp({ limits: { linkSeconds } }))
  })

  it('counts each request with its operation and status, and each right that is missing', async () => {
    const counted: unknown[] = []
    const metrics = {
      request: (name: string, status: number, seconds: number) => {
        assert.ok(seconds >= 0 && seconds < 60, `${seconds}`)
        counted.push([name, status])
      },
      call: () => {},
      count: (event: string) => void counted.push(event),
      refused: () => {},
      streams: () => {},
      locks: () => {},
      health: () => {},
      read: () => Promise.resolve({ type: 'text/plain; version=1', text: 'one 1' }),
    } satisfies Metrics
    const { request } = setUp({ observe: { metrics } })
    await request(package42, { as: 'initiator' })
    await request('/nowhere', { as: 'initiator' })
    await request('/session')
    const voiding = { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' }
    await request(`${package42}/void`, { as: 'outsider', method: 'PUT', json: voiding })
    assert.deepEqual(counted, [
      ['getPackage', 200],
      ['unknown', 404],
      ['getSession', 401],
      'right_denied',
      ['voidPackage', 403],
    ])
    const response = await request('/metrics', { headers: { 'x-routeslip': null, 'sec-fetch-site': null } })
    assert.deepEqual([response.status, await response.text()], [200, 'one 1'])
    assert.equal(response.headers.get('content-type'), 'text/plain; version=1')
  })

  it('tells the person what happened, and the operator why, if it fails itself', async () => {
    const { request, log } = setUp({
      identity: {
        identify: () => {
          throw new Error('no directory')
        },
      },
      observe: { requestIdHeader: 'x-id' },
    })
    const response = await request('/session', { headers: { 'x-id': 'request-1' } })
    assert.deepEqual(await response.json(), {
      status: 500,
      title: 'Internal Server Error',
      detail: 'The proxy failed. Try again, or contact the operator of this site.',
      requestId: 'request-1',
    })
    assert.deepEqual(log, ['error The proxy failed {"requestId":"request-1","error":"Error: no directory"}'])
  })

  it('does not count it as its own failure if the client has disconnected', async () => {
    const gone = new AbortController()
    const { request, log } = setUp({
      identity: {
        identify: () => {
          gone.abort()
          throw new Error('no directory')
        },
      },
    })
    const response = await request('/session', { signal: gone.signal })
    const { status, detail } = (await response.json()) as Problem
    assert.deepEqual([status, detail], [400, 'The request was interrupted. Try again.'])
    assert.deepEqual(log, [])
  })

  it('refuses a key that is not valid before it does anything', async () => {
    const { request, journal } = setUp()
    const options = { as: 'initiator', headers: { 'idempotency-key': 'x' } } as const
    assert.equal((await request(`${package42}/void`, { ...options, method: 'PUT', json: {} })).status, 400)
    assert.equal(journal.length, 0)
    assert.equal((await request(package42, options)).status, 200, 'reads need no key')
  })

  it('accepts only JSON that is neither compressed nor too large', async () => {
    const { request } = setUp({ limits: { maxBodySize: 60 } })
    const send = async (
      type: string | null,
      headers: Record<string, string | null> = {},
      body = '{"a":1}',
    ) => {
      const all = { 'content-type': type, ...headers }
      const options = { as: 'initiator', method: 'PUT', body, headers: all } as const
      const response = await request(`${package42}/void`, options)
      return `${response.status} ${((await response.json()) as Problem).detail ?? ''}`
    }
    const notJson = '415 The body must be JSON. Send it with Content-Type: application/json.'
    for (const type of ['text/plain', 'application/jsonx', 'x-application/json', 'application/json, a/b'])
      assert.equal(await send(type), notJson, type)
    for (const type of ['application/json', 'Application/JSON;charset=utf-8'])
      assert.match(await send(type), /^400 /, type)
    assert.match(await send('application/json', { 'content-encoding': 'Identity' }), /^400 /)
    assert.equal(
      await send('application/json', { 'content-encoding': 'br' }),
      '415 The body must not be compressed. Send it without Content-Encoding.',
    )
    const tooLarge = '413 The body is larger than 60 bytes. Send a smaller one.'
    assert.equal(await send('application/json', { 'content-length': '61' }), tooLarge)
    assert.match(await send('application/json', { 'content-length': '60' }), /^400 /)
    assert.equal(await send('application/json', {}, `{"a":"${'x'.repeat(60)}"}`), tooLarge)
  })

  it('selects a version only by its exact media type', async () => {
    const { request, journal } = setUp()
    const path = '/forms/6025/packages/status?id=42'
    const accepted = async (accept: string) => {
      journal.length = 0
      await request(path, { as: 'initiator', headers: { accept } })
      return journal.find(({ url }) => url.includes('/status'))?.headers.get('accept')
    }
    assert.equal(await accepted(acceptVersion('1.2')), acceptVersion('1.2'))
    for (const accept of ['*/*', acceptVersion('1.1'), `${acceptVersion('1.2')}, */*`])
      assert.equal(await accepted(accept), 'application/json', accept)
  })
})

describe('the path and the parameters of a request', () => {
  it('are exactly those that the client wrote', () => {
    for (const [url, path, search] of [
      ['https://a.test/b/c', '/b/c', undefined],
      ['https://a.test/b?', '/b', ''],
      ['https://a.test/b?c=%41?d#e?f', '/b', 'c=%41?d'],
      ['https://a.test/b#c?d', '/b', undefined],
      ['https://a.test/', '/', undefined],
      ['https://a.test/b//c', '/b//c', undefined],
    ] as const) {
      const request = { url } as Request
      assert.deepEqual([pathOf(request), searchOf(request)], [path, search], url)
    }
  })
})

describe('the kinds of operations', () => {
  it('are navigations, transfers and reads that can be shared', () => {
    const named = (isKind: (operation: (typeof browserOperations)['getPackage']) => boolean) =>
      Object.entries(browserOperations).flatMap(([name, operation]) =>
        isKind(operation as (typeof browserOperations)['getPackage']) ? [name] : [],
      )
    assert.deepEqual(named(isNavigation).sort(), ['downloadAttachment', 'getPdf', 'presignFile'])
    assert.deepEqual(named(isTransfer).sort(), [
      'downloadAttachment',
      'getPdf',
      'uploadAttachment',
      'uploadFile',
    ])
    const reads = Object.entries(browserOperations).filter(
      ([name, { method }]) => method === 'GET' && !named(isNavigation).includes(name),
    )
    assert.deepEqual(
      named(isShareable),
      reads.map(([name]) => name),
    )
  })
})

describe('groupByForm()', () => {
  it('makes calls for one form and at most 100 packages', () => {
    const hints = (formId: number, count: number) =>
      Array.from({ length: count }, (_, index) => ({ formId, packageId: index + 1 }))
    const groups = groupByForm([...hints(1, 100), ...hints(2, 1), ...hints(1, 101).slice(100)])
    const ids = Array.from({ length: 100 }, (_, index) => index + 1)
    assert.deepEqual(groups, [
      [1, ids],
      [1, [101]],
      [2, [1]],
    ])
    assert.deepEqual(groupByForm([]), [])
  })
})

describe('createSlots()', () => {
  it('ends the place that can be ended, and none if the other person has only one more', async () => {
    const { take } = createSlots({ perHolder: 3, total: 3, wait: 60_000 })
    const signal = new Disconnect()
    const ended: string[] = []
    await take({ holder: 'a', signal })
    await take({ holder: 'a', signal, revoke: () => ended.push('a2') })
    await take({ holder: 'a', signal, revoke: () => ended.push('a3') })
    await take({ holder: 'b', signal, revoke: () => ended.push('b1') })
    assert.deepEqual(ended, ['a2'])
    const gone = new Disconnect()
    const waiting = take({ holder: 'b', signal: gone })
    gone.abort('gone')
    await assert.rejects(waiting, { status: 400 })
    assert.deepEqual(ended, ['a2'])
  })

  it('refuses to wait longer than the timeout', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { take } = createSlots({ perHolder: 1, total: 1, wait: 1000 })
    const signal = new Disconnect()
    const free = await take({ holder: 'a', signal })
    const refused = assert.rejects(take({ holder: 'b', signal }), { status: 503, retryAfter: 5 })
    t.mock.timers.tick(1000)
    await refused
    free()
    const next = await take({ holder: 'b', signal })
    // The timers of those who have their place do nothing.
    t.mock.timers.tick(5000)
    signal.abort('gone')
    next()
    assert.ok(await take({ holder: 'c', signal }))
  })
})

describe('streamOf()', () => {
  it('releases its source if nobody reads on', async () => {
    let isReleased = false
    async function* source() {
      try {
        yield Uint8Array.of(1)
        yield Uint8Array.of(2)
      } finally {
        isReleased = true
      }
    }
    const reader = streamOf(source()).getReader()
    assert.deepEqual(await reader.read(), { done: false, value: Uint8Array.of(1) })
    await reader.cancel()
    assert.equal(isReleased, true)
    const bare: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }),
    }
    await streamOf(bare).cancel()
  })
})

describe('createMemoryCallbackStore()', () => {
  it('takes callbacks up to a size, counts them once, and replaces dead letters', async () => {
    const clock = { time: 0 }
    const store = createMemoryCallbackStore({ maxSize: 10, now: () => clock.time })
    const callback = (id: string, size: number, dueAt: number | null = 0): StoredCallback => ({
      id,
      body: new Uint8Array(size),
      formId: 1,
      packageId: 2,
      sequence: -size,
      receivedAt: 0,
      progress: { attempts: 0, dueAt, lastError: null },
    })
    const full = { message: 'More than 10 bytes of callbacks wait' }
    assert.equal(await store.add(callback('a', 4)), true)
    assert.equal(await store.add(callback('a', 4)), false)
    await assert.rejects(store.add(callback('b', 7)), full)
    assert.equal(await store.add(callback('b', 6)), true)
    await store.update('missing', { attempts: 1, dueAt: null, lastError: 'x' })
    const dead = { attempts: 1, dueAt: null, lastError: 'x' }
    await store.update('a', dead)
    assert.deepEqual(
      (await store.list()).map(({ id, progress }) => [id, progress.dueAt]),
      [
        ['b', 0],
        ['a', null],
      ],
    )
    assert.equal(await store.add(callback('a', 4)), true, 'a dead letter is replaced')
    assert.deepEqual((await store.read('a'))?.progress, callback('a', 4).progress)
    await store.finish('a')
    await store.finish('missing')
    assert.equal(await store.read('a'), undefined)
    clock.time = 7 * 24 * 60 * 60 * 1000 - 1
    assert.equal(await store.add(callback('a', 4)), false, 'it was handled in the last seven days')
    clock.time += 1
    assert.equal(await store.add(callback('a', 4)), true)
    await assert.rejects(store.add(callback('c', 1)), full)
    assert.equal(store.isDurable, false)
  })
})
