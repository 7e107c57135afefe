import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { HistoryEvent } from '../../../src/contract/schemas/history.ts'
import {
  type EventList,
  isLong,
  latestOf,
  newsOf,
  pageSize,
  showEarlier,
  shownChunks,
  showStep,
  startShowingAll,
  updateList,
} from '../../../src/elements/wf-history/event-list.ts'

describe('updateList()', () => {
  it('leaves out the earlier events of a long history, in chunks of 50', () => {
    for (const [count, earlier] of [
      [0, 0],
      [1, 0],
      [100, 0],
      [149, 0],
      [150, 50],
      [199, 50],
      [200, 100],
      [10_000, 9900],
    ] as const)
      assert.equal(updateList(undefined, past(count)).earlier, earlier, `${count}`)
    const waiting = Array.from({ length: 200 }, () => event({ isInInbox: true }))
    assert.equal(updateList(undefined, [...waiting, ...past(149)]).earlier, 0, 'those that wait do not count')
  })

  it('never leaves out more than before, and no more than there are', () => {
    let list: EventList | undefined
    const seen = [250, 400, 160, 400, 30, 400].map((count) => (list = updateList(list, past(count))).earlier)
    assert.deepEqual(seen, [150, 150, 50, 50, 0, 0])
  })

  it('puts the events that wait after the others, and keeps the order of both', () => {
    const [a, b, c, d] = [
      event({ isInInbox: true, state: 'A' }),
      event({ state: 'B' }),
      event({ isInInbox: true, state: 'C' }),
      event({ isInInbox: null, state: 'D' }),
    ]
    const { chunks, waiting } = updateList(undefined, [a, b, null, c, d])
    assert.deepEqual(chunks, [[b, null, d]])
    assert.deepEqual(waiting, [a, c])
  })

  it('keeps the chunks that have not changed', () => {
    const list = updateList(undefined, past(120))
    assert.deepEqual(
      list.chunks.map(({ length }) => length),
      [50, 50, 20],
    )
    const next = updateList(list, [...past(120), event({ state: 'NEW' })])
    assert.deepEqual(
      next.chunks.map((chunk, index) => chunk === list.chunks[index]),
      [true, true, false],
    )
    assert.equal(next.chunks[2]?.length, 21)
    const changed = past(120)
    changed[60] = event({ state: 'CHANGED' })
    assert.deepEqual(
      updateList(next, changed).chunks.map((chunk, index) => chunk === list.chunks[index]),
      [true, false, false],
    )
  })
})

describe('newsOf()', () => {
  const news = (before: readonly HistoryEvent[], after: readonly (HistoryEvent | null)[]) => {
    const list = updateList(undefined, before)
    return newsOf(list, updateList(list, after))
  }

  it('contains an action if no event with the same facts was in the list before', () => {
    const same = { '@class': 'remove', person: { univid: 'a', displayName: 'Ann' } }
    for (const [fields, isNews] of [
      [same, false],
      [{ ...same, person: { univid: 'a', displayName: 'Anna' } }, false],
      [{ ...same, person: { univid: 'b', displayName: 'Ann' } }, true],
      [{ ...same, '@class': 'void' }, true],
      [{ ...same, state: 'OTHER' }, true],
      [{ ...same, actionDate: '2026-01-02T00:00:00' }, true],
      [{ ...same, stop: { name: 'College', stopNumber: 2 } }, true],
      [{ ...same, person: null }, true],
    ] as const) {
      const added = event(fields)
      const expected = isNews ? [added] : []
      assert.deepEqual(news([event(same)], [event(same), added]), expected, JSON.stringify(fields))
      assert.deepEqual(news([event(same)], [event(same), added, added]), expected, 'once')
    }
    const [bo, cy] = ['Bo', 'Cy'].map((displayName) => event({ person: { displayName } }))
    assert.deepEqual(news([bo!], [bo!, cy!]), [cy], 'people without an id')
  })

  it('contains nothing that is not an action, waits, or could not be read', () => {
    assert.deepEqual(
      news(
        [],
        [
          event({ state: 'RECEIVED' }),
          event({ state: 'VOIDED' }),
          event({ state: 'BYPASSED_REMOVE' }),
          event({ isInInbox: true }),
          null,
        ],
      ),
      [],
    )
    const signed = event({})
    assert.deepEqual(news([event({ isInInbox: true })], [signed]), [signed], 'it no longer waits')
  })

  it('contains earlier events only if they are new too', () => {
    const list = updateList(undefined, past(300))
    assert.deepEqual(newsOf(list, showEarlier(list)), [])
    const added = event({ state: 'ADDED' })
    assert.deepEqual(newsOf(list, updateList(list, [added, ...past(300)])), [added])
  })

  it('does not repeat an event that was missing for a while', () => {
    const first = updateList(undefined, past(3))
    const second = updateList(first, past(2))
    assert.deepEqual(newsOf(second, updateList(second, past(3))), [])
  })
})

