import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createMemoryIndex } from '../../../src/proxy/desk/package-index.ts'
import { people, type Role, setUp, type SetUp } from '../mount.ts'
import { until } from '../until.ts'
import { heldBy } from './index-contract.ts'
import { still, withIndex } from './with-index.ts'

const entryOf = ({ emulator }: ReturnType<typeof setUp>) =>
  structuredClone(emulator.packages.test.get(42)!.entry)

/** Time in ms between two checks of what is routing. The sweep looks as often, in real time. */
const interval = 5

/** Creates a mount with a clock of its own. */
function withClock(options: SetUp = {}) {
  let time = Date.UTC(2026, 10, 16, 9, 30)
  /** The last time for which the sweep has found nothing due. */
  let idleAt: number | undefined
  const index = createMemoryIndex()
  const due: typeof index.due = async (at, limit) => {
    const found = await index.due(at, limit)
    if (found.length === 0) idleAt = at
    return found
  }
  const mount = withIndex({
    ...options,
    storage: { packageIndex: { ...index, due } },
    lists: { now: () => time, interval },
  })
  /** Waits until everything is checked that is due. */
  async function settle(): Promise<void> {
    idleAt = undefined
    await until(() => idleAt === time)
  }
  return {
    ...mount,
    settle,
    pass: (ms: number) => void (time += ms),
    /** Lets time pass. Returns the ids of the packages that are checked then, those of one call together. */
    async checkedAfter(ms: number): Promise<readonly string[][]> {
      mount.journal.splice(0)
      time += ms
      await settle()
      return mount.journal
        .map(({ url }) => new URL(url))
        .filter(({ pathname }) => pathname.endsWith('/status'))
        .map(({ searchParams }) => searchParams.getAll('id').sort())
    },
  }
}

const minute = 60_000
const day = 24 * 60 * minute

