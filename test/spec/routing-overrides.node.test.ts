import assert from 'node:assert/strict'
import type { HistoryEvent } from '../../src/contract/schemas/history.ts'
import type { RoutingOverrideBody } from '../../src/contract/schemas/overrides.ts'
import type { Package, PackageActions, PackageStatus12 } from '../../src/contract/schemas/workflow.ts'
import type { Mail } from '../../src/emulator/state/stored-packages.ts'
import { complete, describeSection, people, sign, type System, travelEntry } from './system.ts'

const { firstApprover, secondApprover, viewer, outsider, administrator, initiator } = people

describeSection('routing/Routing overrides', (it) => {
  it('creating an override returns it, with exactly the documented fields', async (system) => {
    const body = override(firstApprover, outsider)
    assert.deepEqual(await system.ok('createOverride', { body }), body)
    assert.deepEqual(await system.ok('getOverrides'), [body])
  })

  it('the list is empty if no override is active', async (system) => {
    assert.deepEqual(await system.ok('getOverrides'), [])
  })

  it('the list contains exactly the active overrides', async (system) => {
    const first = override(firstApprover, outsider)
    const second = override(secondApprover, viewer, 'DELEGATE')
    await system.ok('createOverride', { body: first })
    await system.ok('createOverride', { body: second })
    assert.deepEqual(await system.ok('getOverrides'), [first, second])
    await system.ok('deactivateOverride', { params: { univid: firstApprover } })
    assert.deepEqual(await system.ok('getOverrides'), [second])
  })

  it('deactivating an override needs no body and succeeds', async (system) => {
    await system.ok('createOverride', { body: override(firstApprover, outsider) })
    const { status, text } = await system.call('deactivateOverride', { params: { univid: firstApprover } })
    assert.ok(status >= 200 && status < 300)
    assert.equal(text, '')
  })

  it('an inactive override cannot be deactivated', async (system) => {
    await system.ok('createOverride', { body: override(firstApprover, outsider) })
    // The replacement is not the subject.
    await system.refused(404, 'deactivateOverride', { params: { univid: outsider } })
    await system.ok('deactivateOverride', { params: { univid: firstApprover } })
    await system.refused(404, 'deactivateOverride', { params: { univid: firstApprover } })
  })

  it('an override applies only to its package', async (system) => {
    const { id } = await system.ok<Package>('createPackage', { body: { entry: travelEntry() } })
    await system.ok('createOverride', { body: override(firstApprover, outsider) })
    assert.deepEqual(await system.ok('getOverrides', { params: { packageId: id } }), [])
    assert.equal((await actions(system, firstApprover, id)).canSign, true)
    assert.equal((await actions(system, firstApprover)).canSign, false)
    await system.refused(404, 'deactivateOverride', { params: { packageId: id, univid: firstApprover } })
  })

  it('a package that does not exist, or belongs to another environment, is not found', async (system) => {
    const body = override(firstApprover, outsider)
    await system.refused(404, 'createOverride', { params: { packageId: 43 }, body })
    await system.refused(404, 'createOverride', { params: { env: 'prod' }, body })
    await system.refused(404, 'getOverrides', { params: { packageId: 43 } })
    await system.ok('createOverride', { body })
  })
})

describeSection('routing/Limits', (it) => {
  it('a subject has only one active override at a time', async (system) => {
    await system.ok('createOverride', { body: override(firstApprover, outsider) })
    for (const body of [
      override(firstApprover, outsider),
      override(firstApprover, viewer),
      override(firstApprover, viewer, 'DELEGATE'),
    ]) {
      const { text } = await system.refused(409, 'createOverride', { body })
      assert.match(text, /Deactivate it first/)
    }
    assert.deepEqual(await system.ok('getOverrides'), [override(firstApprover, outsider)])

    await system.ok('deactivateOverride', { params: { univid: firstApprover } })
    await system.ok('createOverride', { body: override(firstApprover, viewer, 'DELEGATE') })
  })

  it('another subject and another package may have an override at the same time', async (system) => {
    const { id } = await system.ok<Package>('createPackage', { body: { entry: travelEntry() } })
    const body = override(firstApprover, outsider)
    await system.ok('createOverride', { body })
    await system.ok('createOverride', { body: override(secondApprover, outsider) })
    await system.ok('createOverride', { params: { packageId: id }, body })
  })
})

