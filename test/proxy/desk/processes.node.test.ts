import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import { freePort } from '../../free-port.mjs'
import type { Emulator } from '../../../src/emulator/emulator.ts'
import { createKnowledge } from '../../../src/proxy/desk/knowledge.ts'
import { createRedis, type Redis } from '../../../src/proxy/node/redis/redis.ts'
import { readEvents } from '../live/event-reader.ts'
import { people, type SetUp } from '../mount.ts'
import { patient, sendCommand, startServer, stopServer } from '../node/redis/redis-server.ts'
import { until } from '../until.ts'
import { still, withIndex } from './with-index.ts'

const hint = { formId: 6025, packageId: 42 }
const minute = 60_000
const hour = 60 * minute
const directory = mkdtempSync(join(tmpdir(), 'routeslip-redis-'))
const port = await freePort()
const url = `redis://127.0.0.1:${port}`
let server: ChildProcess
const opened: Redis[] = []

before(async () => {
  server = await startServer(port, directory)
})
afterEach(async () => {
  for (const redis of opened.splice(0)) await redis.close()
  await sendCommand(url, ['FLUSHALL'])
})
let pairs = 0
after(async () => {
  await stopServer(server)
  rmSync(directory, { recursive: true })
})

async function connect(prefix = 'routeslip:', basePath = '/api/wf'): Promise<Redis> {
  const redis = await createRedis(url, { env: 'test', prefix, basePath, log: () => {}, ...patient })
  opened.push(redis)
  return redis
}

/** Creates two processes that serve the same mount. Without `isShared`, they do not know of each other. */
async function createTwo(options: SetUp = {}, isShared = true, ofOther: SetUp = options) {
  const prefix = `pair-${++pairs}:`
  const one = withIndex({ ...options, storage: await connect(prefix) })
  const send = ofOther.intercept ?? ((request: Request, service: Emulator) => service.fetch(request))
  const other = withIndex({
    ...ofOther,
    storage: await connect(isShared ? prefix : `other-${prefix}`),
    intercept: (request) => send(request, one.emulator),
  })
  return { one, other }
}

/** Creates two processes that have known package 42 for 80 hours. */
async function createTwoWithPackage(options: SetUp = {}, isShared = true) {
  const clock = { now: Date.UTC(2026, 10, 20, 10) }
  const lists = { interval: 2 ** 40, now: () => clock.now }
  const { one, other } = await createTwo({ ...options, identity: { policy: () => true }, lists }, isShared)
  for (const { index } of [one, other]) {
    await index.add([hint], 0)
    await until(async () => (await index.find(hint))?.pkg.state === 'ROUTING')
  }
  clock.now += 80 * hour
  const send = ({ request }: typeof one) =>
    request('/forms/6025/packages/42/reminder', { as: 'initiator', method: 'POST', json: {} })
  return { one, other, send }
}

const hints = (number: number) =>
  Array.from({ length: number }, (_, place) => ({ formId: 6025, packageId: place + 1 }))

