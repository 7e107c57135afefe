import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { RefusalCause } from '../../../src/proxy/http/finding.ts'
import { createRefusalLog } from '../../../src/proxy/observe/refusal-log.ts'

describe('createRefusalLog()', () => {
  function setUp() {
    const clock = { time: 5000 }
    const lines: unknown[] = []
    const counted: RefusalCause[] = []
    const report = createRefusalLog({
      log: (...line) => void lines.push(line),
      metrics: { refused: (cause) => void counted.push(cause) },
      interval: 1000,
      now: () => clock.time,
    })
    return { clock, lines, counted, report }
  }

  it('counts every refusal, and logs one per interval with the number of those before', () => {
    const { clock, lines, counted, report } = setUp()
    for (const [time, text] of [
      [5000, 'first'],
      [5000, 'second'],
      [5999, 'third'],
      [6000, 'fourth'],
      [7000, 'fifth'],
      // The clock was set back.
      [6000, 'sixth'],
    ] as const) {
      clock.time = time
      report({ cause: 'callback', text })
    }
    assert.deepEqual(
      counted,
      Array.from({ length: 6 }, () => 'callback'),
    )
    const line = (reason: string, suppressedBefore: number) => [
      'warn',
      'A callback was refused',
      { reason, cause: 'callback', suppressedBefore },
    ]
    assert.deepEqual(lines, [line('first', 0), line('fourth', 2), line('fifth', 0), line('sixth', 0)])
  })

  it('lets no cause hide another, and does not warn about people who have not signed in', () => {
    const { lines, report } = setUp()
    for (let count = 0; count < 3; count++) {
      report({ cause: 'front_secret_wrong', text: 'one' })
      report({ cause: 'token_expired', text: 'two' })
      report({ cause: 'user_missing', text: 'three' })
    }
    assert.deepEqual(
      lines.map((line) => (line as unknown[]).slice(0, 2)),
      [
        ['warn', 'A request was refused'],
        ['warn', 'A request was refused'],
        ['info', 'A request was refused'],
      ],
    )
  })
})
