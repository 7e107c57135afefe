import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import fc from 'fast-check'
import { type Bus, createLocalBus, type Hint, type LiveEvent } from '../../../src/proxy/changes/bus.ts'
import {
  createEventStreams,
  type EventStreams,
  type EventStreamsOptions,
} from '../../../src/proxy/live/event-streams.ts'
import { parseFollowed } from '../../../src/proxy/live/followed-packages.ts'
import { ProxyError } from '../../../src/proxy/http/problem.ts'
import { nextTurn } from '../../next-turn.ts'
import { random } from '../oracle.ts'
import { until } from '../until.ts'
import { type EventReader, type Message, readEvents } from './event-reader.ts'

const hint: Hint = { formId: 6025, packageId: 42 }
/** Everyone may view this package and every stream follows it, so its event marks the end of the expected events. */
const sentinel: Hint = { formId: 1, packageId: 1 }
const isSentinel = ({ data }: Message) => data === JSON.stringify(sentinel)

const open: EventStreams[] = []
afterEach(() => open.splice(0).forEach((events) => events.close()))

interface Setup extends Partial<EventStreamsOptions> {
  /** Packages that people may view, as `univid:form-package`. Default: all. */
  readonly rights?: ReadonlySet<string>
}

function setUp({ rights, bus = createLocalBus(), ...options }: Setup = {}) {
  const counts: number[] = []
  const logged: string[] = []
  const rightsReads: { univid: string; formId: number; ids: readonly number[] }[] = []
  const events = createEventStreams({
    bus,
    mayView: async (univid, formId, ids) => {
      rightsReads.push({ univid, formId, ids })
      return new Set(ids.filter((id) => formId === 1 || !rights || rights.has(`${univid}:${formId}-${id}`)))
    },
    log: (level, message) => logged.push(`${level} ${message}`),
    metrics: { streams: (count) => counts.push(count), count: () => {} },
    batchDelay: 1,
    ...options,
  })
  open.push(events)
  const follow = (
    packages: readonly Hint[] = [hint],
    { univid = '10000001', lastEventId = null as string | null, signal = new AbortController().signal } = {},
  ): EventReader =>
    readEvents(events.open({ univid, packages: [...packages, sentinel], lastEventId, signal }))
  /** Publishes the sentinel and returns the messages of a reader before it. */
  const settle = async (...readers: EventReader[]): Promise<readonly (readonly Message[])[]> => {
    await bus.publish(sentinel)
    return Promise.all(readers.map(async (reader) => (await reader.until(isSentinel)).slice(0, -1)))
  }
  return { bus, events, follow, settle, counts, logged, rightsReads }
}

const textOf = ({ formId, packageId }: Hint) => JSON.stringify({ formId, packageId })
const idsOf = (messages: readonly Message[] = []) => messages.map(({ lastEventId }) => lastEventId)

