import { expect } from '@open-wc/testing'
import { describeTime, formatAge, formatElapsed, formatTimestamp } from '../../../src/elements/text/format.ts'

const chicago = { language: 'en', timeZone: 'America/Chicago' }

describe('formatAge()', () => {
  it('counts from the wall-clock time in the time zone, in winter and in summer @engines', () => {
    // Chicago is six hours behind UTC in winter, five in summer.
    expect(formatAge('2026-01-15T10:00:00', chicago, Date.UTC(2026, 0, 15, 18))).to.equal('2 hours ago')
    expect(formatAge('2026-07-15T10:00:00', chicago, Date.UTC(2026, 6, 15, 18))).to.equal('3 hours ago')
    const kolkata = { language: 'en', timeZone: 'Asia/Kolkata' }
    expect(formatAge('2026-07-15T10:00:00', kolkata, Date.UTC(2026, 6, 15, 6))).to.equal('1 hour ago')
  })

  it('counts correctly within hours of a change to and from daylight saving time @engines', () => {
    // On 8 March 2026 the clock goes from 01:59:59 (UTC-6) to 03:00 (UTC-5).
    expect(formatAge('2026-03-08T01:30:00', chicago, Date.UTC(2026, 2, 8, 8, 30))).to.equal('1 hour ago')
    expect(formatAge('2026-03-08T03:30:00', chicago, Date.UTC(2026, 2, 8, 9, 30))).to.equal('1 hour ago')
    expect(formatAge('2026-03-08T07:00:00', chicago, Date.UTC(2026, 2, 8, 14, 0))).to.equal('2 hours ago')
    // On 1 November 2026 it goes from 01:59:59 (UTC-5) back to 01:00 (UTC-6).
    expect(formatAge('2026-11-01T00:30:00', chicago, Date.UTC(2026, 10, 1, 8, 30))).to.equal('3 hours ago')
    expect(formatAge('2026-11-01T02:30:00', chicago, Date.UTC(2026, 10, 1, 9, 30))).to.equal('1 hour ago')
    expect(formatAge('2026-11-01T06:00:00', chicago, Date.UTC(2026, 10, 1, 14, 0))).to.equal('2 hours ago')
  })

  it('rounds down, so that 1 hour 50 minutes are 1 hour', () => {
    const at = (minutes: number) => Date.UTC(2026, 0, 15, 16, minutes)
    expect(formatAge('2026-01-15T10:00:00', chicago, at(110))).to.equal('1 hour ago')
    expect(formatAge('2026-01-15T10:00:00', chicago, at(120))).to.equal('2 hours ago')
    expect(formatAge('2026-01-15T10:00:00', chicago, at(59))).to.equal('59 minutes ago')
    expect(formatAge('2026-01-15T10:00:00', chicago, at(60))).to.equal('1 hour ago')
    expect(formatAge('2026-01-15T10:00:00', chicago, at(0))).to.equal('now')
    expect(formatAge('2026-01-15T10:00:00', chicago, at(60 * 24 - 1))).to.equal('23 hours ago')
    expect(formatAge('2026-01-15T10:00:00', chicago, at(60 * 24))).to.equal('yesterday')
    expect(formatAge('2026-01-15T10:00:00', chicago, at(60 * 47))).to.equal('yesterday')
  })

  it('is empty in the future, because then the clock of the device is wrong', () => {
    expect(formatAge('2026-01-15T10:00:00', chicago, Date.UTC(2026, 0, 15, 15, 59, 59))).to.equal('')
    expect(formatAge('2026-01-15T10:00:00', chicago, Date.UTC(2026, 0, 15, 16))).not.to.equal('')
    expect(formatAge('2026-01-15T10:00:00', chicago, Date.UTC(2025, 0, 15))).to.equal('')
  })

  it('is empty without a time zone, in an unknown one, and for text that is not a timestamp', () => {
    const now = Date.UTC(2026, 0, 15, 18)
    expect(formatAge('2026-01-15T10:00:00', { language: 'en' }, now)).to.equal('')
    expect(formatAge('2026-01-15T10:00:00', { language: 'en', timeZone: 'Mars/Olympus' }, now)).to.equal('')
    expect(formatAge('soon', chicago, now)).to.equal('')
  })
})

describe('formatElapsed() @engines', () => {
  it('counts in the largest unit, rounded down, in each language', () => {
    const at = (day: number, minutes = 0) => Date.UTC(2026, 0, day, 16, minutes)
    expect(formatElapsed('2026-01-15T10:00:00', chicago, at(15, 59))).to.equal('59 minutes')
    expect(formatElapsed('2026-01-15T10:00:00', chicago, at(15, 1))).to.equal('1 minute')
    expect(formatElapsed('2026-01-15T10:00:00', chicago, at(15)), 'not 0 minutes').to.equal('')
    expect(formatElapsed('2026-01-15T10:00:00', chicago, at(16))).to.equal('1 day')
    expect(formatElapsed('2026-01-15T10:00:00', { ...chicago, language: 'es' }, at(21))).to.equal('6 días')
  })

  it('is empty without a time zone, and in the future', () => {
    expect(formatElapsed('2026-01-15T10:00:00', { language: 'en' }, Date.UTC(2026, 0, 16))).to.equal('')
    expect(formatElapsed('2026-01-15T10:00:00', chicago, Date.UTC(2026, 0, 15, 15))).to.equal('')
  })
})

describe('formatTimestamp() @engines', () => {
  it('shows the wall-clock time that the service states, in each language', () => {
    expect(formatTimestamp('2026-03-08T02:30:00', 'en')).to.match(/^Mar 8, 2026, 2:30\sAM$/)
    expect(formatTimestamp('2026-03-08T02:30:00', 'de')).to.equal('08.03.2026, 02:30')
    expect(formatTimestamp('2026-03-08T02:30:00', 'en'), 'the first language again').to.match(/^Mar 8/)
    expect(formatTimestamp('soon', 'en')).to.equal('soon')
  })
})

describe('describeTime() @engines', () => {
  it('adds the age, without line breaks in it, only with a time zone', () => {
    expect(describeTime('2001-03-08T02:30:00', chicago)).to.match(
      /^Mar 8, 2001, 2:30\sAM \(\d+\u00a0years\u00a0ago\)$/,
    )
    expect(describeTime('2001-03-08T02:30:00', { language: 'en' })).to.match(/^Mar 8, 2001, 2:30\sAM$/)
  })
})