describe('the index of a mount', () => {
  it('learns of a package from a callback, and from whom it waits for', async () => {
    const mount = withIndex()
    await mount.registerCallbacks()
    await mount.change('/restart')
    assert.deepEqual(await mount.listed('mine', 'initiator'), [], 'control: nothing has arrived')
    await mount.deliver()
    await mount.lists('mine', 'initiator', [42])
    await mount.lists('waiting', 'firstApprover', [42])
    assert.deepEqual(await mount.listed('waiting', 'secondApprover'), [])
    assert.deepEqual(await mount.listed('mine', 'firstApprover'), [])
  })

  it('learns of a package that somebody creates or reads, but of none that the service refuses', async () => {
    const mount = withIndex()
    const { request, index } = mount
    const read = (as: Role) => request('/forms/6025/packages/42', { as })
    assert.equal((await read('outsider')).status, 403)
    const json = { state: 'DRAFT', entry: entryOf(mount) }
    const created = await request('/forms/6025/packages', { as: 'outsider', method: 'POST', json })
    assert.equal(created.status, 200)
    const { id } = (await created.json()) as { id: number }
    await mount.lists('mine', 'outsider', [id])
    assert.equal(await index.count(), 1)
    assert.equal((await read('viewer')).status, 200)
    await mount.lists('mine', 'initiator', [42])
  })

  it('learns of the packages of a bulk read that the person may view', async () => {
    const { request, lists, index } = withIndex()
    const read = (as: Role) => request('/forms/6025/packages/status?id=42&id=43', { as })
    assert.equal((await read('outsider')).status, 200)
    assert.equal(await index.count(), 0)
    assert.equal((await read('viewer')).status, 200)
    await lists('mine', 'initiator', [42])
    assert.equal(await index.count(), 1)
  })

  it('finds a hop and an override that were made in the service, without a callback', async () => {
    const { request, lists, control, emulator } = withIndex()
    await request('/forms/6025/packages/42', { as: 'initiator' })
    await lists('waiting', 'firstApprover', [42])
    await control('POST', 'test/forms/6025/packages/42/sign', { univid: people.firstApprover })
    await lists('waiting', 'secondApprover', [42])
    await lists('waiting', 'firstApprover', [])
    const path = 'http://emulator.test/wf/test/api/developer/forms/6025/packages/42/routing/overrides'
    const response = await emulator.fetch(path, {
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa('demo-app:demo-secret')}`,
        'x-workflow-request-user': people.administrator,
        'x-workflow-bypass-authorization': 'true',
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        subjectUnivid: people.secondApprover,
        replacementUnivid: people.outsider,
        type: 'CHANGE',
        reason: 'CONFLICT_OF_INTEREST',
      }),
    })
    assert.ok(response.ok, await response.text())
    await lists('waiting', 'outsider', [42])
    await lists('waiting', 'secondApprover', [])
  })

  it('knows the stop and the office of each holder, and reads them again if a check is requested', async () => {
    const mount = withIndex({ lists: { now: still } })
    const { index, addCopies, control } = mount
    const hint = { formId: 6025, packageId: 42 }
    const places = async () =>
      (await index.find(hint))?.holders.map(({ person, stop, stopName, office }) => [
        person,
        stop,
        stopName,
        office,
      ])
    await addCopies(1, 42)
    const department = [
      [people.firstApprover, 1, 'Department', '05-0100'],
      [people.viewer, 1, 'Department', '05-0100'],
    ]
    assert.deepEqual(await places(), department)
    const { pkg } = (await index.find(hint))!
    await index.record([{ pkg, holders: [heldBy(people.firstApprover), heldBy(people.viewer)] }])
    await index.request([hint], 0)
    await until(async () => (await index.due(1, 1)).length === 0)
    assert.deepEqual(await places(), department)
    assert.equal((await index.find(hint))?.pkg.changedAt, pkg.changedAt, 'nothing has changed')

    await control('POST', 'test/forms/6025/packages/42/sign', { univid: people.firstApprover })
    await index.request([hint], 0)
    await until(async () => (await index.due(1, 1)).length === 0)
    assert.deepEqual(await places(), [[people.secondApprover, 2, 'College', '05-0333']])
  })

  it('knows no holders of a package that has ended, and keeps its initiator', async () => {
    const { request, lists, listed, emulator } = withIndex()
    await request('/forms/6025/packages/42', { as: 'initiator' })
    await lists('waiting', 'firstApprover', [42])
    Object.assign(emulator.packages.test.get(42)!, { state: 'VOID' })
    await lists('waiting', 'firstApprover', [])
    assert.deepEqual(await listed('mine', 'initiator'), [42])
  })

  it('asks for 24 hours for a package that the service does not return, and then drops it', async () => {
    let time = Date.UTC(2026, 10, 16)
    const { index, log } = withIndex({ lists: { now: () => time } })
    await index.request([{ formId: 6025, packageId: 4711 }], time)
    time += 23 * 3_600_000
    await until(async () => (await index.due(time, 1)).length === 0)
    assert.equal(await index.count(), 1, 'control: not yet')
    time += 2 * 3_600_000
    await until(async () => {
      time += 3_600_000
      return (await index.count()) === 0
    })
    assert.ok(log.some((line) => /no longer in the lists.*4711/.test(line)))
  })

  it('keeps a package whose row cannot be read', async () => {
    let isBroken = false
    const mount = withIndex({
      async intercept(sent, emulator) {
        if (!isBroken || !sent.url.includes('/status')) return await emulator.fetch(sent)
        return Response.json([{ id: 'unreadable' }])
      },
    })
    await mount.request('/forms/6025/packages/42', { as: 'initiator' })
    await mount.lists('waiting', 'firstApprover', [42])
    isBroken = true
    const before = mount.journal.length
    await until(() => mount.journal.length > before + 3)
    assert.deepEqual(await mount.listed('waiting', 'firstApprover'), [42])
  })

  it('goes on after the service was down, and finds the one package for which a batch is refused', async () => {
    let isDown = true
    const mount = withIndex({
      async intercept(sent, emulator) {
        const url = new URL(sent.url)
        if (!url.pathname.endsWith('/status')) return await emulator.fetch(sent)
        if (isDown) return new Response(null, { status: 500 })
        const isRefused = url.searchParams.getAll('id').includes('4711')
        return isRefused ? Response.json({}, { status: 404 }) : await emulator.fetch(sent)
      },
    })
    const { index } = mount
    const hints = [42, 4711].map((packageId) => ({ formId: 6025, packageId }))
    await index.add(hints, Date.now())
    await mount.request('/forms/6025/packages/42', { as: 'initiator' })
    await until(() => mount.log.some((line) => line.includes('could not be read')))
    assert.deepEqual(await mount.listed('mine', 'initiator'), [])
    isDown = false
    await mount.lists('mine', 'initiator', [42])
  })

  it('sends no more calls per second than allowed, 100 packages a call', async () => {
    const { index, journal } = withIndex({ lists: { callsPerSecond: 20, now: still } })
    const hints = Array.from({ length: 250 }, (_, place) => ({ formId: 6025, packageId: 1000 + place }))
    const start = performance.now()
    await index.request(hints, still())
    await until(async () => (await index.due(still(), 1)).length === 0)
    assert.equal(journal.length, 3)
    assert.ok(performance.now() - start >= 100, 'two pauses of 50 ms')
  })

  it('checks what is routing at each interval, drafts daily, and what has ended daily for 30 days (1.4)', async () => {
    const mount = withClock()
    const { checkedAfter, settle } = mount
    for (const [id, state] of [
      [43, 'DRAFT'],
      [44, 'COMPLETE'],
      [45, 'VOID'],
    ] as const)
      await mount.addCopies(1, id, { state, inbox: [] })
    await mount.addCopies(1, 42)
    await settle()
    assert.deepEqual(await checkedAfter(interval - 1), [])
    assert.deepEqual(await checkedAfter(1), [['42']])
    assert.deepEqual(await checkedAfter(day - interval), [['42', '43', '44', '45']])
    await checkedAfter(30 * day)
    assert.deepEqual(await checkedAfter(day), [['42', '43']])
  })

  it('checks nothing while calls of the service are paused (1.4)', async () => {
    const paused: 'workflow'[] = []
    const mount = withClock({ pausedServices: () => paused })
    await mount.addCopies(1, 42)
    await mount.settle()
    paused.push('workflow')
    await mount.index.request([{ formId: 6025, packageId: 42 }], 0)
    mount.journal.splice(0)
    const alive = await mount.index.readNote('alive')
    mount.pass(2 * minute)
    await until(async () => (await mount.index.readNote('alive')) !== alive)
    assert.equal(mount.journal.length, 0)
    paused.pop()
    assert.deepEqual(await mount.checkedAfter(0), [['42']], 'control')
  })

  it('finds what has happened while the service did not respond, and says that it has not looked meanwhile (1.16, 1.21)', async () => {
    let isDown = false
    const mount = withClock({
      async intercept(sent, emulator) {
        const isFailing = isDown && new URL(sent.url).pathname.endsWith('/status')
        return isFailing ? new Response(null, { status: 500 }) : await emulator.fetch(sent)
      },
    })
    const lookedAt = async () => (await mount.getList('outsider', 'view=mine')).known.checkedAt
    await mount.addCopies(1, 42)
    await mount.lists('waiting', 'firstApprover', [42])
    await mount.settle()
    assert.equal(await lookedAt(), '2026-11-16T09:30Z')
    isDown = true
    await mount.control('POST', 'test/forms/6025/packages/42/sign', { univid: people.firstApprover })
    assert.deepEqual(await mount.checkedAfter(10 * minute), [['42']], 'one attempt')
    assert.equal(await lookedAt(), '2026-11-16T09:30Z')
    assert.deepEqual(await mount.listed('waiting', 'firstApprover'), [42])
    isDown = false
    await mount.checkedAfter(minute)
    assert.deepEqual(await mount.listed('waiting', 'secondApprover'), [42])
    assert.equal(await lookedAt(), '2026-11-16T09:41Z')
  })

  it('says since when it has looked at everything, also while it is behind (1.16)', async () => {
    let goOn = () => {}
    const waiting = new Promise<void>((resolve) => (goOn = resolve))
    let isSlow = false
    const mount = withClock({
      async intercept(sent, emulator) {
        if (isSlow && sent.url.includes('/6026/')) await waiting
        return await emulator.fetch(sent)
      },
    })
    const lookedAt = async () => (await mount.getList('outsider', 'view=mine')).known.checkedAt
    await mount.addCopies(1, 42)
    const other = { formId: 6026, packageId: 7 }
    await mount.index.add([other], Date.UTC(2026, 10, 16, 9, 30))
    await mount.settle()
    assert.equal(await lookedAt(), '2026-11-16T09:30Z')
    isSlow = true
    const { pkg } = (await mount.index.find(other)) ?? {}
    assert.ok(pkg)
    await mount.index.record([{ pkg: { ...pkg, dueAt: Date.UTC(2026, 10, 16, 9, 38) } }])
    mount.pass(10 * minute)
    await until(async () => (await lookedAt()) === '2026-11-16T09:37Z')
    goOn()
    await mount.settle()
    assert.equal(await lookedAt(), '2026-11-16T09:40Z')
  })

  it('drops what has ended and drafts 400 days after the last change, and nothing that is routing (1.19)', async () => {
    const mount = withClock()
    await mount.addCopies(1, 43, { state: 'DRAFT', inbox: [] })
    await mount.addCopies(1, 44, { state: 'COMPLETE', inbox: [] })
    await mount.addCopies(1, 42)
    await mount.settle()
    await mount.checkedAfter(399 * day)
    assert.equal(await mount.index.count(), 3)
    await mount.checkedAfter(day + minute)
    assert.equal(await mount.index.count(), 1)
    assert.deepEqual(await mount.listed('waiting', 'firstApprover'), [42])
  })

  it('drops what is routing 30 days after the service has stopped returning it, unless it returns it again (1.19)', async () => {
    const mount = withClock()
    const { test: packages } = mount.emulator.packages
    await mount.addCopies(1, 42)
    await mount.settle()
    const stored = packages.get(42)!
    for (const isBack of [true, false]) {
      packages.delete(42)
      await mount.checkedAfter(minute)
      await mount.checkedAfter(29 * day)
      assert.equal(await mount.index.count(), 1)
      if (isBack) packages.set(42, stored)
      await mount.checkedAfter(10 * day)
      assert.equal(await mount.index.count(), isBack ? 1 : 0)
    }
    assert.match(mount.log.join('\n'), /no longer in the lists, because the service does not return it/)
  })

  it('does nothing and stores nothing unless lists are wanted', async () => {
    const { request, journal, proxy } = setUp()
    await request('/forms/6025/packages/42', { as: 'initiator' })
    assert.equal(journal.length, 1)
    await proxy.close()
  })
})