describe('createEventStreams()', () => {
  it('starts with the retry time and an id, and announces a change as one event', async () => {
    const { bus, events, settle } = setUp()
    await bus.publish({ formId: 9, packageId: 9 })
    const start = bus.last()
    const response = events.open({
      univid: '10000001',
      packages: [hint, sentinel],
      lastEventId: null,
      signal: new AbortController().signal,
    })
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8')
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(response.headers.get('x-accel-buffering'), 'no')
    const reader = readEvents(response)
    await bus.publish(hint)
    const id = bus.last()
    await settle(reader)
    const greeting = `retry: 3000\n: hello\nid: ${start}\n\n`
    const change = `id: ${id}\nevent: change\ndata: {"formId":6025,"packageId":42}\n\n`
    assert.equal(reader.text().slice(0, greeting.length + change.length), greeting + change)
  })

  it('announces only packages that the stream follows', async () => {
    const { bus, follow, settle } = setUp()
    const [one, other] = [
      follow(),
      follow([
        { ...hint, packageId: 43 },
        { ...hint, formId: 6026 },
      ]),
    ]
    await bus.publish(hint)
    const [delivered, notReceived] = await settle(one, other)
    assert.equal(delivered?.length, 1)
    assert.equal(notReceived?.length, 0)
  })

  it('sends each of 200 people exactly the events that they may view, of 5,000 on 500 packages (T26)', async () => {
    const people = Array.from({ length: 200 }, (_, index) => String(10_000_000 + index))
    const packages = Array.from({ length: 500 }, (_, index) => ({
      formId: 6025 + (index % 3),
      packageId: index + 1,
    }))
    const next = random(26)
    const follows = people.map(() => shuffled(packages, next).slice(0, 199))
    const rights = new Set(
      people.flatMap((univid) =>
        packages.filter(() => next() < 0.5).map((p) => `${univid}:${p.formId}-${p.packageId}`),
      ),
    )

    /** Returns the events that a person should not get, and those that are missing. */
    async function differences(rounds: number, mayView?: EventStreamsOptions['mayView']): Promise<number> {
      let time = 0
      const now = () => time
      const bus = createLocalBus({ now })
      const { events, follow, settle, rightsReads } = setUp({ bus, rights, now, ...(mayView && { mayView }) })
      const published: { key: string; line: string }[] = []
      bus.subscribe(({ id, formId, packageId }) => {
        const line = `${id} ${JSON.stringify({ formId, packageId })}`
        published.push({ key: `${formId}-${packageId}`, line })
      })
      const readers = people.map((univid, index) => follow(follows[index], { univid }))
      // A stream starts with one event for each package that the person may not view.
      for (const [index, messages] of (await settle(...readers)).entries()) {
        const hidden = follows[index]?.filter(
          (p) => !rights.has(`${people[index]}:${p.formId}-${p.packageId}`),
        )
        if (!mayView) assert.deepEqual(messages.map(({ data }) => data).sort(), hidden?.map(textOf).sort())
      }
      published.length = 0
      const delivered = people.map((): string[] => [])
      for (let round = 0; round < rounds; round++) {
        time += 1_000
        for (const changed of shuffled(packages, next)) await bus.publish(changed)
        for (const [index, messages] of (await settle(...readers)).entries()) {
          delivered[index]?.push(...messages.map(({ lastEventId, data }) => `${lastEventId} ${data}`))
        }
      }
      assert.equal(published.length, rounds * 501)
      for (const { ids } of rightsReads) assert.ok(ids.length <= 100)
      events.close()

      let count = 0
      for (const [index, univid] of people.entries()) {
        const followed = new Set(follows[index]?.map((p) => `${p.formId}-${p.packageId}`))
        const expected = published
          .filter(({ key }) => followed.has(key) && rights.has(`${univid}:${key}`))
          .map(({ line }) => line)
        assert.ok(expected.length > 50 * rounds)
        const [left, right] = [new Set(delivered[index]), new Set(expected)]
        count += [...left].filter((line) => !right.has(line)).length
        count += [...right].filter((line) => !left.has(line)).length
        if (!mayView) assert.deepEqual(delivered[index], expected, 'in order, each once')
      }
      return count
    }

    assert.equal(await differences(10), 0)
    // Control: one additional right of one person is detected.
    const [some, tooMuch] = [people[7] ?? '', new Set(rights)]
    const extra = follows[7]?.find((p) => !rights.has(`${some}:${p.formId}-${p.packageId}`))
    tooMuch.add(`${some}:${extra?.formId}-${extra?.packageId}`)
    const faulty: EventStreamsOptions['mayView'] = async (univid, formId, ids) =>
      new Set(ids.filter((id) => formId === 1 || tooMuch.has(`${univid}:${formId}-${id}`)))
    assert.equal(await differences(1, faulty), 1)
  })

  it('notifies people who may no longer view a package once more, and then never (T26)', async () => {
    const rights = new Set(['10000001:6025-42'])
    const { bus, follow, settle, rightsReads } = setUp({ rights })
    const reader = follow()
    const [stranger] = [follow([hint], { univid: '10000002' })]
    await settle(reader, stranger)
    rightsReads.length = 0

    rights.delete('10000001:6025-42')
    await bus.publish(hint)
    const [last, nothing] = await settle(reader, stranger)
    assert.deepEqual(
      last?.map(({ data }) => data),
      [JSON.stringify(hint)],
    )
    assert.deepEqual(nothing, [], 'people who could not view it learn nothing')
    assert.ok(rightsReads.some(({ univid, formId }) => univid === '10000001' && formId === 6025))
    await bus.publish(hint)
    assert.deepEqual(await settle(reader, stranger), [[], []])

    rights.add('10000001:6025-42')
    await bus.publish(hint)
    assert.equal((await settle(reader))[0]?.length, 1)
    rights.delete('10000001:6025-42')
    await bus.publish(hint)
    assert.equal((await settle(reader))[0]?.length, 1, 'again')
  })

  it('notifies people who lose access before rights are known, also while they were disconnected', async () => {
    const bus = createLocalBus()
    const rights = new Set(['10000001:6025-43'])
    const { follow, settle } = setUp({ bus, rights })
    const lastEventId = bus.last()
    await bus.publish(hint)
    const packages = [hint, { ...hint, packageId: 43 }]
    const readers = [follow(packages), follow(packages, { lastEventId })]
    // The page has read this package before it opened the stream.
    await bus.publish(hint)
    for (const messages of await settle(...readers))
      assert.deepEqual(
        messages.map(({ data }) => data),
        [textOf(hint)],
      )
    await bus.publish(hint)
    assert.deepEqual(await settle(...readers), [[], []], 'once')
  })

  it('notifies people who lose access before the first event, even if rights could not be read at first', async () => {
    const rights = new Set(['10000001:6025-42'])
    let isDown = true
    let questions = 0
    const { bus, follow, settle } = setUp({
      heartbeat: 5,
      mayView: async (univid, formId, ids) => {
        questions++
        if (isDown) throw new Error('503')
        return new Set(ids.filter((id) => formId === 1 || rights.has(`${univid}:${formId}-${id}`)))
      },
    })
    const reader = follow()
    await until(() => questions > 0)
    isDown = false
    await settle(reader)
    rights.clear()
    await bus.publish(hint)
    assert.equal((await settle(reader))[0]?.length, 1)
  })

  it('counts the five seconds from the request for rights, not from its response (T26)', async () => {
    let time = 0
    let duration = 5_001
    const { bus, follow, logged } = setUp({
      now: () => time,
      heartbeat: 5,
      mayView: async (_univid, _formId, ids) => {
        time += duration
        return new Set(ids)
      },
    })
    const reader = follow()
    await bus.publish(hint)
    await reader.untilText(': \n', 3)
    assert.equal(reader.text().includes('event: change'), false)
    assert.deepEqual(logged, ['warn Live events are delayed: rights could not be read'])
    duration = 4_999
    assert.deepEqual((await reader.next())?.data, JSON.stringify(hint))
  })

  it('reads rights again for an event that arrives while they are read (T26)', async () => {
    const releases: (() => void)[] = []
    let isAllowed = false
    let time = 0
    const { bus, follow } = setUp({
      now: () => time++,
      heartbeat: 2 ** 30,
      mayView: async (_univid, _formId, ids) => {
        const result = new Set(isAllowed ? ids : [])
        await new Promise<void>((resolve) => releases.push(resolve))
        return result
      },
    })
    const reader = follow([])
    await until(() => releases.length >= 1)
    releases.shift()?.()
    assert.equal((await reader.next())?.lastEventId, bus.last(), 'the start')
    await bus.publish(sentinel)
    await until(() => releases.length >= 1)
    isAllowed = true
    await bus.publish(sentinel)
    releases.shift()?.()
    await until(() => releases.length >= 1)
    releases.shift()?.()
    assert.equal((await reader.next())?.lastEventId, bus.last())
  })

  it('sends an event that grants the right itself, although the right was missing a moment ago', async () => {
    let time = 0
    const rights = new Set<string>()
    const { bus, follow, settle } = setUp({ rights, now: () => time, heartbeat: 2 ** 30 })
    const reader = follow()
    await settle(reader)
    await bus.publish(hint)
    assert.equal((await settle(reader))[0]?.length, 0)

    time = 1
    rights.add('10000001:6025-42')
    await bus.publish(hint)
    assert.equal((await settle(reader))[0]?.length, 1)
  })

  it('sends pauses instead of heartbeats while the service does not respond', async () => {
    const { events, follow, settle } = setUp({ heartbeat: 5 })
    const other = { formId: 9, packageId: 1 }
    const [reader, unaffected] = [
      follow(),
      readEvents(
        events.open({
          univid: '2',
          packages: [other],
          lastEventId: null,
          signal: new AbortController().signal,
        }),
      ),
    ]
    const heartbeats = (text: string) => text.split('\n: \n').length
    await settle(reader)
    events.setReachable(6025, false)
    const paused = reader.text().length
    await unaffected.untilText('\n: \n', 5)
    const late = follow()
    await late.untilText('event: pause\ndata: {}\n\n')
    await reader.untilText('event: pause\ndata: {}\n\n', 3)
    assert.equal(unaffected.text().includes('pause'), false)
    assert.ok(heartbeats(reader.text().slice(paused)) <= 2, 'none, apart from one that was on its way')
    events.setReachable(6025, true)
    const resumed = heartbeats(reader.text())
    await reader.untilText('\n: \n', resumed)
  })

  it('writes the same bytes for a forbidden package and for one that does not exist (T26)', async () => {
    const unknown = { formId: 6025, packageId: 999 }
    async function texts(rights: ReadonlySet<string>): Promise<readonly string[]> {
      let time = 0
      let isDown = false
      const bus = createLocalBus({ now: () => time })
      const { follow, settle, events } = setUp({
        bus,
        now: () => time,
        heartbeat: 5,
        mayView: async (univid, formId, ids) => {
          if (isDown && formId !== 1) throw new Error('503')
          return new Set(ids.filter((id) => formId === 1 || rights.has(`${univid}:${formId}-${id}`)))
        },
      })
      const known = bus.last()
      await bus.publish(hint)
      const readers = (lastEventId: string | null) => [
        follow([hint], { univid: '10000001', lastEventId }),
        follow([unknown], { univid: '10000002', lastEventId }),
      ]
      const all = [...readers(null), ...readers(known), ...readers('garbage')]
      for (const step of [0, 1_000, 6_000]) {
        time += step
        await bus.publish(hint)
        await settle(...all)
      }
      // While rights cannot be read.
      isDown = true
      time += 6_000
      await bus.publish(hint)
      await settle(...all)
      await Promise.all(all.map((reader) => reader.untilText(': \n\n', 3)))
      isDown = false
      await Promise.all(all.map((reader) => reader.untilText(': \nid: ')))
      await settle(...all)
      events.close()
      // All streams get the same data at the same time, heartbeats included, but some readers are further than others.
      return all.map((reader) => reader.text().replaceAll('"packageId":999', '"packageId":42'))
    }
    const mentions = (text = '') => text.split('"packageId":42').length - 1

    const blind = await texts(new Set())
    for (const [index, text] of blind.entries()) {
      const other = blind[index ^ 1] ?? ''
      const length = Math.min(text.length, other.length)
      assert.equal(text.slice(0, length), other.slice(0, length))
      assert.equal(mentions(text), 1, 'at the start')
    }
    // Control: with the right, the bytes differ.
    const seeing = await texts(new Set(['10000001:6025-42']))
    assert.notEqual(seeing[0], seeing[1])
    assert.equal(mentions(seeing[0]), 4, 'each event')
  })

  it('writes each value on one line, whatever the bus delivers (T26)', async () => {
    let deliver: (event: LiveEvent) => void = () => {}
    const evil = '1-1\nevent: change\ndata: {"formId":6025,"packageId":666}\n\nid: 2'
    const bus: Bus = {
      publish: async () => {},
      subscribe(listener) {
        deliver = listener
        return () => {}
      },
      since: () => [],
      last: () => evil.replaceAll('\n', '\r'),
      close: async () => {},
    }
    const { follow } = setUp({ bus })
    const reader = follow([hint], { lastEventId: evil })
    deliver({ ...hint, id: evil })
    deliver({ ...hint, packageId: '42\n\ndata: x' as unknown as number, id: '1-2' })
    deliver({ ...sentinel, id: '1-3\0\r\n' })
    const messages = await reader.until(isSentinel)
    assert.deepEqual(
      messages.map(({ data }) => data),
      [JSON.stringify(hint), JSON.stringify(sentinel)],
    )
    assert.equal(messages[1]?.lastEventId, '1-3')
    for (const line of reader.text().split(/\r\n|\r|\n/)) {
      assert.match(
        line,
        /^(?:|retry: 3000|: ?(?:hello)?|id: .*|event: change|data: \{"formId":\d+,"packageId":\d+\})$/,
      )
    }
    // Control: without the check, the same id would create a message of its own.
    const naive = readEvents(new Response(`id: ${evil}\nevent: change\ndata: 1\n\n`))
    assert.equal((await naive.next())?.data, '{"formId":6025,"packageId":666}')
  })

  it('reads the rights on collected events together, one request per person and form at a time', async () => {
    let running = 0
    let most = 0
    const questions: string[] = []
    const release: (() => void)[] = []
    const { bus, follow } = setUp({
      mayView: async (_univid, formId, ids) => {
        questions.push(`${formId}:${ids.join()}`)
        most = Math.max(most, ++running)
        await new Promise<void>((resolve) => release.push(resolve))
        running--
        return new Set(ids)
      },
    })
    const packages = [1, 2, 3].map((packageId) => ({ formId: 7, packageId }))
    const readers = [follow(packages), follow(packages)]
    // The rights that a new stream begins with.
    await until(() => release.length >= 2)
    for (const proceed of release.splice(0)) proceed()
    await until(() => running === 0)
    questions.length = most = 0
    for (const changed of [...packages, { formId: 7, packageId: 1 }]) await bus.publish(changed)
    await until(() => release.length > 0)
    await bus.publish(sentinel)
    await nextTurn()
    assert.deepEqual(questions, ['7:2,3,1'])
    release.pop()?.()
    await until(() => release.length > 0)
    assert.deepEqual(questions, ['7:2,3,1', '1:1'])
    release.pop()?.()
    for (const reader of readers) {
      assert.deepEqual(
        (await reader.until(isSentinel)).map(({ data }) => data),
        [...packages.slice(1), ...packages.slice(0, 1), sentinel].map((changed) => JSON.stringify(changed)),
        'an event that a newer one has overtaken is left out',
      )
    }
    assert.equal(most, 1)
  })

  it('reads the rights of a limited number of people at a time', async () => {
    const running: string[] = []
    let most = 0
    const { bus, follow, settle } = setUp({
      maxParallel: 3,
      mayView: async (univid, _formId, ids) => {
        running.push(univid)
        most = Math.max(most, new Set(running).size)
        await nextTurn()
        running.splice(running.indexOf(univid), 1)
        return new Set(ids)
      },
    })
    const readers = Array.from({ length: 20 }, (_, index) => follow([hint], { univid: String(index + 1) }))
    await bus.publish(hint)
    for (const messages of await settle(...readers)) assert.equal(messages.length, 1)
    assert.equal(most, 3)
  })

  it('keeps events while rights cannot be read, and sends them afterwards', async () => {
    let isDown = true
    let questions = 0
    const { bus, follow, logged } = setUp({
      heartbeat: 5,
      mayView: async (univid, formId, ids) => {
        if (univid !== '10000001') return new Set(ids)
        questions++
        if (isDown) throw new Error('503')
        return new Set(formId === 6025 ? ids : [])
      },
    })
    const reader = follow()
    const other = follow([], { univid: '10000002' })
    const firstId = bus.last()
    await bus.publish(hint)
    const id = bus.last()
    await reader.untilText(': \n', 3)
    await bus.publish(sentinel)
    const [delivered] = await other.until(isSentinel)
    assert.equal(reader.text().includes('event:'), false)
    assert.notEqual(delivered?.lastEventId, bus.last(), 'a reconnecting browser gets the event again')
    assert.equal(other.text().split('id: ').length, 2)
    assert.ok(questions > 1)
    assert.equal(logged.length, 1)

    isDown = false
    const messages = [await reader.next(), await reader.next()]
    assert.deepEqual(messages, [
      { event: 'change', data: JSON.stringify(sentinel), lastEventId: firstId },
      { event: 'change', data: JSON.stringify(hint), lastEventId: id },
    ])
    await other.untilText(`id: ${bus.last()}`)
  })

  it('sends ids again after the person whose rights failed has disconnected', async () => {
    const { bus, follow } = setUp({
      heartbeat: 5,
      mayView: async (_univid, formId, ids) => {
        if (formId === 6025) throw new Error('503')
        return new Set(ids)
      },
    })
    const [leaving, staying, other] = [follow(), follow([]), follow([], { univid: '10000002' })]
    await bus.publish(hint)
    await leaving.untilText(': \n', 2)
    await leaving.cancel()
    for (const reader of [staying, other]) await reader.untilText(`id: ${bus.last()}\n`)
  })

  it('continues after the last event that the browser received, with what the person may view (F55, T26)', async () => {
    const bus = createLocalBus()
    const { follow, settle } = setUp({ bus, rights: new Set(['10000001:6025-42']) })
    await bus.publish(hint)
    const firstId = bus.last()
    await bus.publish(hint)
    const missed = bus.last()
    await bus.publish({ ...hint, packageId: 43 })
    // Everyone may view this package, but no one follows it.
    await bus.publish({ ...sentinel, packageId: 2 })
    const packages = [hint, { ...hint, packageId: 43 }]
    const [mine, others] = [
      follow(packages, { lastEventId: firstId }),
      follow(packages, { lastEventId: firstId, univid: '10000002' }),
    ]
    const [delivered, receivedByOthers] = await settle(mine, others)
    assert.deepEqual(idsOf(delivered), [firstId, missed])
    assert.deepEqual(
      delivered?.map(({ data }) => data),
      [packages[1], hint].map((p) => textOf(p!)),
    )
    const hidden = packages.map((p) => ({ event: 'change', data: textOf(p), lastEventId: firstId }))
    assert.deepEqual(receivedByOthers, hidden, 'that they may not view them')
    assert.ok(mine.text().startsWith(`retry: 3000\n: hello\nid: ${firstId}\n\n`))
  })

  it('sends one resync event if the last event id is unknown (F55)', async () => {
    const bus = createLocalBus({ size: 2 })
    const { follow, settle } = setUp({ bus })
    const tooOld = bus.last()
    for (let count = 0; count < 3; count++) await bus.publish(hint)
    const foreign = createLocalBus().last()
    for (const lastEventId of [tooOld, foreign, 'garbage', '0-0', '-1', ' ', 'x\nid: 1']) {
      const last = bus.last()
      const reader = follow([hint], { lastEventId })
      await bus.publish(hint)
      const [delivered] = await settle(reader)
      assert.deepEqual(
        delivered?.map(({ event, data }) => `${event} ${data}`),
        ['resync {}', 'change {"formId":6025,"packageId":42}'],
        lastEventId,
      )
      assert.equal(delivered?.[0]?.lastEventId, last)
      await reader.cancel()
    }
    for (const lastEventId of [bus.last(), '', null]) {
      const reader = follow([hint], { lastEventId })
      assert.deepEqual(await settle(reader), [[]], 'the control')
      await reader.cancel()
    }
  })

  it('sends newer ids to a stream without events, so that its id does not expire (F55)', async () => {
    const bus = createLocalBus({ size: 2 })
    const { follow } = setUp({ bus, heartbeat: 5 })
    const reader = follow()
    const start = bus.last()
    for (let count = 0; count < 5; count++) await bus.publish({ formId: 9, packageId: 9 })
    await reader.untilText(`id: ${bus.last()}\n\n`)
    assert.equal(bus.since(start), undefined)
    assert.deepEqual(bus.since(reader.lastEventId()), [])
    assert.equal(reader.text().includes('event:'), false)
  })

  it('sends no id newer than a pending event', async () => {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const { bus, follow } = setUp({
      heartbeat: 30,
      mayView: async (_univid, _formId, ids) => {
        await released
        return new Set(ids)
      },
    })
    const reader = follow()
    const start = bus.last()
    await reader.untilText(': \n', 1)
    await bus.publish(hint)
    await reader.untilText(': \n', 2)
    assert.equal(reader.lastEventId(), start)
    release()
    assert.equal((await reader.next())?.lastEventId, bus.last())
  })

  it('sends heartbeats to all streams with one timer (F53)', async () => {
    const before = timers()
    const { events, follow } = setUp({ heartbeat: 5, maxStreams: 2_000 })
    const readers = Array.from({ length: 2_000 }, (_, index) =>
      follow([{ ...hint, packageId: 1 + (index % 500) }], { univid: String(1 + index) }),
    )
    await until(() => timers() - before === 1)
    assert.equal(events.watched().length, 501)
    await Promise.all(readers.map((reader) => reader.untilText('\n\n: \n', 1)))
    events.close()
    assert.equal(timers(), before)
  })

  it('sends a pending event at the next heartbeat if it is still being collected', async () => {
    const { bus, follow } = setUp({ heartbeat: 5, batchDelay: 2 ** 30 })
    const reader = follow()
    await bus.publish(hint)
    assert.equal((await reader.next())?.data, JSON.stringify(hint))
  })

  it('ends streams at their maximum age, so that the person is identified again', async () => {
    let time = 0
    const { follow, settle, counts } = setUp({ now: () => time, heartbeat: 5, maxAge: 900_000 })
    const readers = Array.from({ length: 6 }, () => follow([]))
    await settle(...readers)
    time = 809_999
    await Promise.all(readers.map((reader) => reader.untilText(': \n', 2)))
    assert.equal(counts.at(-1), 6)
    time = 900_000
    for (const reader of readers) assert.equal(await reader.next(), undefined)
    assert.equal(counts.at(-1), 0)
  })

  it('ends a stream that is not read before its queue grows large', async () => {
    const packages = Array.from({ length: 100 }, (_, index) => ({ ...hint, packageId: index + 1 }))
    const { bus, events, follow, settle, counts } = setUp({ maxQueueSize: 10_000 })
    const stuck = events.open({
      univid: '10000001',
      packages,
      lastEventId: null,
      signal: new AbortController().signal,
    })
    const reader = follow(packages)
    let delivered = 0
    for (let round = 0; round < 3; round++) {
      for (const changed of packages) await bus.publish(changed)
      delivered += (await settle(reader))[0]?.length ?? 0
    }
    assert.equal(delivered, 300, 'a reader that keeps reading gets all (control)')
    assert.equal(counts.at(-1), 1)
    await assert.rejects(stuck.text(), /too slow/)
  })

  it('leaves no timer and no follower behind when streams end (T26)', async () => {
    const before = timers()
    const { bus, events, follow, counts } = setUp()
    const leaving = new AbortController()
    const readers = [follow(), follow([hint], { signal: leaving.signal }), follow([hint], { univid: '2' })]
    assert.deepEqual(events.watched(), [hint, sentinel])
    await bus.publish(hint)
    await readers[0]?.cancel()
    leaving.abort()
    assert.equal(await readers[1]?.next(), undefined)
    assert.deepEqual(events.watched(), [hint, sentinel], 'somebody follows them still')
    await readers[2]?.cancel()
    assert.deepEqual(events.watched(), [])
    assert.deepEqual(counts, [1, 2, 3, 2, 1, 0])
    await until(() => timers() === before)
    assert.throws(() => follow([hint], { signal: AbortSignal.abort() }), { name: 'AbortError' })
    assert.deepEqual(events.watched(), [])
  })

  it('removes its listener from the signal, however a stream ends (T26)', async () => {
    const { events, bus, follow, counts } = setUp({ heartbeat: 2 ** 30, maxQueueSize: 200 })
    const signals = Array.from({ length: 4 }, () => countListeners(new AbortController()))
    const listeners = () => signals.map(({ count }) => count())
    const open = (index: number) =>
      events.open({ univid: '1', packages: [hint], lastEventId: null, signal: signals[index]!.signal })
    const cancelled = follow([], { signal: signals[0]!.signal })
    const aborted = follow([], { signal: signals[1]!.signal })
    const slow = open(2)
    const closed = follow([], { signal: signals[3]!.signal })
    assert.deepEqual(listeners(), [1, 1, 1, 1])

    await cancelled.cancel()
    assert.deepEqual(listeners(), [0, 1, 1, 1])
    signals[1]!.abort()
    assert.equal(await aborted.next(), undefined)
    assert.deepEqual(listeners(), [0, 0, 1, 1])
    await until(async () => {
      await bus.publish(hint)
      return counts.at(-1) === 1
    }, nextTurn)
    await assert.rejects(slow.text(), /too slow/)
    assert.deepEqual(listeners(), [0, 0, 0, 1])
    await closed.untilText(': hello')
    events.close()
    assert.equal(await closed.next(), undefined)
    assert.deepEqual(listeners(), [0, 0, 0, 0])
    // An abort after the end has no effect, and nothing is counted twice.
    const { length } = counts
    for (const { abort } of signals) abort()
    assert.equal(counts.length, length)
    assert.equal(counts.at(-1), 0)
  })

  it('reads rights again for a person who has disconnected and comes back (T26)', async () => {
    const { bus, follow, settle, rightsReads } = setUp({ now: () => 0 })
    const requests = () => rightsReads.filter(({ formId }) => formId === 6025).length
    const first = follow()
    await bus.publish(hint)
    await settle(first)
    assert.equal(requests(), 1)
    await first.cancel()
    const second = follow()
    await bus.publish(hint)
    await settle(second)
    assert.equal(requests(), 2)
  })

  it('leaves no listener on the bus and no timer when it is closed', async () => {
    const before = timers()
    const local = createLocalBus()
    let listeners = 0
    const bus: Bus = {
      ...local,
      subscribe(listener) {
        listeners += 1
        const stop = local.subscribe(listener)
        return () => {
          listeners -= 1
          stop()
        }
      },
    }
    const { events, follow } = setUp({ bus, heartbeat: 2 ** 30, batchDelay: 2 ** 30 })
    follow()
    await bus.publish(hint)
    assert.equal(listeners, 1)
    assert.equal(timers() - before, 2, 'the heartbeat and the batch')
    events.close()
    assert.equal(listeners, 0)
    assert.equal(timers(), before)
  })

  it('removes its listener from the signal of a stream that is too old (T26)', async () => {
    let time = 0
    const { follow } = setUp({ now: () => time, heartbeat: 5, maxAge: 900_000 })
    const { signal, count } = countListeners(new AbortController())
    const reader = follow([], { signal })
    assert.equal(count(), 1)
    time = 900_000
    assert.equal(await reader.next(), undefined)
    assert.equal(count(), 0)
  })

  it('ends all streams when it is closed, and opens no others', async () => {
    const { bus, events, follow, settle, counts } = setUp()
    const readers = [follow(), follow([hint], { univid: '2' })]
    await settle(...readers)
    events.close()
    for (const reader of readers) assert.equal(await reader.next(), undefined)
    assert.deepEqual(events.watched(), [])
    assert.equal(counts.at(-1), 0)
    await bus.publish(hint)
    assert.throws(
      () => follow(),
      (error) => error instanceof ProxyError && error.status === 503,
    )
  })
})

