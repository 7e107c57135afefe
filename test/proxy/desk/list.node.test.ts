import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { RequestList } from '../../../src/contract/schemas/lists.ts'
import { createMemoryCallbackStore } from '../../../src/proxy/callbacks/callback-store.ts'
import { createMemoryIndex, type PackageIndex } from '../../../src/proxy/desk/package-index.ts'
import { people, type Role, setUp } from '../mount.ts'
import { until } from '../until.ts'
import { heldBy } from './index-contract.ts'
import { still, withIndex } from './with-index.ts'

const hint = { formId: 6025, packageId: 42 }
/** Creates a mount that knows package 42, and checks nothing without a reason. */
async function withPackage(options: Parameters<typeof withIndex>[0] = {}) {
  const mount = withIndex({ ...options, lists: { now: still, ...options.lists } })
  await mount.index.add([hint], 0)
  await until(async () => (await mount.index.due(1, 1)).length === 0)
  mount.journal.splice(0)
  return mount
}

const idsIn = ({ rows }: RequestList) => rows.map((row) => row?.packageId)
const callsTo = (journal: readonly Request[]) =>
  journal.map(({ url }) => new URL(url).pathname.split('/').at(-1)).sort()

describe('GET /list', () => {
  it('lists what a person started, and what waits for a person to sign or to read', async () => {
    const { getList, journal } = await withPackage()
    const mine = await getList('initiator', 'view=mine')
    const [row] = mine.rows
    assert.deepEqual(
      [idsIn(mine), row?.state, row?.initiator, row?.received, row?.actions.canSign, mine.next],
      [[42], 'ROUTING', null, null, false, null],
    )
    assert.match(row?.started ?? '', /^\d{4}-\d\d-\d\dT/)
    assert.deepEqual(
      row?.inboxSignatures?.map((inbox) => inbox?.approver),
      ['Daniel Reyes', 'Ruth Lindqvist'],
    )
    assert.deepEqual(callsTo(journal), ['actions', 'status'], 'two calls of the service')

    const [toSign] = (await getList('firstApprover', 'view=waiting')).rows
    assert.deepEqual(
      [toSign?.packageId, toSign?.actions.canSign, toSign?.initiator],
      [42, true, 'Amara Okafor'],
    )
    assert.match(toSign?.received ?? '', /^\d{4}-\d\d-\d\dT/)
    const [toRead] = (await getList('viewer', 'view=waiting')).rows
    assert.deepEqual([toRead?.packageId, toRead?.actions.canSign], [42, false])
    for (const [as, view] of [
      ['firstApprover', 'mine'],
      ['initiator', 'waiting'],
      ['secondApprover', 'waiting'],
      ['outsider', 'mine'],
      ['outsider', 'waiting'],
    ] as const)
      assert.deepEqual(idsIn(await getList(as, `view=${view}`)), [], `${as} ${view}`)
  })

  describe('of a request that was removed from routing (3.2)', () => {
    const rows = ({ rows: found }: RequestList) =>
      found.map((row) => [row?.packageId, row?.state, row?.started])
    const tool = '/forms/6025/packages/42'
    async function withInitiator(options: Parameters<typeof withIndex>[0] = {}) {
      const mount = await withPackage(options)
      const { request, getList, index, emulator } = mount
      return {
        ...mount,
        started: () => emulator.packages.test.get(42)!.routingDate,
        send: async (as: Role, path: string) =>
          assert.equal((await request(`${tool}${path}`, { as, method: 'PUT' })).status, 200, path),
        /** Waits until the index has noticed the state of the package, and returns the list. */
        async mine() {
          await until(async () => {
            const { state } = emulator.packages.test.get(42)!
            return (await index.due(1, 1)).length === 0 && (await index.find(hint))?.pkg.state === state
          })
          return rows(await getList('initiator', 'view=mine'))
        },
      }
    }
    const identity = { policy: () => Promise.resolve(true) }

    it('has its start if the initiator has withdrawn it, also after another start', async () => {
      const { mine, send, started, addCopies } = await withInitiator({ identity })
      const first = started()
      await addCopies(1, 1001, { state: 'PRE_ROUTING', inbox: [] })
      await send('initiator', '/remove')
      assert.deepEqual((await mine()).sort(), [
        [1001, 'PRE_ROUTING', null],
        [42, 'PRE_ROUTING', first],
      ])
      await send('initiator', '/re_initiate')
      assert.notEqual(started(), first, 'control')
      assert.deepEqual(
        (await mine()).find(([id]) => id === 42),
        [42, 'ROUTING', started()],
      )
    })

    it('has no start if somebody else has removed it, not even before the next check', async () => {
      const { mine, send, started, getList, index } = await withInitiator({ identity })
      await index.record([{ pkg: { ...(await index.find(hint))!.pkg, dueAt: 2 ** 50 } }])
      await send('administrator', '/remove')
      assert.deepEqual(rows(await getList('initiator', 'view=mine')), [[42, 'PRE_ROUTING', null]])
      assert.deepEqual(await mine(), [[42, 'PRE_ROUTING', null]])
      await send('administrator', '/re_initiate')
      await send('initiator', '/remove')
      assert.deepEqual(await mine(), [[42, 'PRE_ROUTING', started()]], 'control')
    })

    it('has its start if it was started and withdrawn between two checks', async () => {
      let isWaiting = false
      const index = createMemoryIndex()
      const { mine, send, started, emulator } = await withInitiator({
        identity,
        storage: {
          packageIndex: {
            ...index,
            due: (at, limit) => (isWaiting && at !== 1 ? Promise.resolve([]) : index.due(at, limit)),
          },
        },
      })
      await send('administrator', '/remove')
      assert.deepEqual(await mine(), [[42, 'PRE_ROUTING', null]])
      isWaiting = true
      await send('initiator', '/re_initiate')
      await send('initiator', '/remove')
      assert.equal(emulator.packages.test.get(42)!.state, 'PRE_ROUTING')
      isWaiting = false
      await until(async () => (await index.find(hint))?.pkg.started === started())
      assert.deepEqual(await mine(), [[42, 'PRE_ROUTING', started()]])
    })

    it('has no start if it was created in routing and removed by others before the first check', async () => {
      const { mine, send, index } = await withInitiator({ identity })
      await send('administrator', '/remove')
      await index.remove([hint])
      await index.add([hint], 0)
      assert.deepEqual(await mine(), [[42, 'PRE_ROUTING', null]])
    })

    it('is read again if its history could not be read, and has no start if the service refuses to show it', async () => {
      let status = 0
      const { mine, send, started, index } = await withInitiator({
        identity,
        lists: { now: Date.now },
        intercept: (sent, emulator) =>
          status > 0 && sent.url.endsWith('/history')
            ? Promise.resolve(Response.json({}, { status }))
            : emulator.fetch(sent),
      })
      await send('administrator', '/remove')
      assert.deepEqual(await mine(), [[42, 'PRE_ROUTING', null]])
      status = 500
      await send('initiator', '/re_initiate')
      await send('initiator', '/remove')
      await until(async () => (await index.find(hint))?.pkg.digest === null)
      assert.deepEqual(await mine(), [[42, 'PRE_ROUTING', null]])
      status = 0
      await until(async () => (await index.find(hint))?.pkg.started === started())
      status = 404
      await send('initiator', '/re_initiate')
      await send('initiator', '/remove')
      await until(async () => (await index.find(hint))?.pkg.started === null)
      assert.equal((await index.find(hint))?.pkg.state, 'PRE_ROUTING')
    })
  })

  it('shows nothing of a package that the person may not view, whatever the index proposes (T4)', async () => {
    const { getList, index } = await withPackage()
    const [pkg] = await index.due(Number.MAX_SAFE_INTEGER, 1)
    assert.ok(pkg)
    const holders = [heldBy(people.outsider, { received: '2026-11-16T10:00:00' })]
    await index.record([{ pkg: { ...pkg, initiator: people.outsider }, holders }])
    for (const view of ['mine', 'waiting']) {
      assert.deepEqual(await getList('outsider', `view=${view}`), {
        ...(await getList('secondApprover', `view=${view}`)),
        rows: [],
      })
    }
    await index.record([{ pkg: { ...pkg, initiator: people.viewer }, holders }])
    assert.deepEqual(idsIn(await getList('viewer', 'view=mine')), [42], 'control: the index is asked')
  })

  it('replies with the same bytes if the only difference is a package that the person may not view (T4)', async () => {
    const now = () => Date.UTC(2026, 10, 16, 10)
    /** The replies of a proxy whose index proposes more packages than the person may view. */
    async function replies(hidden: number, as: Role) {
      const mount = await withPackage({ lists: { now } })
      await mount.addCopies(hidden)
      const due = await mount.index.due(Number.MAX_SAFE_INTEGER, 1000)
      assert.equal(due.length, hidden + 1)
      const holders = [heldBy(people.outsider), heldBy(null)]
      await mount.index.record(
        due
          .filter(({ packageId }) => packageId !== 42)
          .map((pkg) => ({ pkg: { ...pkg, initiator: people.outsider }, holders })),
      )
      return await Promise.all(
        ['view=mine', 'view=waiting'].map(async (query) => {
          const response = await mount.request(`/list?${query}`, { as })
          const { 'x-request-id': _, ...headers } = Object.fromEntries(response.headers)
          return [response.status, headers, await response.text()]
        }),
      )
    }
    for (const hidden of [1, 60, 98]) {
      assert.deepEqual(await replies(hidden, 'outsider'), await replies(0, 'outsider'), `${hidden}`)
    }
    assert.notDeepEqual(await replies(1, 'firstApprover'), await replies(0, 'firstApprover'), 'control')
  })

  it('lists no package that the person has signed in the service since, and corrects the index', async () => {
    const { getList, control, lists } = await withPackage()
    assert.deepEqual(idsIn(await getList('firstApprover', 'view=waiting')), [42])
    assert.deepEqual(idsIn(await getList('viewer', 'view=waiting')), [42])
    await control('POST', 'test/forms/6025/packages/42/sign', { univid: people.firstApprover })
    assert.deepEqual(idsIn(await getList('firstApprover', 'view=waiting')), [])
    assert.deepEqual(
      idsIn(await getList('viewer', 'view=waiting')),
      [],
      'whether it still waits is not known',
    )
    await lists('waiting', 'secondApprover', [42])
    assert.deepEqual(idsIn(await getList('secondApprover', 'view=waiting')), [42])
  })

  it('lists a package for everyone who may sign it if its holder is not known', async () => {
    const { getList, index } = await withPackage()
    const [pkg] = await index.due(Number.MAX_SAFE_INTEGER, 1)
    assert.ok(pkg)
    await index.record([{ pkg, holders: [heldBy(null)] }])
    assert.deepEqual(idsIn(await getList('firstApprover', 'view=waiting')), [42])
    assert.deepEqual(idsIn(await getList('viewer', 'view=waiting')), [])
  })

  it('reaches each package once, in full parts, past those that are hidden', async () => {
    const mount = await withPackage()
    const ids = await mount.addCopies(250)
    // Every fifth one belongs to somebody else, although the index says otherwise.
    const hidden = ids.filter((id) => id % 5 === 0)
    for (const id of hidden) {
      const { test: packages } = mount.emulator.packages
      packages.set(id, { ...packages.get(id)!, initiator: people.outsider })
    }
    const found: (number | undefined)[] = []
    const sizes: number[] = []
    for (let next: string | null = ''; next !== null;) {
      const part = await mount.getList('initiator', `view=mine${next && `&after=${next}`}`)
      found.push(...idsIn(part))
      sizes.push(part.rows.length)
      next = part.next
    }
    const expected = [42, ...ids].filter((id) => !hidden.includes(id))
    assert.deepEqual(
      found.toSorted((a = 0, b = 0) => a - b),
      expected,
    )
    assert.deepEqual(sizes, [100, 100, 1])
  })

  it('accepts a place in a list only of the same person, list and day', async () => {
    let time = Date.UTC(2026, 10, 16)
    const { request, addCopies, getList } = await withPackage({ lists: { now: () => time } })
    await addCopies(150)
    const { next } = await getList('initiator', 'view=mine')
    assert.match(next ?? '', /^[\w-]{100,}$/)
    const after = (view: string, as: Role, place = next) =>
      request(`/list?view=${view}&after=${place}`, { as })
    assert.equal((await after('mine', 'initiator')).status, 200)
    for (const [view, as, place] of [
      ['waiting', 'initiator', next],
      ['mine', 'firstApprover', next],
      ['mine&form=6025', 'initiator', next],
      ['mine', 'initiator', `${next?.startsWith('A') ? 'B' : 'A'}${next?.slice(1)}`],
      ['mine', 'initiator', 'AAAA'],
    ] as const) {
      const response = await after(view, as, place)
      assert.equal(response.status, 400, `${view} ${as} ${place}`)
      assert.match(await response.text(), /no longer available/)
    }
    time += 25 * 3_600_000
    assert.equal((await after('mine', 'initiator')).status, 400)
  })

  it('finds the package for which a bulk call is refused, and states if that would take too many calls', async () => {
    let refused: readonly string[] = []
    const { getList, addCopies } = await withPackage({
      async intercept(sent, emulator) {
        const url = new URL(sent.url)
        const isRefused = url.searchParams.getAll('id').some((id) => refused.includes(id))
        return isRefused && url.pathname.endsWith('/actions')
          ? Response.json({}, { status: 404 })
          : await emulator.fetch(sent)
      },
    })
    const ids = await addCopies(60)
    refused = [String(ids[7])]
    const one = await getList('initiator', 'view=mine')
    assert.deepEqual([one.rows.length, one.isPartial], [60, false])
    refused = ids.filter((id) => id % 2 === 0).map(String)
    const many = await getList('initiator', 'view=mine')
    assert.equal(many.isPartial, true)
    assert.ok(many.rows.length < 31)
  })

  it('passes on the failure of the service, and shows no row that is not confirmed', async () => {
    let isDown = ''
    const { request } = await withPackage({
      async intercept(sent, emulator) {
        const isFailing = isDown && sent.url.includes(isDown)
        return isFailing ? new Response(null, { status: 500 }) : await emulator.fetch(sent)
      },
    })
    const read = () => request('/list?view=mine', { as: 'initiator' })
    for (const part of ['/actions', '/status']) {
      isDown = part
      assert.equal((await read()).status, 502, part)
    }
    isDown = ''
    assert.equal((await read()).status, 200, 'control')
  })

  it('reads the names of initiators that are not in memory, as the person, and at most 25', async () => {
    const mount = await withPackage()
    await mount.addCopies(30)
    // A new process has the index, but no names.
    const { index } = mount
    const next = withIndex({
      storage: { packageIndex: index },
      lists: { now: still },
      intercept: (sent) => mount.emulator.fetch(sent),
    })
    const { rows } = await next.getList('firstApprover', 'view=waiting')
    assert.equal(rows.length, 31)
    const reads = next.journal.filter(({ url }) => /packages\/\d+$/.test(url))
    assert.ok(reads.length <= 25 && reads.length > 0, `${reads.length}`)
    assert.ok(reads.every(({ headers }) => headers.get('x-workflow-request-user') === people.firstApprover))
    assert.ok(rows.some((row) => row?.initiator === 'Amara Okafor'))
  })

  it('refuses other queries, other forms, and people who are not signed in', async () => {
    const { request } = await withPackage()
    const read = async (query: string, as?: Role) => (await request(`/list${query}`, as ? { as } : {})).status
    for (const query of [
      '',
      '?view=all',
      '?view=mine&view=waiting',
      '?view=mine&form=x',
      '?view=mine&page=2',
    ])
      assert.equal(await read(query, 'initiator'), 400, query)
    assert.equal(await read('?view=mine&form=6030', 'initiator'), 404)
    assert.equal(await read('?view=mine&form=6025&form=6026', 'initiator'), 200, 'control')
    assert.equal(await read('?view=mine'), 401)
  })

  it('exists only if the site keeps lists', async () => {
    const off = setUp()
    assert.equal((await off.request('/list?view=mine', { as: 'initiator' })).status, 404)
    const allowed = async ({ request }: Pick<ReturnType<typeof setUp>, 'request'>) => {
      const session = (await (await request('/session', { as: 'initiator' })).json()) as {
        allows: { operations: string[] }
      }
      return session.allows.operations.includes('getList')
    }
    assert.equal(await allowed(off), false)
    assert.equal(await allowed(await withPackage()), true)
  })
})

