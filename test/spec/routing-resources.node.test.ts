import assert from 'node:assert/strict'
import type { Comment } from '../../src/contract/schemas/comments.ts'
import type { HistoryEvent } from '../../src/contract/schemas/history.ts'
import type { Package, PackageActions, PackageStatus12 } from '../../src/contract/schemas/workflow.ts'
import { complete, describeSection, packageFields, people, sign, type System, travelEntry } from './system.ts'

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/

describeSection('routing/Conventions', (it) => {
  it('the environments are test and prod', async (system) => {
    const headers = {
      Authorization: `Basic ${btoa('demo-app:demo-secret')}`,
      'x-workflow-request-user': 'demo-app',
    }
    for (const [env, status] of [
      ['test', 200],
      ['prod', 200],
      ['dev', 404],
      ['TEST', 404],
      ['', 404],
    ] as const) {
      const path = `/wf/workflow/${env}/api/developer/forms/6025/packages/status?id=42`
      assert.equal((await system.fetch(path, { headers })).status, status, env)
    }
  })

  it('ids of forms and packages are integers', async (system) => {
    const headers = {
      Authorization: `Basic ${btoa('demo-app:demo-secret')}`,
      'x-workflow-request-user': 'demo-app',
    }
    for (const [path, status] of [
      ['6025/packages/42', 200],
      ['6025/packages/042', 404],
      ['6025/packages/4x', 404],
      ['6025/packages/-42', 404],
      ['6025/packages/4.2e1', 404],
      ['6025/packages/0x2a', 404],
      ['6025/packages/%34%32', 404],
      ['06025/packages/42', 404],
      ['travel/packages/42', 404],
    ] as const) {
      const response = await system.fetch(`/wf/workflow/test/api/developer/forms/${path}`, { headers })
      assert.equal(response.status, status, path)
    }
  })

  it('timestamps are local date-times without zone', async (system) => {
    await comment(system, people.firstApprover)
    await complete(system)
    const found = await system.ok<Package>('getPackage')
    const [firstComment] = await system.ok<Comment[]>('getComments')
    const history = await system.ok<HistoryEvent[]>('getHistory')
    for (const text of [
      found.routingDate,
      found.actionDate,
      firstComment?.createdAt,
      ...history.map(({ actionDate }) => actionDate),
    ]) {
      assert.match(String(text), timestamp)
    }
  })

  it('bodies are JSON', async (system) => {
    assert.match(
      String((await system.call('getPackage')).headers.get('content-type')),
      /^application\/json\b/,
    )
    const post = (body: string) =>
      system.fetch('/wf/workflow/test/api/developer/forms/6025/packages', {
        method: 'POST',
        headers: {
          Authorization: `Basic ${btoa('demo-app:demo-secret')}`,
          'x-workflow-request-user': people.initiator,
          'Content-Type': 'application/json',
        },
        body,
      })
    const body = JSON.stringify({ state: 'DRAFT', entry: travelEntry() })
    for (const broken of [body.slice(0, -1), 'state=DRAFT', '']) {
      assert.equal((await post(broken)).status, 400, broken)
    }
    assert.equal((await post(body)).status, 200)
  })
})

