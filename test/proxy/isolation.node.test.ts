import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import type { BrowserOperation } from '../../src/contract/routes/routes.ts'
import type { Environment } from '../../src/contract/values/values.ts'
import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts'
import type { Bus, Hint } from '../../src/proxy/changes/bus.ts'
import { personaCookieName } from '../../src/proxy/identity/identity.ts'
import { createSend } from '../../src/proxy/node/send.ts'
import { type Send, createFetchSend } from '../../src/proxy/upstream/send.ts'
import { everyOperation, people, setUp, type SetUp } from './mount.ts'
import {
  agreeable,
  jsonResponse,
  callOf,
  offence,
  random,
  requestFor,
  sampleUuid,
  sampleValues,
  serve,
  type Setting,
  watch,
} from './oracle.ts'

/** A bus that records published events. */
function recordingBus() {
  const published: Hint[] = []
  const bus: Bus = {
    publish: async (hint) => void published.push(hint),
    subscribe: () => () => {},
    since: () => [],
    last: () => '0',
    close: async () => {},
  }
  return { bus, published }
}

describe('two environments in one process', () => {
  const clients = { test: 'demo-app:demo-secret', prod: 'partner-app:partner-secret' }
  const uuids = { test: sampleUuid.replace('4000', '4001'), prod: sampleUuid.replace('4000', '4002') }

  /** Creates an emulator with separate data per environment. All data name their environment. */
  function services(): Emulator {
    const emulator = createEmulator()
    for (const env of ['test', 'prod'] as const) {
      const found = emulator.packages.test.get(42)!
      for (const id of [42, 43]) {
        const comment = { ...comments, id: 7, comment: `from ${env}` }
        const entry = { ...found.entry, purpose: `from ${env}` }
        emulator.packages[env].set(id, { ...structuredClone(found), id, entry, comments: [comment] })
      }
      emulator.files[env].set(uuids[env], {
        asset: {
          ...{ uuid: uuids[env], filename: `from ${env}.txt`, fileSize: 5, contentType: 'text/plain' },
          ...{ uploadDate: '2026-11-16T09:42:12.000000', expirationDate: null },
          metadata: { 'routeslip-owner': people.administrator },
        },
        ...{ owner: clients[env].split(':')[0]!, object: env, uploadedAt: Date.now(), expiresAt: null },
        isDeleted: false,
      })
    }
    return emulator
  }
  const comments = {
    ...{ approversOnly: false, createdAt: '2026-11-16T09:42:12', person: people.initiator },
    state: 'ACTIVE' as const,
  }

  function mountOf(env: Environment, emulator: Emulator, storageEnv = env) {
    const [clientId = '', clientSecret = ''] = clients[env].split(':')
    const { bus, published } = recordingBus()
    const mount = watch({
      env,
      operations: everyOperation,
      identity: { policy: () => true },
      storage: { bus },
      services: {
        workflow: { baseUrl: 'http://emulator.test/wf', clientId, clientSecret },
        storage: {
          ...{ baseUrl: `http://emulator.test/fs/${storageEnv}`, clientId, clientSecret },
          objectOrigins: ['http://emulator.test'],
        },
      },
      via: createFetchSend(emulator.fetch),
    })
    return { ...mount, published }
  }

  /** Calls both mounts at random. Returns the problems, and the number of successful calls. */
  async function mingle(mounts: Readonly<Record<Environment, ReturnType<typeof mountOf>>>, calls: number) {
    const next = random(10)
    const pick = <T>(all: readonly T[]) => all[Math.floor(next() * all.length)]!
    const wrong: string[] = []
    let good = 0
    for (let count = 0; count < calls; count++) {
      const env = pick(['test', 'prod'] as const)
      const mount = mounts[env]
      const name = pick(everyOperation.filter((each) => each !== 'getPdf'))
      const as = pick([people.administrator, people.initiator, people.firstApprover])
      const values = { ...sampleValues, packageId: pick(['42', '43']), uuid: pick(Object.values(uuids)) }
      const request = requestFor(name, { as, values })
      const before = { test: mounts.test.sent.length, prod: mounts.prod.sent.length }
      const { length } = mount.published
      const response = await mount.proxy(request)
      const text = await response.text()
      if (response.ok) good += 1

      const { pathname, search } = new URL(request.url)
      const call = callOf(request.method, pathname, search)
      const setting: Setting = { univid: as, env, credentials: clients[env], file: sampleUuid, accept: null }
      const other = env === 'test' ? 'prod' : 'test'
      wrong.push(
        ...mount.sent.slice(before[env]).flatMap((one) => offence(one, call, setting) ?? []),
        ...(mounts[other].sent.length > before[other] ? [`${name} made ${other} send`] : []),
        ...(text.includes(`from ${other}`) ? [`${name} of ${env} shows data of ${other}`] : []),
        ...(mount.published.length > length && !response.ok
          ? [`${name} announced a change that did not happen`]
          : []),
      )
    }
    return { wrong, good }
  }

  it('never mix in 1,000 random calls (T10)', async () => {
    const emulator = services()
    const mounts = { test: mountOf('test', emulator), prod: mountOf('prod', emulator) }
    const { wrong, good } = await mingle(mounts, 1000)
    assert.deepEqual(wrong, [])
    assert.ok(good > 300, String(good))
    // Each change is announced only on the bus of its own mount: no event without a call of that mount.
    for (const { published, sent } of Object.values(mounts)) {
      const { length } = sent.filter(({ method }) => method !== 'GET')
      assert.ok(published.length > 20 && published.length <= length, `${published.length}, ${length}`)
    }
  })

  it('are noticed if one is connected to the other (T10)', async () => {
    const emulator = services()
    const crossed = { test: mountOf('test', emulator), prod: mountOf('prod', emulator, 'test') }
    assert.notDeepEqual((await mingle(crossed, 100)).wrong, [])
    const shared = mountOf('test', emulator)
    assert.notDeepEqual((await mingle({ test: shared, prod: shared }, 100)).wrong, [])
  })

  it('have separate files, although only a uuid identifies a file (T10)', async () => {
    const emulator = services()
    for (const env of ['test', 'prod'] as const) {
      const { request } = mountOf(env, emulator)
      for (const [where, uuid] of Object.entries(uuids)) {
        const { status } = await request(`/files/${uuid}/meta`, { as: 'administrator' })
        assert.equal(status, where === env ? 200 : 404)
      }
    }
  })
})