describe('showEarlier()', () => {
  it('shows 100 more, and no more than there are', () => {
    let list = updateList(undefined, past(350))
    const seen = [list.earlier]
    while (list.earlier > 0) seen.push((list = showEarlier(list)).earlier)
    assert.deepEqual(seen, [250, 150, 50, 0])
    assert.equal(pageSize, 100)
  })
})

describe('startShowingAll() and showStep()', () => {
  it('show a part of the events in each frame, and those of the last button at once', () => {
    let list = startShowingAll(updateList(undefined, past(2000)))
    assert.deepEqual([list.earlier, list.isShowingAll], [1900, true], 'nothing is rendered by the click')
    const seen = []
    while (list.isShowingAll) seen.push((list = showStep(list)).earlier)
    assert.deepEqual(seen, [1500, 1100, 700, 300, 0])
    assert.equal(startShowingAll(list).isShowingAll, false, 'all are shown')
  })

  it('go on if events are added, and end if all are shown by then', () => {
    const list = startShowingAll(updateList(undefined, past(1000)))
    const added = updateList(showStep(list), past(1001))
    assert.deepEqual([added.earlier, added.isShowingAll], [500, true])
    assert.equal(updateList(list, past(20)).isShowingAll, false)
    assert.equal(showEarlier(added).isShowingAll, true)
    assert.equal(showEarlier(added, 500).isShowingAll, false)
    assert.equal(updateList(undefined, past(1000)).isShowingAll, false)
  })
})

describe('shownChunks()', () => {
  it('are those after the left-out events, or all, each in its place and with the shown event before it', () => {
    const source = past(230)
    const list = updateList(undefined, source)
    const of = (showsAll: boolean) =>
      shownChunks(list, showsAll).map(
        (chunk, index) =>
          chunk && [
            chunk.events[0] === source[index * 50],
            chunk.before && chunk.before === source[index * 50 - 1],
            chunk.isFull,
          ],
      )
    const [first, next, last] = [
      [true, undefined, true],
      [true, true, true],
      [true, true, false],
    ]
    assert.deepEqual(of(false), [undefined, undefined, first, next, last])
    assert.deepEqual(of(true), [first, next, next, next, last])
    assert.deepEqual(shownChunks(updateList(undefined, []), false), [])
  })
})

describe('latestOf() and isLong()', () => {
  it('look at the events that do not wait', () => {
    const waiting = event({ isInInbox: true })
    const facts = (events: readonly (HistoryEvent | null)[]) => {
      const list = updateList(undefined, events)
      return [latestOf(list), isLong(list)]
    }
    const events = past(11)
    assert.deepEqual(facts([]), [undefined, false])
    assert.deepEqual(facts([waiting]), [undefined, false])
    assert.deepEqual(facts([...events.slice(0, 10), waiting]), [events[9], false])
    assert.deepEqual(facts([...events, waiting]), [events[10], true])
    assert.deepEqual(facts([events[0]!, null]), [null, false])
  })
})

function event(fields: object): HistoryEvent {
  return {
    ...{ '@class': 'signature', actionDate: '2026-01-01T00:00:00', person: { displayName: 'Ann' } },
    ...{ stop: { name: 'Department', stopNumber: 1 }, permission: 'SIGNATURE_REQUIRED', state: 'APPROVED' },
    ...{ isInInbox: false, ...fields },
  } as HistoryEvent
}

/** Creates signatures, a minute apart. */
function past(count: number): HistoryEvent[] {
  return Array.from({ length: count }, (_, minute) =>
    event({ actionDate: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString().slice(0, 19) }),
  )
}
