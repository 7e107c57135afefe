import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { createEventBuffer, createLocalBus, type LiveEvent } from '../../../src/proxy/changes/bus.ts'
import { groupByForm } from '../../../src/proxy/changes/group-by-form.ts'

const hint = { formId: 6025, packageId: 42 }

describe('createLocalBus()', () => {
  it('delivers each event to all listeners, in order and with increasing ids', async () => {
    let time = 1000
    const bus = createLocalBus({ now: () => time })
    const [first, second]: [LiveEvent[], LiveEvent[]] = [[], []]
    bus.subscribe((event) => first.push(event))
    const stop = bus.subscribe((event) => second.push(event))
    // The clock does not move, then advances, then goes back.
    for (const step of [0, 0, 5, -3, 10]) {
      time += step
      await bus.publish({ formId: 6025, packageId: time })
    }
    assert.deepEqual(first, second)
    assert.deepEqual(
      first.map(({ packageId }) => packageId),
      [1000, 1000, 1005, 1002, 1012],
    )
    const parts = first.map(({ id }) => /^(\d+)-(\d+)$/.exec(id)?.slice(1).map(Number) ?? [])
    assert.deepEqual(
      parts.map(([milliseconds]) => milliseconds),
      [1000, 1000, 1005, 1005, 1012],
    )
    for (const [index, [, counter = NaN]] of parts.entries()) {
      if (index > 0) assert.ok(counter > (parts[index - 1]?.[1] ?? NaN))
    }

    stop()
    await bus.publish(hint)
    assert.equal(first.length, 6)
    assert.equal(second.length, 5)
  })

  it('carries the two ids and no other property', async () => {
    const bus = createLocalBus()
    const events: LiveEvent[] = []
    bus.subscribe((event) => events.push(event))
    await bus.publish({ ...hint, entryData: 'secret' } as typeof hint)
    assert.deepEqual(Object.keys(events[0] ?? {}).sort(), ['formId', 'id', 'packageId'])
  })

  it('returns the events after each buffered event, and after the one before the first', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 0, max: 20 }),
        async (size, count) => {
          const bus = createLocalBus({ size })
          const ids = [bus.last()]
          for (let packageId = 1; packageId <= count; packageId++) {
            await bus.publish({ formId: 6025, packageId })
            ids.push(bus.last())
          }
          for (const [index, id] of ids.entries()) {
            const expected = ids.slice(index + 1)
            const found = bus.since(id)?.map((event) => event.id)
            assert.deepEqual(found, expected.length <= size ? expected : undefined)
          }
        },
      ),
    )
  })

  it('forgets events after ten minutes, and their ids with them (F55)', async () => {
    let time = 0
    const bus = createLocalBus({ now: () => time })
    const start = bus.last()
    await bus.publish(hint)
    const old = bus.last()
    time = 300_000
    await bus.publish(hint)
    time = 600_000
    assert.equal(bus.since(start)?.length, 2)
    time = 600_001
    assert.equal(bus.since(start), undefined)
    assert.equal(bus.since(old)?.length, 1)
    time = 10_000_000
    assert.equal(bus.since(old), undefined)
    assert.deepEqual(bus.since(bus.last()), [], 'nothing has happened since')
  })

  it('does not know ids of another process, or invalid ids (F55)', async () => {
    const now = () => 1_700_000_000_000
    const bus = createLocalBus({ now })
    const other = createLocalBus({ now })
    await bus.publish(hint)
    await other.publish(hint)
    const id = bus.last()
    assert.deepEqual(bus.since(id), [])
    const [milliseconds, counter] = id.split('-')
    for (const garbage of [
      other.last(),
      '',
      '0',
      '0-0',
      '-',
      '$',
      '*',
      '__proto__',
      ` ${id}`,
      `${id} `,
      `${id}\n`,
      `${id}\0`,
      `0${id}`,
      `+${id}`,
      `${milliseconds}-0${counter}`,
      `${milliseconds}-${Number(counter) + 1}`,
      `${milliseconds}-0x${Number(counter).toString(16)}`,
      `${milliseconds}.0-${counter}`,
      milliseconds ?? '',
      'x'.repeat(100_000),
    ]) {
      assert.equal(bus.since(garbage), undefined, JSON.stringify(garbage.slice(0, 40)))
    }
  })
})

describe('createEventBuffer()', () => {
  it('keeps ids of others in the order in which they arrive', () => {
    const feed = createEventBuffer({ now: () => 5000, size: 3 })
    for (const id of ['4000-0', '4000-1', '3999-7', '4001-0']) feed.push({ ...hint, id })
    assert.deepEqual(
      feed.since('4000-0')?.map(({ id }) => id),
      ['4000-1', '3999-7', '4001-0'],
    )
    assert.equal(feed.last(), '4001-0')
    assert.equal(feed.has('3999-7'), true)
    assert.equal(feed.has('4000-0'), false)
  })
})

describe('groupByForm()', () => {
  it('groups packages by form, each once and up to 100 in a group', () => {
    const packages = Array.from({ length: 450 }, (_, index) => ({
      formId: 1 + (index % 2),
      packageId: index + 1,
    }))
    const chunks = groupByForm(packages)
    assert.deepEqual(
      chunks.map(([formId, ids]) => [formId, ids.length]),
      [
        [1, 100],
        [1, 100],
        [1, 25],
        [2, 100],
        [2, 100],
        [2, 25],
      ],
    )
    assert.equal(new Set(chunks.flatMap(([formId, ids]) => ids.map((id) => `${formId}-${id}`))).size, 450)
  })
})