describe('other hosts', () => {
  let evil: Awaited<ReturnType<typeof serve>>
  let services: Awaited<ReturnType<typeof serve>>
  const received: string[] = []
  const redirection = { status: 302, location: '' }

  before(async () => {
    evil = await serve((request, response) => {
      received.push(JSON.stringify([request.url, request.headers]))
      response.setHeader('content-type', 'application/json')
      response.end('{"id":42,"state":"ROUTING"}')
    })
    services = await serve((request, response) => {
      request.resume()
      response.writeHead(redirection.status, {
        Location: redirection.location || `${evil.url}${request.url}`,
      })
      response.end()
    })
  })
  after(() => Promise.all([evil.close(), services.close()]))

  const credentials = { clientId: 'demo-app', clientSecret: 'demo-secret' }
  const over = (send: Send, options: SetUp = {}) =>
    setUp({
      operations: everyOperation,
      identity: { policy: () => true },
      send,
      services: {
        workflow: { baseUrl: `${services.url}/wf`, ...credentials },
        storage: {
          ...{ baseUrl: `${services.url}/fs/test`, objectOrigins: ['http://emulator.test'] },
          ...credentials,
        },
      },
      ...options,
    })

  /** All implementations with which a proxy can send. */
  const node = createSend()
  after(() => node.close())
  const senders: Readonly<Record<string, Send>> = {
    'the default': createFetchSend(fetch),
    'that of Node': node.send,
  }

  for (const [name, send] of Object.entries(senders)) {
    it(`get no request if a service redirects to them, over ${name} (T11)`, async () => {
      received.length = 0
      for (const status of [300, 301, 302, 303, 304, 305, 307, 308]) {
        redirection.status = status
        for (const operation of everyOperation) {
          const response = await over(send).proxy(requestFor(operation, {}))
          assert.equal(response.status, 502, `${operation} ${status}`)
          assert.equal(response.headers.get('location'), null)
          assert.doesNotMatch(await response.text(), /127\.0\.0\.1/)
        }
      }
      assert.deepEqual(received, [])
    })
  }

  it('would see the person and the bypass if a redirect was followed (T11)', async () => {
    received.length = 0
    redirection.status = 307
    const follow = createFetchSend((url, init) => fetch(url, { ...init, redirect: 'follow' }))
    for (const operation of ['getComments', 'getOverrides'] as const) {
      await over(follow).proxy(requestFor(operation, {}))
    }
    assert.match(received.join('\n'), /x-workflow-request-user":"10000009/)
    assert.match(received.join('\n'), /x-workflow-bypass-authorization":"true/)
  })

  it('are not reached through a redirect that a fetch returns as it is (T11)', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      const { request } = setUp({
        intercept: () => new Response(null, { status, headers: { Location: 'https://evil.test/' } }),
      })
      for (const path of [
        '/forms/6025/packages/42',
        '/forms/6025/packages/42/pdf',
        `/files/${sampleUuid}/meta`,
      ]) {
        const response = await request(path, { as: 'initiator' })
        assert.equal(response.status, 502)
        assert.equal(response.headers.get('location'), null)
      }
    }
  })

  const presigned = async (link: string) => {
    const yes = agreeable()
    const mount = watch({
      via: async (request) => (request.url.includes('/presign') ? jsonResponse(link) : await yes(request)),
    })
    return { mount, response: await mount.proxy(requestFor('presignFile', {})) }
  }

  it('are never the target of a download, whatever link a service returns (T11)', async () => {
    for (const link of [
      ...[
        'https://evil.test/x',
        'http://evil.test/objects/1',
        '//evil.test/x',
        '/objects/1',
        'objects/1',
        '',
      ],
      ...[
        'http://emulator.test.evil.test/objects/1',
        'http://evil.test#emulator.test',
        'http://emulator.test:81/1',
      ],
      ...[
        'http://evil.test?http://emulator.test/',
        'http://emulator.test@evil.test/1',
        'http://a:b@emulator.test/1',
      ],
      ...[
        'http://user@emulator.test/1',
        'http://evil.test\\@emulator.test/',
        'http://emulator.test%2eevil.test/',
      ],
      ...[
        'https://emulator.test/objects/1',
        'ftp://emulator.test/1',
        'file:///etc/passwd',
        'http:///evil.test/1',
      ],
      ...[
        'javascript:alert(1)',
        'data:text/html,x',
        'about:blank',
        'ws://emulator.test/1',
        'view-source:http://x',
      ],
      ...[
        'http://emulator.test\uff0eevil.test/',
        'http://emulator.tes\u0074.evil.test',
        'http://[::1]/',
        'http://2130706433/',
      ],
      ...['null', '{}', '["http://emulator.test/objects/1"]', '<a href="http://emulator.test/1">1</a>'],
    ]) {
      const { response, mount } = await presigned(link)
      assert.equal(response.status, 502, link)
      assert.equal(response.headers.get('location'), null, link)
      assert.doesNotMatch((await response.text()) + mount.log.join(), /evil\.test\/|passwd|alert/)
    }
  })

  it('are never the target of a download if a link only contains an allowed one (T11)', async () => {
    for (const link of ['blob:http://emulator.test/objects/1', 'blob:http://emulator.test/']) {
      const { response } = await presigned(link)
      assert.equal(response.status, 502, link)
    }
  })

  it('cannot add a header line to a response through a link (T11, T24)', async () => {
    for (const link of [
      'http://emulator.test/1\r\nSet-Cookie: a=b',
      'http://emulator.test/1\n\nx',
      'http://emulator.test/\u00e9',
    ]) {
      const { response } = await presigned(link)
      const { headers, status } = response
      assert.ok(status === 502 || status === 303, String(status))
      assert.equal(headers.get('set-cookie'), null)
      assert.match(headers.get('location') ?? 'http://emulator.test/', /^http:\/\/emulator\.test\/[!-~]*$/)
    }
    assert.equal((await presigned('http://emulator.test/objects/1')).response.status, 303)
  })
})

