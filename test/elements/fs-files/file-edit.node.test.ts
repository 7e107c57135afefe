import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FileAsset } from '../../../src/contract/schemas/storage.ts'
import { changeOf, editOf, splitName } from '../../../src/elements/fs-files/file-edit.ts'
import {
  dayOf,
  expiresIn,
  firstDay,
  isPast,
  lastTestDay,
  localTime,
} from '../../../src/elements/upload/days.ts'

const asset: FileAsset = {
  uuid: '0f5e0000-0000-4000-8000-000000000001',
  filename: 'trip.to.tucson.pdf',
  fileSize: 1,
  contentType: 'application/pdf',
  uploadDate: '2026-01-10T12:00:00.000000',
  expirationDate: '2026-02-09T12:00:00.000000',
  metadata: { purpose: 'travel', trip: 'Tucson' },
}
const edit = editOf(asset)
const first = '2026-01-12'

describe('changeOf()', () => {
  it('sends nothing if nothing has changed', () => {
    assert.equal(changeOf(asset, edit, first), undefined)
    const bare = { ...asset, filename: 'README', expirationDate: null, metadata: null }
    assert.equal(changeOf(bare, editOf(bare), first), undefined)
  })

  it('is empty for a file without a name, a last day and labels, and gives it a name without an extension', () => {
    const bare = { ...asset, filename: null, expirationDate: null, metadata: null }
    assert.deepEqual(editOf(bare), { stem: '', day: '', labels: [] })
    assert.deepEqual(changeOf(bare, { ...editOf(bare), stem: 'Plan' }, first), { filename: 'Plan' })
  })

  it('changes the stem and keeps the extension', () => {
    assert.deepEqual(changeOf(asset, { ...edit, stem: ' Itinerary ' }, first), { filename: 'Itinerary.pdf' })
    assert.deepEqual(splitName('.htaccess'), { stem: '.htaccess', extension: '' })
    assert.deepEqual(splitName('README'), { stem: 'README', extension: '' })
  })

  it('refuses a blank name, which the service would ignore silently', () => {
    for (const stem of ['', ' ', '\t\u00a0'])
      assert.deepEqual(changeOf(asset, { ...edit, stem }, first), { problem: 'blankName', field: 'stem' })
  })

  it('counts the last day from the upload, until an hour before midnight', () => {
    const seconds = 86_400 + 10 * 3600 + 59 * 60
    assert.deepEqual(changeOf(asset, { ...edit, day: '2026-01-12' }, first), {
      expiresIn: `${86_400 + seconds}s`,
    })
    assert.equal(expiresIn('2026-01-11', asset.uploadDate), `${seconds}s`)
  })

  it('removes the end with zero if the date is empty', () => {
    assert.deepEqual(changeOf(asset, { ...edit, day: '' }, first), { expiresIn: '0s' })
  })

  it('refuses a day after the last one, if there is one', () => {
    assert.deepEqual(changeOf(asset, { ...edit, day: '2026-03-02' }, first, '2026-03-01'), {
      problem: 'tooLate',
      field: 'day',
    })
    for (const last of ['2026-03-02', ''])
      assert.ok('expiresIn' in changeOf(asset, { ...edit, day: '2026-03-02' }, first, last)!, last)
  })

  it('refuses a day that would end the file at once, or that cannot be counted', () => {
    const problem = { problem: 'tooEarly', field: 'day' }
    for (const day of ['2026-01-11', '2025-12-31', '0001-01-01', '2026-02-30', 'soon'])
      assert.deepEqual(changeOf(asset, { ...edit, day }, first), problem, day)
    const unknown = { ...asset, uploadDate: null }
    assert.deepEqual(changeOf(unknown, { ...edit, day: '2026-03-01' }, first), problem)
  })

  it('sends changed labels only, and removes those whose value is empty', () => {
    const [purpose, trip] = edit.labels
    assert.ok(purpose && trip)
    assert.deepEqual(changeOf(asset, { ...edit, labels: [purpose, { ...trip, value: 'Yuma' }] }, first), {
      metadata: { trip: 'Yuma' },
    })
    const labels = [{ ...purpose, value: '' }, trip, { key: ' year ', value: '2026' }, { key: '', value: '' }]
    assert.deepEqual(changeOf(asset, { ...edit, labels }, first), { metadata: { purpose: '', year: '2026' } })
  })

  it('sends the key of a label that the file has as it is, and trims that of a new one', () => {
    const spaced = { ...asset, metadata: { ' trip ': 'Tucson' } }
    const labels = [
      { key: ' trip ', value: 'Yuma' },
      { key: ' year', value: '2026' },
    ]
    assert.deepEqual(changeOf(spaced, { ...editOf(spaced), labels }, first), {
      metadata: { ' trip ': 'Yuma', year: '2026' },
    })
  })

  it('names the second of two new labels that are equal apart from spaces', () => {
    const labels = [...edit.labels, { key: ' year ', value: '2026' }, { key: 'year', value: '2027' }]
    assert.deepEqual(changeOf(asset, { ...edit, labels }, first), { problem: 'repeatedLabel', field: 3 })
  })

  it('refuses a new label that is not complete or repeats another', () => {
    for (const [key, value, problem] of [
      ['', 'x', 'unnamedLabel'],
      ['year', '', 'emptyLabel'],
      ['trip', 'x', 'repeatedLabel'],
    ] as const) {
      const labels = [...edit.labels, { key, value }]
      assert.deepEqual(changeOf(asset, { ...edit, labels }, first), { problem, field: 2 })
    }
  })
})