describe('what a list says of its knowledge', () => {
  it('names since when it knows requests, and when it last looked', async () => {
    let time = Date.UTC(2026, 10, 16, 9, 30)
    const { getList } = await withPackage({ lists: { now: () => time } })
    time += 5 * 60_000
    await until(
      async () => (await getList('outsider', 'view=mine')).known.checkedAt === '2026-11-16T09:35Z',
      // eslint-disable-next-line no-restricted-syntax -- The proxy limits how often a person may ask.
      () => new Promise((resolve) => setTimeout(resolve, 50)),
    )
    const { known } = await getList('outsider', 'view=mine')
    assert.deepEqual(known, {
      since: '2026-11-16T09:30Z',
      checkedAt: '2026-11-16T09:35Z',
      gaps: [],
      isLimited: false,
    })
  })

  it('names the times in which no proxy ran', async () => {
    const index = createMemoryIndex()
    let time = Date.UTC(2026, 10, 16, 9, 30)
    const start = () => withIndex({ storage: { packageIndex: index }, lists: { now: () => time } })
    const first = start()
    await first.getList('outsider', 'view=mine')
    await until(async () => (await index.readNote('alive')) !== undefined)
    await first.proxy.close()
    time += 60_000
    const soon = start()
    assert.deepEqual((await soon.getList('outsider', 'view=mine')).known.gaps, [], 'control: a restart')
    await until(async () => (await index.readNote('alive')) === String(time))
    await soon.proxy.close()
    time += 68 * 60_000
    const { known } = await start().getList('outsider', 'view=mine')
    assert.deepEqual(known.gaps, [{ from: '2026-11-16T09:31Z', to: '2026-11-16T10:39Z' }])
    assert.equal(known.since, '2026-11-16T09:30Z')
  })

  describe('of callbacks that it could not accept (1.21)', () => {
    /** Creates a mount whose store of callbacks and whose index fail as long as these say so. */
    async function withFailures() {
      let time = Date.UTC(2026, 10, 16, 9, 30)
      const is = { full: true, lost: false }
      const store = createMemoryCallbackStore()
      const index = createMemoryIndex()
      const fail = () => Promise.reject(new Error('The disk is full'))
      const packageIndex: typeof index = {
        ...index,
        writeNote: (name, text) => (is.lost ? fail() : index.writeNote(name, text)),
      }
      const callbackStore: typeof store = {
        ...store,
        add: (callback) => (is.full ? fail() : store.add(callback)),
      }
      const start = () => withIndex({ storage: { packageIndex, callbackStore }, lists: { now: () => time } })
      const mount = start()
      await mount.registerCallbacks()
      return {
        ...{ is, mount, start, index },
        pass: (minutes: number) => void (time += minutes * 60_000),
        gaps: async (one = mount) => (await one.getList('outsider', 'view=mine')).known.gaps,
        /** Lets the service send a callback. */
        async send() {
          await mount.change('/restart')
          await mount.deliver()
        },
      }
    }
    const stored = async ({ readNote }: PackageIndex) => (await readNote('gaps'))?.length ?? 0

    it('names their time, at once and after a restart', async () => {
      const { is, mount, start, index, pass, gaps, send } = await withFailures()
      assert.deepEqual(await gaps(), [], 'control: no callback yet')
      await send()
      const missed = [{ from: '2026-11-16T09:29Z', to: '2026-11-16T09:30Z' }]
      assert.deepEqual(await gaps(), missed)
      await until(async () => (await stored(index)) > 0)
      is.full = false
      pass(1)
      await send()
      await mount.lists('mine', 'initiator', [42])
      await mount.proxy.close()
      assert.deepEqual(await gaps(start()), missed, 'the second one was accepted')
    })

    it('stores it as soon as it can', async () => {
      const { is, index, gaps, send } = await withFailures()
      await gaps()
      is.lost = true
      await send()
      assert.equal((await gaps()).length, 1)
      assert.equal(await stored(index), 0, 'control: nothing could be stored')
      is.lost = false
      await until(async () => (await stored(index)) > 0)
      assert.equal((await gaps()).length, 1)
    })

    it('joins them if there are many, and loses none', async () => {
      const { pass, gaps, send } = await withFailures()
      for (let count = 0; count < 24; count++) {
        pass(count % 2 === 0 ? 30 : 10)
        await send()
      }
      const found = await gaps()
      assert.equal(found.length, 20)
      assert.deepEqual(found[0], { from: '2026-11-16T09:59Z', to: '2026-11-16T10:10Z' })
      assert.equal(found.at(-1)?.to, '2026-11-16T17:30Z')
    })
  })
})