describeSection('routing/Routing override', (it) => {
  it('the types are CHANGE and DELEGATE', async (system) => {
    for (const type of ['change', 'REPLACE', '', null, undefined]) {
      await system.refused(400, 'createOverride', { body: { ...override(firstApprover, outsider), type } })
    }
    await system.ok('createOverride', { body: override(firstApprover, outsider, 'CHANGE') })
    await system.ok('createOverride', { body: override(secondApprover, outsider, 'DELEGATE') })
  })

  it('CONFLICT_OF_INTEREST is the only reason', async (system) => {
    const body = override(firstApprover, outsider)
    for (const reason of ['VACATION', 'conflict_of_interest', '', null, undefined]) {
      await system.refused(400, 'createOverride', { body: { ...body, reason } })
    }
    assert.deepEqual(await system.ok('getOverrides'), [])
    await system.ok('createOverride', { body })
  })

  it('all four fields are required, and no others are accepted', async (system) => {
    const body = override(firstApprover, outsider)
    for (const key of Object.keys(body)) {
      await system.refused(400, 'createOverride', { body: { ...body, [key]: undefined } })
    }
    await system.refused(400, 'createOverride', { body: { ...body, id: 1 } })
    await system.refused(400, 'createOverride', { body: [body] })
    await system.ok('createOverride', { body })
  })

  it('subject and replacement must be university ids of people who exist', async (system) => {
    for (const univid of ['99999999', 'demo-app', '', 10000002, null]) {
      for (const name of ['subjectUnivid', 'replacementUnivid']) {
        await system.refused(400, 'createOverride', {
          body: { ...override(firstApprover, outsider), [name]: univid },
        })
      }
    }
    assert.deepEqual(await system.ok('getOverrides'), [])
    await system.ok('createOverride', { body: override(firstApprover, outsider) })
  })

  it('a signature never returns to its subject, not even through other overrides', async (system) => {
    await system.refused(400, 'createOverride', { body: override(firstApprover, firstApprover) })
    await system.ok('createOverride', { body: override(firstApprover, viewer) })
    await system.refused(400, 'createOverride', { body: override(viewer, firstApprover) })
    await system.ok('createOverride', { body: override(viewer, outsider) })
    await system.refused(400, 'createOverride', { body: override(outsider, firstApprover) })
    await system.ok('createOverride', { body: override(outsider, administrator) })
    // Through two other people, the last one holds the signature of the first one.
    assert.equal((await actions(system, administrator)).canSign, true)
    await sign(system, administrator)
    assert.deepEqual(await inboxes(system), ['Mei-Ling Zhou'])
  })

  for (const type of ['CHANGE', 'DELEGATE'] as const) {
    it(`${type} hands over the signature while the package is at the stop of the subject`, async (system) => {
      assert.equal((await actions(system, firstApprover)).canSign, true)
      await system.ok('createOverride', { body: override(firstApprover, outsider, type) })

      assert.deepEqual(await inboxes(system), ['Theo Marchetti', 'Ruth Lindqvist'])
      const replacement = await actions(system, outsider)
      assert.deepEqual(
        [replacement.canView, replacement.canSign, replacement.canVoid, replacement.canEdit],
        [true, true, true, true],
      )
      assert.equal(replacement.signatureId, 9001)
      assert.equal((await trySign(system, firstApprover)).status, 409)
      await sign(system, outsider)
      assert.deepEqual(await inboxes(system), ['Mei-Ling Zhou'])
    })

    it(`${type} hands over the signature when the package reaches the stop of the subject later`, async (system) => {
      await system.ok('createOverride', { body: override(secondApprover, outsider, type) })
      assert.equal((await actions(system, outsider)).canSign, false)
      assert.deepEqual(await inboxes(system), ['Daniel Reyes', 'Ruth Lindqvist'])

      await system.ok('uploadAttachment', { params: { attachmentTypeId: 2 } })
      await sign(system, firstApprover)
      assert.deepEqual(await inboxes(system), ['Theo Marchetti'])
      assert.equal((await trySign(system, secondApprover)).status, 409)
      await sign(system, outsider)
      assert.equal((await system.ok<Package>('getPackage')).state, 'COMPLETE')
    })

    it(`deactivating ${type} gives the signature back to the subject`, async (system) => {
      await system.ok('createOverride', { body: override(firstApprover, outsider, type) })
      await system.ok('deactivateOverride', { params: { univid: firstApprover } })
      assert.deepEqual(await inboxes(system), ['Daniel Reyes', 'Ruth Lindqvist'])
      assert.equal((await actions(system, firstApprover)).canSign, true)
      assert.deepEqual(await actions(system, outsider), nothing)
      await system.refused(403, 'getPackage', { user: outsider })
      assert.equal((await trySign(system, outsider)).status, 409)
      await sign(system, firstApprover)
    })

    it(`the future history of a package with ${type} names the replacement`, async (system) => {
      const ahead = async () =>
        (await system.ok<HistoryEvent[]>('getFutureHistory')).map(({ person }) => person?.univid)
      assert.deepEqual(await ahead(), [secondApprover])
      await system.ok('createOverride', { body: override(secondApprover, outsider, type) })
      assert.deepEqual(await ahead(), [outsider])
    })

    it(`${type} keeps the signatures that the subject has already given`, async (system) => {
      await sign(system, firstApprover)
      await system.ok('createOverride', { body: override(firstApprover, outsider, type) })
      const signed = (await system.ok<HistoryEvent[]>('getHistory')).filter(
        ({ state }) => state === 'APPROVED',
      )
      assert.deepEqual(
        signed.map(({ person }) => person?.univid),
        [firstApprover],
      )
      assert.deepEqual(await inboxes(system), ['Mei-Ling Zhou'])
    })

    it(`${type} survives a restart`, async (system) => {
      await system.ok('createOverride', { body: override(firstApprover, outsider, type) })
      await system.ok('restartPackage')
      assert.deepEqual(await inboxes(system), ['Theo Marchetti', 'Ruth Lindqvist'])
    })

    it(`with ${type}, the replacement is notified`, async (system) => {
      await system.ok('createOverride', { body: override(firstApprover, outsider, type) })
      const outbox = await system.control<Mail[]>('GET', '/outbox')
      assert.deepEqual(
        outbox.map(({ kind, recipients }) => [kind, recipients]),
        [['approver_notification', [{ univid: outsider, email: 'theo-marchetti@northfield.example' }]]],
      )
    })
  }

  it('CHANGE removes the access of the subject completely', async (system) => {
    await system.ok('uploadAttachment', { params: { attachmentTypeId: 2 } })
    const reads = [
      'getPackage',
      'getHistory',
      'getFutureHistory',
      'getEntry',
      'getComments',
      'getAttachments',
      'getAttachmentTypes',
      'getPdf',
      'getOverrides',
    ] as const
    for (const name of reads) await system.ok(name, { user: firstApprover })
    await system.ok('createOverride', { body: override(firstApprover, outsider) })

    assert.deepEqual(await actions(system, firstApprover), nothing)
    for (const name of reads) {
      await system.refused(403, name, { user: firstApprover })
      await system.ok(name, { user: outsider })
    }
    const params = { attachmentTypeId: 3 }
    await system.refused(403, 'uploadAttachment', { params, user: firstApprover })
    await system.ok('uploadAttachment', { params, user: outsider })
  })

  it('CHANGE removes all access, whatever grants it, and only bypass overrides that', async (system) => {
    await system.ok('createOverride', { body: override(initiator, outsider) })
    await system.ok('createOverride', { body: override(administrator, outsider), user: viewer })
    for (const user of [initiator, administrator]) {
      assert.deepEqual(await actions(system, user), nothing)
      await system.refused(403, 'getPackage', { user })
      await system.refused(403, 'getEntry', { user })
      await system.ok('getPackage', { user, bypass: true })
    }
    await system.ok('deactivateOverride', { params: { univid: initiator }, user: viewer })
    await system.ok('getPackage', { user: initiator })
  })

  it("either type removes the initiator's right to start routing", async (system) => {
    const { id: packageId } = await system.ok<Package>('createPackage', {
      body: { state: 'PRE_ROUTING', entry: travelEntry() },
    })
    const route = { params: { packageId }, body: { state: 'ROUTING' } }
    const params = { packageId, univid: initiator }
    for (const type of ['CHANGE', 'DELEGATE'] as const) {
      const body = override(initiator, outsider, type)
      await system.ok('createOverride', { params, body, user: administrator })
      await system.refused(403, 'routePackage', route)
      await system.ok('deactivateOverride', { params, user: administrator })
    }
    await system.ok('routePackage', route)
  })

  it('DELEGATE leaves the subject view-only', async (system) => {
    await system.ok('createOverride', { body: override(firstApprover, outsider, 'DELEGATE') })
    assert.deepEqual(await actions(system, firstApprover), { ...nothing, canView: true })
    await system.ok('getPackage', { user: firstApprover })
    await system.ok('getHistory', { user: firstApprover })
    await system.ok('getEntry', { user: firstApprover })
  })

  it('DELEGATE leaves initiators and administrators view-only too', async (system) => {
    assert.equal((await actions(system, initiator)).canInitiatorVoid, true)
    assert.equal((await actions(system, administrator)).canVoid, true)
    for (const user of [initiator, administrator]) {
      await system.ok('createOverride', { body: override(user, outsider, 'DELEGATE'), user: 'demo-app' })
      assert.deepEqual(await actions(system, user), { ...nothing, canView: true })
    }
    await complete(system)
    assert.deepEqual(await actions(system, administrator), { ...nothing, canView: true })
    await system.ok('deactivateOverride', { params: { univid: administrator }, user: 'demo-app' })
    assert.equal((await actions(system, administrator)).canVoidAfter, true)
  })

  it('DELEGATE of a viewer lets the replacement view', async (system) => {
    await system.ok('createOverride', { body: override(viewer, outsider, 'DELEGATE') })
    assert.deepEqual(await inboxes(system), ['Daniel Reyes', 'Theo Marchetti'])
    assert.equal((await actions(system, outsider)).canSign, false)
    assert.equal((await trySign(system, outsider)).status, 403)
    assert.equal((await trySign(system, firstApprover)).status, 200)
  })

  it('the replacement of a replacement views the package from the start', async (system) => {
    await system.ok('createOverride', { body: override(administrator, outsider) })
    assert.equal((await actions(system, outsider)).canView, false)
    await system.ok('createOverride', { body: override(secondApprover, administrator), user: 'demo-app' })
    assert.equal((await actions(system, outsider)).canView, true)
  })

  it('a replacement who is an approver at an earlier stop signs at both', async (system) => {
    await system.ok('createOverride', { body: override(secondApprover, firstApprover) })
    await system.ok('uploadAttachment', { params: { attachmentTypeId: 2 } })
    await sign(system, firstApprover)
    assert.deepEqual(await inboxes(system), ['Daniel Reyes'])
    await sign(system, firstApprover)
    assert.equal((await system.ok<Package>('getPackage')).state, 'COMPLETE')
  })

  it('the history shows who received the package, and why in words', async (system) => {
    await system.ok('createOverride', { body: override(firstApprover, outsider, 'DELEGATE') })
    const event = (await system.ok<HistoryEvent[]>('getHistory')).find(
      ({ person }) => person?.univid === outsider,
    )
    assert.equal(event?.permission, 'SIGNATURE_REQUIRED')
    assert.equal(event.isInInbox, true)
    assert.equal(event.context, 'Routing override DELEGATE for Daniel Reyes')
    await system.ok('deactivateOverride', { params: { univid: firstApprover } })
    const back = (await system.ok<HistoryEvent[]>('getHistory')).find(
      ({ person }) => person?.univid === firstApprover,
    )
    assert.equal(back?.context, null)
  })
})