describeSection('routing/What the service does', (it) => {
  it('a package belongs to one form', async (system) => {
    const { id } = await system.ok<Package>('createPackage', {
      params: { formId: 6030 },
      body: { entry: { item: 'Drill', department: null } },
    })
    await system.ok('getPackage', { params: { formId: 6030, packageId: id } })
    await system.refused(404, 'getPackage', { params: { formId: 6025, packageId: id } })
  })

  it('a package belongs to one environment', async (system) => {
    const { id } = await system.ok<Package>('createPackage', { env: 'prod', body: { entry: travelEntry() } })
    await system.ok('getPackage', { env: 'prod', params: { packageId: id } })
    await system.refused(404, 'getPackage', { env: 'test', params: { packageId: id } })
  })

  it('history, comments and attachments are kept per package', async (system) => {
    const other = await system.ok<Package>('createPackage', {
      body: { state: 'DRAFT', entry: travelEntry() },
    })
    await comment(system, people.firstApprover)
    await system.ok('uploadAttachment', { params: { attachmentTypeId: 2 } })
    for (const [name, count] of [
      ['getHistory', 3],
      ['getComments', 1],
      ['getAttachments', 1],
    ] as const) {
      assert.equal((await system.ok<unknown[]>(name)).length, count, name)
      assert.deepEqual(await system.ok(name, { params: { packageId: other.id } }), [], name)
    }
  })

  it('each package has an initiator, and each approver has a permission level', async (system) => {
    assert.equal((await system.ok<Package>('getPackage')).initiator?.univid, people.initiator)
    assert.deepEqual(
      (await inbox(system)).map(({ approver, permission }) => [approver, permission]),
      [
        ['Daniel Reyes', 'SIGNATURE_REQUIRED'],
        ['Ruth Lindqvist', 'VIEW_ONLY'],
      ],
    )
  })
})

