import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readBytes } from '../../../src/proxy/http/read-body.ts'

describe('readBytes()', () => {
  const tooLong = () => new RangeError('too long')
  const streamOf = (...chunks: readonly string[]) => new Blob([...chunks]).stream()

  it('reads up to the limit, and not beyond', async () => {
    assert.deepEqual(await readBytes(streamOf('a', 'b'), 2, tooLong), new TextEncoder().encode('ab'))
    assert.deepEqual(await readBytes(null, 2, tooLong), new Uint8Array())
    await assert.rejects(readBytes(streamOf('a', 'bc'), 2, tooLong), RangeError)
  })

  it('rejects if a body does not arrive in time, and cancels it (T23, F11)', async () => {
    let isLetGo = false
    const silent = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array(1)),
      cancel: () => {
        isLetGo = true
      },
    })
    // Keeps the process alive until the timeout.
    const alive = setTimeout(() => {}, 10_000)
    await assert.rejects(readBytes(silent, 10, tooLong, { timeout: 20 }), { name: 'ProxyError', status: 408 })
    clearTimeout(alive)
    assert.equal(isLetGo, true)
  })
})
