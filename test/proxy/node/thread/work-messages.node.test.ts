import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { buffersIn, errorOf, refusalOf } from '../../../../src/proxy/node/thread/work-messages.ts'
import { ProxyError, type ProxyErrorOptions } from '../../../../src/proxy/http/problem.ts'

describe('buffersIn()', () => {
  it('returns the buffers of bytes that a message is or has, and nothing else', () => {
    const [first, second] = [new Uint8Array(3), new Uint8Array(4)]
    assert.deepEqual(buffersIn(first), [first.buffer])
    assert.deepEqual(buffersIn({ task: 'readBody', first, second, more: { first } }), [
      first.buffer,
      second.buffer,
    ])
    for (const message of [undefined, null, 'text', 42, {}, { value: 'text' }, [1]])
      assert.deepEqual(buffersIn(message), [], JSON.stringify(message))
  })
})

describe('refusalOf() and errorOf()', () => {
  it('carry a refusal to another thread as it is', () => {
    const all: ProxyErrorOptions[] = [
      {},
      { retryAfter: 0 },
      { errors: { '/name': ['Enter a name'] } },
      { reason: '' },
      { reason: 'Not now' },
    ]
    for (const options of all) {
      const error = new ProxyError(422, 'Change what is described.', options)
      const copy = errorOf(structuredClone(refusalOf(error)))
      assert.deepEqual({ ...copy, message: copy.message }, { ...error, message: error.message })
      assert.ok(copy instanceof ProxyError)
    }
    assert.deepEqual(Object.keys(refusalOf(new ProxyError(404, 'Gone'))), ['status', 'detail'])
  })
})
