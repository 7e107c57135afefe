import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { createBreaker, type CallOutcome } from '../../../src/proxy/node/breaker.ts'
import { ServicePausedError } from '../../../src/proxy/upstream/send.ts'

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

  it('counts calls by tenths of the window', () => {
    report('failed')
    time += 999
    report('failed')
    time += 1
    report('failed')
    time += 9000
    report('failed')
    assert.equal(isOpen(), false, 'the first two are forgotten together')
    report('failed')
    assert.equal(isOpen(), false)
    report('failed')
    assert.equal(isOpen(), true)
  })

  it('logs when it opens and closes, and says so', () => {
    const logged: unknown[] = []
    const breaker = createBreaker('storage', { calls: 1, resetTimeout: 2500, now: () => time }, (...entry) =>
      logged.push(entry),
    )
    assert.equal(breaker.isOpen(), false)
    breaker.enter(true)('failed')
    const opened = [
      'warn',
      'A service fails. Requests to it are paused',
      { service: 'storage', seconds: 2.5 },
    ]
    assert.deepEqual([breaker.isOpen(), logged], [true, [opened]])
    time += 2500
    const probe = breaker.enter(true)
    assert.equal(breaker.isOpen(), true)
    probe('fine')
    const closed = ['info', 'A service responds again', { service: 'storage' }]
    assert.deepEqual([breaker.isOpen(), logged], [false, [opened, closed]])
  })

  it('opens by default after half of ten calls within ten seconds, for five seconds', (t) => {
    t.mock.method(performance, 'now', () => time)
    const breaker = createBreaker('workflow', {}, () => {})
    const add = (...outcomes: readonly CallOutcome[]) => {
      for (const outcome of outcomes) breaker.enter(true)(outcome)
    }
    add('failed', 'failed', 'failed', 'failed', 'failed')
    time += 10_000
    add('failed', 'failed', 'failed', 'failed', 'failed', 'fine', 'fine', 'fine', 'fine')
    assert.equal(breaker.isOpen(), false)
    time += 9999
    add('fine')
    assert.equal(breaker.isOpen(), true)
    time += 4999
    assert.throws(() => breaker.enter(true), ServicePausedError)
    time += 1
    breaker.enter(true)('fine')
    assert.equal(breaker.isOpen(), false)
  })
})
