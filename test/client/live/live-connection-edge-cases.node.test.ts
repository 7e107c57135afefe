import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { createLiveConnection } from '../../../src/client/live/live-connection.ts'

describe('createLiveConnection()', () => {
  it('has no packages and no last id before it connects', (t) => {
    const { connection, inits } = setUp(t)
    assert.deepEqual(connection.keys, [])
    assert.equal(connection.lastId, '')
    assert.deepEqual(inits, [])
  })

  it('sends the session of the user, also to a proxy of another origin', async (t) => {
    const { connection, inits, settle } = setUp(t)
    connection.connect(['6025-42'])
    await settle()
    assert.deepEqual(
      inits.map((init) => init?.credentials),
      ['include'],
    )
  })

  it('reads a stream whose content type has parameters', async (t) => {
    const { connection, events, settle } = setUp(t, 'text/event-stream; charset=utf-8')
    connection.connect(['6025-42'])
    await settle()
    assert.deepEqual(events, ['7-1'])
    assert.equal(connection.lastId, '7-1')
  })

  it('reads no stream of a type that only ends like one', async (t) => {
    const { connection, events, settle } = setUp(t, 'x-text/event-stream')
    connection.connect(['6025-42'])
    await settle()
    assert.deepEqual(events, [])
    assert.equal(connection.lastId, '')
  })

  it('has no last id after a reset', async (t) => {
    const { connection, settle } = setUp(t)
    connection.connect(['6025-42'])
    await settle()
    assert.equal(connection.lastId, '7-1', 'control')
    connection.reset()
    assert.equal(connection.lastId, '')
    assert.deepEqual(connection.keys, [])
  })
})

/** A connection to a proxy that sends one event and keeps the stream open. Time stands still. */
function setUp(t: TestContext, type = 'text/event-stream') {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const inits: (RequestInit | undefined)[] = []
  const events: (string | undefined)[] = []
  const connection = createLiveConnection({
    root: '/api/wf',
    fetch: async (_, init) => {
      inits.push(init)
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(new TextEncoder().encode('id: 7-1\n\n')),
      })
      return new Response(body, { headers: { 'content-type': type } })
    },
    silence: 45_000,
    onEvent: (event) => events.push(event.get('id')),
    onDisconnect: () => {},
  })
  async function settle(): Promise<void> {
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
  }
  return { connection, inits, events, settle }
}
