import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createClient, NoProxyError, RefusedError, UnavailableError } from '../../../src/client/index.ts'
import { interferences, own, page } from '../interferences.ts'

describe('an upload that a server in between answers', () => {
  for (const [name, status, headers, body] of interferences.filter(([, status]) => status !== 413))
    it(`says nothing about rights, the session or the file: ${name}`, async () => {
      const error = await errorOf(() => new Response(body, { status, headers }))
      assert.ok(error instanceof UnavailableError)
      assert.deepEqual([error.name, error.cause, error.outcome], ['UnavailableError', status, undefined])
    })

  it('is refused because of its size, whoever has the limit: nothing was stored, and another attempt would not help', async () => {
    for (const [body, headers] of [
      ['<html>413', page],
      ['{"status":413,"detail":"See https://elsewhere.test"}', { 'content-type': 'application/json' }],
    ] as const) {
      const error: unknown = await errorOf(() => new Response(body, { status: 413, headers }))
      assert.ok(error instanceof RefusedError)
      assert.deepEqual([error.status, error.outcome], [413, undefined])
    }
  })

  it('is what the proxy makes of it if the response has its header (control)', async () => {
    const names = []
    for (const [, status] of interferences.filter(([, status]) => status >= 400))
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
