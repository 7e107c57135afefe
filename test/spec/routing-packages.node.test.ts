import assert from 'node:assert/strict'
import type { Comment } from '../../src/contract/schemas/comments.ts'
import type { Package, PackageActions } from '../../src/contract/schemas/workflow.ts'
import {
  type Call,
  complete,
  describeSection,
  initiatorOf42,
  people,
  sign,
  type System,
  travelEntry,
} from './system.ts'

describeSection('routing/Create a package', (it) => {
  it('routing begins if the state is left out', async (system) => {
    const created = await create(system, { entry: travelEntry() })
    assert.equal(created.state, 'ROUTING')
    assert.deepEqual(await receivers(system, created.id), ['Daniel Reyes', 'Ruth Lindqvist'])
  })

  for (const state of ['PRE_ROUTING', 'DRAFT'] as const) {
    it(`a package in ${state} is in no inbox and sends no notification`, async (system) => {
      const created = await create(system, { state, entry: travelEntry() })
      assert.equal(created.state, state)
      assert.equal(created.actionDate, null)
      assert.deepEqual(await receivers(system, created.id), [])
      assert.deepEqual(await notifications(system), [])
      assert.deepEqual(await system.ok('getHistory', { params: { packageId: created.id } }), [])

      const routed = await create(system, { state: 'ROUTING', entry: travelEntry() })
      assert.equal((await notifications(system)).length, 1)
      assert.deepEqual(
        (await system.ok<unknown[]>('getHistory', { params: { packageId: routed.id } })).length,
        3,
      )
    })
  }

  it('the response is the package, with every field', async (system) => {
    const { now: before } = await system.control<{ now: string }>('GET', '/clock')
    const created = await create(system, {
      subType: null,
      emailContent: { packageDetails: '<b>Soon</b>' },
      entry: travelEntry(),
    })
    const { now: after } = await system.control<{ now: string }>('GET', '/clock')
    const { id, routingDate, actionDate } = created
    assert.deepEqual(created, {
      id,
      state: 'ROUTING',
      subType: null,
      emailContent: { packageDetails: '<b>Soon</b>' },
      actions: { ...flags('canView', 'canInitiatorVoid'), packageId: id, signatureId: null },
      routingDate,
      actionDate,
      initiator: amara,
      voidReason: null,
      commentCount: 0,
      attachmentCount: 0,
    })
    assert.notEqual(id, 42)
    for (const date of [routingDate, actionDate])
      assert.ok(date && before <= date && date <= after, `${date}`)
    assert.deepEqual(await system.ok('getPackage', { params: { packageId: id } }), created)
  })

  it('the entry is stored as it was sent', async (system) => {
    const entry = travelEntry({ nights: 3, cost: 0.1, contact: 'a@b.example' })
    const { id } = await create(system, { entry })
    assert.deepEqual(await system.ok('getEntry', { params: { packageId: id } }), entry)
  })

  it('the entry is required', async (system) => {
    await system.refused(400, 'createPackage', { body: { state: 'DRAFT' } })
    await system.refused(400, 'createPackage', { body: { state: 'DRAFT', entry: null } })
    await system.ok('createPackage', { body: { state: 'DRAFT', entry: travelEntry() } })
  })

  it('an entry that is not valid creates nothing', async (system) => {
    const before = await create(system, { state: 'DRAFT', entry: travelEntry() })
    const response = await system.refused(400, 'createPackage', {
      body: { entry: travelEntry({ cost: 'much' }) },
    })
    assert.deepEqual(response.json, { "entry['cost']": ['validation.badAnswerType'] })
    const after = await create(system, { state: 'DRAFT', entry: travelEntry() })
    assert.equal(after.id, before.id + 1)
    assert.deepEqual(await notifications(system), [])
  })

  it('a form with sub-types requires one of them', async (system) => {
    const body = { state: 'DRAFT', entry: purchaseEntry }
    const params = { formId: 6026 }
    for (const subType of [undefined, null, '', 'domestic', 'ELSEWHERE', 7]) {
      await system.refused(400, 'createPackage', { params, body: { ...body, subType } })
    }
    for (const subType of ['DOMESTIC', 'FOREIGN']) {
      const created = await system.ok<Package>('createPackage', { params, body: { ...body, subType } })
      assert.equal(created.subType, subType)
    }
  })

  it('if the form has no sub-types, the sub-type may be omitted or null', async (system) => {
    for (const subType of [{}, { subType: null }]) {
      const created = await create(system, { ...subType, entry: travelEntry() })
      assert.equal(created.subType, null)
    }
    await system.refused(400, 'createPackage', { body: { subType: 'DOMESTIC', entry: travelEntry() } })
  })

  for (const [title, emailContent] of [
    ['left out', undefined],
    ['null', null],
    ['empty', {}],
    ['without details', { packageDetails: null }],
  ] as const) {
    it(`the e-mail content may be ${title}`, async (system) => {
      const created = await create(system, { emailContent, entry: travelEntry() })
      assert.deepEqual(created.emailContent, { packageDetails: null })
    })
  }

  it('package details are in each approver notification, below the address and above the summary', async (system) => {
    const packageDetails = '<p>Bring <b>boots</b> &amp; maps</p>'
    const { id } = await create(system, { emailContent: { packageDetails }, entry: travelEntry() })
    const [first] = await notifications(system)
    assert.ok(first)
    assert.deepEqual(
      first.recipients.map(({ univid }) => univid),
      [people.firstApprover, people.viewer],
    )
    assert.deepEqual(
      first.recipients.map(({ email }) => email),
      ['daniel-reyes@northfield.example', 'ruth-lindqvist@northfield.example'],
    )
    assert.equal(first.packageId, id)
    between(first.html, `/packages/${id}</a>`, packageDetails, 'Travel request, package')

    await system.ok('uploadAttachment', { params: { packageId: id, attachmentTypeId: 2 } })
    await sign(system, people.firstApprover, id)
    const [, second] = await notifications(system)
    assert.ok(second)
    assert.deepEqual(
      second.recipients.map(({ univid }) => univid),
      [people.secondApprover],
    )
    between(second.html, `/packages/${id}</a>`, packageDetails, 'Travel request, package')
  })

  it('without package details, the summary follows the address directly', async (system) => {
    await create(system, { entry: travelEntry() })
    const [mail] = await notifications(system)
    assert.match(String(mail?.html), /<\/a><\/p>\n<p>Travel request, package/)
  })

  it('the request user becomes the initiator', async (system) => {
    const byPerson = await create(system, { entry: travelEntry() }, people.outsider)
    assert.equal(byPerson.initiator?.univid, people.outsider)
    const byClient = await create(system, { entry: travelEntry() }, 'partner-app')
    assert.equal(byClient.initiator?.displayName, 'partner-app')
  })

  it('the form must exist', async (system) => {
    const body = { state: 'DRAFT', entry: travelEntry() }
    await system.refused(404, 'createPackage', { params: { formId: 999 }, body })
    await system.ok('createPackage', { body })
  })

  it('a body with other fields is rejected', async (system) => {
    const body = { state: 'DRAFT', entry: travelEntry() }
    for (const extra of [{ id: 7 }, { initiator: people.outsider }, { emailContent: { deltaSummary: '' } }]) {
      await system.refused(400, 'createPackage', { body: { ...body, ...extra } })
    }
    await system.ok('createPackage', { body })
  })

  it('if an attachment is required before routing, the package can only be created before routing', async (system) => {
    const params = { formId: 6026 }
    const body = { subType: 'DOMESTIC', entry: purchaseEntry }
    await system.refused(409, 'createPackage', { params, body })
    await system.ok('createPackage', { params, body: { ...body, state: 'PRE_ROUTING' } })
  })
})

