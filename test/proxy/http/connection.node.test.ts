import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Connection, connectionOf, RevocableConnection } from '../../../src/proxy/http/connection.ts'
import { Disconnect } from '../../../src/proxy/http/disconnect.ts'
import {
  idempotencyKeyOf,
  lastingConnection,
  requestHead,
} from '../../../src/proxy/idempotency/idempotency-key.ts'

/** A connection that records how it is used, and a listener that records its events. */
function setUp() {
  const calls: string[] = []
  const disconnect = new Disconnect()
  const body = (async function* () {})()
  const connection: Connection = {
    disconnect,
    onEnd: (listener) => {
      calls.push('onEnd')
      listener()
    },
    body,
    endSending: () => void calls.push('endSending'),
  }
  const events: string[] = []
  const listener = { handleEvent: ({ type }: Event) => void events.push(type) }
  return { connection, disconnect, body, calls, events, listener }
}

describe('Disconnect', () => {
  it('fires with its reason, for all listeners that are left', () => {
    const { disconnect, events, listener } = setUp()
    const removed = { handleEvent: () => assert.fail('It was removed') }
    assert.deepEqual([disconnect.aborted, disconnect.reason], [false, undefined])
    disconnect.addEventListener('abort', listener)
    disconnect.addEventListener('abort', removed)
    disconnect.removeEventListener('abort', removed)
    disconnect.abort('gone')
    assert.deepEqual([disconnect.aborted, disconnect.reason], [true, 'gone'])
    assert.deepEqual(events, ['abort'])
  })
})

describe('RevocableConnection', () => {
  it('fires if the client disconnects', () => {
    const { connection, disconnect, body, calls, events, listener } = setUp()
    const endable = new RevocableConnection(connection)
    assert.equal(endable.body, body)
    assert.equal(endable.disconnect.aborted, false)
    endable.disconnect.addEventListener('abort', listener)
    disconnect.abort('gone')
    assert.deepEqual([endable.disconnect.aborted, endable.disconnect.reason], [true, 'gone'])
    assert.deepEqual(events, ['abort'])
    endable.onEnd(() => calls.push('listener'))
    assert.deepEqual(calls, ['onEnd', 'listener'])
  })

  it('fires if it is revoked, with the first reason, and ends the response', () => {
    const { connection, disconnect, calls, events, listener } = setUp()
    const endable = new RevocableConnection(connection)
    const reason = new Error('too busy')
    endable.disconnect.addEventListener('abort', listener)
    endable.revoke(reason)
    endable.revoke(new Error('again'))
    assert.deepEqual([endable.disconnect.aborted, endable.disconnect.reason], [true, reason])
    assert.deepEqual(events, ['abort', 'abort'])
    assert.deepEqual(calls, ['endSending', 'endSending'])
    assert.equal(disconnect.aborted, false)
  })

  it('fires for no listener that was removed, and needs no way to end the response', () => {
    const { connection, disconnect, events, listener } = setUp()
    const { disconnect: _, onEnd } = connection
    const endable = new RevocableConnection({ disconnect, onEnd })
    endable.disconnect.addEventListener('abort', listener)
    endable.disconnect.removeEventListener('abort', listener)
    endable.revoke(new Error('too busy'))
    disconnect.abort('gone')
    assert.deepEqual(events, [])
  })
})

describe('connectionOf()', () => {
  it('fires as the request does, and ends at once', () => {
    const client = new AbortController()
    const request = new Request('https://site.test/', { signal: client.signal })
    const connection = connectionOf(request)
    let ended = 0
    connection.onEnd(() => (ended += 1))
    assert.equal(ended, 1)
    assert.equal(connection.disconnect.aborted, false)
    client.abort()
    assert.equal(connection.disconnect.aborted, true)
    assert.equal(connection.body, undefined)
  })
})

describe('lastingConnection()', () => {
  it('never fires, and ends when the connection does', () => {
    const { connection, disconnect, body, calls, events, listener } = setUp()
    const lasting = lastingConnection(connection)
    lasting.disconnect.addEventListener('abort', listener)
    disconnect.abort('gone')
    assert.deepEqual([lasting.disconnect.aborted, lasting.disconnect.reason], [false, undefined])
    lasting.disconnect.removeEventListener('abort', listener)
    assert.deepEqual(events, [])
    assert.equal(lasting.body, body)
    lasting.onEnd(() => calls.push('listener'))
    lasting.endSending?.()
    assert.deepEqual(calls, ['onEnd', 'listener', 'endSending'])
    // The connection of a plain fetch handler cannot end what is sent.
    lastingConnection(connectionOf(new Request('https://site.test/'))).endSending?.()
  })
})

describe('idempotencyKeyOf()', () => {
  const keyOf = (key: string | undefined) =>
    idempotencyKeyOf(new Request('https://site.test/', { headers: key ? { 'idempotency-key': key } : {} }))

  it('returns the text between the quotes, of 16 to 128 characters', () => {
    assert.equal(keyOf(undefined), undefined)
    for (const key of ['a'.repeat(16), 'a'.repeat(128), ' !#-[]~ 0123456789'])
      assert.equal(keyOf(`"${key}"`), key)
    for (const key of [
      `"${'a'.repeat(15)}"`,
      `"${'a'.repeat(129)}"`,
      `x"${'a'.repeat(16)}"`,
      `"${'a'.repeat(16)}"x`,
      `"${'a'.repeat(16)}\\"`,
      `"${'a'.repeat(16)}é"`,
    ])
      assert.throws(() => keyOf(key), { status: 400, message: /The Idempotency-Key is not valid/ }, key)
  })
})

describe('requestHead()', () => {
  const headOf = (url: string, headers: Record<string, string> = {}, method = 'PUT') =>
    requestHead(new Request(url, { method, headers }))

  it('contains the method, path, parameters, accepted type, type and size', () => {
    assert.equal(headOf('https://site.test/a'), 'PUT\n/a?\n\n\n')
    const headers = {
      accept: 'application/json;v=2',
      'content-type': 'application/json;charset=utf-8',
      'content-length': '12',
    }
    assert.equal(
      headOf('https://site.test/a?b=c#d', headers, 'POST'),
      'POST\n/a?b=c\napplication/json;v=2\napplication/json\n12',
    )
  })

  it('contains neither the boundary nor the size of an upload', () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': '12' }
    assert.equal(headOf('https://site.test/a', headers), 'PUT\n/a?\n\nmultipart/form-data\n')
  })
})
