import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { type MinimumRate, watchRate } from '../../../src/proxy/node/rate.ts'

/** Watches a transfer with a clock that the test moves. */
function setUp(t: TestContext, minimum: MinimumRate = { stallSeconds: 30, minRate: 10 }) {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const transfer = { isWaiting: true, stalls: 0 }
  const { count, stop } = watchRate(
    () => transfer.isWaiting,
    minimum,
    () => (transfer.stalls += 1),
  )
  /** Lets seconds pass, with this many bytes in each of them. */
  const pass = (seconds: number, bytes = 0) => {
    for (let second = 0; second < seconds; second++) {
      count(bytes / 2)
      count(bytes / 2)
      t.mock.timers.tick(1000)
    }
  }
  return { transfer, stop, pass, tick: t.mock.timers.tick.bind(t.mock.timers) }
}

describe('watchRate()', () => {
  it('notices a transfer below its minimum after the whole time, and not before', (t) => {
    const { transfer, pass } = setUp(t)
    pass(29)
    assert.equal(transfer.stalls, 0)
    pass(1)
    assert.equal(transfer.stalls, 1)
  })

  it('accepts exactly the minimum on average, and no less', (t) => {
    const { transfer, pass } = setUp(t)
    pass(1, 300)
    pass(29)
    assert.equal(transfer.stalls, 0)
    pass(1, 298)
    assert.equal(transfer.stalls, 1, 'the first second is not counted any more')
    pass(1, 2)
    assert.equal(transfer.stalls, 1)
  })

  it('does not count the time in which it does not wait', (t) => {
    const { transfer, pass } = setUp(t)
    pass(20)
    transfer.isWaiting = false
    pass(100)
    assert.equal(transfer.stalls, 0)
    transfer.isWaiting = true
    pass(9)
    assert.equal(transfer.stalls, 0)
    pass(1)
    assert.equal(transfer.stalls, 1)
  })

  it('requires 1000 bytes per second within 30 seconds by default', (t) => {
    const { transfer, pass } = setUp(t, {})
    pass(60, 1000)
    assert.equal(transfer.stalls, 0)
    pass(1, 998)
    assert.equal(transfer.stalls, 1)
  })

  it('measures in thirtieths of its time', (t) => {
    const { transfer, tick } = setUp(t, { stallSeconds: 3, minRate: 1 })
    tick(2999)
    assert.equal(transfer.stalls, 0)
    tick(1)
    assert.equal(transfer.stalls, 1)
  })

  it('ends when it is stopped', (t) => {
    const { transfer, pass, stop } = setUp(t)
    stop()
    pass(100)
    assert.equal(transfer.stalls, 0)
  })
})
