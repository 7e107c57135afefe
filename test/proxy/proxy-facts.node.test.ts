import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Session } from '../../src/contract/schemas/session.ts'
import type { Problem } from '../../src/contract/schemas/problem.ts'
import { browserOperations } from '../../src/contract/services/browser-operations.ts'
import { acceptVersion } from '../../src/contract/values/headers.ts'
import { isNavigation, isShareable, isTransfer } from '../../src/proxy/operation/operation-kinds.ts'
import { pathOf, searchOf } from '../../src/proxy/http/request-url.ts'
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

  it('tells pages the limits of uploads, and what to do with a draft that is submitted', async () => {
    for (const resubmit of ['ask', 'link'] as const) {
      const limits = { maxFileSize: 1000, extensions: ['pdf'] }
      const { request } = setUp({ resubmit, limits })
      const session = (await (await request('/session', { as: 'initiator' })).json()) as Session
      const { operations: _, ...allows } = session.allows
      assert.deepEqual(allows, { ...limits, resubmit })
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
