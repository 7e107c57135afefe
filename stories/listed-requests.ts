import type { ClientOptions } from '../src/client/index.ts'
import type { StoredPackage } from '../src/emulator/state/stored-packages.ts'
import { createMemoryIndex } from '../src/proxy/desk/package-index.ts'
import type { Policy } from '../src/proxy/rights/policy.ts'
import { type Backend, createBackend, people } from './backend.ts'

/** Requests besides package 42, by id: what differs from it. */
export type Requests = Readonly<Record<number, Partial<StoredPackage>>>

/** A backend whose policy lets the initiator have the approvers reminded of what they have held for four days, perhaps with a note. */
export function createReminderBackend(
  requests: Requests = {},
  operations: readonly string[] = ['remind'],
): Backend {
  const policy: Policy = ({ operation }) => operations.includes(operation)
  return createListBackend(people.initiator, requests, {}, { policy, heldFor: 4 * 24 * 60 * 60_000 })
}

/** A backend whose policy lets people list the requests of a form. By default, the person is its administrator. */
export function createFormBackend(
  requests: Requests = {},
  person: string = people.administrator,
  options: Partial<ClientOptions> = {},
  policy: Policy = ({ operation }) => operation === 'getFormList',
): Backend {
  return createListBackend(person, requests, options, { policy })
}

/** A request that somebody has removed from routing. */
export function removedBy(person: string): Partial<StoredPackage> {
  const event = { actionDate: '2026-11-18T10:00:00', person, stop: null, signature: null }
  return { state: 'PRE_ROUTING', isRemoved: true, inbox: [], history: [{ class: 'remove', ...event }] }
}

/**
 * A backend whose proxy keeps lists and knows package 42 and these requests before it returns the first list, or asks its policy. `heldFor`: since when, in
 * ms before that.
 */
export function createListBackend(
  person: string | null = people.firstApprover,
  requests: Requests = {},
  options: Partial<ClientOptions> = {},
  { policy, heldFor = 0 }: { policy?: Policy; heldFor?: number } = {},
): Backend {
  const index = createMemoryIndex()
  let begin = () => {}
  let learntBefore = heldFor
  const isReady = new Promise<void>((resolve) => {
    begin = () => {
      learntBefore = 0
      resolve()
    }
  })
  const backend = createBackend(
    person,
    options,
    [6025],
    {},
    {
      ...(policy && {
        policy: async (question) => {
          await isReady
          return await policy(question)
        },
      }),
      storage: {
        packageIndex: {
          ...index,
          async due(at, limit) {
            const due = await index.due(at, limit)
            // The proxy takes note first that nothing is due.
            if (due.length === 0) setTimeout(begin)
            return due
          },
          async list(question) {
            await isReady
            return await index.list(question)
          },
        },
      },
      lists: { callsPerSecond: 10_000, now: () => Date.UTC(2026, 10, 20, 15, 30) - learntBefore },
    },
  )
  const { test: packages } = backend.emulator.packages
  const known = packages.get(42)
  if (!known) throw new Error('The scenario has no package 42')
  for (const [id, changes] of Object.entries(requests))
    packages.set(Number(id), { ...structuredClone(known), id: Number(id), ...changes })
  const ids = [42, ...Object.keys(requests).map(Number)]
  void index.add(
    ids.map((packageId) => ({ formId: 6025, packageId })),
    0,
  )
  return backend
}
