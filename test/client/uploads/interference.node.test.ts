import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createClient, NoProxyError, UnavailableError } from '../../../src/client/index.ts'

const own = { 'x-routeslip': '1' }
const page = { 'content-type': 'text/html' }

/** What firewalls, gateways, sign-in pages of networks and old servers send: status, headers and body. */
const responses: readonly (readonly [string, number, Record<string, string>, string])[] = [
  ['a sign-in page of a campus network', 401, page, '<html>Sign in'],
  ['the challenge of a gateway', 401, {}, ''],
  ['a firewall', 403, page, '<html>Blocked'],
  ['a firewall with JSON', 403, { 'content-type': 'application/json' }, '{"status":403}'],
  ['an unknown path', 404, page, '<html>Not found'],
  ['WebDAV', 405, { allow: 'GET, PROPFIND' }, ''],
  ['a proxy that wants a password', 407, {}, ''],
  ['a gateway that has moved', 410, page, '<html>Gone'],
  ['a limit of nginx', 413, page, '<html>413'],
  ['a filter of media types', 415, {}, ''],
  ['an old server', 501, page, '<html>Not implemented'],
  ['a page with status 200', 200, page, '<html>Welcome'],
]

describe('an upload that a server in between answers', () => {
  for (const [name, status, headers, body] of responses)
    it(`says nothing about rights, the session or the file: ${name}`, async () => {
      const error = await errorOf(() => new Response(body, { status, headers }))
      assert.ok(error instanceof UnavailableError)
      assert.deepEqual([error.name, error.cause, error.outcome], ['UnavailableError', status, undefined])
    })

  it('is what the proxy makes of it if the response has its header (control)', async () => {
    const names = []
    for (const [, status] of responses.filter(([, status]) => status >= 400))
      names.push((await errorOf(() => Response.json({ status }, { status, headers: own }))).name)
    const refused = 'RefusedError'
    assert.deepEqual(names, [
      ...['SignedOutError', 'SignedOutError', 'ForbiddenError', 'ForbiddenError', 'NotFoundError', refused],
      ...[refused, 'NotFoundError', refused, refused, 'UnavailableError'],
    ])
  })

  it('shows that there is no proxy at all if none has ever responded', async () => {
    const failure = await errorOf(() => new Response('<html>', { status: 404, headers: page }), false)
    assert.ok(failure instanceof NoProxyError)
  })
})

async function errorOf(respond: () => Response, isFound = true): Promise<UnavailableError> {
  const client = createClient({
    endpoint: 'https://northfield.test/api/wf',
    live: false,
    fetch: async () => Response.json({ status: 404 }, { status: 404, headers: own }),
    upload: async () => respond(),
  })
  if (isFound) await client.getSession().catch(() => {})
  const { error } = console
  console.error = () => {}
  try {
    await client.uploadFile({ file: new File(['x'], 'a.pdf') })
  } catch (failure) {
    return failure as UnavailableError
  } finally {
    console.error = error
  }
  throw new Error('It was stored')
}
