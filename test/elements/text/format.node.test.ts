import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { noteServerTime } from '../../../src/client/transport/server-clock.ts'
import {
  describeTime,
  formatAge,
  formatBetween,
  formatDay,
  formatElapsed,
  formatExpiry,
  formatTimeOfDay,
} from '../../../src/elements/text/format.ts'
import { formatInstantAge } from '../../../src/elements/text/instant.ts'
import { formatSize } from '../../../src/elements/text/quantities.ts'

afterEach(() => noteServerTime(new Date().toUTCString()))

/** Spaces of any width as ordinary ones. */
const plain = (text: string) => text.replace(/\s/g, ' ')
const utc = { language: 'en', timeZone: 'UTC' }

describe('formatBetween()', () => {
  it('counts in the largest unit, rounded down, from one minute', () => {
    for (const [end, text] of [
      ['2026-01-01T00:00:59', ''],
      ['2026-01-01T00:01:00', '1 minute'],
      ['2026-01-01T00:59:59', '59 minutes'],
      ['2026-01-01T01:00:00', '1 hour'],
      ['2026-01-01T23:59:59', '23 hours'],
      ['2026-01-02T00:00:00', '1 day'],
      ['2026-01-31T10:29:59', '30 days'],
      ['2026-01-31T10:30:00', '1 month'],
      ['2026-12-31T23:00:00', '11 months'],
      ['2027-01-01T06:00:00', '1 year'],
      ['2029-01-01T06:00:00', '3 years'],
      ['2025-12-31T00:00:00', ''],
      ['soon', ''],
    ] as const)
      assert.equal(formatBetween('2026-01-01T00:00:00', end, { language: 'en' }), text, end)
    assert.equal(formatBetween('soon', '2026-01-01T00:00:00', { language: 'en' }), '')
    assert.equal(formatBetween('2026-01-01T00:00:00', '2026-01-03T00:00:00', { language: 'de' }), '2 Tage')
  })

  it('counts across a change of daylight saving time if the zone is known', () => {
    const chicago = { language: 'en', timeZone: 'America/Chicago' }
    const spring = ['2026-03-08T01:30:00', '2026-03-08T03:30:00'] as const
    assert.equal(formatBetween(...spring, chicago), '1 hour')
    assert.equal(formatBetween(...spring, { language: 'en' }), '2 hours')
    assert.equal(formatBetween('2026-10-31T23:30:00', '2026-11-01T02:30:00', chicago), '4 hours')
    assert.equal(formatBetween(...spring, { language: 'en', timeZone: 'Mars/Olympus' }), '2 hours')
  })
})

describe('formatInstantAge()', () => {
  it('counts in the largest unit, and takes an instant in the future for now', () => {
    const now = Date.UTC(2026, 10, 20)
    const age = (seconds: number) => formatInstantAge(now - seconds * 1000, 'en', now)
    assert.equal(age(2 * 86_400 + 1), '2 days ago')
    assert.equal(age(23 * 3600), '23 hours ago', 'this may have been yesterday, so it is not "today"')
    assert.equal(age(59), 'now')
    assert.equal(age(-90), 'now')
  })
})

