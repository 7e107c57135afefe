import assert from 'node:assert/strict'
import type { Package } from '../../src/contract/schemas/workflow.ts'
import { complete, describeSection, people, sign, type System, travelEntry } from './system.ts'

/** An event in a response. */
type Event = Readonly<Record<string, unknown>>

const amara = person(1, 'Amara Okafor', 'Associate Professor', 'Biology')
const daniel = person(2, 'Daniel Reyes', 'Department Administrator', 'Biology')
const meiLing = person(3, 'Mei-Ling Zhou', 'Associate Dean', 'Dean’s Office')
const ruth = person(4, 'Ruth Lindqvist', 'Budget Officer', 'Biology')
const priya = person(9, 'Priya Raman', 'Systems Administrator', 'Information Technology')

const deansOffice = {
  id: 302,
  lastSynced: '2026-11-15T02:00:00',
  name: 'College of Sciences, Dean’s Office',
  naturalKey: '05-0333',
  scopeNaturalKey: 'department',
  state: 'IMPORTED',
}

const initiation = {
  '@class': 'initiation',
  actionDate: '2026-11-16T09:42:10',
  person: amara,
  stop: { name: null, stopNumber: 0 },
}

/** Daniel's pending signature at the first stop of package 42. */
const received = {
  '@class': 'signature',
  actionDate: '2026-11-16T09:42:12',
  person: daniel,
  stop: { name: 'Department', stopNumber: 1 },
  permission: 'SIGNATURE_REQUIRED',
  context: null,
  resolution: null,
  routingDate: '2026-11-16T09:42:12',
  office: null,
  state: 'RECEIVED',
  autoSigned: null,
  inboxSigned: null,
  isInInbox: true,
}
const viewing = { ...received, person: ruth, permission: 'VIEW_ONLY' }

/** Fields of an event that change when the package leaves an inbox without a signature. */
const bypassed = { state: 'BYPASSED_REMOVE', isInInbox: false }

/** Mei-Ling's signature at the second stop, before the package reaches it. */
const ahead = {
  '@class': 'signature',
  actionDate: null,
  person: meiLing,
  stop: { name: 'College', stopNumber: 2 },
  permission: 'SIGNATURE_REQUIRED',
  context: null,
  resolution: { '@class': 'person', ...meiLing },
  routingDate: null,
  office: deansOffice,
  state: null,
  autoSigned: null,
  inboxSigned: null,
  isInInbox: false,
}

