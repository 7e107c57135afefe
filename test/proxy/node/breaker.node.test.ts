import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { createBreaker, type CallOutcome } from '../../../src/proxy/node/breaker.ts'
import { ServicePausedError } from '../../../src/proxy/send.ts'

describe('createBreaker()', () => {
  let time: number
  let lines: string[]
  let enter: (mayProbe: boolean) => (outcome: CallOutcome) => void

  beforeEach(() => {
    time = 1000
    lines = []
    ;({ enter } = createBreaker(
      'workflow',
      { calls: 4, failures: 0.5, window: 10_000, resetTimeout: 5000, now: () => time },
      (level) => lines.push(level),
    ))
  })

  const report = (...outcomes: readonly CallOutcome[]) => {
    for (const outcome of outcomes) enter(true)(outcome)
  }
  const isOpen = () => {
    try {
      // May not probe, so that asking changes nothing.
      enter(false)('neither')
      return false
    } catch (error) {
      assert.ok(error instanceof ServicePausedError)
      return true
    }
  }

  it('opens at exactly the share of failures, with exactly the minimum of calls', () => {
    report('failed', 'failed', 'fine')
    assert.equal(isOpen(), false)
    report('fine')
    assert.equal(isOpen(), true)
    assert.deepEqual(lines, ['warn'])
  })

  it('stays closed below that share', () => {
    report('fine', 'fine', 'fine', 'failed', 'failed')
    assert.equal(isOpen(), false)
  })

  it('forgets calls that are older than the window', () => {
    report('failed', 'failed', 'failed')
    time += 10_000
    report('failed')
    assert.equal(isOpen(), false)
    time += 9999
    report('failed', 'failed', 'failed')
    assert.equal(isOpen(), true)
  })

  it('ignores calls that do not show whether the service works', () => {
    report('neither', 'neither', 'neither', 'neither', 'failed', 'failed', 'failed')
    assert.equal(isOpen(), false)
  })

  it('lets one call probe after the reset timeout, and counts the seconds down', () => {
    report('failed', 'failed', 'failed', 'failed')
    assert.throws(() => enter(true), { retryAfter: 5 })
    time += 4500
    assert.throws(() => enter(true), { retryAfter: 1 })
    time += 500
    assert.throws(() => enter(false), ServicePausedError)
    const probe = enter(true)
    assert.throws(() => enter(true), { retryAfter: 1 })
    probe('fine')
    assert.equal(isOpen(), false)
    assert.deepEqual(lines, ['warn', 'info'])
    // Failures from before are forgotten.
    report('failed', 'failed', 'failed')
    assert.equal(isOpen(), false)
  })

  it('opens again for the whole reset timeout if the probe fails, each time', () => {
    report('failed', 'failed', 'failed', 'failed')
    for (let round = 0; round < 3; round++) {
      time += 5000
      enter(true)('failed')
      time += 4999
      assert.throws(() => enter(true), ServicePausedError)
      time += 1
    }
    enter(true)('fine')
    assert.equal(isOpen(), false)
  })

  it('lets the next call probe if the probe is inconclusive', () => {
    report('failed', 'failed', 'failed', 'failed')
    time += 5000
    enter(true)('neither')
    enter(true)('fine')
    assert.equal(isOpen(), false)
  })

  it('ignores calls from before it opened', () => {
    const early = Array.from({ length: 5 }, () => enter(true))
    report('failed', 'failed', 'failed', 'failed')
    time += 4000
    early.pop()?.('fine')
    for (const reportEarly of early) reportEarly('failed')
    assert.equal(isOpen(), true)
    assert.deepEqual(lines, ['warn'])
    // They do not delay the probe.
    time += 1000
    enter(true)('fine')
    assert.equal(isOpen(), false)
  })
})
