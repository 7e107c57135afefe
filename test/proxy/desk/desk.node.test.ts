import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { people, type Role, setUp } from '../mount.ts'
import { until } from '../until.ts'
import { withIndex } from './with-index.ts'

const entryOf = ({ emulator }: ReturnType<typeof setUp>) =>
  structuredClone(emulator.packages.test.get(42)!.entry)

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
    const { index, journal } = withIndex({ lists: { callsPerSecond: 20, interval: 60_000 } })
    const hints = Array.from({ length: 250 }, (_, place) => ({ formId: 6025, packageId: 1000 + place }))
    const start = performance.now()
    await index.request(hints, Date.now())
    await until(async () => (await index.due(Date.now(), 1)).length === 0)
    assert.equal(journal.length, 3)
    assert.ok(performance.now() - start >= 100, 'two pauses of 50 ms')
  })

  it('does nothing and stores nothing unless lists are wanted', async () => {
    const { request, journal, proxy } = setUp()
    await request('/forms/6025/packages/42', { as: 'initiator' })
    assert.equal(journal.length, 1)
    await proxy.close()
  })
})