describe('days', () => {
  const instant = Date.UTC(2026, 1, 28, 23, 30)

  it('begin tomorrow, at the institution', () => {
    assert.equal(firstDay(instant, 'America/Chicago'), '2026-03-01')
    assert.equal(firstDay(instant, 'Pacific/Kiritimati'), '2026-03-02')
  })

  it('end in the test environment after 30 days', () => {
    assert.equal(lastTestDay(asset.uploadDate), '2026-02-09')
    assert.equal(lastTestDay(null), '')
  })

  it('are past only in the zone of the institution; without it, only if they are past everywhere', () => {
    assert.equal(isPast('2026-02-28T17:29:59.000000', instant, 'America/Chicago'), true)
    assert.equal(isPast('2026-02-28T17:31:00.000000', instant, 'America/Chicago'), false)
    assert.equal(isPast('2026-02-28T17:29:59.000000', instant, undefined), false)
    assert.equal(isPast('2026-02-28T11:29:59.000000', instant, undefined), true)
    assert.equal(isPast(null, instant, 'UTC'), false)
    assert.equal(isPast('soon', instant, 'UTC'), false)
    assert.equal(isPast('2026-02-28T17:30:00', instant, 'America/Chicago'), true, 'this second')
    assert.equal(isPast('2026-02-28T11:30:00', instant, undefined), true, 'this second, everywhere')
    assert.equal(isPast('2026-02-28T11:30:01', instant, undefined), false)
  })

  it('cannot end at the moment of the upload, because no time at all means without end', () => {
    assert.equal(expiresIn('2026-01-10', '2026-01-10T22:59:00.000000'), undefined)
    assert.equal(expiresIn('2026-01-10', '2026-01-10T22:58:59.000000'), '1s')
    assert.equal(expiresIn('2026-01-10', null), undefined)
  })

  it('are those of local date-times that are valid', () => {
    assert.equal(dayOf('2026-01-10T23:59:59.000000'), '2026-01-10')
    for (const text of [null, '', 'soon', '2026-02-30T10:00:00']) assert.equal(dayOf(text), '', `${text}`)
    assert.equal(localTime(instant, 'America/Chicago'), '2026-02-28T17:30:00')
  })
})
