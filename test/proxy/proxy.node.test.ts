import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { personaCookieName } from '../../src/proxy/identity/identity.ts'
import { people, type Role, setUp } from './mount.ts'

const voidBody = { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' }
import { createFetchSend } from '../../src/proxy/upstream/send.ts'

describe('createProxy()', () => {
  it('replies to HEAD as to GET, without a body and with the same rights', async () => {
    const { request, mutations } = setUp()
    const path = '/forms/6025/packages/42'
    for (const [as, status] of [
      ['initiator', 200],
      ['outsider', 403],
    ] as const) {
      const [get, head] = [await request(path, { as }), await request(path, { as, method: 'HEAD' })]
      assert.deepEqual([get.status, head.status, await head.text()], [status, status, ''])
      assert.deepEqual([...head.headers], [...get.headers])
    }
    assert.equal((await request(path, { method: 'HEAD' })).status, 401)
    const pdf = await request(`${path}/pdf`, { as: 'initiator', method: 'HEAD' })
    assert.deepEqual([pdf.status, await pdf.text()], [200, ''])
    assert.equal((await request('/files', { as: 'initiator', method: 'HEAD' })).status, 404, 'no GET there')
    assert.deepEqual(mutations(), [])
  })

  describe('identity', () => {
    it('returns 401 and calls no service if no one is signed in', async () => {
      const { request, journal } = setUp()
      for (const cookie of ['', `${personaCookieName}=`, `${personaCookieName}=99999999`, 'other=10000001']) {
        assert.equal((await request('/forms/6025/packages/42', { headers: { cookie } })).status, 401)
      }
      assert.equal(journal.length, 0)
    })
  })

  describe('cross-site requests', () => {
    it('are refused, including reads (T30)', async () => {
      const { request, journal } = setUp()
      for (const headers of [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { 'sec-fetch-site': 'none' },
        { 'sec-fetch-site': '' },
        { 'x-routeslip': null },
      ]) {
        const { status } = await request('/forms/6025/packages/42', { as: 'initiator', headers })
        assert.equal(status, 403, JSON.stringify(headers))
      }
      assert.equal(journal.length, 0)
      assert.equal((await request('/forms/6025/packages/42', { as: 'initiator' })).status, 200)
    })
  })

  describe('routes and responses', () => {
    it('exist only for its own operations, forms and methods', async () => {
      const { request, journal } = setUp()
      for (const [path, method] of [
        ['/forms/6026/packages/42', 'GET'],
        ['/forms/6025/packages/42', 'DELETE'],
        ['/forms/6025/packages/042', 'GET'],
        ['/forms/6025/packages/4.2e1', 'GET'],
        ['/forms/6025/packages/9007199254740993', 'GET'],
        ['/forms/6025/packages/%34%32', 'GET'],
        ['/tools/forms/6025/packages/42', 'PUT'],
        ['/shares', 'GET'],
      ] as const) {
        assert.equal((await request(path, { as: 'administrator', method })).status, 404, path)
      }
      assert.equal(journal.length, 0)
    })

    it('have only headers of the proxy, whatever the service sends (T24)', async () => {
      const { request } = setUp({
        intercept: () =>
          Response.json(
            { id: 42, state: 'ROUTING', callbackUrl: 'https://internal.example', secret: 'demo-secret' },
            {
              headers: {
                'Set-Cookie': 'upstream=1',
                'WWW-Authenticate': 'Basic',
                'Access-Control-Allow-Origin': '*',
                'Clear-Site-Data': '"*"',
              },
            },
          ),
      })
      const response = await request('/forms/6025/packages/42', { as: 'initiator' })
      assert.deepEqual([...response.headers.keys()].sort(), [
        'cache-control',
        'content-type',
        'cross-origin-resource-policy',
        'referrer-policy',
        'vary',
        'x-content-type-options',
        'x-routeslip',
        'x-routeslip-person',
      ])
      assert.equal(response.headers.get('x-routeslip-person'), people.initiator)
      const text = await response.text()
      assert.doesNotMatch(text, /internal|secret/)
      assert.match(text, /"state":"ROUTING"/)
    })

    it('return 502 and log it if the service refuses the credentials (T24, F16)', async () => {
      for (const [path, status] of [
        ['/forms/6025/packages/42', 401],
        ['/files/00000000-0000-4000-8000-000000000000/meta', 401],
        ['/files/00000000-0000-4000-8000-000000000000/meta', 403],
      ] as const) {
        const { request, log } = setUp({
          intercept: () =>
            new Response('Basic ZGVtby1hcHA6ZGVtby1zZWNyZXQ=', {
              status,
              headers: { 'WWW-Authenticate': 'Basic' },
            }),
        })
        const response = await request(path, { as: 'initiator' })
        assert.equal(response.status, 502)
        assert.equal(response.headers.get('www-authenticate'), null)
        assert.doesNotMatch(await response.text(), /Basic|emulator/)
        assert.match(log[0] ?? '', /refuses our client credentials/)
        assert.doesNotMatch(log.join(), /demo-secret|ZGVtby/)
      }
    })

    it('return 502 if the response of the service is not valid (F21, F22, F23)', async () => {
      for (const body of [
        '<h1>Login</h1>',
        '',
        '{"id":42',
        'null',
        '[]',
        '"x"',
        '{"id":"42","state":"ROUTING"}',
      ]) {
        const { request } = setUp({ intercept: () => new Response(body) })
        const response = await request('/forms/6025/packages/42', { as: 'initiator' })
        assert.equal(response.status, 502, body)
        assert.equal(response.headers.get('content-type'), 'application/problem+json')
      }
    })

    it('return 502 if the response is about another package or file (T6)', async () => {
      const { request, upload, log } = setUp({
        intercept: async (request, emulator) => {
          const response = await emulator.fetch(request)
          if (request.method === 'PUT' || /\/(?:packages\/42|meta)$/.test(request.url)) {
            const found = (await response.json()) as { id?: number; actions?: object }
            return Response.json(change(found))
          }
          return response
        },
      })
      const { uuid } = await upload('initiator')
      let change = (found: object): object => found
      const package42 = '/forms/6025/packages/42'
      const statuses = async () => [
        (await request(package42, { as: 'initiator' })).status,
        (await request(`/files/${uuid}/meta`, { as: 'initiator' })).status,
        (
          await request(`/files/${uuid}/meta`, {
            as: 'initiator',
            method: 'PUT',
            json: { filename: 'b.txt' },
          })
        ).status,
      ]
      assert.deepEqual(await statuses(), [200, 200, 200], 'control')
      change = (found) => ({ ...found, id: 43, uuid: '11111111-0000-4000-8000-000000000000' })
      assert.deepEqual(await statuses(), [502, 502, 502])
      assert.match(log.at(-1) ?? '', /error .* about something else/)
      change = (found) => ({
        ...found,
        actions: { ...(found as { actions: object }).actions, packageId: 43 },
      })
      assert.equal((await request(package42, { as: 'initiator' })).status, 502)
    })

    it('return 502 instead of a file that is empty or a part (F07)', async () => {
      const path = '/forms/6025/packages/42/pdf'
      let status = 200
      const { request } = setUp({
        intercept: () =>
          new Response(status === 204 ? null : '%PDF-1.7', {
            status,
            headers: { 'content-type': 'application/pdf', 'content-range': 'bytes 0-7/100' },
          }),
      })
      assert.equal((await request(path, { as: 'initiator' })).status, 200, 'control')
      for (status of [201, 202, 203, 204, 206, 226]) {
        assert.equal((await request(path, { as: 'initiator' })).status, 502, String(status))
      }
    })

    it('return 502 instead of a part of a package, even if it is valid JSON (F07)', async () => {
      let status = 200
      const { request } = setUp({
        intercept: async (request, emulator) => {
          const { body, headers } = await emulator.fetch(request)
          return new Response(body, { status, headers })
        },
      })
      assert.equal((await request('/forms/6025/packages/42', { as: 'initiator' })).status, 200, 'control')
      status = 206
      assert.equal((await request('/forms/6025/packages/42', { as: 'initiator' })).status, 502)
    })

    it('return 502 if a service is down or does not respond (F01, F02)', async () => {
      const down = setUp({
        intercept: () => Promise.reject(new TypeError('connect ECONNREFUSED 127.0.0.1:1')),
      })
      const response = await down.request('/forms/6025/packages/42', { as: 'initiator' })
      assert.equal(response.status, 502)
      assert.doesNotMatch(await response.text(), /127|ECONN/)

      const silent = setUp({
        limits: { timeout: 30 },
        send: createFetchSend(
          (_, init) =>
            new Promise((_, reject) =>
              init?.signal?.addEventListener('abort', () => reject(new Error('late'))),
            ),
        ),
      })
      assert.equal((await silent.request('/forms/6025/packages/42', { as: 'initiator' })).status, 502)
    })

    it('stop reading an endless response of a service', async () => {
      const { request, log } = setUp({
        limits: { maxResponseSize: 1000 },
        intercept: () => new Response(`{"id":42,"state":"ROUTING"${' '.repeat(2000)}}`),
      })
      assert.equal((await request('/forms/6025/packages/42', { as: 'initiator' })).status, 502)
      assert.match(log.join(), /larger than 1000 bytes/)
    })

    it('call services without following redirects, and abort when the browser disconnects (T11)', async () => {
      const gone = new AbortController()
      const inits: RequestInit[] = []
      const { request, log } = setUp({
        send: createFetchSend((_, init = {}) => {
          inits.push(init)
          return new Promise((_resolve, reject) => {
            init.signal?.addEventListener('abort', () => reject(new Error('stopped')))
            gone.abort()
          })
        }),
      })
      await request('/forms/6025/packages/42', { as: 'initiator', signal: gone.signal })
      assert.equal(inits[0]?.redirect, 'error')
      assert.equal(inits[0]?.signal?.aborted, true)
      assert.deepEqual(log, [])
    })

    it('return 403 to an outsider, and 404 to everyone if a package does not exist', async () => {
      const { request } = setUp()
      assert.equal((await request('/forms/6025/packages/42', { as: 'outsider' })).status, 403)
      assert.equal((await request('/forms/6025/packages/43', { as: 'initiator' })).status, 404)
    })
  })

  describe('bulk status', () => {
    it('contains only packages that the person may view', async () => {
      const { request, emulator } = setUp()
      const other = { ...emulator.packages.test.get(42)!, id: 43, initiator: people.outsider, inbox: [] }
      emulator.packages.test.set(43, other)
      const ids = async (as: Role) => {
        const response = await request('/forms/6025/packages/status?id=42&id=43', { as })
        return ((await response.json()) as { id: number }[]).map(({ id }) => id)
      }
      assert.deepEqual(await ids('administrator'), [42, 43])
      assert.deepEqual(await ids('outsider'), [43])
    })

    it('asks the service only for the rights if somebody asks for 100 packages of others (T23)', async () => {
      const { request, emulator, journal } = setUp()
      const template = emulator.packages.test.get(42)!
      const packageIds = Array.from({ length: 100 }, (_, at) => 1001 + at)
      for (const id of packageIds) emulator.packages.test.set(id, { ...template, id })
      const callsOf = async (as: Role) => {
        journal.length = 0
        await request(`/forms/6025/packages/status?${packageIds.map((id) => `id=${id}`).join('&')}`, { as })
        return journal.map(({ url }) => new URL(url).pathname.split('/').at(-1))
      }
      assert.deepEqual(await callsOf('outsider'), ['actions'])
      // A person who may view them.
      assert.deepEqual(await callsOf('initiator'), ['actions', 'status'])
    })

    it('refuses invalid ids, and too many ids', async () => {
      const { request, journal } = setUp()
      for (const query of ['', '?id=', '?id=0x2a', '?id=42&env=prod', `?${'id=1&'.repeat(101)}`]) {
        const { status } = await request(`/forms/6025/packages/status${query}`, { as: 'initiator' })
        assert.equal(status, 400, query)
      }
      assert.equal(journal.length, 0)
    })
  })

  describe('void', () => {
    const yes = actions({ canVoid: true })
    // Who may is in test/contract/routes/rights.node.test.ts.
    for (const state of ['PRE_ROUTING', 'DRAFT', 'ROUTING', 'COMPLETE', 'VOID']) {
      const isAllowed = state === 'ROUTING' || state === 'COMPLETE'
      it(`is ${isAllowed ? 'allowed' : 'denied'} in state ${state} if every flag is true (T4)`, async () => {
        const all = Object.keys(yes).filter((flag) => flag.startsWith('can'))
        const { request, emulator, mutations } = setUp({
          intercept: (request, services) =>
            request.url.includes('/actions')
              ? Response.json([actions(Object.fromEntries(all.map((flag) => [flag, true])))])
              : services.fetch(request),
        })
        Object.assign(emulator.packages.test.get(42)!, { state })
        await request('/forms/6025/packages/42/void', { as: 'initiator', method: 'PUT', json: voidBody })
        assert.equal(mutations().length, isAllowed ? 1 : 0)
      })
    }

    it('is denied if the service returns another package than the requested one (T6)', async () => {
      const { request, mutations } = setUp({
        intercept: async (request, emulator) => {
          const response = await emulator.fetch(request)
          if (!request.url.endsWith('/packages/42') || request.method !== 'GET') return response
          return Response.json({ ...((await response.json()) as object), id: 43 })
        },
      })
      const { status } = await request('/forms/6025/packages/42/void', {
        as: 'administrator',
        method: 'PUT',
        json: voidBody,
      })
      assert.equal(status, 502)
      assert.equal(mutations().length, 0)
    })

    const rowLists: readonly [string, unknown][] = [
      ['another package', [{ ...yes, packageId: 43 }]],
      ['two rows', [yes, yes]],
      ['two rows that differ', [yes, { ...yes, canVoid: false }]],
      ['one row and an invalid one', [yes, { packageId: 42 }]],
      ['none', []],
      ['an object', yes],
      ['null', null],
      ['text for an id', [{ ...yes, packageId: '42' }]],
      ['text for a flag', [{ ...yes, canVoid: 'true' }]],
      ['a number for a flag', [{ ...yes, canVoid: 1 }]],
      ['a missing flag', [{ packageId: 42, canVoid: true }]],
    ]
    for (const [name, result] of rowLists) {
      it(`is denied by ${name} (T5)`, async () => {
        const { request, mutations } = setUp({
          intercept: (request, emulator) =>
            request.url.includes('/actions') ? Response.json(result) : emulator.fetch(request),
        })
        const { status } = await request('/forms/6025/packages/42/void', {
          as: 'firstApprover',
          method: 'PUT',
          json: voidBody,
        })
        assert.ok(status === 403 || status === 502, String(status))
        assert.equal(mutations().length, 0)
      })
    }

    it('hides a package if the rows of a bulk response contradict each other (T5)', async () => {
      const row = (packageId: number, canView: boolean) => ({ ...yes, packageId, canView })
      for (const rows of [
        [row(42, true), row(42, false), row(43, true)],
        [row(42, false), row(43, true), row(42, true)],
        [row(42, true), row(42, true), row(43, true)],
      ]) {
        const { request, journal } = setUp({
          intercept: (request) => {
            if (request.url.includes('/actions')) return Response.json(rows)
            const ids = new URL(request.url).searchParams.getAll('id').map(Number)
            return Response.json(ids.map((id) => ({ id, state: 'ROUTING' })))
          },
        })
        const response = await request('/forms/6025/packages/status?id=42&id=43', { as: 'initiator' })
        assert.deepEqual(
          ((await response.json()) as { id: number }[]).map(({ id }) => id),
          [43],
        )
        assert.match(journal.at(-1)?.url ?? '', /status\?id=43$/)
      }
    })

    it('is allowed by exactly one valid row (control of T5)', async () => {
      const { request, mutations } = setUp({
        intercept: (request, emulator) =>
          request.url.includes('/actions') ? Response.json([yes]) : emulator.fetch(request),
      })
      await request('/forms/6025/packages/42/void', { as: 'secondApprover', method: 'PUT', json: voidBody })
      assert.equal(mutations().length, 1)
    })

    it('refuses a body that does not match the contract exactly', async () => {
      const { request, mutations } = setUp()
      for (const json of [
        { ...voidBody, voidReason: 'BORED' },
        { ...voidBody, state: 'ROUTING' },
        { ...voidBody, id: 43 },
        { ...voidBody, bypass: true },
        { id: 42, state: 'VOID' },
        [],
      ]) {
        const { status } = await request('/forms/6025/packages/42/void', {
          as: 'administrator',
          method: 'PUT',
          json,
        })
        assert.equal(status, 400, JSON.stringify(json))
      }
      assert.equal(mutations().length, 0)
    })
  })

  describe('files', () => {
    it('keep the owner out of requests and responses of the browser (T13)', async () => {
      const { request, upload, emulator } = setUp()
      const asset = await upload('initiator', { metadata: { purpose: 'travel' } })
      assert.deepEqual(asset.metadata, { purpose: 'travel' })
      assert.deepEqual(emulator.files.test.get(asset.uuid)?.asset.metadata, {
        purpose: 'travel',
        'routeslip-owner': people.initiator,
      })

      const body = new FormData()
      body.append('meta', JSON.stringify({ metadata: { 'routeslip-owner': people.initiator } }))
      body.append('file', new File(['x'], 'x'))
      assert.equal((await request('/files', { as: 'outsider', method: 'POST', body })).status, 422)
      assert.equal(emulator.files.test.size, 1)
    })

    it('are downloaded through a link that expires within a minute', async () => {
      let now = 0
      const { request, upload, emulator } = setUp({ emulator: { now: () => now } })
      const { uuid } = await upload('initiator')
      const response = await request(`/files/${uuid}/download`, {
        as: 'initiator',
        headers: { 'x-routeslip': null },
      })
      assert.equal(response.status, 303)
      assert.equal(response.headers.get('cache-control'), 'no-store')
      const link = response.headers.get('location') ?? ''

      now = 59_000
      const file = await emulator.fetch(link)
      assert.equal(await file.text(), 'hello')
      assert.match(file.headers.get('content-disposition') ?? '', /^attachment;/)
      now = 60_000
      assert.equal((await emulator.fetch(link)).status, 403)
    })

    it('open in the browser only if their type is safe and the browser requests it (T15)', async () => {
      const { request, upload, emulator } = setUp()
      const { uuid } = await upload('initiator')
      const stored = emulator.files.test.get(uuid)
      assert.ok(stored)
      const disposition = async (contentType: string | null, search: string) => {
        stored.asset = { ...stored.asset, contentType }
        const response = await request(`/files/${uuid}/download${search}`, { as: 'initiator' })
        const file = await emulator.fetch(response.headers.get('location') ?? '')
        return file.headers.get('content-disposition')?.split(';')[0]
      }
      for (const type of ['application/pdf', 'image/png', 'IMAGE/JPEG', 'text/plain; charset=utf-8']) {
        assert.equal(await disposition(type, '?inline=true'), 'inline', type)
        assert.equal(await disposition(type, ''), 'attachment', type)
      }
      for (const type of [
        ...['text/html', 'image/svg+xml', 'application/xml', 'text/javascript', 'application/octet-stream'],
        ...[
          'application/xhtml+xml',
          'image/png, text/html',
          'text/html; image/png',
          'multipart/related',
          null,
        ],
      ]) {
        assert.equal(await disposition(type, '?inline=true'), 'attachment', String(type))
      }
    })

    it('can be downloaded only from pages of the site (T30)', async () => {
      const { request, upload } = setUp()
      const { uuid } = await upload('initiator')
      for (const [site, status] of [
        ['same-origin', 303],
        ['none', 303],
        ['same-site', 403],
        ['cross-site', 403],
      ] as const) {
        const headers = { 'sec-fetch-site': site, 'x-routeslip': null }
        assert.equal((await request(`/files/${uuid}/download`, { as: 'initiator', headers })).status, status)
      }
    })
  })
})

function actions(flags: Readonly<Record<string, boolean>>) {
  return {
    canView: true,
    canEdit: false,
    canSign: false,
    canVoid: false,
    canInitiatorVoid: false,
    canAddApprover: false,
    canVoidAfter: false,
    packageId: 42,
    signatureId: null,
    ...flags,
  }
}
