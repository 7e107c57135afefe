import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, it } from 'node:test'
import { createNodeConnection } from '../../../src/proxy/node/node-connection.ts'

/** A connection over a response of which the test sets the facts. */
function setUp() {
  const incoming = { complete: false }
  const outgoing = Object.assign(new EventEmitter(), {
    headersSent: false,
    writableFinished: false,
    closed: false,
    destroyed: 0,
    destroy: () => void (outgoing.destroyed += 1),
  })
  const connection = createNodeConnection(incoming as IncomingMessage, outgoing as unknown as ServerResponse)
  const events: string[] = []
  const listener = (name: string) => ({
    handleEvent: ({ type }: Event) => void events.push(`${name} ${type}`),
  })
  return { incoming, outgoing, connection, events, listener }
}

describe('createNodeConnection()', () => {
  it('notifies its listeners once if the client disconnects', () => {
    const { outgoing, connection, events, listener } = setUp()
    const { disconnect } = connection
    const removed = listener('removed')
    disconnect.addEventListener('abort', removed)
    disconnect.addEventListener('abort', listener('one'))
    disconnect.addEventListener('abort', listener('other'))
    disconnect.removeEventListener('abort', removed)
    connection.onEnd(() => events.push(`end ${disconnect.aborted}`))
    connection.onEnd(() => events.push('end too'))
    assert.deepEqual([disconnect.aborted, events], [false, []])
    outgoing.emit('close')
    outgoing.emit('close')
    assert.deepEqual(events, ['end false', 'end too', 'one abort', 'other abort'])
    assert.deepEqual([disconnect.aborted, disconnect.reason], [true, 'The client has disconnected.'])
  })

  it('reports no disconnect after the whole response', () => {
    const { outgoing, connection, events, listener } = setUp()
    connection.disconnect.addEventListener('abort', listener('one'))
    connection.onEnd(() => events.push('end'))
    outgoing.writableFinished = true
    outgoing.emit('close')
    assert.deepEqual([connection.disconnect.aborted, events], [false, ['end']])
  })

  it('notifies a listener at once if the response has ended already', () => {
    const { outgoing, connection, events } = setUp()
    outgoing.closed = true
    connection.onEnd(() => events.push('end'))
    assert.deepEqual(events, ['end'])
  })

  it('has one listener on the response, however many listen to it', () => {
    const { outgoing, connection, listener } = setUp()
    for (let count = 0; count < 20; count++) {
      connection.onEnd(() => {})
      connection.disconnect.addEventListener('abort', listener('one'))
    }
    assert.equal(outgoing.listenerCount('close'), 1)
  })

  it('ends the connection only if the response has begun', () => {
    const { outgoing, connection } = setUp()
    connection.endSending?.()
    assert.equal(outgoing.destroyed, 0)
    outgoing.headersSent = true
    connection.endSending?.()
    assert.equal(outgoing.destroyed, 1)
  })

  it('knows whether the body of the request has arrived', () => {
    const { incoming, connection } = setUp()
    assert.equal(connection.body, incoming)
    assert.equal(connection.isBodyComplete?.(), false)
    incoming.complete = true
    assert.equal(connection.isBodyComplete?.(), true)
  })
})
