import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { UnavailableError } from '../../../src/client/transport/errors.ts'
import { createQueryCache } from '../../../src/client/reads/query-cache.ts'

describe('a load that is newer than another one for the same key', () => {
  it('is still shared, and its value kept, when the older one ends', async () => {
    const { read, loads, cache } = setUp()
    const before = read()
    cache.invalidate('scope')
    const after = read()
    loads[0]?.resolve('old')
    assert.equal(await before, 'old')
    await new Promise(setImmediate)
    const third = read()
    assert.equal(loads.length, 2)
    loads[1]?.resolve('new')
    assert.deepEqual(await Promise.all([after, third]), ['new', 'new'])
    assert.equal(cache.getCached('key'), 'new')
  })

  it('is still shared, and its value kept, when the reader of the older one aborts', async () => {
    const { read, loads, cache } = setUp()
    const abort = new AbortController()
    const before = assert.rejects(read(abort.signal), /enough/)
    cache.invalidate('scope')
    const after = read()
    abort.abort(new Error('enough'))
    await before
    assert.deepEqual(
      loads.map(({ signal }) => signal.aborted),
      [true, false],
    )
    const third = read()
    assert.equal(loads.length, 2)
    loads[1]?.resolve('new')
    assert.deepEqual(await Promise.all([after, third]), ['new', 'new'])
    assert.equal(cache.getCached('key'), 'new')
  })

  /** A cache with one key. The test ends its loads. */
  function setUp() {
    const cache = createQueryCache()
    const loads: { readonly signal: AbortSignal; readonly resolve: (value: unknown) => void }[] = []
    const load = (signal: AbortSignal) => new Promise<unknown>((resolve) => loads.push({ signal, resolve }))
    return { cache, loads, read: (signal?: AbortSignal) => cache.read('key', 'scope', load, signal) }
  }
})

describe('createQueryCache()', () => {
  it('keeps no place for a key whose first load got no response', async () => {
    const cache = createQueryCache({ size: 2 })
    const read = (key: string) => cache.read(key, '', () => Promise.resolve(key))
    await read('a')
    await assert.rejects(cache.read('b', '', () => Promise.reject(new UnavailableError('x', 'failed'))))
    await read('c')
    assert.equal(cache.getCached('a'), 'a')

    await read('d')
    assert.equal(cache.getCached('a'), undefined, 'control')
  })
})
