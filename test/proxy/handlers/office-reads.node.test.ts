import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createOfficeReads } from '../../../src/proxy/handlers/office-reads.ts'
import type { Upstream, UpstreamCall } from '../../../src/proxy/upstream/upstream.ts'

/** Reads of a service that numbers its results. */
function setUp(options: { readonly lifetime?: number; readonly size?: number } = {}) {
  const clock = { time: 1000 }
  const calls: string[] = []
  const state = { isDown: false }
  const upstream = {
    call(name: string, { query }: UpstreamCall) {
      calls.push(`${name} ${String(query?.['searchTerm'])}`)
      return state.isDown ? Promise.reject(new Error('down')) : Promise.resolve(calls.length)
    },
  } as unknown as Upstream
  const reads = createOfficeReads({ upstream, now: () => clock.time, ...options })
  const holding = { untilReply: () => {}, untilSent: () => {}, revoke: () => {} }
  const search = (searchTerm: string, name: 'searchOffices' | 'findOffices' = 'searchOffices') =>
    reads(name, {
      as: { univid: '1' },
      requestId: 'r',
      signal: new AbortController().signal,
      query: { searchTerm },
      holding,
    })
  return { clock, calls, state, search }
}

describe('createOfficeReads()', () => {
  it('keeps a result for its lifetime, and reads it again afterwards', async () => {
    const { clock, calls, search } = setUp({ lifetime: 5000 })
    assert.equal(await search('11'), 1)
    clock.time += 4999
    assert.equal(await search('11'), 1)
    clock.time += 1
    assert.equal(await search('11'), 2)
    clock.time += 4999
    assert.equal(await search('11'), 2)
    assert.deepEqual(calls, ['searchOffices 11', 'searchOffices 11'])
  })

  it('keeps results for five minutes by default', async () => {
    const { clock, search } = setUp()
    await search('11')
    clock.time += 299_999
    assert.equal(await search('11'), 1)
    clock.time += 1
    assert.equal(await search('11'), 2)
  })

  it('distinguishes operations and their parameters', async () => {
    const { search } = setUp()
    assert.deepEqual(
      [await search('11'), await search('12'), await search('11', 'findOffices'), await search('11')],
      [1, 2, 3, 1],
    )
  })

  it('removes the oldest result if there are too many', async () => {
    const { search } = setUp({ size: 2 })
    await search('a')
    await search('b')
    assert.equal(await search('a'), 1)
    await search('c')
    assert.equal(await search('b'), 2, 'the second oldest is kept')
    assert.equal(await search('a'), 4, 'the oldest is not')
  })

  it('keeps no failure', async () => {
    const { state, search } = setUp()
    state.isDown = true
    await assert.rejects(search('11'), /down/)
    state.isDown = false
    assert.equal(await search('11'), 2)
  })
})
