import assert from 'node:assert/strict'
import { afterEach } from 'node:test'
import type { RequestList } from '../../../src/contract/schemas/lists.ts'
import { createMemoryIndex, type ListView } from '../../../src/proxy/desk/package-index.ts'
import { changeElsewhere } from '../elsewhere.ts'
import { people, type Role, setUp, type SetUp } from '../mount.ts'
import { until } from '../until.ts'

const closes: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closes.splice(0)) await close()
})

/** A time that does not pass, so that nothing is checked again without a reason. */
export const still = (): number => Date.UTC(2026, 10, 20, 12)

/** Creates a mount that keeps lists in an index of its own. It checks every routing package all the time. */
export function withIndex({ lists, storage, ...options }: SetUp = {}) {
  const index = storage?.packageIndex ?? createMemoryIndex()
  const mount = setUp({
    forms: [6025, 6026],
    limits: { watchInterval: 2 ** 30 },
    ...options,
    storage: { ...storage, packageIndex: index },
    lists: { callsPerSecond: 10_000, interval: 5, ...lists },
    emulator: {
      ...options.emulator,
      control: true,
      fetch: (input, init) => mount.proxy(new Request(input, init)),
    },
  })
  closes.push(mount.proxy.close)
  const listed = async (view: ListView, role: Role) =>
    (await index.list({ view, person: people[role], forms: [6025, 6026], limit: 100 })).candidates.map(
      ({ packageId }) => packageId,
    )
  return {
    ...mount,
    ...changeElsewhere(mount.emulator),
    index,
    listed,
    /** Adds copies of package 42 to the service, and lets the index learn of all of them. */
    async addCopies(number: number, firstId = 1001, changes: object = {}): Promise<readonly number[]> {
      const { test: packages } = mount.emulator.packages
      const ids = Array.from({ length: number }, (_, place) => firstId + place)
      for (const id of ids) packages.set(id, { ...structuredClone(packages.get(42)!), id, ...changes })
      await index.add(
        ids.map((packageId) => ({ formId: 6025, packageId })),
        0,
      )
      await until(async () => (await index.due(1, 1)).length === 0)
      return ids
    },
    async getList(as: Role, query: string): Promise<RequestList> {
      const response = await mount.request(`/list?${query}`, { as })
      assert.equal(response.status, 200, await response.clone().text())
      return (await response.json()) as RequestList
    },
    /** Waits until a list of the index contains exactly these packages. */
    lists: (view: ListView, role: Role, ids: readonly number[]) =>
      until(async () => JSON.stringify(await listed(view, role)) === JSON.stringify(ids)),
  }
}