describe('files of other people', () => {
  const kinds: readonly BrowserOperation[] = [
    ...(['getFileMeta', 'updateFileMeta', 'presignFile', 'deleteFile'] as const),
    ...(['createShare', 'getShares', 'revokeShare'] as const),
  ]
  const ofFile = (uuid: string) => ({ values: { ...sampleValues, uuid } })

  it('do not exist for others who know their uuid, and cannot be changed by them (T12)', async () => {
    const mount = setUp({ operations: everyOperation })
    const { upload, proxy, emulator, mutations } = mount
    const uuids = await Promise.all([1, 2, 3].map(async () => (await upload('initiator')).uuid))
    const before = structuredClone(emulator.files.test)
    const { length } = mutations()
    const words = new Set<string>()
    for (const uuid of [...uuids, sampleUuid]) {
      for (const as of [people.outsider, people.administrator, people.firstApprover]) {
        for (const name of kinds) {
          const isShare = name.includes('Share')
          const response = await proxy(requestFor(name, { as, ...ofFile(uuid) }))
          assert.equal(response.status, isShare ? 403 : 404, name)
          const { requestId, ...details } = (await response.json()) as Record<string, unknown>
          assert.equal(typeof requestId, 'string')
          words.add(JSON.stringify([isShare, details, [...response.headers]]))
        }
      }
    }
    // The texts are the same for a file that exists and for one that does not.
    assert.equal(words.size, 2)
    assert.deepEqual(emulator.files.test, before)
    assert.equal(emulator.links.size, 0)
    assert.equal(mutations().length, length)
  })

  it('exist for their owner, and would exist for all without the check (T12)', async () => {
    for (const [as, policy] of [
      [people.initiator, undefined],
      [people.outsider, () => true],
    ] as const) {
      const { upload, proxy } = setUp({ operations: everyOperation, identity: policy ? { policy } : {} })
      const { uuid } = await upload('initiator')
      for (const name of kinds.slice(0, 4)) {
        const { status } = await proxy(requestFor(name, { as, ...ofFile(uuid) }))
        assert.ok(status < 400, `${name} ${status}`)
      }
    }
  })

  it('are inaccessible if the service returns no owner or another owner (T12)', async () => {
    const owner = people.initiator
    const metas: readonly unknown[] = [
      ...[null, {}, { owner }, { 'Routeslip-Owner': owner }, { 'routeslip-owner ': owner }],
      ...[{ 'routeslip-owner': '' }, { 'routeslip-owner': ` ${owner}` }, { 'routeslip-owner': `${owner},1` }],
      ...[{ 'routeslip-owner': Number(owner) }, { 'routeslip-owner': [owner] }, { 'routeslip-owner': '*' }],
      ...[[{ 'routeslip-owner': owner }], 'routeslip-owner', { 'routeslip-owner': `${owner}0` }],
    ]
    const statusFor = async (meta: unknown, uuid = sampleUuid, expected = 404) => {
      const via: Send = async () => jsonResponse({ uuid, filename: 'a.txt', metadata: meta })
      const mount = watch({ via })
      for (const name of kinds.slice(0, 4)) {
        const { status } = await mount.proxy(requestFor(name, { as: owner }))
        if (status !== expected) return status
      }
      assert.deepEqual([...new Set(mount.sent.map(({ method }) => method))], ['GET'])
      return expected
    }
    for (const meta of metas) assert.equal(await statusFor(meta), 404, JSON.stringify(meta))
    // The response describes another file than the requested one.
    const other = sampleUuid.replace('4000', '4001')
    assert.equal(await statusFor({ 'routeslip-owner': owner }, other, 502), 502)
    assert.equal(await statusFor({ 'routeslip-owner': owner }), 200)
  })
})

