import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { describe, it } from 'node:test'
import { bodyOf } from '../../../src/proxy/node/node-request.ts'

function setUp() {
  const incoming = new PassThrough()
  const body = bodyOf(incoming as unknown as IncomingMessage)
  return { incoming, reader: body.getReader() }
}

const listeners = (stream: PassThrough) => ['data', 'error'].map((name) => stream.listenerCount(name)).join()

describe('bodyOf()', () => {
  it('reads the request only as fast as it is read itself', async () => {
    const { incoming, reader } = setUp()
    assert.equal(incoming.isPaused(), true)
    incoming.write('ab')
    incoming.end('c')
    assert.equal(Buffer.from((await reader.read()).value ?? []).toString(), 'ab')
    assert.equal(incoming.isPaused(), true)
    assert.equal(Buffer.from((await reader.read()).value ?? []).toString(), 'c')
    assert.equal((await reader.read()).done, true)
    assert.equal(listeners(incoming), '0,0')
  })

  it('is empty if the request has been read', async () => {
    const incoming = new PassThrough()
    incoming.end()
    incoming.resume()
    await new Promise((resolve) => incoming.once('end', resolve))
    const reader = bodyOf(incoming as unknown as IncomingMessage).getReader()
    assert.equal((await reader.read()).done, true)
  })

  it('fails with the error of the connection', async () => {
    const { incoming, reader } = setUp()
    incoming.destroy(new Error('ECONNRESET'))
    await assert.rejects(reader.read(), /ECONNRESET/)
    assert.equal(listeners(incoming), '0,0')
  })

  it('fails if the client disconnects, before or after it is read', async () => {
    const { incoming, reader } = setUp()
    const reading = reader.read()
    incoming.destroy()
    await assert.rejects(reading, /The client has disconnected\./)
    const late = bodyOf(incoming as unknown as IncomingMessage).getReader()
    await assert.rejects(late.read(), /The client has disconnected\./)
  })

  it('leaves the connection open if it is cancelled', async () => {
    const { incoming, reader } = setUp()
    await reader.cancel()
    assert.equal(incoming.destroyed, false)
    assert.equal(incoming.isPaused(), true)
    assert.equal(listeners(incoming), '0,0')
  })
})
