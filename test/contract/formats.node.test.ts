import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseDuration } from '../../src/contract/duration.ts'
import { parseTimestamp } from '../../src/contract/timestamp.ts'

describe('parseDuration()', () => {
  for (const [text, milliseconds] of [
    ['60', 60_000],
    ['60s', 60_000],
    ['10m', 600_000],
    ['2h', 7_200_000],
    ['7d', 604_800_000],
    ['1500ms', 1500],
    ['1000us', 1],
    ['1000000ns', 1],
    ['0', 0],
    ['-5m', -300_000],
    ['PT10M', 600_000],
    ['P1DT2H3M4.5S', 93_784_500],
    ['P2D', 172_800_000],
    ['-PT1S', -1000],
    ['PT-1S', -1000],
    ['pt1h', 3_600_000],
  ] as const) {
    it(`reads ${text}`, () => assert.equal(parseDuration(text), milliseconds))
  }

  for (const text of [
    '',
    ' 60',
    '60 s',
    '1.5h',
    '1w',
    'P',
    'PT',
    'P1Y',
    'P1M',
    '1d2h',
    'ten',
    '1e3',
    '0x10',
  ]) {
    it(`does not take ${JSON.stringify(text)}`, () => assert.equal(parseDuration(text), undefined))
  }
})

describe('parseTimestamp()', () => {
  it('reads what the clock showed, whatever zone this machine is in', () => {
    const expected = { year: 2026, month: 11, day: 16, hour: 9, minute: 42, second: 10 }
    assert.deepEqual(parseTimestamp('2026-11-16T09:42:10'), expected)
    assert.deepEqual(parseTimestamp('2026-11-16T09:42:10.123456'), expected)
  })

  it('reads an hour that a change to summer time skips', () => {
    assert.equal(parseTimestamp('2027-03-14T02:30:00')?.hour, 2)
  })

  for (const text of [
    '2026-02-30T00:00:00',
    '2026-13-01T00:00:00',
    '2026-11-16T24:00:00',
    '2026-11-16',
    '',
  ]) {
    it(`does not take ${JSON.stringify(text)}`, () => assert.equal(parseTimestamp(text), undefined))
  }

  it('does not take an instant with a zone for a local time', () => {
    assert.equal(parseTimestamp('2026-11-16T09:42:10Z'), undefined)
  })
})
