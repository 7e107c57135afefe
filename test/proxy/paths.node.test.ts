import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type BrowserOperation, routes } from '../../src/contract/routes/routes.ts'
import type { Operation } from '../../src/contract/services/operation.ts'
import { operations } from '../../src/contract/services/operations.ts'
import { personaCookieName } from '../../src/proxy/identity/identity.ts'
import { createListener } from '../../src/proxy/node/listener.ts'
import { everyOperation, people } from './mount.ts'
import {
  addressFor,
  agreeable,
  callOf,
  forEachOf,
  isId,
  isValue,
  offence,
  type RawAnswer,
  sampleUuid,
  sampleValues,
  sendRaw,
  type Sent,
  serve,
  uploadBody,
  uploadType,
  watch,
} from './oracle.ts'

/** Parts that confuse URL parsers, alone and around a value. */
const pieces = [
  '. .. ... / // /. /.. /./ /../ /../../ \\ \\..\\ ..\\ ; ;x ;x=1 ;/../ %3b ..;/ : @ @evil.test ? ?x ?env=prod',
  '%2e %2E %2e%2e .%2e /%2e/ /%2e%2e/ %2e%2e/ %2e%2e%2f ..%2f ..%5c %2f %2F %5c %3f %23 %26 %40 & &id=43 =',
  '%252e %252e%252e%252f %252f %255c %25 % %% %zz %1 %u002e %u2215 %00 %01 %09 %0a %0d%0a %20 %2b %7f %85 %a0',
  '%c0%ae %c0%af %e0%80%af %ef%bc%8f %ef%bc%8e %e2%80%ae %ff \0 \x01 \x0b \x7f \x85 \u200b \u200e \u202e \u2024',
  '\u2215 \u2044 ． 。 ／ ＼ ％ ２ ４２ ٤ ۴ ४ ² ① Ⅳ 𝟒 𝟜 é e\u0301 ｅ İ ſ 💥 \ud800 \udc00 0 00 1 42 - -- _ + -1 +1',
  "1e3 e1 E0 .0 .5 0x10 0x2a 0b1 0o7 1n 1_0 1,0 1.0 1'0 Infinity NaN null undefined true [] {} [42] ()",
  '9007199254740991 9007199254740992 9007199254740993 99999999999999999999 18446744073709551616 4294967338',
  '! $ * ** \' " ` < > | ^ ~ , http: //evil.test http://evil.test/ test prod ../prod tools ../tools me self',
  '/actions /status /history actions status __proto__ constructor toString :env :packageId {packageId} ${42} $& $1',
  `/../../../tools/forms/6025/packages/42 ../../../../api/v2/public-key ../../v1/files partner-app 10000009 A Z`,
  `../files/${sampleUuid} ..%2ffiles%2f${sampleUuid} %2e%2e/files/${sampleUuid} ..;/files/${sampleUuid}`,
  `${sampleUuid} ${sampleUuid.toUpperCase()} urn:uuid: ${'x'.repeat(300)}`,
]
  .flatMap((line) => line.split(' '))
  .concat('', ' ', '\t', '\n', '\r', '\r\n', '\xa0', '\ufeff', '\u2028', '\u3000')

const corpora = new Map<string, readonly string[]>()

/** More than two thousand variations of a valid value. */
function corpusAround(good: string): readonly string[] {
  const known = corpora.get(good)
  if (known) return known
  const half = Math.floor(good.length / 2)
  const [head, tail] = [good.slice(0, half), good.slice(half)]
  const values = pieces.flatMap((piece, index) => {
    const other = pieces[(index * 7 + 3) % pieces.length] ?? ''
    return [
      ...[piece, piece + good, good + piece, head + piece + tail, good + piece + good, piece + piece],
      ...[
        `${good}/${piece}`,
        `${piece}/${good}`,
        `${good}/../${piece}`,
        piece + other,
        good + piece + other,
        other + good + piece,
      ],
    ]
  })
  const corpus = [...new Set(values)]
  corpora.set(good, corpus)
  return corpus
}

