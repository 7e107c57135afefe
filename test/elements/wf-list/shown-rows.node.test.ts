import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ListRow } from '../../../src/contract/schemas/lists.ts'
import type { ListContent, ListView } from '../../../src/elements/wf-list/list-content.ts'
import { groupRows, type ShownRow, updateRows } from '../../../src/elements/wf-list/shown-rows.ts'

/** A row: `s` can be signed, `r` can be read, `d` is a draft, `p` was saved or removed. */
function rowOf(text: string): ListRow {
  const state = ({ d: 'DRAFT', p: 'PRE_ROUTING' } as Record<string, string>)[text[0] ?? ''] ?? 'ROUTING'
  return {
    ...{ formId: 6025, packageId: Number(text.slice(1)), state },
    actions: { canSign: text.startsWith('s') },
  } as unknown as ListRow
}

const contentOf = (texts: string, view: ListView = 'waiting'): ListContent => ({
  ...{ view, leftOut: 0, hasMore: false, isPartial: false },
  rows: texts.split(' ').filter(Boolean).map(rowOf),
  known: { since: '', checkedAt: null, gaps: [], isLimited: false },
})

/** The rows on the screen after these lists have loaded, and the number of those that wait. A row that has left is in brackets. */
function shownAfter(...lists: readonly string[]): string {
  return inView('waiting', ...lists)
}

function inView(view: ListView, ...lists: readonly string[]): string {
  let shown: { readonly rows: readonly ShownRow[]; readonly waiting: number } = { rows: [], waiting: 0 }
  for (const list of lists) shown = updateRows(shown.rows, contentOf(list, view))
  const groups = groupRows(shown.rows).map(([group, rows]) => {
    const ids = rows.map(({ row, hasLeft }) => (hasLeft ? `(${row.packageId})` : row.packageId))
    return `${group} ${ids.join(' ')}`
  })
  return [...groups, ...(shown.waiting > 0 ? [`${shown.waiting} new`] : [])].join(', ')
}

describe('the rows of a list', () => {
  it('are in groups at first, what the person has to do first', () => {
    assert.equal(shownAfter('s3 r2 s1'), 'toSign 3 1, toRead 2')
    assert.equal(inView('mine', 'r4 d3 r2 p1'), 'drafts 3 1, submitted 4 2')
    assert.equal(shownAfter(''), '')
  })

  it('stay in their places when the order changes', () => {
    assert.equal(shownAfter('s3 s2 s1', 's1 s3 s2'), 'toSign 3 2 1')
  })

  it('stay when they leave the list, and are as before if they come back', () => {
    assert.equal(shownAfter('s3 s2 s1', 's3 s1'), 'toSign 3 (2) 1')
    assert.equal(shownAfter('s1', ''), 'toSign (1)')
    assert.equal(shownAfter('s3 s2 s1', 's3 s1', 's2 s3 s1'), 'toSign 3 2 1')
  })

  it('stay where they were when they have been signed or submitted, but can still be read', () => {
    assert.equal(shownAfter('s2 s1', 'r2 s1'), 'toSign (2) 1')
    assert.equal(inView('mine', 'd2 r1', 'r2 r1'), 'drafts (2), submitted 1')
    assert.equal(inView('mine', 'p2 r1', 'r2 r1'), 'drafts (2), submitted 1')
    assert.equal(inView('mine', 'p2 r1', 'd2 r1'), 'drafts 2, submitted 1')
  })

  it('do not leave when there is more to do', () => {
    assert.equal(shownAfter('r2 r1', 's2 r1'), 'toRead 2 1')
    assert.equal(inView('mine', 'r2 r1', 'd2 r1'), 'submitted 2 1')
  })

  it('wait if they would move others, and follow if they come after all others', () => {
    assert.equal(shownAfter('s2 s1', 's4 s3 s2 s1'), 'toSign 2 1, 2 new')
    assert.equal(shownAfter('s4 s3', 's5 s4 s3 s2 s1'), 'toSign 4 3 2 1, 1 new')
    assert.equal(shownAfter('s2', 's3 s2', 's4 s3'), 'toSign (2), 2 new', 'all that is known has left')
    assert.equal(shownAfter('s2 s1', 's3 s2 s1', 's2 s1'), 'toSign 2 1', 'what was new has gone')
  })

  it('are shown at once if there was none', () => {
    assert.equal(shownAfter('', 's2 r1'), 'toSign 2, toRead 1')
  })
})
