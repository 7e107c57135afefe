import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  formatBytes,
  formatDuration,
  formatPercent,
  formatSize,
  formatSpeed,
} from '../../../src/elements/text/quantities.ts'

/** Spaces of any width as ordinary ones. */
const plain = (text: string) => text.replace(/\s/g, ' ')

describe('formatSize() and formatSpeed()', () => {
  it('choose the unit after rounding', () => {
    for (const [bytes, text] of [
      [0, '0 bytes'],
      [1, '1 byte'],
      [1023, '1,023 bytes'],
      [1024, '1 kB'],
      [1536, '2 kB'],
      [1_048_063, '1,023 kB'],
      [1_048_575, '1 MB'],
      [1_600_000, '1.5 MB'],
      [52_428_800, '50 MB'],
      [1_073_741_824, '1 GB'],
      [2_700_000_000, '2.5 GB'],
      [5_000_000_000_000, '4,656.6 GB'],
    ] as const)
      assert.equal(plain(formatSize(bytes, 'en')), text)
    assert.equal(plain(formatSize(1_600_000, 'de')), '1,5 MB')
  })

  it('name the time in a speed', () => {
    assert.equal(plain(formatSpeed(500, 'en')), '500 byte/s')
    assert.equal(plain(formatSpeed(1536, 'en')), '2 kB/s')
    assert.equal(plain(formatSpeed(1_600_000, 'en')), '1.5 MB/s')
  })

  it('do not round if every byte counts', () => {
    assert.equal(plain(formatBytes(1, 'en')), '1 byte')
    assert.equal(plain(formatBytes(1_600_001, 'en')), '1,600,001 bytes')
    assert.equal(plain(formatBytes(1_600_001, 'de')), '1.600.001 Byte')
  })
})

describe('formatDuration()', () => {
  it('rounds up in one unit, and shows at least 1', () => {
    for (const [seconds, text] of [
      [0, '1 second'],
      [0.2, '1 second'],
      [1.1, '2 seconds'],
      [90, '90 seconds'],
      [91, '2 minutes'],
      [120, '2 minutes'],
      [5400, '90 minutes'],
      [5401, '2 hours'],
      [7200, '2 hours'],
      [7201, '3 hours'],
    ] as const)
      assert.equal(formatDuration(seconds, 'en'), text)
  })
})

describe('formatPercent()', () => {
  it('rounds down, so that 100 % means complete', () => {
    assert.equal(formatPercent(0, 'en'), '0%')
    assert.equal(formatPercent(0.999, 'en'), '99%')
    assert.equal(formatPercent(1, 'en'), '100%')
    assert.equal(plain(formatPercent(0.5, 'de')), '50 %')
  })
})
