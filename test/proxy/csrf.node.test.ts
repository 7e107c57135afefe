import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createCsrfGuard, type Site } from '../../src/proxy/csrf.ts'

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
})