/** A place for the values: a route, and a parameter in it. */
interface Place {
  readonly name: BrowserOperation
  /** Name of the placeholder, or of the search parameter or header. */
  readonly parameter: string
  readonly good: string
  readonly at: 'path' | 'search' | 'accept'
}

const place = (parameter: string, name: BrowserOperation, at: Place['at'] = 'path'): Place => ({
  ...{ parameter, name, at },
  good: sampleValues[parameter] ?? (parameter === 'version' ? '1.1' : parameter === 'id' ? '42' : sampleUuid),
})

const places: readonly Place[] = [
  place('formId', 'getHistory'),
  place('packageId', 'getPackage'),
  place('attachmentTypeId', 'uploadAttachment'),
  place('attachmentId', 'downloadAttachment'),
  place('lockId', 'deleteLock'),
  place('univid', 'deactivateOverride'),
  place('uuid', 'deleteFile'),
  place('granteeClientId', 'revokeShare'),
  place('id', 'getStatus', 'search'),
  place('fileAssetUuid', 'revokeShare', 'search'),
  place('version', 'getEntry', 'accept'),
]

/** All valid ids among the values. They exist, so that no valid request is refused as missing. */
const ids = [...new Set(places.flatMap(({ good }) => corpusAround(good)))].filter(isId).map(Number)

const open = () =>
  watch({ operations: everyOperation, identity: { policy: () => true }, forms: ids, via: agreeable(ids) })

const setting = { univid: people.administrator }
const cookie = `${personaCookieName}=${people.administrator}`

/** Returns the target and `Accept` of a request with an unescaped value in a place. */
function targetOf({ name, parameter, at }: Place, value: string): { target: string; accept: string } {
  const values = at === 'path' ? { ...sampleValues, [parameter]: value } : sampleValues
  const search =
    at === 'search' ? `?${parameter}=${value}` : name === 'revokeShare' ? `?fileAssetUuid=${sampleUuid}` : ''
  return {
    target: `/api/wf${addressFor(name, values)}${search}`,
    accept: at === 'accept' ? `application/vnd.workflow+json;version=${headerSafe(value)}` : '*/*',
  }
}

/** Returns a value as UTF-8 bytes of a header, without characters that would end the header. */
function headerSafe(value: string): string {
  return Buffer.from(value.replace(/[\0\r\n]/g, ''), 'utf8').toString('latin1')
}

function requestTo({ name }: Place, target: string, accept: string): Request {
  const { method } = routes[name]
  const isUpload = method === 'POST'
  // Browsers do not send the fragment.
  const [sent = ''] = target.split('#')
  return new Request(`https://northfield.test${sent}`, {
    method,
    headers: {
      ...{ cookie, accept, 'x-routeslip': '1', 'sec-fetch-site': 'same-origin' },
      ...(isUpload && { 'content-type': uploadType }),
    },
    body: isUpload ? uploadBody : null,
  })
}