describeSection('routing/History event', (it) => {
  it('initiation and waiting signatures have exactly their fields', async (system) => {
    assert.deepEqual(await history(system), [initiation, received, viewing])
  })

  it('a signature is APPROVED, with the date of signing', async (system) => {
    const now = await later(system)
    await sign(system, people.firstApprover)
    const [, first] = await history(system)
    assert.deepEqual(first, {
      ...received,
      actionDate: since(now, first),
      state: 'APPROVED',
      autoSigned: false,
      inboxSigned: true,
      isInInbox: false,
    })
  })

  it('pending optional signatures are bypassed when the package moves on', async (system) => {
    await sign(system, people.firstApprover)
    assert.deepEqual((await history(system))[2], { ...viewing, ...bypassed })
  })

  it('at an office destination, the signature names the office and the person to whom the role resolves', async (system) => {
    const now = await later(system)
    await sign(system, people.firstApprover)
    const rows = await history(system)
    const [last] = rows.slice(3)
    assert.equal(rows.length, 4)
    assert.deepEqual(last, {
      ...ahead,
      actionDate: since(now, last),
      context: 'Dean of College of Sciences, Dean’s Office',
      routingDate: since(now, last),
      state: 'RECEIVED',
      isInInbox: true,
    })
  })

  it('a complete event has neither a person nor a stop', async (system) => {
    const now = await later(system)
    await complete(system)
    const rows = await history(system)
    const last = rows.at(-1)
    assert.deepEqual(last, { '@class': 'complete', actionDate: since(now, last) })
    assert.deepEqual(classes(rows), ['initiation', 'signature', 'signature', 'signature', 'complete'])
    assert.ok(rows.every(({ isInInbox }) => isInInbox !== true))
  })

  it('a void event has the person who did it, and no stop', async (system) => {
    const now = await later(system)
    await voidIt(system, people.firstApprover)
    const last = (await history(system)).at(-1)
    assert.deepEqual(last, { '@class': 'void', actionDate: since(now, last), person: daniel })
  })

  it('a void package is in no inbox', async (system) => {
    await voidIt(system, people.firstApprover)
    assert.deepEqual((await history(system)).slice(0, 3), [
      initiation,
      { ...received, isInInbox: false },
      { ...viewing, isInInbox: false },
    ])
  })

  it('an unvoid event has the person who did it and no stop, and the inboxes hold the package again', async (system) => {
    await voidIt(system, people.firstApprover)
    const now = await later(system)
    await system.ok('unvoidPackage', { user: people.administrator })
    const rows = await history(system)
    assert.deepEqual(rows.slice(0, 3), [initiation, received, viewing])
    assert.deepEqual(classes(rows.slice(3)), ['void', 'unvoid'])
    assert.deepEqual(rows[4], { '@class': 'unvoid', actionDate: since(now, rows[4]), person: priya })
  })

  it('a remove event has the person who did it and the stop of the package', async (system) => {
    const now = await later(system)
    await system.ok('removePackage', { user: people.administrator })
    const rows = await history(system)
    assert.deepEqual(rows, [
      initiation,
      { ...received, ...bypassed },
      { ...viewing, ...bypassed },
      {
        '@class': 'remove',
        actionDate: since(now, rows[3]),
        person: priya,
        stop: { name: 'Department', stopNumber: 1 },
      },
    ])
  })

  it('a complete package is removed from its last stop', async (system) => {
    await complete(system)
    await system.ok('removePackage')
    const last = (await history(system)).at(-1)
    assert.deepEqual(last?.['stop'], { name: 'College', stopNumber: 2 })
  })

  it('a re_initiate event has the person who did it, and the recipients receive the package again', async (system) => {
    await system.ok('removePackage')
    const now = await later(system)
    await system.ok('reinitiatePackage', { user: people.administrator })
    const rows = (await history(system)).slice(4)
    const date = since(now, rows[1])
    assert.deepEqual(rows, [
      {
        '@class': 're_initiate',
        actionDate: since(now, rows[0]),
        person: priya,
        stop: { name: null, stopNumber: 0 },
      },
      { ...received, actionDate: date, routingDate: date },
      { ...viewing, actionDate: date, routingDate: date },
    ])
  })

  it('after a restart, earlier signatures stay and everyone receives the package again', async (system) => {
    await sign(system, people.firstApprover)
    await system.ok('restartPackage')
    const rows = await history(system)
    assert.deepEqual(
      rows.map((row) => [row['@class'], row['state'], row['isInInbox']]),
      [
        ['initiation', undefined, undefined],
        ['signature', 'APPROVED', false],
        ['signature', 'BYPASSED_REMOVE', false],
        ['signature', 'BYPASSED_REMOVE', false],
        ['signature', 'RECEIVED', true],
        ['signature', 'RECEIVED', true],
      ],
    )
  })

  it('a package that was returned to its initiator is in no inbox, and starts again when it is submitted', async (system) => {
    await system.ok('returnToInitiator', { body: { comment: 'Which hotel?' } })
    assert.deepEqual(await history(system), [
      initiation,
      { ...received, ...bypassed },
      { ...viewing, ...bypassed },
    ])
    await system.control('POST', '/test/forms/6025/packages/42/submit', { univid: people.initiator })
    const [begun, ...rows] = (await history(system)).slice(3)
    assert.deepEqual(begun, { ...initiation, actionDate: begun?.['actionDate'] })
    assert.deepEqual(
      rows.map(({ person, isInInbox }) => [person, isInInbox]),
      [
        [daniel, true],
        [ruth, true],
      ],
    )
  })

  it('a package that was returned to routing is received at the end of its route', async (system) => {
    await complete(system)
    const now = await later(system)
    await system.ok('returnPackage', { body: { univid: people.viewer } })
    const rows = await history(system)
    const last = rows.at(-1)
    assert.deepEqual(last, {
      ...received,
      actionDate: since(now, last),
      routingDate: since(now, last),
      person: ruth,
      stop: { name: null, stopNumber: 3 },
      context: 'Returned to routing',
    })
    await sign(system, people.viewer)
    assert.deepEqual(classes((await history(system)).slice(-3)), ['complete', 'signature', 'complete'])
  })

  it('a client is shown in the shape of a person', async (system) => {
    for (const name of ['removePackage', 'reinitiatePackage'] as const) {
      await system.ok(name, { user: 'demo-app' })
      const found = (await history(system)).findLast((row) => row['@class'] !== 'signature')?.['person']
      assert.equal((found as Event)['displayName'], 'demo-app')
      assert.deepEqual(Object.keys(found as Event).toSorted(), Object.keys(amara).toSorted())
    }
  })

  it('history records the request user, not the client', async (system) => {
    await voidIt(system, people.administrator, 'partner-app')
    assert.deepEqual((await history(system)).at(-1)?.['person'], priya)
  })

  it('automatic signatures are marked', async (system) => {
    const { id } = await system.ok<Package>('createPackage', {
      params: { formId: 6030 },
      body: { entry: { item: 'Drill', department: null } },
    })
    await sign(system, people.viewer, id, 6030)
    const rows = await history(system, id, 6030)
    assert.deepEqual(
      rows
        .filter((row) => row['@class'] === 'signature')
        .map(({ person, permission, state, autoSigned, inboxSigned }) => [
          (person as Event)['displayName'],
          permission,
          state,
          autoSigned,
          inboxSigned,
        ]),
      [
        ['Ruth Lindqvist', 'SIGNATURE_REQUIRED', 'APPROVED', false, true],
        ['Daniel Reyes', 'VIEW_AND_EDIT', 'BYPASSED_REMOVE', null, null],
        ['Priya Raman', 'SIGNATURE_PERMITTED', 'BYPASSED_REMOVE', null, null],
        ['Amara Okafor', 'SIGNATURE_REQUIRED', 'APPROVED', true, false],
      ],
    )
    assert.equal(rows.at(-1)?.['@class'], 'complete')
  })

  it('only the initiator and previous signers are signed automatically', async (system) => {
    const { id } = await system.ok<Package>('createPackage', {
      params: { formId: 6030 },
      body: { entry: { item: 'Drill', department: null } },
      user: people.outsider,
    })
    await sign(system, people.viewer, id, 6030)
    const last = (await history(system, id, 6030)).at(-1)
    assert.deepEqual(last?.['person'], amara)
    assert.deepEqual([last['state'], last['autoSigned'], last['isInInbox']], ['RECEIVED', null, true])
  })

  it('a permitted signature counts, but the package still waits for the required one', async (system) => {
    const { id } = await system.ok<Package>('createPackage', {
      params: { formId: 6030 },
      body: { entry: { item: 'Drill', department: null } },
    })
    await sign(system, people.administrator, id, 6030)
    assert.deepEqual(
      (await history(system, id, 6030)).slice(1).map(({ state, isInInbox }) => [state, isInInbox]),
      [
        ['RECEIVED', true],
        ['RECEIVED', true],
        ['APPROVED', false],
      ],
    )
  })

  it('the context names an override while it is active, and is restored afterwards', async (system) => {
    await sign(system, people.firstApprover)
    const before = (await history(system)).at(-1)
    await system.ok('createOverride', {
      body: {
        subjectUnivid: people.secondApprover,
        type: 'DELEGATE',
        reason: 'CONFLICT_OF_INTEREST',
        replacementUnivid: people.administrator,
      },
    })
    const held = (await history(system)).at(-1)
    assert.deepEqual(held?.['person'], priya)
    assert.match(String(held['context']), /override.*Mei-Ling Zhou/)
    await system.ok('deactivateOverride', { params: { univid: people.secondApprover } })
    assert.deepEqual((await history(system)).at(-1), before)
  })

  it('the context of a returned package is also restored after an override', async (system) => {
    await complete(system)
    await system.ok('returnPackage', { body: { univid: people.viewer } })
    const before = (await history(system)).at(-1)
    await system.ok('createOverride', {
      body: {
        subjectUnivid: people.viewer,
        type: 'CHANGE',
        reason: 'CONFLICT_OF_INTEREST',
        replacementUnivid: people.administrator,
      },
    })
    assert.deepEqual((await history(system)).at(-1)?.['person'], priya)
    await system.ok('deactivateOverride', { params: { univid: people.viewer } })
    assert.deepEqual((await history(system)).at(-1), before)
  })
})

