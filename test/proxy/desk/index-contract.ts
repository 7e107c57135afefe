import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import {
  day,
  type FormFilter,
  type Holder,
  type IndexedPackage,
  type ListQuestion,
  maxUnknown,
  type PackageIndex,
} from '../../../src/proxy/desk/package-index.ts'

const hint = (packageId: number, formId = 6025) => ({ formId, packageId })
const mei = '10000001'
const daniel = '10000002'

/** Returns somebody who holds a package, with nothing known that a test does not state. */
export const heldBy = (person: string | null, facts: Partial<Holder> = {}): Holder => ({
  person,
  received: null,
  stop: null,
  stopName: null,
  office: null,
  ...facts,
})

/** Tests an index, whatever keeps it. */
export function testIndex(
  name: string,
  create: () => Promise<{ readonly index: PackageIndex; readonly close: () => Promise<void> | void }>,
): void {
  const closes: (() => Promise<void> | void)[] = []
  afterEach(async () => {
    for (const close of closes.splice(0)) await close()
  })
  async function open() {
    const { index, close } = await create()
    closes.push(close)
    /** Adds a package and records a check of it. */
    async function put(
      packageId: number,
      changes: Partial<IndexedPackage> = {},
      holders: readonly Holder[] = [],
      formId = 6025,
    ): Promise<void> {
      await index.add([hint(packageId, formId)], 1)
      const known = (await index.due(0, 1000)).find((pkg) => pkg.packageId === packageId)
      assert.ok(known, `package ${packageId} is due`)
      const checked = { ...known, state: 'ROUTING', digest: 'd', changedAt: packageId, dueAt: 1e12 }
      await index.record([{ pkg: { ...checked, ...changes }, holders }])
    }
    const list = async (question: Partial<ListQuestion> = {}) =>
      (
        await index.list({ view: 'mine', person: mei, forms: [6025], limit: 100, ...question })
      ).candidates.map(({ packageId, isHolder }) => (isHolder ? `held ${packageId}` : packageId))
    return { index, put, list }
  }

  describe(`the index of packages: ${name}`, () => {
    it('has checks due for new packages first, then for changed ones, then for the longest unchecked', async () => {
      const { index, put } = await open()
      for (const [id, dueAt] of [
        [1, 30],
        [2, 20],
        [3, 90],
      ] as const)
        await put(id, { dueAt })
      assert.deepEqual(await ids(index, 50), [2, 1])
      await index.request([hint(3)], 40)
      assert.deepEqual(await ids(index, 50), [3, 2, 1])
      await index.add([hint(4), hint(2)], 40)
      assert.deepEqual(await ids(index, 50), [4, 3, 2, 1])
      assert.deepEqual(await ids(index, 50, 2), [4, 3])
      assert.deepEqual(await ids(index, 20), [4, 3, 2], 'control: time decides')
    })

    it('has only checks of one form due at a time', async () => {
      const { index, put } = await open()
      await put(1, { dueAt: 20 })
      await put(2, { dueAt: 10 }, [], 6026)
      await put(3, { dueAt: 30 }, [], 6026)
      assert.deepEqual(await ids(index, 50), [2, 3])
    })

    it('checks a package again if that was requested during a check', async () => {
      const { index } = await open()
      await index.request([hint(1)], 1)
      const [before] = await index.due(10, 10)
      assert.ok(before)
      await index.request([hint(1)], 2)
      await index.record([{ pkg: { ...before, state: 'ROUTING', dueAt: 1000 } }])
      const [again] = await index.due(10, 10)
      assert.equal(again?.state, 'ROUTING')
      await index.record([{ pkg: { ...again, dueAt: 1000 } }])
      assert.deepEqual(await ids(index, 10), [], 'control: without a request')
    })

    it('lists what a person started, in any form of the mount, the latest change first', async () => {
      const { put, list } = await open()
      await put(1, { initiator: mei })
      await put(2, { initiator: daniel })
      await put(3, { initiator: mei })
      await put(4, { initiator: mei }, [], 6026)
      assert.deepEqual(await list(), [3, 1])
      assert.deepEqual(await list({ forms: [6025, 6026] }), [4, 3, 1])
      assert.deepEqual(await list({ person: daniel }), [2])
      assert.deepEqual(await list({ forms: [] }), [])
    })

    it('lists what a person holds, once, and what somebody holds who is not known', async () => {
      const { put, list } = await open()
      await put(1, {}, [heldBy(mei), heldBy(mei)])
      await put(2, {}, [heldBy(daniel)])
      await put(3, {}, [heldBy(daniel), heldBy(null)])
      await put(4, {}, [heldBy(null), heldBy(mei)])
      await put(5, { initiator: mei })
      assert.deepEqual(await list({ view: 'waiting' }), ['held 4', 3, 'held 1'])
      assert.deepEqual(await list({ view: 'waiting', person: daniel }), [4, 'held 3', 'held 2'])
    })

    it('replaces the holders with those of a later check, and keeps them if a check has found none', async () => {
      const { index, put, list } = await open()
      await put(1, { dueAt: 5 }, [heldBy(mei, { received: '2026-11-16T10:00:00' })])
      const [pkg] = await index.due(10, 1)
      assert.ok(pkg)
      await index.record([{ pkg }])
      assert.deepEqual(await list({ view: 'waiting' }), ['held 1'])
      await index.record([{ pkg, holders: [heldBy(daniel)] }])
      assert.deepEqual(await list({ view: 'waiting' }), [])
      assert.deepEqual(await list({ view: 'waiting', person: daniel }), ['held 1'])
    })

    it('continues a list after any place, also after one that is no longer there', async () => {
      const { index, put, list } = await open()
      // Two changes in the same millisecond, in two forms.
      for (const [id, form] of [
        [1, 6025],
        [2, 6026],
        [3, 6025],
        [4, 6026],
        [5, 6025],
      ] as const)
        await put(
          id,
          { initiator: mei, changedAt: id === 5 ? 9 : 7 },
          // Twice in the inbox, which is one package.
          [heldBy(mei, { stop: 1, office: '05-0100' }), heldBy(mei, { stop: 1, office: '05-0100' })],
          form,
        )
      const forms = [6025, 6026]
      const office = '05-0100'
      const lists: readonly Pick<ListQuestion, 'view' | 'filter'>[] = [
        { view: 'mine' },
        { view: 'waiting' },
        { view: 'form' },
        { view: 'form', filter: { state: 'ROUTING', unchangedSince: 9 } },
        { view: 'form', filter: { stop: 1, office } },
      ]
      for (const one of lists) {
        const question = { ...one, person: mei, forms }
        const { candidates: whole } = await index.list({ ...question, limit: 100 })
        assert.deepEqual(
          whole.map(({ packageId }) => packageId),
          [5, 4, 2, 3, 1],
        )
        for (const [place, after] of whole.entries()) {
          const rest = await index.list({ ...question, limit: 100, after })
          assert.deepEqual(rest.candidates, whole.slice(place + 1))
        }
        const begin = await index.list({ ...question, limit: 2 })
        assert.deepEqual(begin.candidates, whole.slice(0, 2))
      }
      const [first] = (await index.list({ view: 'mine', person: mei, forms, limit: 1 })).candidates
      assert.ok(first)
      await index.remove([first])
      assert.deepEqual(await list({ forms, after: first }), [4, 2, 3, 1])
    })

    it('considers the newest packages without a known holder, up to a limit per form', async () => {
      const { index, list } = await open()
      const all = Array.from({ length: maxUnknown + 10 }, (_, place) => hint(place + 1))
      await index.add(all, 1)
      const due = await index.due(10, 1000)
      const holders = [heldBy(null)]
      await index.record(due.map((pkg) => ({ pkg: { ...pkg, changedAt: pkg.packageId }, holders })))
      const found = await list({ view: 'waiting', limit: 1000 })
      assert.deepEqual([found.length, found[0], found.at(-1)], [maxUnknown, maxUnknown + 10, 11])
      const isCut = async () =>
        (await index.list({ view: 'waiting', person: mei, forms: [6025], limit: 1 })).isCut
      assert.equal(await isCut(), true)
      await index.remove(all.slice(0, 10))
      assert.equal(await isCut(), false, 'control')
    })

    it('lists the packages of a form that have a state, for anybody, the latest change first', async () => {
      const { index, put, list } = await open()
      await put(1, { initiator: daniel })
      await put(2, { state: 'COMPLETE' })
      await put(3)
      await put(4, {}, [], 6026)
      await index.add([hint(5)], 1)
      const form = (filter?: FormFilter) => list({ view: 'form', filter })
      assert.deepEqual(await form(), [3, 2, 1], 'whether package 5 exists is not known')
      assert.deepEqual(await form({ state: 'ROUTING' }), [3, 1])
      assert.deepEqual(await form({ state: 'VOID' }), [])
      assert.deepEqual(await list({ view: 'form', forms: [6026] }), [4])
    })

    it('lists the packages of a form by age, stop and office', async () => {
      const { put, list } = await open()
      const at = (stop: number | null, office: string | null, person: string | null = daniel) =>
        heldBy(person, { stop, office })
      await put(1, {}, [at(2, '05-0100')])
      await put(2, {}, [at(2, '05-0100'), at(2, '07-0001', null)])
      await put(3, {}, [at(1, '07-0001'), at(2, '05-0100', mei)])
      await put(4, { state: 'COMPLETE' })
      await put(5, {}, [at(null, null)])
      const form = (filter: FormFilter) => list({ view: 'form', filter })
      assert.deepEqual(await form({ stop: 2 }), ['held 3', 2, 1])
      assert.deepEqual(await form({ office: '07-0001' }), ['held 3', 2])
      assert.deepEqual(await form({ stop: 2, office: '07-0001' }), [2], 'of the same holder')
      assert.deepEqual(await form({ unchangedSince: 3 }), ['held 3', 2, 1])
      assert.deepEqual(await form({ unchangedSince: 2, stop: 2 }), [2, 1])
      assert.deepEqual(await form({ unchangedSince: 4, state: 'COMPLETE' }), [4])
      assert.deepEqual(await form({ stop: 2, state: 'COMPLETE' }), [])
      assert.deepEqual(await form({ stop: 2, state: 'ROUTING', office: '05-0100' }), ['held 3', 2, 1])
    })

    it('knows each stop of a package in the list of a form, and the latest receipt', async () => {
      const { index, put } = await open()
      await put(1, { initiator: mei, started: '2026-11-15T08:00:00' }, [
        heldBy(daniel, { stop: 2, stopName: 'Dean', received: '2026-11-16T10:00:00' }),
        heldBy(null, { stop: 1, stopName: 'Advisor', received: '2026-11-16T09:00:00' }),
        heldBy(mei, { stop: 2, stopName: 'Dean' }),
      ])
      await put(2)
      const { candidates } = await index.list({ view: 'form', person: daniel, forms: [6025], limit: 9 })
      const nothing = { digest: 'd', initiator: null, started: null, isHolder: false, received: null }
      assert.deepEqual(
        candidates.map((one) => ({ ...one })),
        [
          { ...hint(2), changedAt: 2, ...nothing, stops: [] },
          {
            ...hint(1),
            changedAt: 1,
            digest: 'd',
            initiator: mei,
            started: '2026-11-15T08:00:00',
            isHolder: true,
            received: '2026-11-16T10:00:00',
            stops: [
              { stop: 1, stopName: 'Advisor' },
              { stop: 2, stopName: 'Dean' },
            ],
          },
        ],
      )
    })

    it('forgets a person, and keeps the package', async () => {
      const { index, put, list } = await open()
      await put(1, { initiator: mei }, [heldBy(mei), heldBy(daniel)])
      await index.forget(mei)
      assert.deepEqual([await list(), await list({ view: 'waiting' })], [[], []])
      assert.deepEqual(await list({ view: 'waiting', person: daniel }), ['held 1'])
      assert.equal(await index.count(), 1)
    })

    it('removes packages with their holders, and records no check of one that is gone', async () => {
      const { index, put, list } = await open()
      await put(1, { initiator: mei, dueAt: 5 }, [heldBy(mei)])
      const [pkg] = await index.due(10, 1)
      assert.ok(pkg)
      await index.remove([pkg])
      await index.record([{ pkg, holders: [heldBy(mei)] }])
      assert.deepEqual([await list(), await list({ view: 'waiting' }), await index.count()], [[], [], 0])
    })

    it('finds what it knows of a package', async () => {
      const { index, put } = await open()
      const holders = [heldBy(daniel, { received: '2026-11-16T10:00:00' })]
      await put(1, { initiator: mei }, holders)
      const found = await index.find(hint(1))
      assert.deepEqual(
        [
          found?.pkg.packageId,
          found?.pkg.initiator,
          found?.holders.map((one) => ({ ...one })),
          found?.reminders,
        ],
        [1, mei, holders, []],
      )
      assert.equal(await index.find(hint(2)), undefined)
    })

    it('adds a reminder only within the limits, once for requests at the same time', async () => {
      const { index, put } = await open()
      for (const id of [1, 2, 3]) await put(id)
      const limits = { wait: 10, perHolders: 2, perDay: 4 }
      const claim = (id: number, at: number, holders = 'a', person = mei) =>
        index.claimReminder(hint(id), { at, person, holders, isConfirmed: false }, limits)
      assert.deepEqual(
        (await Promise.all(Array.from({ length: 20 }, () => claim(1, 100)))).filter(Boolean).length,
        1,
      )
      assert.deepEqual([await claim(1, 109), await claim(1, 109, 'b', daniel)], [false, false], 'too soon')
      assert.deepEqual([await claim(1, 110), await claim(1, 120)], [true, false], 'as many as allowed')
      assert.equal(await claim(1, 120, 'b'), true, 'other holders')
      assert.deepEqual([await claim(2, 130), await claim(3, 130)], [true, false], 'as many as a person may')
      assert.equal(await claim(3, 130, 'a', daniel), true)
      assert.equal(await claim(3, 101 + day), true, 'a day later')
      assert.equal(await claim(4, 1000), false, 'not known')
      assert.deepEqual(await index.reminderTimes(mei, 105), [110, 120, 130, 101 + day])
    })

    it('knows which reminders were confirmed, and forgets those that were not sent and who sent them', async () => {
      const { index, put } = await open()
      await put(1)
      const limits = { wait: 0, perHolders: 10, perDay: 10 }
      for (const at of [1, 2, 3])
        await index.claimReminder(hint(1), { at, person: mei, holders: 'a', isConfirmed: false }, limits)
      await index.settleReminder(hint(1), 2, true)
      await index.settleReminder(hint(1), 3, false)
      const states = async () =>
        (await index.find(hint(1)))?.reminders.map(({ at, person, isConfirmed }) => [at, person, isConfirmed])
      assert.deepEqual(await states(), [
        [2, mei, true],
        [1, mei, false],
      ])
      assert.deepEqual(
        (await index.reminders([hint(2), hint(1)])).map((sent) => sent.map(({ at }) => at)),
        [[], [2, 1]],
      )
      await index.forget(mei)
      assert.deepEqual(await states(), [
        [2, '', true],
        [1, '', false],
      ])
      await index.remove([hint(1)])
      await put(1)
      assert.deepEqual(await states(), [])
    })

    it('keeps notes', async () => {
      const { index } = await open()
      assert.equal(await index.readNote('key'), undefined)
      await index.writeNote('key', 'a')
      await index.writeNote('key', 'b')
      assert.equal(await index.readNote('key'), 'b')
      await index.removeNote('key')
      assert.equal(await index.readNote('key'), undefined)
    })

    it('replaces a note only if it is as before', async () => {
      const { index } = await open()
      const replaced = [
        await index.replaceNote('key', 'a', 'b'),
        await index.replaceNote('key', undefined, 'a'),
        await index.replaceNote('key', undefined, 'b'),
        await index.replaceNote('key', 'b', 'c'),
      ]
      assert.deepEqual([replaced, await index.readNote('key')], [[false, true, false, false], 'a'])
      assert.deepEqual([await index.replaceNote('key', 'a', 'b'), await index.readNote('key')], [true, 'b'])
    })
  })
}

const ids = async (index: PackageIndex, at: number, limit = 100) =>
  (await index.due(at, limit)).map(({ packageId }) => packageId)