/** Actions of a user without rights on package 42. */
const nothing: PackageActions = {
  canView: false,
  canEdit: false,
  canSign: false,
  canVoid: false,
  canInitiatorVoid: false,
  canAddApprover: false,
  canVoidAfter: false,
  packageId: 42,
  signatureId: null,
}

function override(
  subjectUnivid: string,
  replacementUnivid: string,
  type: RoutingOverrideBody['type'] = 'CHANGE',
): RoutingOverrideBody {
  return { subjectUnivid, type, reason: 'CONFLICT_OF_INTEREST', replacementUnivid }
}

async function actions(system: System, user: string, packageId = 42): Promise<PackageActions> {
  const [row] = await system.ok<PackageActions[]>('getActions', { query: { id: packageId }, user })
  assert.ok(row)
  return row
}

async function inboxes(system: System): Promise<(string | null | undefined)[]> {
  const [row] = await system.ok<PackageStatus12[]>('getStatus', { query: { id: 42 }, version: '1.2' })
  return (row?.inboxSignatures ?? []).map((signature) => signature?.approver)
}

function trySign(system: System, univid: string) {
  return system.fetch('/_emulator/test/forms/6025/packages/42/sign', {
    method: 'POST',
    body: JSON.stringify({ univid }),
  })
}

describeSection('routing/Routing override', (it) => {
  it('with DELEGATE, the subject can do nothing that changes the package', async (system) => {
    const upload = { params: { attachmentTypeId: 3 }, user: people.firstApprover }
    await system.ok('uploadAttachment', upload)
    await system.ok('createOverride', {
      body: {
        subjectUnivid: people.firstApprover,
        type: 'DELEGATE',
        reason: 'CONFLICT_OF_INTEREST',
        replacementUnivid: people.outsider,
      },
    })
    await system.ok('getPackage', { user: people.firstApprover })
    await system.refused(403, 'uploadAttachment', upload)
    const mine = { params: { univid: people.firstApprover }, user: people.firstApprover }
    await system.refused(403, 'deactivateOverride', mine)
    await system.ok('deactivateOverride', { ...mine, user: people.administrator })
    await system.ok('uploadAttachment', upload)
  })

  it('a replacement of someone outside the route gains no rights', async (system) => {
    const override = (subjectUnivid: string) => ({
      body: {
        subjectUnivid,
        type: 'DELEGATE',
        reason: 'CONFLICT_OF_INTEREST',
        replacementUnivid: people.outsider,
      },
    })
    await system.ok('createOverride', override(people.administrator))
    await system.refused(403, 'getPackage', { user: people.outsider })
    await system.ok('createOverride', override(people.secondApprover))
    await system.ok('getPackage', { user: people.outsider })
  })
})