describeSection('routing/Get package history', (it) => {
  it('a package that has not routed has no history', async (system) => {
    const id = await create(system, 'DRAFT')
    assert.deepEqual(await history(system, id), [])
    assert.equal((await history(system)).length, 3)
  })

  it('events come in the order in which they happened', async (system) => {
    await complete(system)
    await voidIt(system)
    await system.ok('unvoidPackage')
    await system.ok('removePackage')
    await system.ok('reinitiatePackage')
    assert.deepEqual(classes(await history(system)), [
      'initiation',
      'signature',
      'signature',
      'signature',
      'complete',
      'void',
      'unvoid',
      'remove',
      're_initiate',
      'signature',
      'signature',
    ])
  })

  for (const name of ['getHistory', 'getFutureHistory'] as const) {
    it(`${name} is for the initiator, approvers, administrators and clients`, async (system) => {
      const { initiator, firstApprover, secondApprover, viewer, administrator } = people
      for (const user of [initiator, firstApprover, secondApprover, viewer, administrator, 'demo-app']) {
        await system.ok(name, { user })
      }
      await system.refused(403, name, { user: people.outsider })
      await system.ok(name, { user: people.outsider, bypass: true })
    })

    it(`${name} does not show a removed package to approvers`, async (system) => {
      await system.ok(name, { user: people.firstApprover })
      await system.ok('removePackage')
      await system.refused(403, name, { user: people.firstApprover })
      await system.ok(name)
      await system.ok(name, { user: people.administrator })
    })

    it(`${name} requires a package of the form`, async (system) => {
      await system.refused(404, name, { params: { packageId: 7 } })
      await system.refused(404, name, { params: { formId: 6026 } })
      await system.refused(404, name, { env: 'prod' })
      await system.ok(name)
    })
  }

  it('the future of a routing package is the stops that it has not reached, without dates or states', async (system) => {
    assert.deepEqual(await future(system), [ahead])
    await sign(system, people.firstApprover)
    assert.deepEqual(await future(system), [])
  })

  for (const state of ['PRE_ROUTING', 'DRAFT'] as const) {
    it(`the future of a package in ${state} is its whole route`, async (system) => {
      const id = await create(system, state)
      const waiting = { actionDate: null, routingDate: null, state: null, isInInbox: false }
      assert.deepEqual(await future(system, id), [
        { ...received, ...waiting },
        { ...viewing, ...waiting },
        ahead,
      ])
    })
  }

  for (const [how, arrive] of [
    ['that was removed', (system: System) => system.ok('removePackage')],
    [
      'that came back to its initiator',
      (system: System) => system.ok('returnToInitiator', { body: { comment: 'Which hotel?' } }),
    ],
  ] as const) {
    it(`the future of a package ${how} is its whole route`, async (system) => {
      await sign(system, people.firstApprover)
      assert.deepEqual(await future(system), [])
      await arrive(system)
      assert.deepEqual(
        (await future(system)).map(({ person, stop }) => [person, stop]),
        [
          [daniel, { name: 'Department', stopNumber: 1 }],
          [ruth, { name: 'Department', stopNumber: 1 }],
          [meiLing, { name: 'College', stopNumber: 2 }],
        ],
      )
    })
  }

  it('a complete or void package has no future', async (system) => {
    assert.equal((await future(system)).length, 1)
    await voidIt(system)
    assert.deepEqual(await future(system), [])
    await system.ok('unvoidPackage')
    assert.deepEqual(await future(system), [ahead])
    await complete(system)
    assert.deepEqual(await future(system), [])
    await system.ok('returnPackage', { body: { univid: people.viewer } })
    assert.deepEqual(await future(system), [])
  })

  it('the future is not part of the history and does not change it', async (system) => {
    const before = await history(system)
    await future(system)
    assert.deepEqual(await history(system), before)
  })

  it('the future depends on the sub-type', async (system) => {
    for (const [subType, stops] of [
      ['DOMESTIC', ['1 Department', '1 Department', '2 College']],
      ['FOREIGN', ['1 Department', '1 Department', '2 Export control', '3 College']],
    ] as const) {
      const { id } = await system.ok<Package>('createPackage', {
        params: { formId: 6026 },
        body: {
          state: 'DRAFT',
          subType,
          entry: { item: 'Microscope', price: 4200, needed_by: null },
        },
      })
      assert.deepEqual(stopsOf(await future(system, id, 6026)), stops)
    }
  })

  it('the future is calculated from the current entry', async (system) => {
    const { id } = await system.ok<Package>('createPackage', {
      params: { formId: 6030 },
      body: { state: 'DRAFT', entry: { item: 'Drill', department: '05-0333' } },
    })
    const manager = async () => {
      const [first] = await future(system, id, 6030)
      return [first?.['person'], (first?.['office'] as Event)['naturalKey']]
    }
    assert.deepEqual(await manager(), [meiLing, '05-0333'])
    await system.ok('updateEntry', {
      params: { formId: 6030, packageId: id },
      body: { item: 'Drill', department: '05-0100' },
    })
    assert.deepEqual(await manager(), [ruth, '05-0100'])
  })

  it('the future respects overrides', async (system) => {
    await system.ok('createOverride', {
      body: {
        subjectUnivid: people.secondApprover,
        type: 'CHANGE',
        reason: 'CONFLICT_OF_INTEREST',
        replacementUnivid: people.administrator,
      },
    })
    assert.deepEqual((await future(system))[0]?.['person'], priya)
  })

  it('a stop at which the route is frozen is part of the future', async (system) => {
    await system.control('PUT', '/test/forms/6025/stops/2/callback', {
      url: 'http://127.0.0.1:9/callbacks',
      freeze: true,
    })
    await sign(system, people.firstApprover)
    assert.deepEqual(await future(system), [ahead])
    assert.deepEqual(classes(await history(system)), ['initiation', 'signature', 'signature'])
    const [callback] = await system.control<{ id: number }[]>('GET', '/callbacks')
    await system.ok('deleteLock', { params: { lockId: callback?.id ?? 0 } })
    assert.deepEqual(await future(system), [])
    assert.deepEqual((await history(system)).at(-1)?.['person'], meiLing)
  })
})

