import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NoProxyError } from '../../../src/client/transport/errors.ts'
import { createProxyProbe } from '../../../src/client/transport/proxy-probe.ts'

describe('the messages of createProxyProbe()', () => {
  it('describe the response that is not from a proxy to the page author', (t) => {
    const log = t.mock.method(console, 'error', () => {})
    for (const [response, expected] of [
      [
        new Response('<h1>Oops', { status: 404, headers: { 'content-type': 'text/html' } }),
        'getPackage got 404 text/html',
      ],
      [new Response(null, { status: 405 }), 'getPackage got 405'],
      // Its status is 0, like that of a redirect which a browser does not follow.
      [Response.error(), 'getPackage got a redirect'],
    ] as const) {
      const error = createProxyProbe('/api/wf').errorOf('getPackage', response)
      assert.ok(error instanceof NoProxyError)
      const message = String(log.mock.calls.at(-1)?.arguments[0])
      const [, start, found, end] = /^(.*?\. )(.*?) ?\. (Set .*)$/s.exec(message) ?? []
      assert.deepEqual(
        [start, found, end?.slice(0, 14)],
        ['No Routeslip proxy found at /api/wf. ', expected, 'Set "endpoint"'],
      )
    }
  })

  it('name an outage if the proxy was there before, and are not logged then', (t) => {
    const log = t.mock.method(console, 'error', () => {})
    const probe = createProxyProbe('/api/wf')
    assert.equal(probe.isFromProxy(new Response(null, { headers: { 'x-routeslip': '1' } })), true)
    const { message } = probe.errorOf('getPackage', new Response(null, { status: 404 }))
    assert.equal(message, 'getPackage got a response that is not from the proxy')
    assert.equal(log.mock.callCount(), 0)
  })
})
