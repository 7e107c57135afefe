import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createEventStream } from '../../../src/proxy/live/event-stream.ts'

function open() {
  const controller = new AbortController()
  let ends = 0
  const stream = createEventStream({
    signal: controller.signal,
    maxQueueSize: 10,
    onEnd: () => void (ends += 1),
  })
  return { ...stream, abort: () => controller.abort(), ends: () => ends }
}

describe('createEventStream()', () => {
  it('ends once, whatever happens afterwards', async () => {
    const { response, write, end, abort, ends } = open()
    end()
    assert.equal(ends(), 1)
    end()
    write('x')
    abort()
    assert.equal(ends(), 1)
    assert.equal(await response.text(), '')
  })

  it('accepts exactly as many unread bytes as its maximum', async () => {
    const { response, write, ends } = open()
    write('0123456789')
    assert.equal(ends(), 0)
    const reader = response.body!.getReader()
    assert.equal(Buffer.from((await reader.read()).value!).toString(), '0123456789')
    write('0123456789')
    assert.equal(ends(), 0)
    write('x')
    assert.equal(ends(), 1)
    await assert.rejects(reader.read(), /too slow/)
    write('y')
    assert.equal(ends(), 1)
  })

  it('ends once when the browser disconnects', async () => {
    const { response, write, end, abort, ends } = open()
    await response.body!.cancel()
    assert.equal(ends(), 1)
    write('x')
    end()
    abort()
    assert.equal(ends(), 1)
  })
})
