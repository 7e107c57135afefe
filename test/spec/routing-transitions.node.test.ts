import assert from 'node:assert/strict'
import type { OperationName } from '../../src/contract/services/operations.ts'
import type { Package } from '../../src/contract/schemas/workflow.ts'
import { type Call, complete, describeSection, people, sign, type System, travelEntry } from './system.ts'

/** Brings package 42 into each state by ordinary calls. */
const reach: Readonly<Record<string, (system: System) => Promise<number>>> = {
  PRE_ROUTING: (system) => create(system, 'PRE_ROUTING'),
  DRAFT: (system) => create(system, 'DRAFT'),
  ROUTING: () => Promise.resolve(42),
  COMPLETE: async (system) => {
    await complete(system)
    return 42
  },
  VOID: async (system) => {
    await system.ok('voidPackage', { body: { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' } })
    return 42
  },
  removed: async (system) => {
    await system.ok('removePackage')
    return 42
  },
}

/** The allowed transitions. Each other pair of state and trigger is rejected. */
const table: readonly {
  readonly trigger: OperationName
  readonly call?: (packageId: number) => Call
  readonly from: Readonly<Record<string, string>>
}[] = [
  {
    trigger: 'routePackage',
    call: () => ({ body: { state: 'ROUTING' } }),
    from: { PRE_ROUTING: 'ROUTING', removed: 'ROUTING' },
  },
  {
    trigger: 'voidPackage',
    call: (id) => ({ body: { id, state: 'VOID', voidReason: 'TRANSACTION_DENIED' } }),
    from: { ROUTING: 'VOID', COMPLETE: 'VOID' },
  },
  { trigger: 'unvoidPackage', from: { VOID: 'ROUTING' } },
  { trigger: 'restartPackage', from: { ROUTING: 'ROUTING' } },
  {
    trigger: 'returnPackage',
    call: () => ({ body: { univid: people.viewer } }),
    from: { COMPLETE: 'ROUTING' },
  },
  {
    trigger: 'removePackage',
    from: { ROUTING: 'PRE_ROUTING', COMPLETE: 'PRE_ROUTING', VOID: 'PRE_ROUTING' },
  },
  { trigger: 'reinitiatePackage', from: { removed: 'ROUTING' } },
  {
    trigger: 'returnToInitiator',
    call: () => ({ body: { comment: 'Please add the receipt' } }),
    from: { ROUTING: 'DRAFT' },
  },
]

describeSection('routing/States and transitions', (it) => {
  for (const { trigger, call, from } of table) {
    for (const [state, arrive] of Object.entries(reach)) {
      const to = from[state]
      it(
        to ? `${trigger} leads from ${state} to ${to}` : `${trigger} is rejected in ${state}`,
        async (system) => {
          const packageId = await arrive(system)
          const before = await getPackage(system, packageId)
          const response = await system.call(trigger, { params: { packageId }, ...call?.(packageId) })
          if (to) {
            assert.equal(response.status, 200, response.text)
            assert.equal((response.json as Package).state, to)
            assert.equal((await getPackage(system, packageId)).state, to)
          } else {
            assert.equal(response.status, 409, response.text)
            assert.match(
              String((response.json as { detail: string }).detail),
              /state (PRE_ROUTING|DRAFT|ROUTING|COMPLETE|VOID)/,
            )
            assert.deepEqual(await getPackage(system, packageId), before)
          }
        },
      )
    }
  }

  for (const [state, expected] of [
    [undefined, 'ROUTING'],
    ['ROUTING', 'ROUTING'],
    ['PRE_ROUTING', 'PRE_ROUTING'],
    ['DRAFT', 'DRAFT'],
  ] as const) {
    it(`a package created with state ${state ?? 'left out'} is ${expected}`, async (system) => {
      const created = await system.ok<Package>('createPackage', {
        body: { ...(state && { state }), entry: travelEntry() },
      })
      assert.equal(created.state, expected)
      const [status] = await system.ok<{ inboxSignatures: unknown[] }[]>('getStatus', {
        query: { id: created.id },
        version: '1.2',
      })
      assert.equal(status?.inboxSignatures.length, expected === 'ROUTING' ? 2 : 0)
    })
  }

  for (const state of ['COMPLETE', 'VOID', 'SENT']) {
    it(`a package cannot be created in ${state}`, async (system) => {
      await system.refused(400, 'createPackage', { body: { state, entry: travelEntry() } })
    })
  }

  it('unvoid leads back to COMPLETE if the package was COMPLETE before the void', async (system) => {
    await complete(system)
    await system.ok('voidPackage', { body: { id: 42, state: 'VOID', voidReason: 'DUPLICATE_TRANSACTION' } })
    const found = await system.ok<Package>('unvoidPackage')
    assert.equal(found.state, 'COMPLETE')
    assert.equal(found.voidReason, null)
  })

  it('unvoid puts the package back into the inboxes that held it', async (system) => {
    await sign(system, people.firstApprover)
    const before = await inboxes(system)
    await system.ok('voidPackage', { body: { id: 42, state: 'VOID', voidReason: 'DUPLICATE_TRANSACTION' } })
    assert.deepEqual(await inboxes(system), [])
    await system.ok('unvoidPackage')
    assert.deepEqual(await inboxes(system), before)
  })

  it('after a restart all approvers must sign again', async (system) => {
    await system.ok('uploadAttachment', { params: { attachmentTypeId: 2 } })
    await sign(system, people.firstApprover)
    assert.deepEqual(await inboxes(system), ['Mei-Ling Zhou'])
    await system.ok('restartPackage')
    assert.deepEqual(await inboxes(system), ['Daniel Reyes', 'Ruth Lindqvist'])
    await sign(system, people.firstApprover)
    assert.equal((await getPackage(system)).state, 'ROUTING')
    await sign(system, people.secondApprover)
    assert.equal((await getPackage(system)).state, 'COMPLETE')
  })

  it('a returned package waits for that user alone, and completes once they sign', async (system) => {
    await complete(system)
    await system.ok('returnPackage', { body: { univid: people.viewer } })
    assert.deepEqual(await inboxes(system), ['Ruth Lindqvist'])
    await sign(system, people.viewer)
    assert.equal((await getPackage(system)).state, 'COMPLETE')
    assert.deepEqual(await inboxes(system), [])
  })

  it('a package that was never removed cannot be re-initiated', async (system) => {
    const packageId = await create(system, 'PRE_ROUTING')
    await system.refused(409, 'reinitiatePackage', { params: { packageId } })
    await system.ok('routePackage', { params: { packageId }, body: { state: 'ROUTING' } })
    await system.ok('removePackage', { params: { packageId } })
    await system.ok('reinitiatePackage', { params: { packageId } })
  })

  it('a draft is submitted by its initiator, and all approvers approve again', async (system) => {
    await sign(system, people.firstApprover)
    await system.ok('returnToInitiator', { body: { comment: 'Which hotel?' } })
    const submit = (univid: string) =>
      system.fetch('/_emulator/test/forms/6025/packages/42/submit', {
        method: 'POST',
        body: JSON.stringify({ univid }),
      })
    assert.equal((await submit(people.firstApprover)).status, 403)
    assert.equal((await submit(people.initiator)).status, 200)
    assert.equal((await submit(people.initiator)).status, 409)
    assert.deepEqual(await inboxes(system), ['Daniel Reyes', 'Ruth Lindqvist'])
  })

  it('routing finishes only when everyone who must sign has signed', async (system) => {
    await system.ok('uploadAttachment', { params: { attachmentTypeId: 2 } })
    await sign(system, people.firstApprover)
    assert.equal((await getPackage(system)).state, 'ROUTING')
    await sign(system, people.secondApprover)
    assert.equal((await getPackage(system)).state, 'COMPLETE')
  })

  it('only people who have the package in their inbox can sign it', async (system) => {
    for (const [univid, status] of [
      [people.secondApprover, 409],
      [people.outsider, 409],
      [people.viewer, 403],
      [people.firstApprover, 200],
      [people.firstApprover, 409],
    ] as const) {
      const response = await system.fetch('/_emulator/test/forms/6025/packages/42/sign', {
        method: 'POST',
        body: JSON.stringify({ univid }),
      })
      assert.equal(response.status, status, `${univid}: ${response.text}`)
    }
  })

  it('a client acting for a person can start routing only if the person is the initiator', async (system) => {
    const packageId = await create(system, 'PRE_ROUTING')
    const call = { params: { packageId }, body: { state: 'ROUTING' } }
    for (const user of [people.firstApprover, people.administrator, people.outsider]) {
      await system.refused(403, 'routePackage', { ...call, user })
    }
    await system.ok('routePackage', { ...call, user: people.initiator })
  })

  it('a client acting for itself can start routing', async (system) => {
    const packageId = await create(system, 'PRE_ROUTING')
    await system.ok('routePackage', { params: { packageId }, body: { state: 'ROUTING' }, user: 'demo-app' })
  })
})

async function create(system: System, state: string): Promise<number> {
  const { id } = await system.ok<Package>('createPackage', { body: { state, entry: travelEntry() } })
  return id
}

function getPackage(system: System, packageId = 42): Promise<Package> {
  return system.ok<Package>('getPackage', { params: { packageId } })
}

async function inboxes(system: System): Promise<string[]> {
  const [status] = await system.ok<{ inboxSignatures: { approver: string }[] }[]>('getStatus', {
    query: { id: 42 },
    version: '1.2',
  })
  return (status?.inboxSignatures ?? []).map(({ approver }) => approver)
}