describe('formatAge() and formatElapsed()', () => {
  it('count months and years', () => {
    const at = (year: number, month: number) => Date.UTC(year, month, 1)
    assert.equal(formatAge('2026-01-01T00:00:00', utc, at(2026, 1)), 'last month')
    assert.equal(formatAge('2026-01-01T00:00:00', utc, at(2026, 5)), '4 months ago')
    assert.equal(formatAge('2026-01-01T00:00:00', utc, at(2030, 0)), '4 years ago')
    assert.equal(formatElapsed('2026-01-01T00:00:00', utc, at(2031, 0)), '4 years')
  })

  it('take the earlier of the two times when an hour repeats, so that none is in the future', () => {
    const berlin = { language: 'en', timeZone: 'Europe/Berlin' }
    assert.equal(formatAge('2026-10-25T02:30:00', berlin, Date.UTC(2026, 9, 25, 0, 45)), '15 minutes ago')
    const chicago = { language: 'en', timeZone: 'America/Chicago' }
    assert.equal(formatAge('2026-11-01T01:30:00', chicago, Date.UTC(2026, 10, 1, 6, 45)), '15 minutes ago')
  })

  it('count from the time of the proxy if the clock of the browser is wrong', () => {
    const past = new Date(Date.now() - 5 * 3_600_000).toISOString().slice(0, 19)
    noteServerTime(new Date(Date.now() - 3 * 3_600_000).toUTCString())
    assert.equal(formatAge(past, utc), '2 hours ago')
    noteServerTime(null)
    assert.equal(formatAge(past, utc), '2 hours ago', 'a response of another origin hides the header')
    noteServerTime(new Date(Date.now() - 20_000).toUTCString())
    assert.equal(formatAge(past, utc), '5 hours ago', 'a slow response')
  })

  it('count from now by default', () => {
    const now = new Date(Date.now() - 5 * 86_400_000 - 3_600_000).toISOString().slice(0, 19)
    assert.equal(formatAge(now, utc), '5 days ago')
    assert.equal(formatElapsed(now, utc), '5 days')
  })
})

describe('formatDay() and formatTimeOfDay()', () => {
  it('show the wall-clock time that the service states, in each language', () => {
    assert.equal(formatDay('2026-03-08T23:30:00', 'en'), 'Mar 8, 2026')
    assert.equal(formatDay('2026-03-08T00:00:00', 'de'), '08.03.2026')
    assert.equal(plain(formatTimeOfDay('2026-03-08T23:30:00', 'en')), '11:30 PM')
    assert.equal(formatTimeOfDay('2026-03-08T00:05:00', 'de'), '00:05')
    for (const format of [formatDay, formatTimeOfDay]) assert.equal(format('soon', 'en'), 'soon')
  })
})

describe('formatExpiry()', () => {
  it('adds the time if the period is shorter than two days, or if its start is not known', () => {
    const end = '2026-03-08T14:30:00'
    const long = 'Mar 8, 2026, 2:30 PM'
    assert.equal(formatExpiry(end, '2026-03-06T14:30:00', 'en'), 'Mar 8, 2026')
    assert.equal(plain(formatExpiry(end, '2026-03-06T14:30:01', 'en')), long)
    assert.equal(plain(formatExpiry(end, null, 'en')), long)
    assert.equal(plain(formatExpiry(end, 'soon', 'en')), long)
    assert.equal(formatExpiry('soon', '2026-03-06T14:30:00', 'en'), 'soon')
  })
})

describe('the formats', () => {
  it('are created once: a history of 300 events would create thousands', (t) => {
    const created: string[] = []
    const originals = { ...Object.getOwnPropertyDescriptors(Intl) }
    t.after(() => Object.defineProperties(Intl, originals))
    for (const name of ['DateTimeFormat', 'RelativeTimeFormat', 'NumberFormat'] as const) {
      const construct: ProxyHandler<object>['construct'] = (target, args) => {
        created.push(name)
        return Reflect.construct(target as typeof Intl.NumberFormat, args) as object
      }
      Object.defineProperty(Intl, name, { configurable: true, value: new Proxy(Intl[name], { construct }) })
    }
    const style = { language: 'sw', timeZone: 'Asia/Tokyo' }
    for (let day = 10; day < 30; day++) {
      describeTime(`2024-01-${day}T10:00:00`, style)
      formatDay(`2024-01-${day}T10:00:00`, 'sw')
      formatSize(day, 'sw')
    }
    assert.deepEqual(created.sort(), [
      'DateTimeFormat',
      'DateTimeFormat',
      'DateTimeFormat',
      'NumberFormat',
      'RelativeTimeFormat',
    ])
  })
})