function person(number: number, displayName: string, title: string, hrdeptdesc: string) {
  const email = displayName
    .toLowerCase()
    .replaceAll(/[^a-z ]/g, '')
    .replace(' ', '-')
  return {
    id: 500 + number,
    displayName,
    hrdeptdesc,
    collegeName: 'College of Sciences',
    personType: 'EMPLOYEE',
    title,
    univid: String(10000000 + number),
    email: `${email}@northfield.example`,
    campusPostalAddress: null,
    officePhone: null,
  }
}

function history(system: System, packageId = 42, formId = 6025): Promise<Event[]> {
  return system.ok('getHistory', { params: { packageId, formId } })
}

function future(system: System, packageId = 42, formId = 6025): Promise<Event[]> {
  return system.ok('getFutureHistory', { params: { packageId, formId } })
}

function classes(rows: readonly Event[]): unknown[] {
  return rows.map((row) => row['@class'])
}

function stopsOf(rows: readonly Event[]): string[] {
  return rows.map(({ stop }) => {
    const { name, stopNumber } = stop as { readonly name: string; readonly stopNumber: number }
    return `${stopNumber} ${name}`
  })
}

/** Moves the clock forward by an hour. Returns the time. */
async function later(system: System): Promise<string> {
  return (await system.control<{ now: string }>('POST', '/clock', { advance: 'PT1H' })).now
}

/** Returns the date of an event. Fails if it is before the given time. */
function since(now: string, event: Event | undefined): string {
  const date = String(event?.['actionDate'])
  assert.match(date, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/)
  assert.ok(date >= now, `${date} is before ${now}`)
  return date
}

async function voidIt(system: System, user: string = people.initiator, client = 'demo-app'): Promise<void> {
  const body = { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' }
  await system.ok('voidPackage', { body, user, client })
}

async function create(system: System, state: string): Promise<number> {
  const { id } = await system.ok<Package>('createPackage', { body: { state, entry: travelEntry() } })
  return id
}
