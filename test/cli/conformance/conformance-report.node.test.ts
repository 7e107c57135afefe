import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createReporter, type ReporterName } from '../../../src/cli/conformance/conformance-report.ts'
import type { CheckResult } from '../../../src/conformance/target.ts'

const failed = (name: string, detail: string): CheckResult => ({ name, ok: false, detail })

const results: readonly CheckResult[] = [
  { name: 'paths: GET /x is refused', ok: true, detail: '' },
  failed('paths: "#1" & <2>', 'expected 404, got 200'),
  ...Array.from({ length: 12 }, (_, index) =>
    failed(
      `rights: getPackage as ${index}`,
      `expected 401, got 404; sent: GET /packages/${10_000 + index} (200)`,
    ),
  ),
  { name: 'rights: getHistory', ok: true, detail: '', skipped: 'the proxy leaves out getHistory' },
]

function linesOf(name: ReporterName, given = results): readonly string[] {
  const { add, end } = createReporter(name)
  return [...given.flatMap((result) => add(result)), ...end()]
}

describe('createReporter()', () => {
  it('groups failures by cause, the most frequent first', () => {
    assert.deepEqual(linesOf('text'), [
      'FAIL 12 checks, such as: expected 401, got 404; sent: GET /packages/10000 (200)',
      ...Array.from({ length: 10 }, (_, index) => `     rights: getPackage as ${index}`),
      '     and 2 more; --reporter tap prints all',
      'FAIL paths: "#1" & <2>: expected 404, got 200',
      'skipped 1: the proxy leaves out getHistory',
      '1 passed, 13 failed',
    ])
    assert.deepEqual(linesOf('text', results.slice(0, 1)), ['1 passed, 0 failed'])
  })

  it('prints TAP as results arrive', () => {
    const lines = linesOf('tap')
    assert.deepEqual(lines.slice(0, 6), [
      'TAP version 14',
      'ok 1 - paths: GET /x is refused',
      String.raw`not ok 2 - paths: "\#1" & <2>`,
      '  ---',
      '  message: "expected 404, got 200"',
      '  ...',
    ])
    assert.deepEqual(lines.slice(-2), [
      'ok 15 - rights: getHistory # SKIP the proxy leaves out getHistory',
      '1..15',
    ])
  })

  it('prints JUnit XML with one suite for each group', () => {
    const lines = linesOf('junit')
    assert.equal(lines[1], '<testsuites name="routeslip conformance" tests="15" failures="13" skipped="1">')
    assert.equal(lines[2], '  <testsuite name="paths" tests="2" failures="1" skipped="0">')
    assert.equal(
      lines[4],
      '    <testcase classname="paths" name="paths: &quot;#1&quot; &amp; &lt;2&gt;"><failure message="expected 404, got 200"/></testcase>',
    )
    assert.equal(lines.at(-1), '</testsuites>')
  })
})