describe('addresses of the services', () => {
  for (const each of places) {
    it(`match the contract exactly, or nothing is sent, for every ${each.parameter} (T7, T8)`, async () => {
      const { proxy, sent } = open()
      const corpus = corpusAround(each.good)
      assert.ok(corpus.length >= 2000, String(corpus.length))
      let carriedOut = 0
      let refused = 0
      for (const value of corpus) {
        const { target, accept } = targetOf(each, value)
        const request = requestTo(each, target, accept)
        // The browser normalises the value. The result is the requested address.
        const { pathname, search } = new URL(request.url)
        const call = callOf(request.method, pathname, search)
        const known = { ...setting, accept: request.headers.get('accept') }
        sent.length = 0
        const { status } = await proxy(request)
        const offences = sent.flatMap((one) => offence(one, call, known) ?? [])
        assert.deepEqual(offences, [], JSON.stringify(value))
        if (sent.length === 0) assert.ok(status >= 400 && status < 500, `${JSON.stringify(value)}: ${status}`)
        if (sent.some(({ method }) => method === request.method)) carriedOut += 1
        else refused += 1
      }
      assert.ok(carriedOut >= 5 && refused >= (each.at === 'accept' ? 0 : 1000), `${carriedOut}, ${refused}`)
    })
  }

  it('accept only the exact text of a supported version (T7)', async () => {
    const { proxy, sent } = open()
    const [version] = places.filter(({ at }) => at === 'accept')
    const accepts = new Set<string | undefined>()
    const some = corpusAround('1.1').filter((value, index) => value === '1.1' || index % 10 === 0)
    for (const value of some) {
      const { target, accept } = targetOf(version!, value)
      await proxy(requestTo(version!, target, accept))
    }
    for (const { headers } of sent) accepts.add(headers['accept'])
    assert.deepEqual([...accepts].sort(), ['application/json', 'application/vnd.workflow+json;version=1.1'])
  })

  it('ignore the fragment, which is not part of the request (T8)', async () => {
    const { proxy, sent } = open()
    for (const [name, fragment] of [
      ['revokeShare', `#?fileAssetUuid=${sampleUuid}`],
      ['getStatus', '#?id=42'],
      ['getShares', '#?page=7'],
      ['getPdf', '#/../?includeRouting=true'],
    ] as const) {
      const { method } = routes[name]
      const address = `https://northfield.test/api/wf${addressFor(name)}`
      const headers = { cookie, 'x-routeslip': '1', 'sec-fetch-site': 'same-origin' }
      sent.length = 0
      await proxy(new Request(address + fragment, { method, headers }))
      const call = callOf(method, new URL(address).pathname)
      assert.deepEqual(
        sent.flatMap((one) => offence(one, call, { ...setting, accept: null }) ?? []),
        [],
        name,
      )
    }
  })

  describe('of a proxy that concatenates strings', () => {
    /** Builds an address by naive concatenation, and parses it as `fetch` does. */
    const naive = ({ name, parameter, at }: Place, value: string): Sent => {
      const { service, method, upstream }: Operation = operations[name]
      const values: Readonly<Record<string, string>> = { ...sampleValues, env: 'test', [parameter]: value }
      const path = upstream.replace(/:(\w+)/g, (_, key: string) => values[key] ?? '')
      const base = service === 'workflow' ? 'http://emulator.test/wf' : 'http://emulator.test/fs/test'
      const search = at === 'search' ? `?${parameter}=${value}` : ''
      const url = URL.canParse(base + path + search) ? new URL(base + path + search).href : 'http://nowhere'
      return { service, method, url, headers: {} }
    }

    /** Returns the operation that a service would run. */
    const carriedOut = ({ method, url }: Sent) => {
      const path = new URL(url).pathname.replace(/^\/(?:wf|fs\/test)/, '').split('/')
      return Object.entries<Operation>(operations).find(([, route]) => {
        const wanted = route.upstream.split('/')
        return (
          route.method === method &&
          wanted.length === path.length &&
          wanted.every((part, index) =>
            part === ':env'
              ? path[index] === 'test' || path[index] === 'prod'
              : part.startsWith(':')
                ? isValue(part.slice(1), path[index] ?? '')
                : part === path[index],
          )
        )
      })?.[0]
    }

    it('are reported by the same oracle, escaped or not (T7, T8, T9)', () => {
      const elsewhere = new Set<string>()
      for (const each of places) {
        if (!['packageId', 'uuid', 'granteeClientId'].includes(each.parameter)) continue
        for (const build of [(value: string) => value, encodeURIComponent]) {
          let noticed = 0
          for (const value of corpusAround(each.good)) {
            if (/\p{Cs}/u.test(value)) continue
            const { target } = targetOf(each, value)
            const { method } = routes[each.name]
            const sent = naive(each, build(value))
            const [path = '', search = ''] = target.split('?')
            const found = offence(sent, callOf(method, path, search), setting)
            if (found !== undefined) noticed += 1
            const name = carriedOut(sent)
            if (name !== undefined && name !== each.name) elsewhere.add(`${each.parameter} ${name}`)
          }
          assert.ok(noticed > 1000, `${each.parameter}: ${noticed}`)
        }
      }
      // Among others, ending a share in such a proxy deletes a file.
      for (const found of ['granteeClientId deleteFile', 'packageId getActions', 'packageId getHistory']) {
        assert.ok(elsewhere.has(found), [...elsewhere].join('; '))
      }
    })
  })
})

