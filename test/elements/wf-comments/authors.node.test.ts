import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Comment } from '../../../src/contract/schemas/comments.ts'
import { pageReaders } from '../../../src/contract/readers/page-readers.ts'
import { groupByPerson, initialsOf, roleOf } from '../../../src/elements/wf-comments/authors.ts'
import { comments } from '../../../src/locales/en-comments.ts'
import { textsOf } from '../texts.ts'

describe('roleOf()', () => {
  const history = pageReaders.getHistory([
    event('initiation', '1', '2026-11-16T09:00:00', 0),
    event('signature', '1', '2026-11-16T09:30:00', 1),
    event('signature', '0002', '2026-11-16T10:00:00', 1),
    event('signature', '2', '2026-11-18T10:00:00', 3),
    event('signature', '4', '2026-11-18T10:00:00', null),
    event('void', '5', '2026-11-18T10:00:00', 2),
    { ...event('signature', '6', '2026-11-18T10:00:00', 2), person: null },
    'unreadable',
  ])
  const role = (univid: string | null, createdAt: string | null) =>
    roleOf(comment(univid, createdAt), groupByPerson(history ?? []), textsOf(comments))

  it('names the initiator, who may also be an approver', () => {
    assert.equal(role('1', '2026-11-17T10:00:00'), 'Initiator')
    assert.equal(role('001', null), 'Initiator')
  })

  it('names the latest stop that an approver had reached when they wrote', () => {
    assert.equal(role('2', '2026-11-16T09:59:59'), 'Approver, stop 1')
    assert.equal(role('2', '2026-11-17T10:00:00'), 'Approver, stop 1')
    assert.equal(role('2', '2026-11-18T10:00:00'), 'Approver, stop 3')
    assert.equal(role('2', null), 'Approver, stop 1')
  })

  it('is empty if the history does not contain it', () => {
    assert.equal(role('3', '2026-11-19T10:00:00'), '', 'another person')
    assert.equal(role(null, '2026-11-19T10:00:00'), '', 'no university id')
    assert.equal(role('4', '2026-11-19T10:00:00'), '', 'no number of the stop')
    assert.equal(role('5', '2026-11-19T10:00:00'), '', 'the administrator who voided it')
    assert.equal(roleOf(comment('1', null), groupByPerson([]), textsOf(comments)), '')
  })
})

describe('initialsOf()', () => {
  it('returns the first letters of the first and the last word of a name', () => {
    for (const [name, initials] of [
      ['Daniel Reyes', 'DR'],
      ['Mei-Ling Zhou', 'MZ'],
      ['Ana María de la Cruz', 'AC'],
      ['Prince', 'P'],
      ['  Amara   (Mara) Okafor ', 'AO'],
      ['Е\u0301ва Орлова', 'Е\u0301О'],
      ['王小明', '王'],
      ['कि शर्मा', 'किश'],
      ['', '?'],
      ['12345', '?'],
    ] as const) {
      assert.equal(initialsOf(name), initials, name)
    }
  })
})

function event(type: string, univid: string, actionDate: string, stopNumber: number | null): object {
  return { '@class': type, person: { univid }, actionDate, stop: { name: 'Stop', stopNumber } }
}

function comment(univid: string | null, createdAt: string | null): Comment {
  const [row] = pageReaders.getComments([{ id: 1, comment: 'Text', createdAt, person: { univid } }]) ?? []
  assert.ok(row)
  return row
}