describeSection('routing/Route an existing package', (it) => {
  it('the response is the package, which is now routing', async (system) => {
    const { id } = await create(system, { state: 'PRE_ROUTING', entry: travelEntry() })
    const call = { params: { packageId: id } }
    const routed = await system.ok<Package>('routePackage', { ...call, body: { state: 'ROUTING' } })
    assert.equal(routed.state, 'ROUTING')
    assert.deepEqual(routed, await system.ok('getPackage', call))
    assert.deepEqual(await receivers(system, id), ['Daniel Reyes', 'Ruth Lindqvist'])
  })

  it('routing begins at the time of the call', async (system) => {
    const created = await create(system, { state: 'PRE_ROUTING', entry: travelEntry() })
    await system.control('POST', '/clock', { advance: 'PT2H' })
    const { now } = await system.control<{ now: string }>('GET', '/clock')
    const routed = await system.ok<Package>('routePackage', {
      params: { packageId: created.id },
      body: { state: 'ROUTING' },
    })
    assert.ok(routed.routingDate && routed.routingDate >= now)
    assert.ok(created.routingDate && created.routingDate < now)
  })

  it('the state must be ROUTING', async (system) => {
    const { id } = await create(system, { state: 'PRE_ROUTING', entry: travelEntry() })
    const call = { params: { packageId: id } }
    for (const state of [undefined, null, 'PRE_ROUTING', 'DRAFT', 'COMPLETE', 'VOID', 'routing']) {
      await system.refused(400, 'routePackage', { ...call, body: { state } })
    }
    await system.ok('routePackage', { ...call, body: { state: 'ROUTING' } })
  })

  it('the body may repeat the id of the package, but no other id', async (system) => {
    const { id } = await create(system, { state: 'PRE_ROUTING', entry: travelEntry() })
    const call = { params: { packageId: id } }
    await system.refused(400, 'routePackage', { ...call, body: { id: 42, state: 'ROUTING' } })
    await system.refused(400, 'routePackage', { ...call, body: { id: String(id), state: 'ROUTING' } })
    await system.ok('routePackage', { ...call, body: { id, state: 'ROUTING' } })
  })

  it('a form with sub-types requires one, which determines the route', async (system) => {
    const { id } = await system.ok<Package>('createPackage', {
      params: { formId: 6026 },
      body: { state: 'PRE_ROUTING', subType: 'DOMESTIC', entry: purchaseEntry },
    })
    const params = { formId: 6026, packageId: id }
    await system.ok('uploadAttachment', { params: { ...params, attachmentTypeId: 11 } })
    for (const subType of [undefined, null, 'ELSEWHERE']) {
      await system.refused(400, 'routePackage', { params, body: { state: 'ROUTING', subType } })
    }
    const routed = await system.ok<Package>('routePackage', {
      params,
      body: { state: 'ROUTING', subType: 'FOREIGN' },
    })
    assert.equal(routed.subType, 'FOREIGN')
    const future = await system.ok<{ stop: { name: string } }[]>('getFutureHistory', { params })
    assert.deepEqual(
      future.map(({ stop }) => stop.name),
      ['Export control', 'College'],
    )
  })

  it('if the form has no sub-types, the sub-type may be omitted or null', async (system) => {
    for (const subType of [{}, { subType: null }]) {
      const { id } = await create(system, { state: 'PRE_ROUTING', entry: travelEntry() })
      const call = { params: { packageId: id } }
      await system.refused(400, 'routePackage', { ...call, body: { state: 'ROUTING', subType: 'FOREIGN' } })
      const routed = await system.ok<Package>('routePackage', {
        ...call,
        body: { state: 'ROUTING', ...subType },
      })
      assert.equal(routed.subType, null)
    }
  })

  it('notifications contain the package details of the call, or those of the package if the call has none', async (system) => {
    const emailContent = { packageDetails: '<i>first</i>' }
    for (const [given, expected] of [
      [{ emailContent: { packageDetails: '<i>second</i>' } }, '<i>second</i>'],
      [{ emailContent: { packageDetails: null } }, '<i>first</i>'],
      [{ emailContent: null }, '<i>first</i>'],
      [{}, '<i>first</i>'],
    ] as const) {
      const { id } = await create(system, { state: 'PRE_ROUTING', emailContent, entry: travelEntry() })
      const routed = await system.ok<Package>('routePackage', {
        params: { packageId: id },
        body: { state: 'ROUTING', ...given },
      })
      assert.deepEqual(routed.emailContent, { packageDetails: expected })
      const mail = (await notifications(system)).find(({ packageId }) => packageId === id)
      between(String(mail?.html), `/packages/${id}</a>`, expected, 'Travel request, package')
    }
  })

  it('a missing required attachment blocks routing and changes nothing', async (system) => {
    const { id } = await system.ok<Package>('createPackage', {
      params: { formId: 6026 },
      body: { state: 'PRE_ROUTING', subType: 'DOMESTIC', entry: purchaseEntry },
    })
    const params = { formId: 6026, packageId: id }
    const before = await system.ok('getPackage', { params })
    const body = { state: 'ROUTING', subType: 'FOREIGN', emailContent: { packageDetails: 'x' } }
    await system.refused(409, 'routePackage', { params, body })
    assert.deepEqual(await system.ok('getPackage', { params }), before)
    await system.ok('uploadAttachment', { params: { ...params, attachmentTypeId: 11 } })
    await system.ok('routePackage', { params, body })
  })
})

