import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { routes } from '../../src/contract/routes/routes.ts'
import { personaCookieName } from '../../src/proxy/identity/identity.ts'
import { createListener } from '../../src/proxy/node/listener.ts'
import { emptyReply } from '../../src/proxy/http/reply.ts'
import { createFetchSend } from '../../src/proxy/upstream/send.ts'
import { trustedHeader } from '../../src/proxy/identity/trusted-header.ts'
import { everyOperation, people, setUp } from './mount.ts'
import {
  type Added,
  agreeable,
  callOf,
  isId,
  offence,
  prepare,
  requestFor,
  sampleUuid,
  sendRaw,
  type Sent,
  serve,
  watch,
} from './oracle.ts'

const cookie = `${personaCookieName}=${people.administrator}`
const bypass = 'x-workflow-bypass-authorization'
const user = 'x-workflow-request-user'

const casesOf = (name: string) => [
  name,
  name.toUpperCase(),
  name.replace(/\b\w/g, (letter) => letter.toUpperCase()),
  name.replaceAll('-', '_'),
  name.replaceAll('-', '_').toUpperCase(),
  name.replace('-', '_'),
  name.replace(/-(?=[^-]*$)/, '_'),
]

const namesOf = (name: string) => [
  ...casesOf(name),
  ...['', 'x-', 'http-', 'http_x_', 'x-forwarded-', 'x-original-', 'x-http-'].map(
    (prefix) => prefix + name.slice(2),
  ),
  `${name}-`,
  `${name}.`,
]

/** Sixty additions that name the bypass, another person or another method. */
const spellings: readonly Added[] = [
  ...namesOf(bypass).map((name): Added => ({ headers: [[name, 'true']] })),
  ...['TRUE', '1', 'true, true', ' true ', 'true;q=1', '"true"'].map((value): Added => ({
    headers: [[bypass, value]],
  })),
  ...namesOf(user).map((name): Added => ({ headers: [[name, people.initiator]] })),
  ...['demo-app', '10000001, 10000009', '', '"10000001"', ' 10000001 '].map((value): Added => ({
    headers: [[user, value]],
  })),
  {
    headers: [
      [bypass, 'true'],
      [bypass, 'true'],
      [user, '10000001'],
      [user, '10000002'],
    ],
  },
  {
    headers: [
      ['connection', user],
      [user, people.initiator],
    ],
  },
  { headers: [['connection', 'authorization, x-workflow-request-user, x-request-id']] },
  { headers: [['authorization', `Basic ${btoa('partner-app:partner-secret')}`]] },
  {
    headers: [
      ['x-request-id', 'chosen'],
      ['accept', 'text/html'],
      ['traceparent', '00-1-1-00'],
    ],
  },
  ...['x-http-method-override', 'x-http-method', 'x-method-override', '_method'].map((name): Added => ({
    headers: [[name, 'DELETE']],
  })),
  ...[
    bypass,
    user,
    bypass.replaceAll('-', '_'),
    '_method',
    'X-HTTP-Method-Override',
    'env',
    'univid',
    'as',
  ].map((name): Added => ({
    search: `${name}=true`,
  })),
]

function callIn(request: Request) {
  const { pathname, search } = new URL(request.url)
  return callOf(request.method, pathname, search)
}

/** Rendering a PDF takes long, and these tests do not need it. */
const quickPdf = { via: agreeable() }