describe('lists of several processes', () => {
  it('have each package checked by one process at a time, also after one has died', async () => {
    const [one, other] = [(await connect()).packageIndex, (await connect()).packageIndex]
    await one.add(hints(250), 5)
    const idsOf = async (index: typeof one, at: number) =>
      (await index.take(at, 100)).map(({ packageId }) => packageId)
    const taken = [await idsOf(one, 10), await idsOf(other, 10), await idsOf(one, 10), await idsOf(other, 10)]
    assert.deepEqual(
      taken.map(({ length }) => length),
      [100, 100, 50, 0],
    )
    assert.equal(new Set(taken.flat()).size, 250)
    assert.equal((await other.due(10, 1000)).length, 250, 'they are due until the check is recorded')

    const [first, second] = await one.due(10, 2)
    assert.ok(first && second)
    await other.request([second], 20)
    await one.record([first, second].map((pkg) => ({ pkg: { ...pkg, dueAt: 500_000 } })))
    assert.deepEqual(await idsOf(other, 10), [second.packageId], 'what has changed during the check')
    assert.equal((await idsOf(other, 10 + minute - 1)).length, 0)
    assert.equal((await idsOf(other, 10 + minute)).length, 100, 'those that a dead process had')
  })

  it('take turns for the calls of the service', async () => {
    const [one, other] = [(await connect()).packageIndex, (await connect()).packageIndex]
    const start = performance.now()
    for (let call = 0; call < 20; call++) {
      const { sharing } = call % 2 === 0 ? one : other
      const wait = (await sharing?.nextCall(500)) ?? 0
      assert.ok(wait + performance.now() - start >= call * 500 - 1, `call ${call} begins after ${wait} ms`)
    }
  })

  it('contain what any of the processes has learnt, and continue in any of them', async () => {
    const { one, other } = await createTwo({ lists: { now: still } })
    const all = await one.addCopies(150)
    const checks = [...one.journal, ...other.journal].filter(({ url: to }) => to.includes('/status'))
    const ids = checks.flatMap(({ url: to }) => new URL(to).searchParams.getAll('id'))
    assert.ok(ids.length < 300, 'not twice')
    const parts = await Promise.all([one, other].map((mount) => mount.getList('initiator', 'view=mine')))
    assert.deepEqual(
      parts.map(({ rows }) => rows.length),
      [100, 100],
    )
    for (const [at, mount] of [other, one].entries()) {
      const rest = await mount.getList('initiator', `view=mine&after=${parts[at]?.next}`)
      const listed = [...(parts[at]?.rows ?? []), ...rest.rows].flatMap((row) => row?.packageId ?? [])
      assert.deepEqual(listed.sort(), all)
    }
  })

  it('report a change that one process has found to the pages of the others', async () => {
    // This one never looks.
    const { one, other } = await createTwo({}, true, { pausedServices: () => ['workflow'] })
    await one.index.request([hint], Date.now())
    await other.lists('waiting', 'firstApprover', [42])
    const response = await other.request('/events?list=1', { as: 'secondApprover' })
    const reader = readEvents(response)
    await one.control('POST', 'test/forms/6025/packages/42/sign', { univid: people.firstApprover })
    await other.lists('waiting', 'secondApprover', [42])
    await reader.until(({ event }) => event === 'list')
  })

  it('contain no packages of forms that only other mounts serve', async () => {
    const storage = await connect()
    const other = withIndex({ forms: [6026], storage: await connect('routeslip:', '/api/other') })
    await storage.bus.publish(hint)
    await storage.bus.publish({ ...hint, formId: 6026 })
    await until(async () => (await other.index.find({ ...hint, formId: 6026 })) !== undefined)
    assert.equal(await other.index.find(hint), undefined)
  })

  it('have one reminder sent, whoever asks at the same time', async () => {
    for (const [isShared, expected] of [
      [true, 1],
      [false, 2],
    ] as const) {
      const { one, other, send } = await createTwoWithPackage({}, isShared)
      const requests = Array.from({ length: 50 }, (_, place) => send(place % 2 === 0 ? one : other))
      const statuses = (await Promise.all(requests)).map(({ status }) => status)
      assert.equal(statuses.filter((status) => status === 200).length, expected)
      const mails = [...one.emulator.outbox.values()].filter(({ kind }) => kind === 'edit_notification')
      assert.equal(mails.length, expected, isShared ? '' : 'control: they do not know of each other')
    }
  })

  it('let no change of the entry in another process come between a reminder', async () => {
    for (const isShared of [true, false]) {
      const order: string[] = []
      let goOn = () => {}
      const waiting = new Promise<void>((resolve) => (goOn = resolve))
      const { one, other, send } = await createTwoWithPackage(
        {
          async intercept(asked, service) {
            if (!asked.url.endsWith('/entry')) return await service.fetch(asked)
            const isReminder = asked.method === 'GET' || (await asked.clone().text()).includes('sendDelta')
            const isFirst = order.push(`${asked.method} of ${isReminder ? 'a reminder' : 'a person'}`) === 1
            const response = await service.fetch(asked)
            if (isFirst) await waiting
            return response
          },
        },
        isShared,
      )
      const reminder = send(one)
      await until(() => order.length >= 1)
      const asked = await attempts()
      const entry = { ...one.emulator.packages.test.get(42)?.entry, purpose: 'Changed meanwhile' }
      const change = other.request('/forms/6025/packages/42/entry', {
        as: 'firstApprover',
        method: 'PUT',
        json: entry,
      })
      if (isShared) await until(async () => (await attempts()) > asked + 2)
      else await until(() => order.length >= 2)
      goOn()
      assert.deepEqual([(await reminder).status, (await change).status], [200, 200])
      const own = ['GET of a reminder', 'PUT of a reminder']
      const [first, second] = own
      assert.deepEqual(order, isShared ? [...own, 'PUT of a person'] : [first, 'PUT of a person', second])
      const { purpose } = one.emulator.packages.test.get(42)?.entry ?? {}
      assert.equal(purpose === 'Changed meanwhile', isShared, 'control: the change is lost')
    }
  })

  it('have a gap only for a time in which no process ran, and keep those of each (1.21)', async () => {
    const clock = { now: Date.UTC(2026, 10, 16, 9, 30) }
    const begin = async () => createKnowledge((await connect()).packageIndex, () => clock.now)
    const one = await begin()
    await one.beat()
    clock.now += 10 * minute
    await one.beat()
    const other = await begin()
    clock.now += minute
    await other.beat()
    assert.deepEqual((await other.read()).gaps, [])
    for (let ran = 0; ran < 10; ran++) {
      clock.now += minute
      await other.beat()
    }
    assert.deepEqual((await (await begin()).read()).gaps, [], 'the other one was enough')
    clock.now += 3 * minute
    const next = await begin()
    assert.deepEqual((await next.read()).gaps, [{ from: '2026-11-16T09:51Z', to: '2026-11-16T09:54Z' }])
    clock.now += 10 * minute
    one.miss()
    clock.now += 10 * minute
    other.miss()
    await Promise.all([one.beat(), other.beat()])
    const { since, gaps } = await next.read()
    assert.deepEqual(
      [since, gaps.map((gap) => gap?.from)],
      ['2026-11-16T09:30Z', ['2026-11-16T09:51Z', '2026-11-16T10:03Z', '2026-11-16T10:13Z']],
    )
  })

  it('refuse lists and changes of entries while Redis does not reply, and go on afterwards', async () => {
    const { one } = await createTwo()
    const save = async () => {
      const entry = { ...one.emulator.packages.test.get(42)?.entry, purpose: 'Another' }
      const put = { as: 'firstApprover', method: 'PUT', json: entry } as const
      return (await one.request('/forms/6025/packages/42/entry', put)).status
    }
    await stopServer(server)
    const list = async () => (await one.request('/list?view=mine', { as: 'initiator' })).status
    assert.deepEqual([await save(), await list()], [503, 503])
    assert.equal(one.mutations().length, 0)
    server = await startServer(port, directory)
    await until(async () => (await save()) === 200 && (await list()) === 200)
  })
})

/** The number of times that a process has tried to take a lock, or stored something else. */
async function attempts(): Promise<number> {
  const facts = String(await sendCommand(url, ['INFO', 'commandstats']))
  return Number(/^cmdstat_set:calls=(\d+)/m.exec(facts)?.[1] ?? 0)
}
