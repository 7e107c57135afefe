import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createRate } from '../../src/proxy/rate.ts'

describe('createRate', () => {
  it('allows a number of times within the window, and names the seconds until the next', () => {
    let time = 1_000_000
    const rate = createRate({ perKey: 2, window: 60_000, now: () => time })
    assert.equal(rate.count('a'), 0)
    time += 10_000
    assert.equal(rate.count('a'), 0)
    assert.equal(rate.count('a'), 50)
    time += 49_500
    assert.equal(rate.count('a'), 1)
    time += 500
    assert.equal(rate.count('a'), 0, 'the first time has left the window')
    assert.equal(rate.count('a'), 10, 'until the second time leaves it')
  })

  it('counts each key by itself', () => {
    const rate = createRate({ perKey: 1, now: () => 5 })
    assert.equal(rate.count('a'), 0)
    assert.equal(rate.count('b'), 0)
    assert.ok(rate.count('a') > 0)
  })

  it('does not count refused times', () => {
    let time = 0
    const rate = createRate({ perKey: 1, window: 1000, now: () => time })
    assert.equal(rate.count('a'), 0)
    for (time = 100; time < 1000; time += 100) assert.equal(rate.count('a'), 1)
    assert.equal(rate.count('a'), 0)
  })
})
