import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startEarlyRead, takeEarlyRead } from '../../../src/client/transport/early-read.ts'
import {
  clientFor,
  clientWith,
  createClient,
  statusTable,
  UnavailableError,
} from '../../../src/client/index.ts'

// No server listens there, so a request that the client sends itself fails.
const endpoint = 'http://127.0.0.1:1/api/wf'
const params = { formId: 6025, packageId: 42 }
const comment = {
  id: 7,
  comment: 'Hello',
  createdAt: '2026-11-16T10:00:00',
  approversOnly: false,
  state: 'ACTIVE',
  canDelete: null,
  person: null,
}

describe('an early read', () => {
  it('is used once, by a client that sends its requests in the same way', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    start()
    const client = createClient({ endpoint: `${endpoint}/`, live: false, retries: 0 })
    assert.deepEqual(await client.getComments({ params }), [comment])

    t.mock.timers.reset()
    const other = createClient({ endpoint, live: false, retries: 0 })
    await assert.rejects(other.getComments({ params }), UnavailableError)
  })

  it('is used by a client that has read for badges before', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    start()
    clientWith(endpoint, statusTable)
    assert.deepEqual(await clientFor(endpoint).getComments({ params }), [comment])
  })

  it('is left alone by a client with a `fetch` of its own, which may be for another user', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    start()
    const own = { ...comment, comment: 'Own' }
    const client = createClient({
      endpoint,
      live: false,
      fetch: async () => Response.json([own], { headers: { 'x-routeslip': '1' } }),
    })
    assert.deepEqual(await client.getComments({ params }), [own])
    assert.equal(takeEarlyRead(endpoint)?.packageId, 42)
  })

  it('is not dropped when the time of an earlier one ends', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    start()
    t.mock.timers.tick(6000)
    start(43)
    t.mock.timers.tick(9999)
    assert.equal(takeEarlyRead(endpoint)?.packageId, 43)

    start(43)
    t.mock.timers.tick(10_000)
    assert.equal(takeEarlyRead(endpoint), undefined, 'control')
  })
})

/** Starts an early read of the rights and the comments. */
function start(packageId = 42): void {
  const parts = ['getActions', 'getComments'] as const
  const lines = parts.map(
    (part) => `${JSON.stringify({ part, status: 200 })}\n${JSON.stringify([comment])}\n`,
  )
  const headers = { 'content-type': 'application/x-ndjson', 'x-routeslip': '1' }
  startEarlyRead({ endpoint, formId: 6025, packageId, parts }, () =>
    Promise.resolve(new Response(lines.join(''), { headers })),
  )
}