describe('headers to the services', () => {
  it('are tested with sixty additions', () => assert.equal(spellings.length, 60))

  for (const name of everyOperation) {
    it(`are only those of the proxy, whatever a browser adds: ${name} (T1)`, async () => {
      const mount = watch({
        operations: everyOperation,
        identity: { policy: () => true },
        ...(name === 'getPdf' && quickPdf),
      })
      const { emulator, proxy, sent } = mount
      emulator.quirks.active.add('lenient_requests')
      const ready = prepare(mount)
      let carriedOut = 0
      for (const [index, spelling] of spellings.entries()) {
        if (index === 0 || routes[name].method !== 'GET') await ready(name)
        const request = requestFor(name, spelling)
        const call = callIn(request)
        const accept = request.headers.get('accept')
        const setting = { univid: people.administrator, accept, file: sampleUuid }
        const { length } = sent
        const { status } = await proxy(request)
        const offences = sent.slice(length).flatMap((each) => offence(each, call, setting) ?? [])
        assert.deepEqual(offences, [], JSON.stringify(spelling))
        if (status < 300 || status === 303) carriedOut += 1
      }
      // Additional headers never cause a refusal: the oracle has seen the operation itself each time.
      assert.ok(
        carriedOut >= spellings.filter(({ search }) => search === undefined).length - 2,
        String(carriedOut),
      )
      // Spellings that a lenient service accepts as the bypass.
      for (const { operation, headers } of emulator.journal) {
        const names = Object.keys(headers).map((header) => header.replaceAll('_', '-'))
        assert.equal(operation === 'getActions' && names.includes(bypass), false)
      }
    })
  }

  it('would reach the service if they were copied, which the oracle reports (T1, control)', async () => {
    const { emulator } = setUp()
    emulator.quirks.active.add('lenient_requests')
    const url = 'http://emulator.test/wf/workflow/test/api/developer/forms/6025/packages/42/comments'
    const statusFor = async (more: Record<string, string>) => {
      const headers = { authorization: `Basic ${btoa('demo-app:demo-secret')}`, [user]: people.outsider }
      return (await emulator.fetch(url, { headers: { ...headers, ...more } })).status
    }
    assert.equal(await statusFor({}), 403)
    for (const name of casesOf(bypass)) assert.equal(await statusFor({ [name]: 'true' }), 200, name)

    const request = requestFor('getComments', {})
    const setting = { univid: people.administrator }
    const ours = {
      accept: 'application/json',
      'accept-encoding': 'identity',
      authorization: `Basic ${btoa('demo-app:demo-secret')}`,
      'x-request-id': sampleUuid,
      [user]: people.administrator,
    }
    const naive = (headers: Record<string, string>): Sent => ({
      ...{ service: 'workflow', method: 'GET', url, headers },
    })
    assert.equal(offence(naive(ours), callIn(request), setting), undefined)
    for (const { headers = [] } of spellings) {
      if (headers.length === 0) continue
      const copied = { ...ours, ...Object.fromEntries(headers) }
      assert.notEqual(offence(naive(copied), callIn(request), setting), undefined, JSON.stringify(headers))
    }
  })

  it('never contain the bypass for allowed actions, or because a browser wants it (T1)', async () => {
    const setting = { univid: people.administrator }
    const actions = 'http://emulator.test/wf/workflow/test/api/developer/forms/6025/packages/actions?id=42'
    const headers = {
      accept: 'application/json',
      'accept-encoding': 'identity',
      authorization: `Basic ${btoa('demo-app:demo-secret')}`,
      'x-request-id': sampleUuid,
      [user]: people.administrator,
    }
    const sent = { service: 'workflow', method: 'GET', url: actions, headers } as const
    const call = callIn(requestFor('voidPackage', {}))
    assert.equal(offence(sent, call, setting), undefined)
    const bold = { ...sent, headers: { ...headers, [bypass]: 'true' } }
    assert.notEqual(offence(bold, call, setting), undefined)
  })

  describe('the person in them', () => {
    const clientIds = ['demo-app', '4711']
    const odd = fc.oneof(
      fc.constantFrom(
        ...[
          '',
          'null',
          'undefined',
          'my-client',
          'demo-app',
          '4711',
          '1, 2',
          '１２',
          '١٢',
          '1e3',
          '0x10',
          '+1',
        ],
        ...[' 10000001', '10000001 ', '10000001\n', '1\r\nx: y', '10000001;', '1234567890123', '-1', '1.0'],
        ...['10000001\u0000', '\u200b1', 'admin', '0', '000000000001', '123456789012'],
      ),
      fc.string({ unit: 'binary-ascii', maxLength: 20 }),
      fc.integer({ min: 0, max: 999_999_999_999 }).map(String),
      fc.stringMatching(/^[0-9 ,;\t]{1,14}$/),
    )

    /** Whether a text is a university id: digits, and not a client id. */
    const isPerson = (univid: string) =>
      univid.length >= 1 &&
      univid.length <= 12 &&
      [...univid].every((each) => isId(`1${each}`)) &&
      !clientIds.includes(univid)

    /** Creates a mount that identifies every request as this person, with services that fail. */
    function mountFor(isTaken: boolean) {
      const host = { univid: '' }
      const mount = watch({
        operations: everyOperation,
        identity: { policy: () => true, identify: () => (isTaken ? { ...host } : null) },
        services: { workflow: { baseUrl: 'http://emulator.test/wf', clientId: '4711', clientSecret: 'x' } },
        via: async () => {
          throw new Error('must not be called')
        },
      })
      return { ...mount, host }
    }

    const namesOnlyPeople = ({ host, proxy, sent }: ReturnType<typeof mountFor>) =>
      fc.asyncProperty(odd, fc.constantFrom(...everyOperation), async (univid, name) => {
        host.univid = univid
        const { length } = sent
        const { status } = await proxy(requestFor(name, {}))
        const arrived = sent.slice(length)
        return isPerson(univid)
          ? status !== 401 && arrived.every(({ headers }) => (headers[user] ?? univid) === univid)
          : status === 401 && arrived.length === 0
      })

    it('is a university id and not an application; otherwise nothing is sent (T2)', async () => {
      const mount = mountFor(true)
      await fc.assert(namesOnlyPeople(mount), { numRuns: 300, seed: 20_261_120 })
      assert.ok(mount.sent.length > 50, String(mount.sent.length))
    })

    it('is a string, not a value that converts to one (T2)', async () => {
      for (const univid of [
        4711,
        ['4711'],
        ['10000001', '10000009'],
        { toString: () => '4711' },
        null,
        true,
      ]) {
        const { host, proxy, sent } = mountFor(true)
        Object.assign(host, { univid })
        const { status } = await proxy(requestFor('getComments', {}))
        assert.equal(status, 401, String(univid))
        assert.equal(sent.length, 0)
      }
    })

    it('is reported by the same property if anything is accepted (T2, control)', async () => {
      assert.equal((await fc.check(namesOnlyPeople(mountFor(false)))).failed, true)
      const lettingIn = Object.assign(async () => new Response(), {
        handle: async () => emptyReply(200),
        basePaths: [],
        close: async () => {},
        replayCallback: async () => false,
      })
      const everybody = { ...mountFor(true), proxy: lettingIn }
      assert.equal((await fc.check(namesOnlyPeople(everybody))).failed, true)
    })
  })

  describe('from a real connection', () => {
    type Arrived = Awaited<ReturnType<typeof open>>
    let there: Arrived

    async function open() {
      const arrived: (readonly [string, string])[][] = []
      const services = await serve((request, response) => {
        const { rawHeaders } = request
        arrived.push(
          rawHeaders.flatMap((name, index) =>
            index % 2 === 0 ? [[name.toLowerCase(), rawHeaders[index + 1] ?? ''] as const] : [],
          ),
        )
        response.setHeader('content-type', 'application/json')
        response.end(request.url?.includes('/comments') ? '[]' : '{"id":42,"state":"ROUTING"}')
      })
      const options = {
        services: {
          workflow: { baseUrl: services.url, clientId: 'demo-app', clientSecret: 'demo-secret' },
        },
        send: createFetchSend(fetch),
      }
      const secret = 'a-secret-of-the-front-server-only'
      const byCookie = await serve(createListener(setUp(options).proxy))
      const byHeader = await serve(
        createListener(
          setUp({ ...options, identity: { identify: trustedHeader({ header: 'x-remote-user', secret }) } })
            .proxy,
        ),
      )
      const close = () => Promise.all([byCookie.close(), byHeader.close(), services.close()])
      return { arrived, byCookie, byHeader, secret, close }
    }

    before(async () => {
      there = await open()
    })
    after(() => there.close())

    const own = `Host: northfield.test\r\nx-routeslip: 1\r\nSec-Fetch-Site: same-origin\r\nConnection: close\r\n`
    const target = '/api/wf/forms/6025/packages/42/comments'
    /** Headers that the sender adds itself. */
    const transport = [
      'host',
      'connection',
      'user-agent',
      'accept-language',
      'sec-fetch-mode',
      'accept-encoding',
    ]

    /** Returns the headers that arrived, without those of the sender, or the unexpected status. */
    const headersArriving = async (port: number, headers: string, method = 'GET') => {
      const { length } = there.arrived
      const { status } = await sendRaw(port, `${method} ${target} HTTP/1.1\r\n${own}${headers}\r\n\r\n`)
      const arrived = there.arrived
        .slice(length)
        .map((each) => each.filter(([name]) => !transport.includes(name)))
      return { status, arrived }
    }

    const isPlain = (headers: readonly (readonly [string, string])[], univid: string) => {
      const names = headers.map(([name]) => name).sort()
      return (
        names.join() === `accept,authorization,x-request-id,${user}` &&
        headers.every(([name, value]) => name !== user || value === univid)
      )
    }

    const blocks = [
      `Connection: ${user}\r\n${user}: 10000001`,
      `Connection: close, ${user}`,
      `Connection: ${user}, authorization, x-request-id`,
      `Connection: X-Workflow-Request-User\r\nConnection: cookie`,
      `Proxy-Connection: ${user}\r\nKeep-Alive: ${user}\r\nTE: trailers\r\nTrailer: ${user}`,
      `${user}: 10000001\r\n${user}: 10000002`,
      `${bypass}: true\r\n${bypass}: false`,
      `X_Workflow_Request_User: 10000001\r\nX-WORKFLOW-REQUEST-USER: 10000002`,
      `${user}:10000001\r\n${user}:\t10000002`,
      `Authorization: Basic eA==\r\nAuthorization: Basic eQ==`,
      `Upgrade: websocket\r\nX-Forwarded-User: 10000001\r\nX-Original-Method: DELETE`,
      `Host2: x\r\nForwarded: for=x;host=evil.test\r\nX-Forwarded-Host: evil.test\r\nX-Real-IP: 10.0.0.1`,
      `X-HTTP-Method-Override: DELETE\r\nX-Original-URL: /files\r\nX-Rewrite-URL: /files`,
    ]

    it('contain exactly one request user, the right one, whatever Connection nominates and repeats (T3)', async () => {
      for (const block of blocks) {
        const { status, arrived } = await headersArriving(
          there.byCookie.port,
          `Cookie: ${cookie}\r\n${block}`,
        )
        assert.equal(status, 200, block)
        assert.equal(arrived.length, 1, block)
        assert.ok(isPlain(arrived[0] ?? [], people.administrator), JSON.stringify(arrived))
      }
    })

    it('are not sent if a header is malformed (T3)', async () => {
      for (const block of [
        `${user} : 10000001`,
        `${user}\t: 10000001`,
        ` ${user}: 10000001`,
        `${user}\r\n: 10000001`,
        `x: y\r\n ${user}: 10000001`,
        `${user}: 1\u00000000001`,
        `x-workflow-request-us\u00e9r: 10000001`,
        `(x): y`,
        `${user}: 10000001\rx: y`,
        `Content-Length: 5\r\nContent-Length: 6`,
        `Content-Length: 5\r\nTransfer-Encoding: chunked`,
      ]) {
        const { status, arrived } = await headersArriving(
          there.byCookie.port,
          `Cookie: ${cookie}\r\n${block}`,
        )
        // Parsers that accept a folded line append it to the header before it.
        const isRefused = status >= 400 && status < 500 && arrived.length === 0
        const isHarmless = status === 200 && isPlain(arrived[0] ?? [], people.administrator)
        assert.ok(isRefused || isHarmless, `${block}: ${status} ${JSON.stringify(arrived)}`)
      }
    })

    it('identify no one if the trusted header is repeated or the secret is wrong (T2, T3)', async () => {
      const proof = `X-Routeslip-Front: ${there.secret}`
      const { port } = there.byHeader
      const right = await headersArriving(port, `${proof}\r\nX-Remote-User: 10000001`)
      assert.equal(right.status, 200)
      assert.equal(isPlain(right.arrived[0] ?? [], '10000001'), true)
      for (const block of [
        `${proof}\r\nX-Remote-User: 10000001\r\nX-Remote-User: 10000009`,
        `${proof}\r\nX-Remote-User: 10000001\r\nx-remote-user: 10000001`,
        `${proof}\r\n${proof}\r\nX-Remote-User: 10000001`,
        `${proof}\r\nX_Remote_User: 10000001`,
        `${proof}\r\nX-Remote-User: 10000001, 10000009`,
        `${proof}\r\nX-Remote-User: demo-app`,
        `${proof}\r\nX-Remote-User:`,
        `${proof}x\r\nX-Remote-User: 10000001`,
        `X-Remote-User: 10000001`,
      ]) {
        const { status, arrived } = await headersArriving(port, block)
        assert.ok(status === 401 || status === 400, `${block}: ${status}`)
        assert.equal(arrived.length, 0)
      }
    })

    it('would contain a copied header, because Node joins and keeps headers (T3, control)', async () => {
      const naive = await serve((request, response) => {
        const copied = Object.entries(request.headers).filter(([name]) => /^x[-_]workflow/.test(name))
        there.arrived.push(copied.map(([name, value]) => [name, String(value)] as const))
        response.end()
      })
      const { arrived } = await headersArriving(naive.port, `${user}: 10000001\r\n${user}: 10000002`)
      await naive.close()
      assert.deepEqual(arrived, [[[user, '10000001, 10000002']]])
      assert.equal(isPlain(arrived[0] ?? [], people.administrator), false)
    })
  })
})