describe('request targets as bytes', () => {
  let proxy: Awaited<ReturnType<typeof serve>>
  const mount = open()
  before(async () => {
    proxy = await serve(createListener(mount.proxy))
  })
  after(() => proxy.close())

  const own = `Host: northfield.test\r\nx-routeslip: 1\r\nSec-Fetch-Site: same-origin\r\nCookie: ${cookie}\r\n`
  const history = '/api/wf/forms/6025/packages/42/history'
  const isRefused = ({ status }: RawAnswer) => status === 0 || (status >= 400 && status < 500)

  const bytesOf = ({ name }: Place, target: string, accept: string) => {
    const { method } = routes[name]
    const upload = `Content-Type: ${uploadType}\r\nContent-Length: ${uploadBody.length}\r\n`
    const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${own}Connection: close\r\n`, 'utf8')
    const rest = Buffer.from(`Accept: ${accept}\r\n${method === 'POST' ? upload : ''}\r\n`, 'latin1')
    return Buffer.concat([head, rest, Buffer.from(method === 'POST' ? uploadBody : '')])
  }

  it('lead exactly to the path that they contain, or nowhere (T7, T8)', async () => {
    let carriedOut = 0
    const tried = places.flatMap((each) =>
      [each.good, ...corpusAround(each.good).filter((_, index) => index % 29 === 0)].map(
        (value) => [each, value] as const,
      ),
    )
    await forEachOf(tried, 1, async ([each, value]) => {
      const { target, accept } = targetOf(each, value)
      const [path = '', ...search] = target.split('?')
      // No URL parser normalises this target, so other characters are another address.
      const call = callOf(routes[each.name].method, path, search.join('?'))
      mount.sent.length = 0
      const reply = await sendRaw(proxy.port, bytesOf(each, target, accept))
      const offences = mount.sent.flatMap((one) => offence(one, call, { ...setting, accept }) ?? [])
      assert.deepEqual(offences, [], JSON.stringify(value))
      if (mount.sent.length === 0) assert.ok(isRefused(reply), `${JSON.stringify(value)}: ${reply.text}`)
      else carriedOut += 1
    })
    assert.ok(carriedOut >= places.length, String(carriedOut))
  })

  it('are refused in every other form, or with a method that no operation uses (T8)', async () => {
    mount.sent.length = 0
    const lines = [
      ...[
        `GET /${history} HTTP/1.1`,
        `GET //evil.test${history} HTTP/1.1`,
        `GET ///evil.test${history} HTTP/1.1`,
      ],
      ...[`GET http://evil.test${history} HTTP/1.1`, `GET http://northfield.test${history} HTTP/1.1`],
      ...[`GET https://evil.test@northfield.test${history} HTTP/1.1`, `GET file://${history} HTTP/1.1`],
      ...[
        `GET \\${history} HTTP/1.1`,
        `GET /\\evil.test${history} HTTP/1.1`,
        `GET ${history.slice(1)} HTTP/1.1`,
      ],
      ...[`GET /.${history} HTTP/1.1`, `GET /x/..${history} HTTP/1.1`, `GET ${history}/. HTTP/1.1`],
      ...[
        `GET ${history}/ HTTP/1.1`,
        `GET ${history};x HTTP/1.1`,
        `GET ${history}#x HTTP/1.1`,
        `GET * HTTP/1.1`,
      ],
      ...[`GET ${history}%00 HTTP/1.1`, `GET ${history}/x.css HTTP/1.1`, `GET ${history}%2fx.css HTTP/1.1`],
      ...[`GET ${history} extra HTTP/1.1`, `GET ${history}\tHTTP/1.1`, `GET ${history}\0 HTTP/1.1`],
      ...[`GET ${history}?env=prod HTTP/1.1`, `GET ${history}? HTTP/1.1`, `GET ${history}?x=\xe9 HTTP/1.1`],
      ...[`TRACE ${history} HTTP/1.1`, `TRACK ${history} HTTP/1.1`],
      ...[`PATCH ${history} HTTP/1.1`, `PURGE ${history} HTTP/1.1`, `PROPFIND ${history} HTTP/1.1`],
      ...[`OPTIONS ${history} HTTP/1.1`, `OPTIONS * HTTP/1.1`, `CONNECT evil.test:443 HTTP/1.1`],
      ...[
        `get ${history} HTTP/1.1`,
        `GET${history} HTTP/1.1`,
        `FOO ${history} HTTP/1.1`,
        ` GET ${history} HTTP/1.1`,
      ],
      ...[`GET ${history} HTTP/1.2x`, `GET ${history} HTTP/3.0`, `GET ${history} FTP/1.1`],
      ...[`GET ${history}${'/x'.repeat(10_000)} HTTP/1.1`, `GET ${history}?${'x'.repeat(40_000)} HTTP/1.1`],
      'PRI * HTTP/2.0',
    ]
    for (const line of lines) {
      const reply = await sendRaw(
        proxy.port,
        Buffer.from(`${line}\r\n${own}Connection: close\r\n\r\n`, 'latin1'),
      )
      assert.ok(isRefused(reply), `${line.slice(0, 80)}: ${reply.text}`)
      assert.doesNotMatch(reply.text, /^location:|evil\.test/im)
    }
    assert.deepEqual(mount.sent, [])
    const good = await sendRaw(proxy.port, `GET ${history} HTTP/1.1\r\n${own}Connection: close\r\n\r\n`)
    assert.equal(good.status, 200)
    assert.equal(mount.sent.length, 1)
  })

  it('are refused with two hosts or none, and another host does not change the target (T8, T11)', async () => {
    const withoutHost = own.replace(/^Host: .*\r\n/, '')
    for (const hosts of [
      '',
      'Host: northfield.test\r\nHost: evil.test\r\n',
      'Host: northfield.test\r\nhost: northfield.test\r\n',
      'Host: northfield.test evil.test\r\n',
      'Host: northfield.test/../evil.test\r\n',
      'Host: evil.test\\@northfield.test\r\n',
    ]) {
      mount.sent.length = 0
      const request = `GET ${history} HTTP/1.1\r\n${hosts}${withoutHost}Connection: close\r\n\r\n`
      const reply = await sendRaw(proxy.port, request)
      assert.ok(isRefused(reply), `${hosts}: ${reply.status}`)
      assert.deepEqual(mount.sent, [])
    }
    const request = `GET ${history} HTTP/1.1\r\nHost: evil.test\r\n${withoutHost}Connection: close\r\n\r\n`
    await sendRaw(proxy.port, request)
    const call = callOf('GET', history)
    assert.deepEqual(
      mount.sent.flatMap((one) => offence(one, call, { ...setting, accept: null }) ?? []),
      [],
    )
    assert.equal(mount.sent.length, 1)
  })

  it('are separate on a connection: a request smuggled in a body is a request of its own or refused (T8)', async () => {
    const hidden = `DELETE /api/wf/files/${sampleUuid} HTTP/1.1\r\nHost: x\r\n\r\n`
    for (const head of [
      `Content-Length: ${hidden.length}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      `Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n`,
      `Transfer-Encoding: xchunked\r\n\r\n`,
      `Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`,
      `Content-Length: 0\r\nContent-Length: ${hidden.length}\r\n\r\n`,
      `Content-Length: +0\r\n\r\n`,
      `Content-Length: 0x0\r\n\r\n`,
    ]) {
      mount.sent.length = 0
      await sendRaw(proxy.port, `GET ${history} HTTP/1.1\r\n${own}Connection: close\r\n${head}${hidden}`)
      assert.deepEqual(
        mount.sent.filter(({ method }) => method !== 'GET'),
        [],
        head,
      )
    }
  })
})

describe('the end of a share', () => {
  /** Two hundred values that change the path if they are concatenated to it. */
  const hostile = [
    `../files/${sampleUuid}`,
    ...pieces.filter((piece) => piece.length > 1).map((piece) => `${piece}files/${sampleUuid}`),
    ...pieces.map((piece) => `partner-app${piece}`),
  ].slice(0, 200)

  it('never deletes a file, whatever grantee and file it names (T9)', async () => {
    assert.equal(hostile.length, 200)
    const { request, sent } = open()
    const toShares = { ...setting, accept: null }
    for (const value of hostile) {
      const escaped = encodeURIComponent(value.replace(/\p{Cs}/gu, '\ufffd'))
      for (const [path, method] of [
        [`/shares/${value}?fileAssetUuid=${sampleUuid}`, 'DELETE'],
        [`/shares/${escaped}?fileAssetUuid=${sampleUuid}`, 'DELETE'],
        [`/shares/partner-app?fileAssetUuid=${value}`, 'DELETE'],
        [`/shares/partner-app?fileAssetUuid=${sampleUuid}&fileAssetUuid=${value}`, 'DELETE'],
        [`/shares/partner-app?fileAssetUuid=${escaped}`, 'DELETE'],
        [`/shares?granteeClientId=${value}`, 'GET'],
        [`/shares?searchTerm=${value}`, 'GET'],
        [`/shares?sort=createdAt,asc${value}`, 'GET'],
      ] as const) {
        sent.length = 0
        await request(path, { as: 'administrator', method })
        const { pathname, search } = new URL(`https://northfield.test/api/wf${path}`)
        const call = callOf(method, pathname, search)
        const isShare = call?.name === 'revokeShare' || call?.name === 'getShares'
        // If the browser normalises the address to a file operation, it is one. No share operation deletes a file.
        const files = sent.filter(({ url }) => url.includes('/files') && !url.endsWith('/meta'))
        if (isShare) assert.deepEqual(files, [], path)
        assert.deepEqual(
          sent.flatMap((one) => offence(one, call, toShares) ?? []),
          [],
          path,
        )
      }
    }
  })

  it('never reaches files through the body, either (T9)', async () => {
    const { request, sent } = open()
    for (const value of hostile) {
      for (const json of [
        { granteeClientId: value, fileAssetUuid: sampleUuid },
        { granteeClientId: 'partner-app', fileAssetUuid: value },
        { granteeClientId: 'partner-app', fileAssetUuid: sampleUuid, ownerClientId: value },
        { granteeClientId: 'partner-app', type: 'ALL_FILES' },
      ]) {
        sent.length = 0
        await request('/shares', { as: 'administrator', method: 'POST', json })
        const call = callOf('POST', '/api/wf/shares')
        const known = { ...setting, file: sampleUuid }
        assert.deepEqual(
          sent.flatMap((one) => offence(one, call, known) ?? []),
          [],
          JSON.stringify(json),
        )
        const isGood = Object.keys(json).length === 2 && isValue('granteeClientId', json.granteeClientId)
        if (!isGood || value === json.fileAssetUuid) assert.deepEqual(sent, [], JSON.stringify(json))
      }
    }
  })

  it('ends the share and nothing else (T9)', async () => {
    const { request, sent } = open()
    const path = `/shares/partner-app?fileAssetUuid=${sampleUuid}`
    assert.equal((await request(path, { as: 'administrator', method: 'DELETE' })).status, 204)
    assert.deepEqual(
      sent.map(({ method, url }) => `${method} ${url.slice('http://emulator.test/fs/test'.length)}`),
      [`GET /api/v1/files/${sampleUuid}/meta`, `DELETE /api/v1${path}`],
    )
  })
})