describe('a change by the owner of a file', () => {
  const maxExpiresIn = 3600
  const text = fc.oneof(
    fc.constantFrom(
      ...[
        'b.txt',
        'b.html',
        'b.TXT',
        'b.txt.html',
        'b.html.txt',
        '.txt',
        '.html',
        'html',
        'b',
        '',
        ' ',
        'b.',
        'b.txt.',
      ],
      ...[
        'b.html ',
        'b.html.',
        'b.html\u202e',
        'b.html\u0000.txt',
        'b.txt\u0000.html',
        'b.txt\n.html',
        'b.html\n',
      ],
      ...[
        'x/b.html',
        'b.txt/c.html',
        'b.txt\\c.html',
        'b.txt;.html',
        'b.txt:.html',
        'b．html',
        'b.ｈtml',
        'b.\u200bhtml',
      ],
      ...[
        'b.txt\u3164',
        `${'b'.repeat(230)}.txt`,
        `${'b'.repeat(230)}.html`,
        'b.htm\u0130',
        '.txt.html',
        '...html',
      ],
    ),
    fc.string({ unit: 'binary-ascii', maxLength: 12 }),
    fc
      .tuple(fc.string({ unit: 'binary-ascii', maxLength: 6 }), fc.constantFrom('.txt', '.html', '.svg'))
      .map((parts) => parts.join('')),
  )
  const duration = fc.oneof(
    fc.constantFrom<unknown>(
      ...[
        '0',
        '0s',
        'PT0S',
        'P0D',
        '-0',
        '-1',
        '-PT1H',
        'PT-1S',
        '+1',
        '1ns',
        '1us',
        '1ms',
        '1s',
        '30m',
        '1h',
        '3600',
        '3601',
      ],
      ...[
        'P1D',
        '365d',
        '9'.repeat(30),
        '9'.repeat(400),
        'PT3600S',
        'PT3600.000000001S',
        'P9999999999D',
        'PT0.0000001S',
      ],
      ...[
        '',
        ' ',
        '1e3',
        '0x10',
        'Infinity',
        'NaN',
        '1 h',
        'PT',
        'forever',
        '１',
        null,
        0,
        -1,
        1,
        3600,
        3601,
        1.5,
        true,
        [],
        {},
      ],
    ),
    fc.integer({ min: -10_000, max: 10_000 }),
    fc.integer({ min: 0, max: 5000 }).map((count) => `${count}s`),
    fc.constantFrom('60', '1h', null),
  )
  const key = fc.oneof(
    fc.constantFrom(
      ...[
        'routeslip-owner',
        'Routeslip-Owner',
        'ROUTESLIP-OWNER',
        ' routeslip-owner',
        'routeslip-owner ',
        'routeslip-',
      ],
      ...[
        '\troutesLip-owner',
        '\ufeffrouteslip-owner',
        '\u200brouteslip-owner',
        'routeslip-x',
        'routeslip_owner',
      ],
      ...['routeſlip-owner', 'routeslip\u2010owner', '__proto__', 'constructor', 'owner', '', 'purpose'],
    ),
    fc.string({ unit: 'binary-ascii', maxLength: 8 }),
  )
  const metadata = fc.oneof(
    fc.dictionary(
      key,
      fc.oneof(fc.constant(null), fc.constant(''), fc.constant(people.outsider), fc.string()),
      { maxKeys: 3 },
    ),
    fc.constantFrom<unknown>(null, [], 'routeslip-owner', { 'routeslip-owner': {} }, [
      ['routeslip-owner', null],
    ]),
  )
  const step = fc.record<{ filename: unknown; expiresIn: unknown; metadata: unknown }, never>(
    { filename: fc.oneof(text, fc.constant(null)), expiresIn: duration, metadata },
    { requiredKeys: [] },
  )
  const beginning = fc.oneof(fc.constant({}), step)
  const steps = fc.array(fc.record({ change: step, as: fc.constantFrom('initiator', 'outsider') }), {
    ...{ minLength: 1, maxLength: 6 },
  })

  type Apply = (change: unknown, as: 'initiator' | 'outsider', uuid: string) => Promise<number>

  /** Checks that a file keeps its owner and kind and does not exceed its lifetime, whatever is requested. */
  const keepsItsOwn = ({ emulator, proxy }: ReturnType<typeof setUp>, apply: Apply, counts: number[]) =>
    fc.asyncProperty(beginning, steps, async (meta, changes) => {
      const body = new FormData()
      body.append('meta', JSON.stringify({ ...meta, filename: 'a.txt' }))
      body.append('file', new File(['hello'], 'a.txt', { type: 'text/plain' }))
      const cookie = `${personaCookieName}=${people.initiator}`
      const headers = { cookie, 'x-routeslip': '1', 'sec-fetch-site': 'same-origin' }
      const response = await proxy(
        new Request('https://northfield.test/api/wf/files', { method: 'POST', headers, body }),
      )
      counts.push(response.status)
      if (response.status !== 200) return response.status >= 400 && response.status < 500
      const { uuid } = (await response.json()) as { uuid: string }
      const holds = () => {
        const { asset, expiresAt, uploadedAt } = emulator.files.prod.get(uuid)!
        const reserved = Object.entries(asset.metadata ?? {}).filter(([name]) => /^\s*routeslip-/i.test(name))
        return (
          JSON.stringify(reserved) === JSON.stringify([['routeslip-owner', people.initiator]]) &&
          kindOf(asset.filename ?? '') === 'txt' &&
          expiresAt !== null &&
          expiresAt - uploadedAt <= maxExpiresIn * 1000
        )
      }
      let isKept = holds()
      for (const { change, as } of changes) {
        const before = JSON.stringify(emulator.files.prod.get(uuid))
        counts.push(await apply(change, as, uuid))
        const isSame = before === JSON.stringify(emulator.files.prod.get(uuid))
        isKept &&= holds() && (as === 'initiator' || isSame)
      }
      return isKept
    })

  /** Returns a name as a file system reads it: without trailing dots, blanks and invisible characters. */
  const kindOf = (filename: string) =>
    /\.([^.]*)$/.exec(filename.replace(/[\s.\p{C}]+$/u, ''))?.[1]?.toLowerCase() ?? ''

  const storage = {
    ...{ baseUrl: 'http://emulator.test/fs/prod', objectOrigins: ['http://emulator.test'] },
    ...{ clientId: 'demo-app', clientSecret: 'demo-secret' },
  }

  it('never changes the owner, the kind or the maximum lifetime, in any order (T13)', async () => {
    const mount = setUp({ env: 'prod', services: { storage }, limits: { maxExpiresIn } })
    const counts: number[] = []
    const change: Apply = async (json, as, uuid) =>
      (await mount.request(`/files/${uuid}/meta`, { as, method: 'PUT', json })).status
    await fc.assert(keepsItsOwn(mount, change, counts), { numRuns: 150, seed: 20_261_120 })
    const good = counts.filter((status) => status === 200).length
    assert.ok(good > 50, String(good))
    assert.deepEqual(
      counts.filter((status) => status >= 500),
      [],
    )
  })

  it('would change all of them if changes were forwarded (T13)', async () => {
    const mount = setUp({ env: 'prod', services: { storage }, limits: { maxExpiresIn } })
    const passedOn: Apply = async (json, _, uuid) => {
      const headers = {
        authorization: `Basic ${btoa('demo-app:demo-secret')}`,
        'content-type': 'application/json',
      }
      const url = `http://emulator.test/fs/prod/api/v1/files/${uuid}/meta`
      return (await mount.emulator.fetch(url, { method: 'PUT', headers, body: JSON.stringify(json) })).status
    }
    assert.equal((await fc.check(keepsItsOwn(mount, passedOn, []), { seed: 20_261_120 })).failed, true)
  })

  it('is refused or normalised if parsers could read its body differently (T13)', async () => {
    const mount = setUp({ limits: { maxExpiresIn } })
    const { uuid } = await mount.upload('initiator')
    const before = structuredClone(mount.emulator.files.test.get(uuid))
    for (const body of [
      '{"metadata":{"routeslip-owner":"10000008"},"metadata":{}}',
      '{"metadata":{},"metadata":{"routeslip-owner":"10000008"}}',
      '{"metadata":{"routeslip-\\u006fwner":"10000008"}}',
      '{"metadata":{"__proto__":{"routeslip-owner":"10000008"}}}',
      '{"__proto__":{"metadata":{"routeslip-owner":"10000008"}}}',
      '{"expiresIn":"60","expiresIn":"0"}',
      '{"filename":"a.txt","filename":"a.html"}',
      '\ufeff{"metadata":{"routeslip-owner":"10000008"}}',
      '{"uuid":"00000000-0000-4000-8000-000000000000"}',
    ]) {
      const headers = { 'content-type': 'application/json' }
      await mount.request(`/files/${uuid}/meta`, { as: 'initiator', method: 'PUT', headers, body })
      assert.deepEqual(mount.emulator.files.test.get(uuid), before, body)
    }
    // If a member occurs twice, the service gets the one that was checked, serialised again.
    assert.deepEqual(
      await Promise.all(
        mount
          .mutations()
          .slice(1)
          .map(async (request) => await request.text()),
      ),
      ['{"metadata":{}}'],
    )
  })
})

