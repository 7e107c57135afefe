import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseDuration } from '../../src/contract/values/duration.ts'
import { parseTimestamp } from '../../src/contract/values/timestamp.ts'

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
    ['1.25h', 4_500_000],
    ['-5m', -300_000],
    ['PT10M', 600_000],
    ['P1DT2H3M4.5S', 93_784_500],
    ['P2D', 172_800_000],
    ['-PT1S', -1000],
    ['PT-1S', -1000],
    ['pt1h', 3_600_000],
    ['+5m', 300_000],
    ['PT1,5S', 1500],
    ['PT1.5S', 1500],
    ['-PT1,25S', -1250],
    ['pt0,5s', 500],
    ['PT1.S', 1000],
    ['PT1.000000000S', 1000],
    ['+PT1S', 1000],
    ['-PT-1S', 1000],
    ['P-1DT1H', -82_800_000],
    ['-P1DT1H', -90_000_000],
    ['PT-10M', -600_000],
    ['PT-10H', -36_000_000],
    ['PT12H', 43_200_000],
    ['P1W', 604_800_000],
    ['-P2W', -1_209_600_000],
    ['P1W1DT1H', 694_800_000],
    ['PT1.5H', 5_400_000],
    ['PT1,5H', 5_400_000],
    ['PT1.5M', 90_000],
    ['PT1H0.5M', 3_630_000],
    ['P1.5D', 129_600_000],
    ['P0.5W', 302_400_000],
    ['1.5h', 5_400_000],
    ['-0.5d', -43_200_000],
    ['2.5s', 2500],
    ['1.5', 1500],
    ['P14D', 1_209_600_000],
    ['PT12S', 12_000],
  ] as const) {
    it(`reads ${text}`, () => assert.equal(parseDuration(text), milliseconds))
  }

  for (const text of [
    '',
    ' 60',
    '60 s',
    '1w',
    'P',
    'PT',
    'P1Y',
    'P1M',
    '1d2h',
    'ten',
    '1e3',
    '0x10',
    ...['5M', '5 m', '+', '-', 's', '1,5', '1.', '.5', '1.5.0', '1.5x', '60\n', 'PT1S\n', ' PT1S'],
    ...['P1DT', 'PT1', 'PT,5S', 'PT.5S', 'PT1;5S', 'PT1.0000000001S', 'PT1S1M', 'P1D1W', 'PW', 'PT1W'],
    // Only the last number can have a fraction.
    ...['PT1.5H30M', 'PT1,5M1S', 'P1.5DT1H', 'P0.5W1D', 'PT1.0H1S', 'PT1.25H30M'],
    ...['P1D2H', 'PT1D', '--PT1S', 'PT--1S', 'P1Y2M', 'PT1S2S', '1ss'],
  ]) {
    it(`rejects ${JSON.stringify(text)}`, () => assert.equal(parseDuration(text), undefined))
  }
})

describe('parseTimestamp()', () => {
  it('reads the wall clock, in whichever time zone this machine is', () => {
    const expected = { year: 2026, month: 11, day: 16, hour: 9, minute: 42, second: 10 }
    assert.deepEqual(parseTimestamp('2026-11-16T09:42:10'), expected)
    assert.deepEqual(parseTimestamp('2026-11-16T09:42:10.123456'), expected)
  })

  it('reads an hour that a change to summer time skips', () => {
    assert.equal(parseTimestamp('2027-03-14T02:30:00')?.hour, 2)
  })

  for (const text of [
    ...['2026-01-01T00:00:00', '2026-12-31T23:59:59', '2026-04-30T00:00:00', '0100-01-01T00:00:00'],
    ...['2024-02-29T00:00:00', '2000-02-29T00:00:00', '9999-12-31T23:59:59'],
    ...['2026-11-16T09:42:10.1', '2026-11-16T09:42:10.123456789'],
  ]) {
    it(`reads ${text}, as it is written`, () => {
      const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parseTimestamp(text) ?? {}
      const two = (value: number) => `${value}`.padStart(2, '0')
      const date = `${`${year}`.padStart(4, '0')}-${two(month)}-${two(day)}`
      assert.equal(`${date}T${two(hour)}:${two(minute)}:${two(second)}`, text.slice(0, 19))
    })
  }

  for (const text of [
    ...['2026-02-30T00:00:00', '2026-02-29T00:00:00', '1900-02-29T00:00:00', '2026-04-31T00:00:00'],
    ...['2026-01-32T00:00:00', '2026-01-00T00:00:00', '2026-00-10T00:00:00', '2026-13-01T00:00:00'],
    ...['2026-12-99T00:00:00', '2026-99-01T00:00:00', '0099-01-01T00:00:00'],
    ...['2026-11-16T24:00:00', '2026-11-16T23:60:00', '2026-11-16T23:59:60', '2026-11-16T99:00:00'],
    ...['2026-11-16T09:42:10.', '2026-11-16T09:42:10.1234567890', '2026-11-16T09:42:10,5'],
    ...[
      '2026-11-16',
      '2026-11-16T09:42',
      '2026-11-16 09:42:10',
      '26-11-16T09:42:10',
      '2026-1-1T00:00:00',
      '',
    ],
    ...[' 2026-11-16T09:42:10', '2026-11-16T09:42:10\n', '+2026-11-16T09:42:10', '２０２６-11-16T09:42:10'],
  ]) {
    it(`rejects ${JSON.stringify(text)}`, () => assert.equal(parseTimestamp(text), undefined))
  }

  it('rejects an instant with a time zone', () => {
    for (const zone of ['Z', '+00:00', '-06:00', '[UTC]']) {
      assert.equal(parseTimestamp(`2026-11-16T09:42:10${zone}`), undefined, zone)
    }
  })
})