describe('parseFollowed()', () => {
  const parse = (query: string, max?: number) => parseFollowed(new URLSearchParams(query), max).packages
  const isRefused = (query: string, max?: number) =>
    assert.throws(
      () => parse(query, max),
      (error) => error instanceof ProxyError && error.status === 400,
      query,
    )

  it('returns each package once', () => {
    assert.deepEqual(parse('package=6025-42&package=6025-43&package=6025-42'), [
      hint,
      { ...hint, packageId: 43 },
    ])
    assert.deepEqual(parse('package=1-9007199254740991'), [{ formId: 1, packageId: 9007199254740991 }])
  })

  it('accepts 1 to 200 packages', () => {
    const query = (count: number) =>
      Array.from({ length: count }, (_, index) => `package=1-${index + 1}`).join('&')
    assert.equal(parse(query(200)).length, 200)
    assert.equal(parse(`${query(200)}&package=1-1`).length, 200)
    isRefused(query(201))
    isRefused(query(3), 2)
    isRefused('')
  })

  it('follows the lists of the person with or without packages', () => {
    const all = (query: string) => parseFollowed(new URLSearchParams(query))
    assert.deepEqual(all('list=1'), { packages: [], hasList: true })
    assert.deepEqual(all('package=6025-42&list=1'), { packages: [hint], hasList: true })
    assert.equal(all('package=6025-42').hasList, false, 'control')
  })

  it('refuses everything else', () => {
    for (const query of [
      'list=',
      'list=0',
      'list=11',
      'package=6025-42&List=1',
      'package=',
      'package',
      'package=42',
      'package=6025-',
      'package=-42',
      'package=6025--42',
      'package=06025-42',
      'package=0-42',
      'package=6025-0',
      'package=6025-1e3',
      'package=6025-0x1',
      'package=6025-42.0',
      'package=6025-%2B42',
      'package=6025-42%0A',
      'package=%206025-42',
      'package=6025-4%D9%A2',
      'package=6025-9007199254740992',
      'package=6025-42,6025-43',
      'package=6025-42&package=x',
      'package=6025-42&Package=6025-43',
      'package=6025-42&user=10000002',
      'package%5B%5D=6025-42',
    ]) {
      isRefused(query)
    }
  })

  it('returns exactly the given packages, or refuses them', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom(...'0129-+ .e\n') }), { maxLength: 4 }),
        (values) => {
          const search = new URLSearchParams(values.map((value) => ['package', value]))
          let packages: readonly Hint[]
          try {
            packages = parseFollowed(search).packages
          } catch (error) {
            assert.ok(error instanceof ProxyError && error.status === 400)
            return
          }
          assert.deepEqual(
            packages.map(({ formId, packageId }) => `${formId}-${packageId}`),
            [...new Set(values)],
          )
        },
      ),
    )
  })
})

/** A signal that counts its listeners. */
function countListeners(controller: AbortController) {
  const { signal } = controller
  const listeners = new Set<unknown>()
  const { addEventListener, removeEventListener } = signal
  signal.addEventListener = (...args: Parameters<AbortSignal['addEventListener']>) => {
    listeners.add(args[1])
    addEventListener.apply(signal, args)
  }
  signal.removeEventListener = (...args: Parameters<AbortSignal['removeEventListener']>) => {
    listeners.delete(args[1])
    removeEventListener.apply(signal, args)
  }
  return { signal, abort: () => controller.abort(), count: () => listeners.size }
}

function timers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
}

function shuffled<Item>(items: readonly Item[], random: () => number): readonly Item[] {
  return items
    .map((item) => [random(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item)
}
