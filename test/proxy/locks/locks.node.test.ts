import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { everyOperation, people, type Role } from '../mount.ts'
import { until } from '../until.ts'
import { administrators, callbackUrl, withLocks } from './locked.ts'

const roles = Object.keys(people) as Role[]

describe('the open lock of a package', () => {
  it('is known from the callback until the route continues, whoever releases it', async () => {
    const { freeze, isKnown, locksOf, request } = withLocks()
    const { packageId, lockId } = await freeze()
    await isKnown(packageId)
    const { locks, hasMore } = await locksOf(packageId)
    const [lock] = locks
    assert.deepEqual(
      [lock?.packageId, lock?.lockId, lock?.stop, lock?.mayRelease, hasMore],
      [packageId, lockId, { name: 'Department', stopNumber: 1 }, true, false],
    )
    assert.match(lock?.since ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/)

    const path = `/forms/6025/packages/${packageId}/notification_locks/${lockId}`
    assert.equal((await request(path, { as: 'administrator', method: 'DELETE' })).status, 204)
    assert.deepEqual((await locksOf(packageId)).locks, [])
  })

  it('does not exist if the stop only announces the package, although its callback names a lock', async () => {
    const { control, freeze, isKnown, deliver, emulator, locksOf, request, log } = withLocks()
    const { packageId } = await freeze()
    await isKnown(packageId)
    await control('PUT', 'test/forms/6025/stops/1/callback', { url: callbackUrl })
    const entry = structuredClone(emulator.packages.test.get(42)!.entry)
    const json = { state: 'ROUTING', entry }
    const response = await request('/forms/6025/packages', { as: 'initiator', method: 'POST', json })
    const { id } = (await response.json()) as { id: number }
    await deliver()
    await until(() => log.some((line) => line.includes('no longer open') && line.includes(`:${id},`)))
    assert.deepEqual((await locksOf(id)).locks, [])
  })

  for (const shape of ['number', 'name'] as const) {
    it(`is known if the callback names its stop by ${shape} only`, async () => {
      const { control, freeze, isKnown, locksOf } = withLocks()
      await control('PUT', 'spec-options', { callbackStop: shape })
      const { packageId } = await freeze()
      await isKnown(packageId)
      assert.deepEqual(
        (await locksOf(packageId)).locks[0]?.stop,
        shape === 'name' ? { name: 'Department', stopNumber: null } : { name: null, stopNumber: 1 },
      )
    })
  }

  it('is not released for another package (T4)', async () => {
    const { freeze, isKnown, release, request, mutations, locksOf } = withLocks()
    const [one, other] = [await freeze(), await freeze()]
    await isKnown(one.packageId)
    await isKnown(other.packageId)
    const mixed = { packageId: one.packageId, lockId: other.lockId }
    const before = mutations().length
    assert.equal((await release(mixed)).status, 409)
    const path = `/forms/6025/packages/${mixed.packageId}/notification_locks/${mixed.lockId}`
    assert.equal((await request(path, { as: 'administrator', method: 'DELETE' })).status, 409)
    assert.equal(mutations().length, before, 'the service was not asked')
    assert.equal((await locksOf(other.packageId)).locks.length, 1)
    assert.equal((await release(other)).status, 200, 'control')
  })

  it('survives a void, but is no pause until the package is routing again', async () => {
    const { freeze, isKnown, locksOf, emulator } = withLocks()
    const { packageId, lockId } = await freeze()
    await isKnown(packageId)
    const pkg = emulator.packages.test.get(packageId)!
    Object.assign(pkg, { state: 'VOID' })
    assert.deepEqual((await locksOf(packageId)).locks, [])
    Object.assign(pkg, { state: 'ROUTING' })
    assert.equal((await locksOf(packageId)).locks[0]?.lockId, lockId)
    Object.assign(pkg, { state: 'COMPLETE' })
    assert.deepEqual((await locksOf(packageId)).locks, [])
    Object.assign(pkg, { state: 'ROUTING' })
    assert.deepEqual((await locksOf(packageId)).locks, [], 'control: other states end it')
  })

  it('is not shown as current while the service cannot be asked', async () => {
    let isDown = false
    const { freeze, isKnown, ofPackage, request, locksOf } = withLocks({
      intercept: (sent, emulator) =>
        isDown && sent.url.includes('/packages/status')
          ? new Response(null, { status: 500 })
          : emulator.fetch(sent),
    })
    const { packageId } = await freeze()
    await isKnown(packageId)
    isDown = true
    assert.equal((await request(ofPackage(packageId), { as: 'administrator' })).status, 502)
    assert.equal((await request('/forms/6025/locks', { as: 'administrator' })).status, 502)
    isDown = false
    assert.equal((await locksOf(packageId)).locks.length, 1, 'nothing was forgotten')
  })
})

