import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ClientError, createClient, NoProxyError } from '../../../src/client/index.ts'
import { interferences, own } from '../interferences.ts'

describe('a server in between', () => {
  for (const [name, status, headers, body] of interferences) {
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

  it('does not know the outcome of a change, whatever it states', async () => {
    for (const status of [413, 429, 500, 502, 503, 504]) {
      const outcomeFrom = async (headers: HeadersInit) =>
        (await errorOf('voidPackage', () => Response.json({ status, outcome: 'none' }, { status, headers })))
          .outcome
      assert.equal(await outcomeFrom({}), undefined)
      assert.equal(await outcomeFrom(own), 'none', 'control')
    }
  })

  it('is not the proxy, whose response decides (control)', async () => {
    const names = []
    for (const [, status] of interferences.filter(([, status]) => status >= 400))
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
    for (const [, status, headers, body] of interferences) {
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
