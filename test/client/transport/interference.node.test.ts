import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ClientError, createClient, NoProxyError } from '../../../src/client/index.ts'

const own = { 'x-routeslip': '1' }
const page = { 'content-type': 'text/html' }

/** What servers in between send: status, headers and body. */
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

describe('a server in between', () => {
  for (const [name, status, headers, body] of responses) {
    it(`says nothing about rights, the session or the package: ${name}`, async () => {
      for (const operation of ['getPackage', 'voidPackage'] as const) {
        const error = await errorOf(operation, () => new Response(body, { status, headers }))
        assert.equal(error.name, 'UnavailableError')
        assert.equal(error.outcome, undefined)
      }
    })
  }

  it('is not what an overload or a proxy that cannot be reached looks like', async () => {
    for (const status of [429, 500, 502, 503, 504]) {
      const error = await errorOf('getPackage', () => new Response('', { status }))
      assert.deepEqual([error.name, error.cause], ['UnavailableError', undefined])
    }
  })

  it('is not the proxy, whose response decides (control)', async () => {
    const names = []
    for (const [, status] of responses.filter(([, status]) => status >= 400))
      names.push(
        (await errorOf('voidPackage', () => Response.json({ status }, { status, headers: own }))).name,
      )
    const refused = 'RefusedError'
    assert.deepEqual(names, [
      ...['SignedOutError', 'SignedOutError', 'ForbiddenError', 'ForbiddenError', 'NotFoundError', refused],
      ...[refused, 'NotFoundError', refused, refused, 'UnavailableError'],
    ])
  })

  it('is told apart from an endpoint without a proxy, unless its response could be from either', async () => {
    const names = []
    for (const [, status, headers, body] of responses) {
      const error = await errorOf('getPackage', () => new Response(body, { status, headers }), false)
      names.push(`${status} ${error instanceof NoProxyError ? 'no proxy' : 'between'}`)
    }
    assert.deepEqual(
      [...new Set(names)],
      [
        ...['401 between', '403 between', '404 no proxy', '405 no proxy', '407 between', '410 between'],
        ...['413 between', '415 between', '501 between', '200 no proxy'],
      ],
    )
  })
})

async function errorOf(
  operation: 'getPackage' | 'voidPackage',
  respond: () => Response,
  isFound = true,
): Promise<ClientError> {
  let isFirst = isFound
  const client = createClient({
    endpoint: 'https://northfield.test/api/wf',
    live: false,
    retries: 0,
    fetch: async () => {
      if (!isFirst) return respond()
      isFirst = false
      return Response.json({ status: 404 }, { status: 404, headers: own })
    },
  })
  if (isFound) await client.getSession().catch(() => {})
  const { error } = console
  console.error = () => {}
  try {
    const params = { formId: 6025, packageId: 42 }
    if (operation === 'getPackage') await client.getPackage({ params })
    else
      await client.voidPackage({ params, body: { id: 42, state: 'VOID', voidReason: 'TRANSACTION_DENIED' } })
  } catch (failure) {
    return failure as ClientError
  } finally {
    console.error = error
  }
  throw new Error('It succeeded')
}