describe('a download link', () => {
  it('occurs in its redirect and nowhere else, after 500 downloads (T14)', async () => {
    const clock = { now: Date.UTC(2026, 10, 16) }
    const counted: string[] = []
    const note = (...facts: unknown[]) => void counted.push(JSON.stringify(facts))
    const { bus, published } = recordingBus()
    const mount = setUp({
      emulator: { now: () => clock.now },
      storage: { bus },
      operations: everyOperation,
      identity: { policy: () => true },
      observe: {
        metrics: {
          ...{
            request: note,
            call: note,
            count: note,
            refused: note,
            streams: note,
            locks: note,
            health: note,
          },
          read: async () => ({ type: 'text/plain', text: counted.join('\n') }),
        },
      },
    })
    const { request, upload, log, emulator, journal } = mount
    const { uuid } = await upload('initiator')
    const kept: string[] = []
    const keep = async (response: Response) => {
      const headers = [...response.headers].filter(([name]) => name !== 'location')
      kept.push(JSON.stringify(headers), await response.text())
      assert.equal(response.headers.get('cache-control'), 'no-store')
      assert.equal(response.headers.get('referrer-policy'), 'no-referrer')
    }
    const tokens = new Set<string>()
    for (let count = 0; count < 500; count++) {
      const response = await request(`/files/${uuid}/download`, {
        as: 'initiator',
        headers: { 'x-routeslip': null },
      })
      assert.equal(response.status, 303)
      const link = response.headers.get('location') ?? ''
      tokens.add(link.slice(link.lastIndexOf('/') + 1))
      await keep(response)
      if (count % 10 > 0) continue
      await keep(await request(`/files/${uuid}/meta`, { as: 'initiator' }))
      await keep(
        await request(`/files/${uuid}/meta`, {
          as: 'initiator',
          method: 'PUT',
          json: { metadata: { a: `${count}` } },
        }),
      )
      await keep(await request(`/files/${uuid}/download?inline=true`, { as: 'initiator' }))
      await keep(await request('/session', { as: 'initiator' }))
      await keep(await request('/shares', { as: 'initiator' }))
      await keep(await request('/metrics'))
    }
    assert.equal(tokens.size, 500)
    const output = [...kept, ...log, ...counted, JSON.stringify(published)].join('\n')
    const leaked = (text: string) => [...tokens].filter((token) => text.includes(token))
    assert.deepEqual(leaked(output), [])
    assert.equal(leaked(`${output}\nhttp://emulator.test/objects/${[...tokens][250]}`).length, 1)

    // Only the proxy sets its lifetime, and it expires.
    for (const { url } of journal.filter(({ url }) => url.includes('/presign'))) {
      assert.equal(new URL(url).searchParams.get('expiresIn'), '60s')
    }
    const [last] = [...tokens].slice(-1)
    const follow = async () => (await emulator.fetch(`http://emulator.test/objects/${last}`)).status
    assert.equal(await follow(), 200)
    clock.now += 60_000
    assert.equal(await follow(), 403)
  })

  it('does not occur in errors about it (T14)', async () => {
    const canary = 'canary-7f3a'
    const links: readonly (readonly [string, number])[] = [
      [`https://evil.test/${canary}`, 200],
      [`http://${canary}:x@emulator.test/1`, 200],
      [`http://emulator.test:99/${canary}`, 200],
      [`not a link ${canary}`, 200],
      [`{"url":"http://emulator.test/${canary}"}`, 200],
      [`["http://emulator.test/${canary}"`, 200],
      ...[400, 401, 403, 404, 409, 429, 500, 503].map(
        (status) => [`http://emulator.test/${canary}`, status] as const,
      ),
    ]
    for (const [link, status] of links) {
      const yes = agreeable()
      const mount = watch({
        via: async (request) =>
          request.url.includes('/presign') ? jsonResponse(link, status) : await yes(request),
      })
      const response = await mount.proxy(requestFor('presignFile', {}))
      assert.ok(response.status >= 400, link)
      const output = JSON.stringify([...response.headers]) + (await response.text()) + mount.log.join()
      assert.equal(output.includes(canary), false, output)
    }
  })

  it('does not accept a lifetime from the browser (T14)', async () => {
    const mount = watch({ via: agreeable() })
    for (const search of [
      'expiresIn=7d',
      'expiresIn=60s',
      'inline=true&expiresIn=60s',
      'inline=1',
      'contentType=text/html',
      'x=1',
      '',
    ]) {
      const request = requestFor('presignFile', { search: search || '=' })
      assert.equal((await mount.proxy(request)).status, 400, search)
    }
    assert.deepEqual(mount.sent, [])
    for (const linkSeconds of [0, -1, 61, 604_800, NaN, Infinity]) {
      assert.throws(() => setUp({ limits: { linkSeconds } }), RangeError)
    }
  })
})