describe('the rights to locks', () => {
  it('show the pause to those who may view the package, and to those who may release it (T4)', async () => {
    const { freeze, isKnown, ofPackage, request } = withLocks()
    const { packageId } = await freeze()
    await isKnown(packageId)
    for (const as of roles) {
      const response = await request(ofPackage(packageId), { as })
      const flags = await request(`/forms/6025/packages/actions?id=${packageId}`, { as })
      const [row] = (await flags.json()) as [{ canView: boolean } | undefined]
      const isExpected = row?.canView === true || as === 'administrator'
      assert.equal(response.status, isExpected ? 200 : 403, as)
      if (!isExpected) continue
      const { locks } = (await response.json()) as { locks: { mayRelease: boolean }[] }
      assert.deepEqual(
        locks.map(({ mayRelease }) => mayRelease),
        [as === 'administrator'],
        as,
      )
    }
    const refused = roles.filter((as) => as === 'outsider')
    assert.equal(refused.length, 1, 'control: somebody may not')
    assert.equal((await request(ofPackage(packageId))).status, 401)
  })

  it('list the locks of a form only for those who may release them (T4)', async () => {
    const { freeze, isKnown, locksOfForm, request } = withLocks()
    const { packageId } = await freeze()
    await isKnown(packageId)
    for (const as of roles) {
      const { locks } = await locksOfForm(as)
      assert.deepEqual(
        locks.map((lock) => lock?.packageId),
        as === 'administrator' ? [packageId] : [],
        as,
      )
    }
    assert.equal((await request('/forms/6025/locks')).status, 401)
    assert.equal((await request('/forms/6026/locks', { as: 'administrator' })).status, 404)
  })

  it('let only those release a lock whom the policy allows it, before the body is read (T4)', async () => {
    const { freeze, isKnown, release, mutations, emulator } = withLocks()
    const lock = await freeze()
    await isKnown(lock.packageId)
    const before = mutations().length
    for (const as of roles.filter((role) => role !== 'administrator')) {
      assert.equal((await release(lock, as, { reason: '' })).status, 403, as)
    }
    assert.equal(mutations().length, before)
    assert.equal(emulator.packages.test.get(lock.packageId)!.lock, lock.lockId)
    assert.equal((await release(lock)).status, 200, 'control')
  })

  it('do not exist without a policy, or if the site does not serve the operation (T4)', async () => {
    const without = withLocks({ identity: { policy: () => false } })
    const lock = await without.freeze()
    await without.isKnown(lock.packageId)
    assert.equal((await without.release(lock)).status, 403)
    assert.deepEqual((await without.locksOfForm()).locks, [])

    const operations = everyOperation.filter((name) => name !== 'deleteLock')
    const off = withLocks({ operations, identity: { policy: () => true } })
    const other = await off.freeze()
    await off.isKnown(other.packageId)
    assert.equal((await off.release(other)).status, 404)
    assert.equal((await off.request('/forms/6025/locks', { as: 'administrator' })).status, 404)
    assert.equal((await off.locksOf(other.packageId, 'initiator')).locks[0]?.mayRelease, false)
  })

  it('belong to the form and the environment of the package (T6)', async () => {
    const { freeze, isKnown, release, request, emulator } = withLocks({ forms: [6025, 6026] })
    const lock = await freeze()
    await isKnown(lock.packageId)
    const foreign = `/forms/6026/packages/${lock.packageId}/locks`
    assert.equal((await request(foreign, { as: 'administrator' })).status, 403)
    const json = { reason: 'Another form' }
    const path = `${foreign}/${lock.lockId}/release`
    assert.equal((await request(path, { as: 'administrator', method: 'POST', json })).status, 403)
    assert.equal(emulator.packages.test.get(lock.packageId)!.lock, lock.lockId)
    assert.equal((await release(lock)).status, 200, 'control')
  })

  it('ignore a lock that a callback of the other environment names (T28)', async () => {
    const { emulator, control, deliver, locksOf, journal } = withLocks()
    await control('PUT', 'prod/forms/6025/stops/1/callback', { url: callbackUrl, freeze: true })
    // Package 42 exists in the test environment, where it is in an inbox.
    const copy = structuredClone(emulator.packages.test.get(42)!)
    emulator.packages.prod.set(42, Object.assign(copy, { inbox: [], lock: null }))
    await emulator.fetch(
      'http://emulator.test/wf/workflow/prod/api/developer/tools/forms/6025/packages/42/restart',
      {
        method: 'PUT',
        headers: {
          authorization: `Basic ${btoa('demo-app:demo-secret')}`,
          'x-workflow-request-user': people.administrator,
        },
      },
    )
    await deliver()
    assert.ok(copy.lock !== null, 'the package of the other environment is frozen')
    await until(() => journal.some(({ url }) => url.endsWith('/packages/status?id=42')))
    assert.deepEqual((await locksOf(42)).locks, [])
  })
})

