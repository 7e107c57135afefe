import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { createClient, NoProxyError, NotFoundError, UnavailableError } from '../../../src/client/index.ts'

const input = { params: { formId: 6025, packageId: 42 } }
const fromProxy = { 'x-routeslip': '1', 'content-type': 'application/json' }

/** Servers that have no proxy at the endpoint. */
const others: Readonly<Record<string, RequestListener>> = {
  'a 404': (_request, response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Oops'),
  'the 404 of another API': (_request, response) =>
    response.writeHead(404, { 'content-type': 'application/problem+json' }).end('{"status":404}'),
  'a 405': (_request, response) => response.writeHead(405).end(),
  'the page of a CMS': (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><h1>Welcome'),
  'the JSON of another API': (_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"users":[]}'),
  'a redirect to a sign-in page': (_request, response) =>
    response.writeHead(302, { location: 'http://127.0.0.1:1/login' }).end(),
}

describe('createProxyProbe()', () => {
  for (const [name, listener] of Object.entries(others)) {
    it(`reports ${name} as a missing proxy, once in the console`, async (t) => {
      const { endpoint, logged } = await serve(t, listener)
      const client = createClient({ endpoint, live: false })
      for (const read of [client.getPackage(input), client.getHistory(input), client.getSession()]) {
        const error = await failureOf(read)
        assert.ok(error instanceof NoProxyError, String(error))
        assert.equal(error.endpoint, endpoint)
      }
      assert.equal(logged.length, 1)
      assert.match(logged[0]!, new RegExp(`^No Routeslip proxy found at ${endpoint}\\. .*Set "endpoint"`))
    })
  }

  it('reports a network failure, a 502 and a 404 of the proxy as what they are', async (t) => {
    const { endpoint, logged } = await serve(t, ({ url = '' }, response) => {
      if (url.endsWith('/history')) response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>nginx')
      else response.writeHead(404, fromProxy).end('{"status":404}')
    })
    const gone = createClient({ endpoint: 'http://127.0.0.1:1/api/wf', live: false, retries: 0 })
    const client = createClient({ endpoint, live: false, retries: 0 })
    for (const [read, kind] of [
      [gone.getPackage(input), UnavailableError],
      [client.getHistory(input), UnavailableError],
      [client.getPackage(input), NotFoundError],
    ] as const) {
      const error = await failureOf(read)
      assert.ok(error instanceof kind && !(error instanceof NoProxyError), String(error))
    }
    assert.deepEqual(logged, [])
  })

  it('reports an outage if the proxy was there before', async (t) => {
    const { endpoint, logged } = await serve(t, ({ url = '' }, response) => {
      if (url.endsWith('/history')) others['a redirect to a sign-in page']!({} as never, response)
      else response.writeHead(200, fromProxy).end('{"id":42,"state":"ROUTING"}')
    })
    const client = createClient({ endpoint, live: false, retries: 0 })
    await client.getPackage(input)
    const error = await failureOf(client.getHistory(input))
    assert.ok(error instanceof UnavailableError && !(error instanceof NoProxyError), String(error))
    assert.deepEqual(logged, [])
  })
})

/** Starts a server, and records what the client logs. */
async function serve(t: TestContext, listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const { error } = console
  const logged: string[] = []
  console.error = (text: unknown) => logged.push(String(text))
  t.after(() => {
    console.error = error
    server.closeAllConnections()
    server.close()
  })
  return { endpoint: `http://127.0.0.1:${port}/api/wf`, logged }
}

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(
    () => assert.fail('nothing failed'),
    (error: unknown) => error,
  )
}
