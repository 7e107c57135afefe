import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createCsrfGuard, type Site } from '../../../src/proxy/http/csrf.ts'
import { emptyReply } from '../../../src/proxy/http/reply.ts'

describe('createCsrfGuard()', () => {
  const listed = 'https://forms.example.edu'
  const { check, preflight, allowReading } = createCsrfGuard(
    [listed],
    ({ headers }) => headers.get('sec-fetch-site') as Site | null,
  )
  const requestWith = (headers: Record<string, string>) => new Request('https://site.test/', { headers })

  it('lets people follow links to downloads on pages of listed origins (T30)', () => {
    for (const referer of [`${listed}/`, `${listed}/form?id=42`]) {
      check(requestWith({ referer, 'sec-fetch-site': 'cross-site' }), true)
    }
  })

  it('refuses links on pages of other origins, and with no referrer (T30)', () => {
    for (const referer of [
      'https://evil.example/',
      `${listed}.evil.example/`,
      'http://forms.example.edu/',
      `https://evil.example/?${listed}`,
      'not a URL',
      '',
    ]) {
      const request = requestWith({ referer, 'sec-fetch-site': 'cross-site' })
      assert.throws(() => check(request, true), { status: 403 }, referer)
    }
    assert.throws(() => check(requestWith({ 'sec-fetch-site': 'same-site' }), true), { status: 403 })
  })

  it('does not accept a referrer in place of the origin of a call (T30)', () => {
    const headers = { referer: `${listed}/`, 'sec-fetch-site': 'cross-site', 'x-routeslip': '1' }
    assert.throws(() => check(requestWith(headers), false), { status: 403 })
    check(requestWith({ ...headers, origin: listed }), false)
    assert.throws(() => check(requestWith({ origin: listed, 'sec-fetch-site': 'cross-site' }), false), {
      status: 403,
    })
  })

  it('replies to preflight requests of listed origins only (T30)', () => {
    assert.equal(preflight(requestWith({ origin: listed })).headers['Access-Control-Allow-Origin'], listed)
    for (const headers of [{}, { origin: 'https://evil.example' }]) {
      assert.throws(() => preflight(requestWith(headers)), { status: 403 })
    }
  })

  it('lets listed origins read replies, and leaves the reply as it is for others (T30)', () => {
    const reply = { status: 200, headers: { 'X-One': 'a' }, body: 'text' }
    const readable = allowReading(requestWith({ origin: listed }), reply)
    assert.equal(readable.headers['Access-Control-Allow-Origin'], listed)
    assert.equal(readable.headers['X-One'], 'a')
    assert.equal(allowReading(requestWith({ origin: 'https://evil.example' }), reply), reply)
    assert.equal(allowReading(requestWith({}), reply), reply)
  })

  it('accepts links on pages of this site and typed addresses, and calls only of this site (T30)', () => {
    for (const [site, isLinkAllowed, isCallAllowed] of [
      ['same-origin', true, true],
      ['none', true, false],
      ['same-site', false, false],
      ['cross-site', false, false],
    ] as const) {
      const passes = (headers: Record<string, string>, isNavigation: boolean) => {
        try {
          check(requestWith({ ...headers, 'sec-fetch-site': site }), isNavigation)
          return true
        } catch {
          return false
        }
      }
      assert.equal(passes({}, true), isLinkAllowed, site)
      assert.equal(passes({ 'x-routeslip': '1' }, false), isCallAllowed, site)
      assert.equal(passes({}, false), false, site)
      // A listed origin makes calls from another site, but an address that was typed has no origin.
      assert.equal(passes({ 'x-routeslip': '1', origin: listed }, false), site !== 'none', site)
    }
  })

  const cors = {
    'Access-Control-Allow-Origin': listed,
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Expose-Headers':
      'Retry-After, x-routeslip, x-routeslip-person, x-routeslip-event, idempotency-replayed',
  }

  it('allows a page of a listed origin the methods and headers of calls', () => {
    assert.deepEqual(
      preflight(requestWith({ origin: listed })),
      emptyReply(204, {
        ...cors,
        'Access-Control-Allow-Methods': 'GET, POST, PUT, DELETE',
        'Access-Control-Allow-Headers': 'x-routeslip, content-type, idempotency-key, last-event-id',
        'Access-Control-Max-Age': '600',
      }),
    )
    const reply = { status: 200, headers: { 'X-One': 'a' }, body: 'text' }
    assert.deepEqual(allowReading(requestWith({ origin: listed }), reply), {
      ...reply,
      headers: { 'X-One': 'a', ...cors },
    })
    const unlisted = createCsrfGuard([], () => null)
    assert.equal(unlisted.allowReading(requestWith({ origin: listed }), reply), reply)
  })

  it('takes only the scheme, host and port of an origin', () => {
    for (const origin of [
      'https://forms.example.edu/',
      'https://forms.example.edu:443',
      'https://Forms.example.edu',
      'forms.example.edu',
      'ftp://forms.example.edu',
      'xhttps://forms.example.edu',
      'null',
      '*',
      '',
    ])
      assert.throws(
        () => createCsrfGuard([listed, origin], () => null),
        {
          name: 'RangeError',
          message: `"${origin}" is not an origin. Give the scheme, host and port alone, such as https://forms.example.edu`,
        },
        origin,
      )
    createCsrfGuard([listed, 'http://localhost:8080'], () => null)
  })
})