describe('a release', () => {
  it('lets the route continue, and logs who did it and why', async () => {
    const { freeze, isKnown, release, locksOf, emulator, log } = withLocks()
    const lock = await freeze()
    await isKnown(lock.packageId)
    const response = await release(lock, 'administrator', { reason: '  Budget approved "today"\n ' })
    assert.deepEqual(await response.json(), { state: 'ROUTING', isPaused: false })
    assert.equal(emulator.packages.test.get(lock.packageId)!.lock, null)
    assert.deepEqual((await locksOf(lock.packageId)).locks, [])
    const line = log.find((each) => each.startsWith('info releaseLock'))
    const facts = JSON.parse(line?.slice('info releaseLock '.length) ?? '{}') as Record<string, unknown>
    assert.deepEqual(
      [facts['packageId'], facts['lockId'], facts['univid'], facts['reason']],
      [lock.packageId, lock.lockId, people.administrator, 'Budget approved "today"'],
    )
  })

  it('can be repeated without harm', async () => {
    const { freeze, isKnown, release } = withLocks()
    const lock = await freeze()
    await isKnown(lock.packageId)
    const replies = [await release(lock), await release(lock)]
    for (const reply of replies) {
      assert.equal(reply.status, 200)
      assert.deepEqual(await reply.json(), { state: 'ROUTING', isPaused: false })
    }
  })

  it('has taken effect if only its response was lost', async () => {
    let loses = true
    const { freeze, isKnown, release, locksOf } = withLocks({
      async intercept(sent, emulator) {
        const response = await emulator.fetch(sent)
        if (sent.method !== 'DELETE' || !loses) return response
        loses = false
        throw new TypeError('fetch failed')
      },
    })
    const lock = await freeze()
    await isKnown(lock.packageId)
    const response = await release(lock)
    assert.deepEqual([response.status, await response.json()], [200, { state: 'ROUTING', isPaused: false }])
    assert.equal(loses, false)
    assert.deepEqual((await locksOf(lock.packageId)).locks, [])
  })

  it('is not claimed if the service failed, and the lock stays known until one succeeds (F58)', async () => {
    let isDown = true
    let calls = 0
    const { freeze, isKnown, release, locksOf } = withLocks({
      intercept(sent, emulator) {
        if (sent.method === 'DELETE') calls += 1
        return sent.method === 'DELETE' && isDown ? new Response(null, { status: 500 }) : emulator.fetch(sent)
      },
    })
    const lock = await freeze()
    await isKnown(lock.packageId)
    for (let tries = 1; tries <= 3; tries++) {
      assert.equal((await release(lock)).status, 502)
      assert.equal(calls, tries, 'the proxy does not repeat it by itself')
      assert.equal((await locksOf(lock.packageId)).locks[0]?.lockId, lock.lockId)
    }
    isDown = false
    assert.deepEqual(await (await release(lock)).json(), { state: 'ROUTING', isPaused: false })
    assert.deepEqual((await locksOf(lock.packageId)).locks, [])
  })

  it('is reported as such if the service accepts it, but the package still waits', async () => {
    const { freeze, isKnown, release } = withLocks({
      intercept: (sent, emulator) =>
        sent.method === 'DELETE' ? new Response(null, { status: 204 }) : emulator.fetch(sent),
    })
    const lock = await freeze()
    await isKnown(lock.packageId)
    assert.deepEqual(await (await release(lock)).json(), { state: 'ROUTING', isPaused: true })
  })

  it('is unknown if the state cannot be read afterwards', async () => {
    let isDown = false
    const { freeze, isKnown, release, log } = withLocks({
      async intercept(sent, emulator) {
        if (sent.method === 'DELETE') isDown = true
        return isDown && sent.url.includes('/packages/status')
          ? new Response(null, { status: 500 })
          : await emulator.fetch(sent)
      },
    })
    const lock = await freeze()
    await isKnown(lock.packageId)
    assert.equal((await release(lock)).status, 502)
    assert.ok(log.some((line) => line.startsWith('warn releaseLock: it is not known')))
  })

  const invalid = [{}, { reason: '' }, { reason: ' \n' }, { reason: 'x'.repeat(501) }, { reason: 5 }]
  it('needs a reason of at most 500 characters', async () => {
    const { freeze, isKnown, release, emulator } = withLocks()
    const lock = await freeze()
    await isKnown(lock.packageId)
    for (const json of invalid) {
      const { status } = await release(lock, 'administrator', json)
      assert.ok(status === 400 || status === 415, `${JSON.stringify(json)}: ${status}`)
    }
    assert.equal(emulator.packages.test.get(lock.packageId)!.lock, lock.lockId)
    assert.equal((await release(lock, 'administrator', { reason: 'x'.repeat(500) })).status, 200, 'control')
  })

  it('must come from a page of the site (T30)', async () => {
    const { freeze, isKnown, release } = withLocks()
    const lock = await freeze()
    await isKnown(lock.packageId)
    for (const headers of [{ 'x-routeslip': null }, { 'sec-fetch-site': 'cross-site' }]) {
      assert.equal((await release(lock, 'administrator', undefined, headers)).status, 403)
    }
  })
})

it('the session names the operations about locks that the mount serves', async () => {
  const namesOf = async (operations = everyOperation) => {
    const { request } = withLocks({ operations, identity: { policy: administrators } })
    const session = (await (await request('/session', { as: 'viewer' })).json()) as {
      allows: { operations: string[] }
    }
    return session.allows.operations.filter((name) => name.endsWith('Lock') || name.endsWith('Locks'))
  }
  assert.deepEqual(await namesOf(), ['deleteLock', 'getLocks', 'getFormLocks', 'releaseLock'])
  assert.deepEqual(await namesOf(['getPackage']), ['getLocks'])
})