// Get basic package information

const package42 = {
  id: 42,
  state: 'ROUTING',
  subType: null,
  emailContent: { packageDetails: null },
  actions: { ...flags('canView', 'canInitiatorVoid'), packageId: 42, signatureId: null },
  routingDate: '2026-11-16T09:42:10',
  actionDate: '2026-11-16T09:42:12',
  initiator: initiatorOf42,
  voidReason: null,
  commentCount: 0,
  attachmentCount: 0,
}
const amara = package42.initiator

describeSection('routing/Get basic package information', (it) => {
  it('the response is the package, with neither entry data nor routing history', async (system) => {
    assert.deepEqual(await system.ok('getPackage'), package42)
  })

  it('the initiator, current and later approvers, administrators and clients may see the package, others may not', async (system) => {
    const { initiator, firstApprover, secondApprover, viewer, administrator } = people
    for (const user of [initiator, firstApprover, secondApprover, viewer, administrator, 'partner-app']) {
      const found = await system.ok<Package>('getPackage', { user })
      assert.equal(found.actions?.canView, true, user)
    }
    await system.refused(403, 'getPackage', { user: people.outsider })
    await system.ok('getPackage', { user: people.outsider, bypass: true })
  })

  it('an approver may still see the package after signing, and after it was returned to its initiator', async (system) => {
    await sign(system, people.firstApprover)
    await system.ok('getPackage', { user: people.firstApprover })
    await system.ok('returnToInitiator', { body: { comment: 'Which hotel?' } })
    await system.ok('getPackage', { user: people.firstApprover })
    await system.refused(403, 'getPackage', { user: people.outsider })
  })

  it('approvers cannot see a package before it routes', async (system) => {
    const { id } = await create(system, { state: 'DRAFT', entry: travelEntry() })
    const params = { packageId: id }
    await system.refused(403, 'getPackage', { params, user: people.firstApprover })
    await system.ok('getPackage', { params })
  })

  it('comments and attachments are counted, deleted comments are not', async (system) => {
    const path = '/test/forms/6025/packages/42/comments'
    await system.control('POST', path, { univid: people.firstApprover, comment: 'One' })
    const two = await system.control<Comment>('POST', path, { univid: people.firstApprover, comment: 'Two' })
    await system.ok('uploadAttachment', { params: { attachmentTypeId: 3 } })
    const before = await system.ok<Package>('getPackage')
    assert.deepEqual([before.commentCount, before.attachmentCount], [2, 1])
    await system.control('DELETE', `${path}/${two.id}`)
    assert.equal((await system.ok<Package>('getPackage')).commentCount, 1)
  })

  it('a package is found only below its own form and environment', async (system) => {
    await system.refused(404, 'getPackage', { params: { formId: 6026 } })
    await system.refused(404, 'getPackage', { params: { packageId: 43 } })
    await system.refused(404, 'getPackage', { env: 'prod' })
    await system.ok('getPackage')
  })
})

