import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NotFoundError, UnavailableError } from '../../../src/client/transport/errors.ts'
import { createQueryCache } from '../../../src/client/reads/query-cache.ts'

describe('createQueryCache()', () => {
  it('loads again for a read that follows right after the last reader has aborted', async () => {
    const cache = createQueryCache()
    const { load, loads } = createLoads()
    const abort = new AbortController()
    const first = cache.read('key', '', load, abort.signal)
    abort.abort(new Error('enough'))
    const second = cache.read('key', '', load)
    await assert.rejects(first, /enough/)
    assert.equal(loads.length, 2)
    assert.equal(loads[0]?.signal.aborted, true)
    loads[1]?.resolve('value')
    assert.equal(await second, 'value')
    assert.equal(cache.getCached('key'), 'value')
  })

  it('shares one load until the last reader aborts, and counts readers that leave', async () => {
    const cache = createQueryCache()
    const { load, loads } = createLoads()
    const aborts = [new AbortController(), new AbortController()]
    const reads = aborts.map(({ signal }) => cache.read('key', '', load, signal))
    assert.equal(loads.length, 1)
    aborts[0]?.abort(new Error('first'))
    await assert.rejects(reads[0]!, /first/)
    assert.equal(loads[0]?.signal.aborted, false)
    const third = cache.read('key', '', load)
    aborts[1]?.abort(new Error('second'))
    await assert.rejects(reads[1]!, /second/)
    assert.equal(loads[0]?.signal.aborted, false, 'the third still reads')
    loads[0]?.resolve('value')
    assert.equal(await third, 'value')
    assert.equal(loads.length, 1)
  })

  it('keeps an aborted load from changing the cache', async () => {
    const cache = createQueryCache()
    const { load, loads } = createLoads()
    const abort = new AbortController()
    const first = cache.read('key', '', load, abort.signal)
    abort.abort()
    await assert.rejects(first)
    loads[0]?.resolve('late')
    await new Promise(setImmediate)
    assert.equal(cache.getCached('key'), undefined)
  })

  it('does not react to the signal of a reader that has its value', async () => {
    const cache = createQueryCache()
    const { load, loads } = createLoads()
    const abort = new AbortController()
    const first = cache.read('key', '', load, abort.signal)
    loads[0]?.resolve('value')
    assert.equal(await first, 'value')
    await new Promise(setImmediate)
    abort.abort()
    assert.equal(loads[0]?.signal.aborted, false)
  })

  it('returns a value for less than a second without a load', async () => {
    let time = 5000
    const cache = createQueryCache({ now: () => time })
    let loads = 0
    const read = () => cache.read('key', '', () => Promise.resolve(++loads))
    assert.equal(await read(), 1)
    time += 999
    assert.equal(await read(), 1)
    time += 1
    assert.equal(await read(), 2)
  })

  it('removes the least recently read value when there are more than its size', async () => {
    const cache = createQueryCache({ size: 3 })
    const read = (key: string) => cache.read(key, '', () => Promise.resolve(key))
    for (const key of ['a', 'b', 'c']) await read(key)
    assert.equal(cache.getCached('a'), 'a', 'exactly its size')
    await read('a')
    await read('d')
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((key) => cache.getCached(key)),
      ['a', undefined, 'c', 'd'],
    )
  })

  it('holds 1000 values by default', async () => {
    const cache = createQueryCache()
    for (let key = 0; key <= 1000; key++) await cache.read(`${key}`, '', () => Promise.resolve(key))
    assert.equal(cache.getCached('0'), undefined)
    assert.equal(cache.getCached('1'), 1)
  })

  it('keeps the last value after an outage, and removes it after a refusal', async () => {
    const cache = createQueryCache()
    await cache.read('key', 'scope', () => Promise.resolve('value'))
    cache.invalidate('scope')
    await assert.rejects(
      cache.read('key', 'scope', () => Promise.reject(new UnavailableError('x', 'failed'))),
    )
    assert.equal(cache.getCached('key'), 'value')
    await assert.rejects(cache.read('key', 'scope', () => Promise.reject(new NotFoundError('x', 'failed'))))
    assert.equal(cache.getCached('key'), undefined)
  })

  it('does not store what was read before everything was cleared', async () => {
    const cache = createQueryCache()
    const { load, loads } = createLoads()
    const read = cache.read('key', '', load)
    cache.clear()
    loads[0]?.resolve('for another user')
    assert.equal(await read, 'for another user')
    assert.equal(cache.getCached('key'), undefined)
  })

  it('keeps a new value when a load from before everything was cleared is refused', async () => {
    const cache = createQueryCache()
    let refuse!: () => void
    const refused = assert.rejects(
      cache.read(
        'key',
        '',
        () => new Promise((_, reject) => (refuse = () => reject(new NotFoundError('x', 'failed')))),
      ),
    )
    cache.clear()
    await cache.read('key', '', () => Promise.resolve('new'))
    refuse()
    await refused
    assert.equal(cache.getCached('key'), 'new')
  })
})

/** Creates loads that the test ends. An abort alone does not reject them. */
function createLoads() {
  const loads: { readonly signal: AbortSignal; readonly resolve: (value: unknown) => void }[] = []
  const load = (signal: AbortSignal) => new Promise<unknown>((resolve) => loads.push({ signal, resolve }))
  return { load, loads }
}