describeSection('routing/Package', (it) => {
  it('the package has exactly the documented fields in every state', async (system) => {
    const created = await system.ok<Package>('createPackage', {
      body: { state: 'DRAFT', entry: travelEntry() },
    })
    assertPackage(created)
    assert.equal(created.actionDate, null)
    const before = await system.ok<Package>('createPackage', {
      body: { state: 'PRE_ROUTING', emailContent: { packageDetails: '<b>x</b>' }, entry: travelEntry() },
    })
    assertPackage(before)
    assertPackage(await system.ok('getPackage'))
    await complete(system)
    assertPackage(await system.ok('getPackage'))
    assertPackage(
      await system.ok('voidPackage', { body: { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' } }),
    )
    assertPackage(await system.ok('removePackage'))
    assertPackage(await system.ok('reinitiatePackage'))
    assertPackage(await system.ok('getPackage', { user: 'demo-app' }))
  })

  it('the sub-type is the one that the package was created with, or null', async (system) => {
    const { id } = await system.ok<Package>('createPackage', {
      params: { formId: 6026 },
      body: {
        state: 'DRAFT',
        subType: 'FOREIGN',
        entry: { item: 'Microscope', price: 4200, needed_by: null },
      },
    })
    const params = { formId: 6026, packageId: id }
    assert.equal((await system.ok<Package>('getPackage', { params })).subType, 'FOREIGN')
    assert.equal((await system.ok<Package>('getPackage')).subType, null)
  })

  it('the void reason is set only while the package is void', async (system) => {
    assert.equal((await system.ok<Package>('getPackage')).voidReason, null)
    await system.ok('voidPackage', { body: { id: 42, state: 'VOID', voidReason: 'TRANSACTION_DENIED' } })
    assert.equal((await system.ok<Package>('getPackage')).voidReason, 'TRANSACTION_DENIED')
    await system.ok('unvoidPackage')
    assert.equal((await system.ok<Package>('getPackage')).voidReason, null)
    await system.ok('voidPackage', { body: { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' } })
    await system.ok('removePackage')
    assert.equal((await system.ok<Package>('getPackage')).voidReason, null)
  })

  it('the action date is that of the last action', async (system) => {
    const dates: string[] = []
    const act = async (action: () => Promise<unknown>) => {
      await system.control('POST', '/clock', { advance: 'PT1H' })
      const { now } = await system.control<{ now: string }>('GET', '/clock')
      await action()
      const { actionDate } = await system.ok<Package>('getPackage')
      assert.ok(actionDate && actionDate >= now, `${actionDate} is before ${now}`)
      dates.push(actionDate)
    }
    await act(() => sign(system, people.firstApprover))
    await act(() => system.ok('restartPackage'))
    await act(() =>
      system.ok('voidPackage', { body: { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' } }),
    )
    await act(() => system.ok('unvoidPackage'))
    await act(() => system.ok('removePackage'))
    await act(() => system.ok('reinitiatePackage'))
    await act(() => system.ok('returnToInitiator', { body: { comment: 'Which hotel?' } }))
    assert.deepEqual(dates, [...new Set(dates)].toSorted())
    // Reading and commenting are not actions.
    await system.control('POST', '/clock', { advance: 'PT1H' })
    await comment(system, people.firstApprover)
    assert.equal((await system.ok<Package>('getPackage')).actionDate, dates.at(-1))
  })

  it('the routing date stays the same while the package routes', async (system) => {
    await complete(system)
    assert.equal((await system.ok<Package>('getPackage')).routingDate, '2026-11-16T09:42:10')
    await system.ok('removePackage')
    const again = await system.ok<Package>('reinitiatePackage')
    assert.notEqual(again.routingDate, '2026-11-16T09:42:10')
  })
})

describeSection('routing/Package actions', (it) => {
  it('the actions have exactly the documented fields', async (system) => {
    const [row] = await system.ok<PackageActions[]>('getActions', {
      query: { id: 42 },
      user: people.firstApprover,
    })
    assert.deepEqual(row, {
      canView: true,
      canEdit: true,
      canSign: true,
      canVoid: true,
      canInitiatorVoid: false,
      canAddApprover: true,
      canVoidAfter: false,
      packageId: 42,
      signatureId: 9001,
    })
  })

  it('the signature id is that of the user’s pending signature, or null if the user has none', async (system) => {
    const signatureIdOf = async (user: string) => {
      const [row] = await system.ok<PackageActions[]>('getActions', { query: { id: 42 }, user })
      assert.ok(row && 'signatureId' in row)
      return row.signatureId
    }
    const [first, second] = await inbox(system)
    assert.equal(await signatureIdOf(people.firstApprover), first?.id)
    assert.equal(await signatureIdOf(people.viewer), second?.id)
    assert.equal(await signatureIdOf(people.secondApprover), null)
    await sign(system, people.firstApprover)
    assert.equal(await signatureIdOf(people.firstApprover), null)
    assert.equal(await signatureIdOf(people.secondApprover), (await inbox(system))[0]?.id)
  })
})

// Person

const daniel = {
  id: 502,
  displayName: 'Daniel Reyes',
  hrdeptdesc: 'Biology',
  collegeName: 'College of Sciences',
  personType: 'EMPLOYEE',
  title: 'Department Administrator',
  univid: people.firstApprover,
  email: 'daniel-reyes@northfield.example',
  campusPostalAddress: null,
  officePhone: null,
}

/** The fields that "some responses add" (spec, Person). */
const more = {
  naturalKey: people.firstApprover,
  type: 'person',
  loginid: 'dreyes',
  jobCode: null,
  directoryRestricted: false,
  activeUser: true,
}

describeSection('routing/Person', (it) => {
  it('a person has exactly the common fields', async (system) => {
    for (const found of await personsShown(system)) assert.deepEqual(found, daniel)
  })

  it('some responses add the other fields', async (system) => {
    await system.control('PUT', '/spec-options', { personFields: 'extended' })
    for (const found of await personsShown(system)) assert.deepEqual(found, { ...daniel, ...more })
  })

  it('a client is shown in the shape of a person, with its id as name', async (system) => {
    const created = await system.ok<Package>('createPackage', {
      body: { entry: travelEntry() },
      user: 'partner-app',
    })
    const { initiator } = created
    assert.deepEqual(Object.keys(initiator ?? {}).toSorted(), Object.keys(daniel).toSorted())
    assert.equal(initiator?.displayName, 'partner-app')
    assert.equal(initiator.univid, null)
    assert.equal(Number.isSafeInteger(initiator.id), true)
  })
})

describeSection('routing/Comment', (it) => {
  it('a comment for approvers only is shown to, and counted for, approvers, administrators and clients', async (system) => {
    await comment(system, people.firstApprover, { comment: 'Between us', approversOnly: true })
    for (const [user, expected] of [
      [people.initiator, 0],
      [people.firstApprover, 1],
      [people.administrator, 1],
      ['demo-app', 1],
    ] as const) {
      assert.equal((await system.ok<unknown[]>('getComments', { user })).length, expected, user)
      assert.equal((await system.ok<Package>('getPackage', { user })).commentCount, expected, user)
    }
  })

  it('the object has exactly the documented fields', async (system) => {
    const { now: before } = await system.control<{ now: string }>('GET', '/clock')
    const { id } = await comment(system, people.firstApprover, { comment: '<b>Which</b> hotel?' })
    const { now: after } = await system.control<{ now: string }>('GET', '/clock')
    const [row, ...rest] = await system.ok<Comment[]>('getComments')
    assert.deepEqual(rest, [])
    assert.deepEqual(row, {
      id,
      comment: '<b>Which</b> hotel?',
      approversOnly: false,
      canDelete: false,
      createdAt: row?.createdAt,
      person: daniel,
      state: 'ACTIVE',
    })
    const createdAt = String(row?.createdAt)
    assert.match(createdAt, timestamp)
    assert.ok(before <= createdAt && createdAt <= after)
  })

  it('a comment has a flag for approvers only', async (system) => {
    await comment(system, people.firstApprover, { approversOnly: true })
    await comment(system, people.firstApprover, { approversOnly: false })
    const rows = await system.ok<Comment[]>('getComments', { user: people.firstApprover })
    assert.deepEqual(
      rows.map(({ approversOnly }) => approversOnly),
      [true, false],
    )
  })

  it('the author, administrators and clients may delete a comment', async (system) => {
    await comment(system, people.firstApprover)
    const canDelete = async (user: string, bypass?: boolean) => {
      const [row] = await system.ok<Comment[]>('getComments', {
        user,
        ...(bypass !== undefined && { bypass }),
      })
      return row?.canDelete
    }
    for (const user of [people.firstApprover, people.administrator, 'demo-app']) {
      assert.equal(await canDelete(user), true, user)
    }
    for (const user of [people.initiator, people.secondApprover, people.viewer]) {
      assert.equal(await canDelete(user), false, user)
    }
    assert.equal(await canDelete(people.outsider, true), false)
  })

  it('a deleted comment stays in the list as INACTIVE and cannot be deleted again', async (system) => {
    const kept = await comment(system, people.firstApprover, { comment: 'Kept' })
    const { id } = await comment(system, people.firstApprover, { comment: 'Deleted' })
    await system.control('DELETE', `/test/forms/6025/packages/42/comments/${id}`)
    const rows = await system.ok<Comment[]>('getComments', { user: people.firstApprover })
    assert.deepEqual(
      rows.map((row) => [row.id, row.state, row.canDelete]),
      [
        [kept.id, 'ACTIVE', true],
        [id, 'INACTIVE', false],
      ],
    )
  })
})

describeSection('routing/Inbox signature', (it) => {
  it('the object has exactly the documented fields', async (system) => {
    assert.deepEqual(await inbox(system), [
      {
        id: 9001,
        approver: 'Daniel Reyes',
        state: 'RECEIVED',
        permission: 'SIGNATURE_REQUIRED',
        responsibleOffice: { id: 301, name: 'Travel Office', naturalKey: '05-0100' },
      },
      {
        id: 9002,
        approver: 'Ruth Lindqvist',
        state: 'RECEIVED',
        permission: 'VIEW_ONLY',
        responsibleOffice: { id: 301, name: 'Travel Office', naturalKey: '05-0100' },
      },
    ])
  })

  it('the responsible office is the office through which the package routes', async (system) => {
    await sign(system, people.firstApprover)
    const [signature, ...rest] = await inbox(system)
    assert.deepEqual(rest, [])
    assert.deepEqual(signature, {
      id: signature?.id,
      approver: 'Mei-Ling Zhou',
      state: 'RECEIVED',
      permission: 'SIGNATURE_REQUIRED',
      responsibleOffice: { id: 302, name: 'College of Sciences, Dean’s Office', naturalKey: '05-0333' },
    })
  })

  it('for a destination without an office, the responsible office is the one that owns the form', async (system) => {
    const { id } = await system.ok<Package>('createPackage', {
      params: { formId: 6030 },
      body: { entry: { item: 'Drill', department: '05-0333' } },
    })
    const signatures = await inbox(system, { formId: 6030, packageId: id })
    assert.deepEqual(
      signatures.map(({ approver, permission, responsibleOffice }) => [
        approver,
        permission,
        responsibleOffice?.naturalKey,
      ]),
      [
        ['Mei-Ling Zhou', 'SIGNATURE_REQUIRED', '05-0333'],
        ['Daniel Reyes', 'VIEW_AND_EDIT', '05-0100'],
        ['Priya Raman', 'SIGNATURE_PERMITTED', '05-0100'],
      ],
    )
  })

  it('only a routing package has inbox signatures', async (system) => {
    assert.equal((await inbox(system)).length, 2)
    await complete(system)
    assert.deepEqual(await inbox(system), [])
    await system.ok('returnPackage', { body: { univid: people.viewer } })
    assert.equal((await inbox(system)).length, 1)
    await system.ok('voidPackage', { body: { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' } })
    assert.deepEqual(await inbox(system), [])
  })
})

function assertPackage(found: Package): void {
  assert.deepEqual(Object.keys(found).toSorted(), packageFields)
  const { actions, emailContent, initiator } = found
  assert.ok(Number.isSafeInteger(found.id))
  assert.ok(['PRE_ROUTING', 'DRAFT', 'ROUTING', 'COMPLETE', 'VOID'].includes(found.state))
  assert.ok(found.subType === null || typeof found.subType === 'string')
  assert.deepEqual(Object.keys(emailContent ?? {}), ['packageDetails'])
  assert.ok(emailContent?.packageDetails === null || typeof emailContent?.packageDetails === 'string')
  assert.equal(Object.keys(actions ?? {}).length, 9)
  assert.match(String(found.routingDate), timestamp)
  if (found.actionDate !== null) assert.match(found.actionDate, timestamp)
  assert.equal(initiator?.displayName, 'Amara Okafor')
  assert.ok(Number.isSafeInteger(found.commentCount))
  assert.ok(Number.isSafeInteger(found.attachmentCount))
}

/** Returns Daniel as each kind of response shows him. */
async function personsShown(system: System): Promise<unknown[]> {
  await comment(system, people.firstApprover)
  const [firstComment] = await system.ok<Comment[]>('getComments')
  const [, received] = await system.ok<HistoryEvent[]>('getHistory')
  const created = await system.ok<Package>('createPackage', {
    body: { entry: travelEntry() },
    user: people.firstApprover,
  })
  const uploaded = await system.ok<{ person: unknown }>('uploadAttachment', {
    params: { attachmentTypeId: 2 },
    user: people.firstApprover,
  })
  return [firstComment?.person, received?.person, created.initiator, uploaded.person]
}

async function inbox(
  system: System,
  { formId, packageId }: { readonly formId: number; readonly packageId: number } = {
    formId: 6025,
    packageId: 42,
  },
) {
  const [status] = await system.ok<PackageStatus12[]>('getStatus', {
    params: { formId },
    query: { id: packageId },
    version: '1.2',
  })
  return (status?.inboxSignatures ?? []).flatMap((signature) => signature ?? [])
}

async function comment(
  system: System,
  univid: string,
  given: { readonly comment?: string; readonly approversOnly?: boolean } = {},
): Promise<{ readonly id: number }> {
  return await system.control('POST', '/test/forms/6025/packages/42/comments', {
    univid,
    comment: 'Which hotel?',
    ...given,
  })
}