// Get allowed actions

/** How a package gets into each state, and what each user may do with it in that state. */
const table: Readonly<
  Record<
    string,
    {
      readonly reach: (system: System) => Promise<number>
      readonly may: Readonly<Record<keyof typeof people | 'client', ActionFlags>>
    }
  >
> = {
  'PRE_ROUTING, never routed': {
    reach: async (system) => (await create(system, { state: 'PRE_ROUTING', entry: travelEntry() })).id,
    may: {
      initiator: flags('canView', 'canEdit'),
      firstApprover: flags(),
      secondApprover: flags(),
      viewer: flags(),
      outsider: flags(),
      administrator: flags('canView', 'canEdit'),
      client: flags('canView', 'canEdit'),
    },
  },
  'DRAFT, never routed': {
    reach: async (system) => (await create(system, { state: 'DRAFT', entry: travelEntry() })).id,
    may: {
      initiator: flags('canView', 'canEdit'),
      firstApprover: flags(),
      secondApprover: flags(),
      viewer: flags(),
      outsider: flags(),
      administrator: flags('canView', 'canEdit'),
      client: flags('canView', 'canEdit'),
    },
  },
  'ROUTING, at the first stop': {
    reach: () => Promise.resolve(42),
    may: {
      initiator: flags('canView', 'canInitiatorVoid'),
      firstApprover: flags('canView', 'canEdit', 'canSign', 'canVoid', 'canAddApprover'),
      secondApprover: flags('canView'),
      viewer: flags('canView'),
      outsider: flags(),
      administrator: flags('canView', 'canEdit', 'canVoid', 'canAddApprover'),
      client: flags('canView', 'canEdit', 'canVoid', 'canAddApprover'),
    },
  },
  'ROUTING, at the second stop': {
    reach: async (system) => {
      await sign(system, people.firstApprover)
      return 42
    },
    may: {
      initiator: flags('canView', 'canInitiatorVoid'),
      firstApprover: flags('canView'),
      secondApprover: flags('canView', 'canEdit', 'canSign', 'canVoid', 'canAddApprover'),
      viewer: flags('canView'),
      outsider: flags(),
      administrator: flags('canView', 'canEdit', 'canVoid', 'canAddApprover'),
      client: flags('canView', 'canEdit', 'canVoid', 'canAddApprover'),
    },
  },
  COMPLETE: {
    reach: async (system) => {
      await complete(system)
      return 42
    },
    may: {
      initiator: flags('canView'),
      firstApprover: flags('canView'),
      secondApprover: flags('canView'),
      viewer: flags('canView'),
      outsider: flags(),
      administrator: flags('canView', 'canVoidAfter'),
      client: flags('canView', 'canVoidAfter'),
    },
  },
  VOID: {
    reach: async (system) => {
      await system.ok('voidPackage', { body: { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' } })
      return 42
    },
    may: {
      initiator: flags('canView'),
      firstApprover: flags('canView'),
      secondApprover: flags('canView'),
      viewer: flags('canView'),
      outsider: flags(),
      administrator: flags('canView'),
      client: flags('canView'),
    },
  },
  'DRAFT, returned to its initiator': {
    reach: async (system) => {
      await system.ok('returnToInitiator', { body: { comment: 'Which hotel?' } })
      return 42
    },
    may: {
      initiator: flags('canView', 'canEdit'),
      firstApprover: flags('canView'),
      secondApprover: flags(),
      viewer: flags('canView'),
      outsider: flags(),
      administrator: flags('canView', 'canEdit'),
      client: flags('canView', 'canEdit'),
    },
  },
  'PRE_ROUTING, removed': {
    reach: async (system) => {
      await system.ok('removePackage')
      return 42
    },
    may: {
      initiator: flags('canView', 'canEdit'),
      firstApprover: flags(),
      secondApprover: flags(),
      viewer: flags(),
      outsider: flags(),
      administrator: flags('canView', 'canEdit'),
      client: flags('canView', 'canEdit'),
    },
  },
}

describeSection('routing/Get allowed actions', (it) => {
  for (const [where, { reach, may }] of Object.entries(table)) {
    for (const [who, expected] of Object.entries(may)) {
      it(`the ${who} has exactly the documented actions while ${where}`, async (system) => {
        const id = await reach(system)
        const user = who === 'client' ? 'demo-app' : people[who as keyof typeof people]
        const [row, ...rest] = await system.ok<PackageActions[]>('getActions', { query: { id }, user })
        assert.ok(row)
        assert.deepEqual(rest, [])
        const { signatureId, ...others } = row
        assert.deepEqual(others, { ...expected, packageId: id })
        assert.equal(signatureId, await inboxOf(system, id, user))
      })
    }
  }

  it('each permission gives its own actions to the person who has the package in the inbox', async (system) => {
    const { id } = await system.ok<Package>('createPackage', {
      params: { formId: 6030 },
      body: { entry: { item: 'Drill', department: null } },
    })
    // An administrator may do more, but the replacement of an administrator may not.
    await system.ok('createOverride', {
      params: { formId: 6030, packageId: id },
      body: {
        subjectUnivid: people.administrator,
        type: 'DELEGATE',
        reason: 'CONFLICT_OF_INTEREST',
        replacementUnivid: people.outsider,
      },
    })
    const flagsOf = async (user: string) => {
      const params = { formId: 6030 }
      const [row] = await system.ok<PackageActions[]>('getActions', { params, query: { id }, user })
      assert.ok(row)
      const { packageId, signatureId, ...others } = row
      assert.equal(packageId, id)
      assert.equal(typeof signatureId, 'number')
      return others
    }
    // SIGNATURE_REQUIRED, VIEW_AND_EDIT, SIGNATURE_PERMITTED.
    assert.deepEqual(
      await flagsOf(people.viewer),
      flags('canView', 'canEdit', 'canSign', 'canVoid', 'canAddApprover'),
    )
    assert.deepEqual(await flagsOf(people.firstApprover), flags('canView', 'canEdit'))
    assert.deepEqual(await flagsOf(people.outsider), flags('canView', 'canEdit', 'canSign', 'canAddApprover'))
  })

  it('the parameter id may be repeated, and the rows have the order of the request', async (system) => {
    const { id } = await create(system, { state: 'DRAFT', entry: travelEntry() })
    const idsOf = async (...ids: number[]) =>
      (await system.ok<PackageActions[]>('getActions', { query: { id: ids } })).map(
        ({ packageId }) => packageId,
      )
    assert.deepEqual(await idsOf(id, 42), [id, 42])
    assert.deepEqual(await idsOf(42, id), [42, id])
    assert.deepEqual(await idsOf(42), [42])
    assert.deepEqual(await idsOf(42, id, 42), [42, id])
    assert.deepEqual(await system.ok('getStatus', { query: { id: [42, id, 42] } }), [
      { id: 42, state: 'ROUTING' },
      { id, state: 'DRAFT' },
    ])
    await system.refused(400, 'getActions', { query: {} })
  })

  it('packages of other forms and environments are left out', async (system) => {
    const other = await system.ok<Package>('createPackage', {
      params: { formId: 6030 },
      body: { entry: { item: 'Drill', department: null } },
    })
    const rows = await system.ok<PackageActions[]>('getActions', { query: { id: [other.id, 42, 7] } })
    assert.deepEqual(
      rows.map(({ packageId }) => packageId),
      [42],
    )
    assert.deepEqual(await system.ok('getActions', { query: { id: 42 }, env: 'prod' }), [])
  })

  it('ids must be plain digits, and at least one is required', async (system) => {
    for (const id of ['', '0', '-42', '4.2e1', '0x2a', '042', '42,43']) {
      await system.refused(400, 'getActions', { query: { id } })
    }
    await system.ok('getActions', { query: { id: '42' } })
  })

  it('with bypass, the results are wrong: everything is allowed to anyone', async (system) => {
    const call = { query: { id: 42 }, user: people.outsider }
    const everything = Object.fromEntries(Object.keys(flags()).map((flag) => [flag, true]))
    assert.deepEqual(await system.ok('getActions', { ...call, bypass: true }), [
      { ...everything, packageId: 42, signatureId: null },
    ])
    assert.deepEqual(await system.ok('getActions', { ...call, bypass: false }), [
      { ...flags(), packageId: 42, signatureId: null },
    ])
  })

  it('the actions in a package are those of its request user', async (system) => {
    for (const user of [people.initiator, people.firstApprover, people.viewer, 'demo-app']) {
      const [row] = await system.ok<PackageActions[]>('getActions', { query: { id: 42 }, user })
      assert.deepEqual((await system.ok<Package>('getPackage', { user })).actions, row)
    }
  })
})

describeSection('routing/List comments', (it) => {
  it('a new package has no comments', async (system) => {
    assert.deepEqual(await system.ok('getComments'), [])
    await comment(system, people.firstApprover, 'Which hotel?')
    assert.equal((await system.ok<Comment[]>('getComments')).length, 1)
  })

  it('comments are in the order in which they were written', async (system) => {
    for (const text of ['One', 'Two', 'Three']) await comment(system, people.viewer, text)
    assert.deepEqual(
      (await system.ok<Comment[]>('getComments')).map(({ comment }) => comment),
      ['One', 'Two', 'Three'],
    )
  })

  it('a package shows its own comments only', async (system) => {
    const { id } = await create(system, { entry: travelEntry() })
    await comment(system, people.firstApprover, 'About 42')
    assert.deepEqual(await system.ok('getComments', { params: { packageId: id } }), [])
    assert.equal((await system.ok<Comment[]>('getComments')).length, 1)
  })

  it('comments for approvers only are shown to approvers, administrators, clients and with bypass', async (system) => {
    await comment(system, people.firstApprover, 'For all')
    await comment(system, people.firstApprover, 'Between us', true)
    const read = async (call: Call) =>
      (await system.ok<Comment[]>('getComments', call)).map(({ comment }) => comment)
    assert.deepEqual(await read({ user: people.initiator }), ['For all'])
    const { firstApprover, secondApprover, viewer, administrator } = people
    for (const user of [firstApprover, secondApprover, viewer, administrator, 'demo-app']) {
      assert.deepEqual(await read({ user }), ['For all', 'Between us'], user)
    }
    assert.deepEqual(await read({ user: people.initiator, bypass: true }), ['For all', 'Between us'])
  })

  it('the comment of a return to the initiator is visible to all', async (system) => {
    await system.ok('returnToInitiator', {
      body: { comment: 'Please add the receipt' },
      user: people.firstApprover,
    })
    const [row] = await system.ok<Comment[]>('getComments')
    assert.equal(row?.comment, 'Please add the receipt')
    assert.equal(row?.approversOnly, false)
    assert.equal(row?.person?.univid, people.firstApprover)
  })
})

type ActionFlags = Omit<PackageActions, 'packageId' | 'signatureId'>

/** Returns the flags of the actions: true for the given ones, false for the others. */
function flags(...allowed: readonly (keyof ActionFlags)[]): ActionFlags {
  return {
    canView: allowed.includes('canView'),
    canEdit: allowed.includes('canEdit'),
    canSign: allowed.includes('canSign'),
    canVoid: allowed.includes('canVoid'),
    canInitiatorVoid: allowed.includes('canInitiatorVoid'),
    canAddApprover: allowed.includes('canAddApprover'),
    canVoidAfter: allowed.includes('canVoidAfter'),
  }
}

const purchaseEntry = { item: 'Microscope', price: 4200, needed_by: null }

function create(
  system: System,
  body: Readonly<Record<string, unknown>>,
  user: string = people.initiator,
): Promise<Package> {
  return system.ok<Package>('createPackage', { body, user })
}

interface Mail {
  readonly kind: string
  readonly packageId: number
  readonly recipients: readonly { readonly univid: string; readonly email: string }[]
  readonly html: string
}

async function notifications(system: System): Promise<Mail[]> {
  const outbox = await system.control<Mail[]>('GET', '/outbox')
  return outbox.filter(({ kind }) => kind === 'approver_notification')
}

/** Fails if `text` is not between `before` and `after`. */
function between(html: string, before: string, text: string, after: string): void {
  const positions = [before, text, after].map((part) => html.indexOf(part))
  assert.ok(!positions.includes(-1), html)
  assert.deepEqual(
    positions,
    positions.toSorted((a, b) => a - b),
    html,
  )
}

interface Status {
  readonly inboxSignatures: readonly { readonly id: number; readonly approver: string }[]
}

async function receivers(system: System, id: number): Promise<string[]> {
  const [status] = await system.ok<Status[]>('getStatus', { query: { id }, version: '1.2' })
  return (status?.inboxSignatures ?? []).map(({ approver }) => approver)
}

/** Returns the id of the signature in a person's inbox, or null if there is none. */
async function inboxOf(system: System, id: number, user: string): Promise<number | null> {
  const names: Readonly<Record<string, string>> = {
    [people.firstApprover]: 'Daniel Reyes',
    [people.secondApprover]: 'Mei-Ling Zhou',
    [people.viewer]: 'Ruth Lindqvist',
  }
  const [status] = await system.ok<Status[]>('getStatus', { query: { id }, version: '1.2' })
  return status?.inboxSignatures.find(({ approver }) => approver === names[user])?.id ?? null
}

async function comment(
  system: System,
  univid: string,
  text: string,
  approversOnly = false,
): Promise<{ readonly id: number }> {
  return await system.control('POST', '/test/forms/6025/packages/42/comments', {
    univid,
    comment: text,
    approversOnly,
  })
}