/** Headers that responses of the proxy may have. */
const ownHeaders = [
  ...['cache-control', 'vary', 'x-content-type-options', 'referrer-policy', 'cross-origin-resource-policy'],
  ...['content-type', 'content-disposition', 'content-security-policy', 'content-length', 'retry-after'],
  'x-routeslip',
]

/** Returns the headers of a response that are not those of the proxy. */
function foreignIn({ status, headers }: Response): string[] {
  return [...headers].flatMap(([name, value]) => {
    const isOurs =
      ownHeaders.includes(name) ||
      (name === 'x-routeslip-person' && Object.values<string>(people).includes(value)) ||
      (name === 'x-routeslip-event' && /^\d+-\d+$/.test(value)) ||
      (name === 'location' && status === 303 && value.startsWith('http://emulator'))
    const isTheirs = /SERVICE_SESSION|realm|elsewhere|default-src \*|servlet|[^\x20-\x7e]/i.test(value)
    return isOurs && !isTheirs ? [] : [`${name}: ${value}`]
  })
}

describe('headers to browsers', () => {
  const failure = { status: 500 }
  const failing = watch({
    operations: everyOperation,
    identity: { policy: () => true },
    via: createFetchSend(async () => {
      const headers = new Headers({ 'WWW-Authenticate': 'Basic realm="service"', 'Retry-After': '\xe9' })
      headers.append('Set-Cookie', 'SERVICE_SESSION=1')
      headers.append('Location', 'https://elsewhere.example')
      return new Response('<h1>no</h1>', { ...failure, headers })
    }),
  })

  for (const name of everyOperation) {
    it(`are only those of the proxy, whatever a service sends: ${name} (T24)`, async () => {
      const mount = watch({ operations: everyOperation, identity: { policy: () => true } })
      const { emulator, proxy } = mount
      emulator.quirks.active.add('foreign_headers')
      await prepare(mount)(name)
      const response = await proxy(requestFor(name, {}))
      assert.ok(response.ok || response.status === 303, String(response.status))
      assert.deepEqual(foreignIn(response), [])
      assert.equal(response.headers.get('cache-control'), 'no-store')
    })

    it(`are only those of the proxy, however a service fails: ${name} (T24)`, async () => {
      for (const status of [400, 401, 403, 404, 409, 418, 429, 500, 503]) {
        failure.status = status
        const refused = await failing.proxy(requestFor(name, {}))
        assert.deepEqual(foreignIn(refused), [], String(status))
        // A browser would react to 401 by prompting for a password that people do not have.
        assert.ok(refused.status >= 400 && refused.status !== 401 && refused.status !== 500, String(status))
        assert.equal(refused.headers.get('content-type'), 'application/problem+json')
      }
    })
  }

  it('would include each foreign header if a response were forwarded (T24, control)', async () => {
    const { emulator } = setUp()
    emulator.quirks.active.add('foreign_headers')
    const rawReply = await emulator.fetch('http://emulator.test/wf/workflow/test/api/offices', {
      headers: { authorization: `Basic ${btoa('demo-app:demo-secret')}`, [user]: people.initiator },
    })
    const names = foreignIn(new Response(rawReply.body, rawReply)).map((line) => line.split(':')[0])
    assert.deepEqual(
      [...new Set(names)].sort(),
      [
        ...['access-control-allow-origin', 'clear-site-data', 'content-security-policy', 'location'],
        ...['set-cookie', 'www-authenticate', 'x-powered-by'],
      ].sort(),
    )
  })

  it('contain the length of the bytes that are sent, not of those that a service has compressed (T24)', async () => {
    const text = `%PDF-1.7${' '.repeat(5000)}%%EOF`
    const packed = gzipSync(text)
    const services = await serve((_, response) => {
      response.writeHead(200, {
        ...{ 'Content-Type': 'application/pdf', 'Content-Encoding': 'gzip', 'Content-Length': packed.length },
      })
      response.end(packed)
    })
    const { proxy } = setUp({
      services: { workflow: { baseUrl: services.url, clientId: 'demo-app', clientSecret: 'demo-secret' } },
      send: createFetchSend(fetch),
    })
    const node = await serve(createListener(proxy))
    try {
      const path = '/api/wf/forms/6025/packages/42/pdf'
      const head = `Host: x\r\nCookie: ${cookie}\r\nSec-Fetch-Site: same-origin\r\nConnection: close\r\n`
      const rawReply = await sendRaw(node.port, `GET ${path} HTTP/1.1\r\n${head}\r\n`)
      assert.equal(rawReply.status, 200)
      assert.doesNotMatch(rawReply.text, /content-encoding|content-length: (?!5013)/i)
      assert.equal(rawReply.text.includes(text), true)
    } finally {
      await Promise.all([node.close(), services.close()])
    }
  })

  it('contain no 8-bit byte of a service, and such bytes cause no failure (T24)', async () => {
    const bytes = Buffer.concat([
      Buffer.from('HTTP/1.1 200 Fran'),
      Buffer.from([0xe7, 0x61, 0x69, 0x73]),
      Buffer.from('\r\nX-Name: '),
      Buffer.from(Array.from({ length: 128 }, (_, index) => index + 128)),
      Buffer.from(
        '\r\nContent-Disposition: inline; filename="r\xe9sum\xe9.html"\r\nSet-Cookie: r\xe9=1',
        'latin1',
      ),
      Buffer.from('\r\nContent-Type: application/pdf; name=日本\r\nConnection: close\r\n\r\n', 'utf8'),
    ])
    const bodies: Readonly<Record<string, string>> = {
      '/comments': '[]',
      '/attachments': '[{"id":1,"fileName":"a.txt"}]',
      '/pdf': '%PDF-1.7',
      '/attachments/1': 'hello',
    }
    const services = await serve((request) => {
      const path = (request.url ?? '').replace(/^.*\/packages\/42/, '')
      request.socket.end(Buffer.concat([bytes, Buffer.from(bodies[path] ?? '{"id":42,"state":"ROUTING"}')]))
    })
    try {
      const { request } = setUp({
        services: { workflow: { baseUrl: services.url, clientId: 'demo-app', clientSecret: 'demo-secret' } },
        send: createFetchSend(fetch),
      })
      for (const path of ['', ...Object.keys(bodies)]) {
        const response = await request(`/forms/6025/packages/42${path}`, { as: 'initiator' })
        assert.equal(response.status, 200, path)
        assert.deepEqual(foreignIn(response), [])
        assert.notEqual(await response.text(), '')
      }
      const direct = await fetch(`${services.url}/comments`)
      assert.notDeepEqual(foreignIn(direct), [])
    } finally {
      await services.close()
    }
  })
})
