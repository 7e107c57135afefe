import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Operation } from '../../src/contract/services/operation.ts'
import { type OperationName, operations } from '../../src/contract/services/operations.ts'
import { fillPath } from '../../src/contract/values/path.ts'
import { acceptVersion } from '../../src/contract/values/headers.ts'
import { type TransitionName } from '../../src/contract/values/transitions.ts'
import {
  type Environment,
  fieldKinds,
  type PackageState,
  packageStates,
  permissions,
  voidReasons,
} from '../../src/contract/values/values.ts'
import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts'
import { isSeedKey } from '../../src/emulator/state/seed-content.ts'
import { campusPackages } from '../../src/emulator/scenarios/campus.ts'
import type { CampusPackageName } from '../../src/emulator/scenarios/campus-packages.ts'
import { type ScenarioName, scenarios } from '../../src/emulator/scenarios/index.ts'
import { largeHistoryId, manyCommentsId } from '../../src/emulator/scenarios/large.ts'
import { fromSnapshot, toSnapshot } from '../../src/emulator/state/snapshot.ts'
import type { EmulatorState } from '../../src/emulator/state/state.ts'
import type { Form } from '../../src/emulator/state/stored-forms.ts'
import type { StoredPackage } from '../../src/emulator/state/stored-packages.ts'

const environments = ['test', 'prod'] as const
const { small, demo, campus, large } = scenarios

describe('every scenario', () => {
  it('returns the same state at each call, independent of changes to earlier ones', () => {
    for (const [name, make] of rows()) {
      const first = make()
      const text = JSON.stringify(toSnapshot(first))
      first.packages.test.get(42)!.state = 'VOID'
      first.packages.test.get(42)!.comments.length = 0
      first.forms.test.get(6025)!.callbackUrl = 'https://app.example/'
      first.people.clear()
      first.next.id = 1
      assert.ok(JSON.stringify(toSnapshot(make())) === text, name)
    }
  })

  it('contains no mail, callbacks, links or keys, and a clock without an offset', () => {
    for (const [name, make] of rows()) {
      const { outbox, callbacks, links, signingKeys, clock } = make()
      assert.deepEqual([outbox.size, callbacks.size, links.size, signingKeys.size], [0, 0, 0, 0], name)
      assert.deepEqual(clock, { offset: 0, lastBatch: 0 })
    }
  })

  it('survives a snapshot', () => {
    for (const [name, make] of rows()) {
      const state = make()
      assert.deepEqual(fromSnapshot(JSON.parse(JSON.stringify(toSnapshot(state)))), state, name)
    }
  })

  it('uses each id once', () => {
    for (const [name, make] of rows()) {
      const state = make()
      const found = environments.flatMap((env) => [...state.packages[env].values()])
      const ids = found.flatMap(({ history, comments, attachments, lock }) => [
        ...history.flatMap(({ signature }) => signature?.id ?? []),
        ...[...comments, ...attachments].map(({ id }) => id),
        ...(lock === null ? [] : [lock]),
      ])
      assert.equal(new Set(ids).size, ids.length, name)
      assert.ok(ids.every((id) => id < state.next.id))
      assert.equal(new Set(found.map(({ id }) => id)).size, found.length)
      assert.ok(found.every(({ id }) => id < state.next.packageId))
      for (const env of environments) {
        for (const [id, each] of state.packages[env]) assert.equal(each.id, id)
      }
    }
  })

  it('contains all of small, unchanged', () => {
    const original = small()
    for (const state of [campus(), large()]) {
      for (const name of ['clients', 'people', 'positions', 'offices', 'officeRoutes'] as const) {
        for (const [key, value] of original[name]) {
          assert.deepEqual((state[name] as Map<unknown, unknown>).get(key), value)
        }
      }
      for (const env of environments) {
        for (const [id, form] of original.forms[env]) assert.deepEqual(state.forms[env].get(id), form)
        for (const [id, each] of original.packages[env]) assert.deepEqual(state.packages[env].get(id), each)
      }
    }
  })

  it('returns valid responses for all reads of all packages', async () => {
    for (const [name, make] of rows()) {
      const emulator = start(make())
      for (const each of located(emulator, name)) await readAll(emulator, each)
      await readOffices(emulator)
    }
  })

  it('has packages with consistent inbox, history and state', async () => {
    for (const [name, make] of rows()) {
      const emulator = start(make())
      for (const each of located(emulator, name)) await checkAgreement(emulator, each)
    }
  })

  it('has packages that can be completed, voided, unvoided, returned, removed and re-initiated', async () => {
    for (const [name, make] of rows()) {
      const emulator = start(make())
      for (const each of located(emulator, name)) await bringToEnd(emulator, each)
    }
  })
})

describe('small', () => {
  it('has the travel request in both environments, with one field of each kind', () => {
    const state = small()
    for (const env of environments) {
      const form = formOf(state, env, 6025)
      assert.deepEqual([form.name, form.subTypes], ['Travel request', []])
      assert.deepEqual(
        form.fields.map(({ naturalKey, kind }) => [naturalKey, kind]),
        [
          ['purpose', 'text'],
          ['departure', 'date'],
          ['website', 'url'],
          ['contact', 'email'],
          ['nights', 'number'],
          ['cost', 'currency'],
          ['notice', 'no_answer'],
          ['traveler', 'university_id'],
          ['org', 'org'],
          ['department', 'department'],
          ['sub_department', 'sub_department'],
          ['position', 'position'],
        ],
      )
      const required = form.fields.filter((field) => field.required).map(({ naturalKey }) => naturalKey)
      assert.deepEqual(required, ['purpose', 'departure', 'cost'])
      assert.deepEqual(form.attachmentTypes, [
        type(1, 'itinerary', 'Itinerary', { visiblePreRouting: true }, true),
        type(2, 'receipt', 'Receipt', { visiblePreRouting: true, requiredBeforeComplete: true }),
        type(3, 'other', 'Other', { visiblePreRouting: true }),
      ])
    }
  })

  it('has two approvers, a viewer, an initiator, an administrator and an outsider', async () => {
    const emulator = start(small())
    const roles = ['10000001', '10000002', '10000003', '10000004', '10000008', '10000009']
    assert.deepEqual([...emulator.people.keys()].sort(), roles)
    const { route, administrators } = formOf(emulator, 'test', 6025)
    assert.deepEqual(administrators, ['10000009'])
    assert.deepEqual(route, [
      {
        name: 'Department',
        destinations: [
          { type: 'PERSON', univid: '10000002', permission: 'SIGNATURE_REQUIRED' },
          { type: 'PERSON', univid: '10000004', permission: 'VIEW_ONLY' },
        ],
      },
      { office: '05-0333', mayOptOut: false },
    ])
    const future = await read<{ person: { univid: string }; stop: object; office: { naturalKey: string } }[]>(
      emulator,
      'getFutureHistory',
      { env: 'test', formId: 6025, packageId: 42 },
    )
    assert.deepEqual(
      future.map(({ person, stop, office }) => [person.univid, stop, office.naturalKey]),
      [['10000003', { name: 'College', stopNumber: 2 }, '05-0333']],
    )
  })

  it('has package 42 in test, at the first stop', () => {
    const state = small()
    const found = packageOf(state, 'test', 42)
    assert.deepEqual([...state.packages.test.keys()], [42])
    assert.equal(state.packages.prod.size, 0)
    assert.deepEqual(
      [found.formId, found.state, found.stopNumber, found.initiator],
      [6025, 'ROUTING', 1, '10000001'],
    )
  })

  it('has the purchase with sub-types, and a type that is required before routing', () => {
    for (const env of environments) {
      const form = formOf(small(), env, 6026)
      assert.deepEqual([form.name, form.subTypes], ['Purchase', ['DOMESTIC', 'FOREIGN']])
      assert.ok(form.attachmentTypes.some(({ requiredPreRouting }) => requiredPreRouting))
    }
  })
})

describe('demo', () => {
  it('has package 42 in the middle of its life: signed, commented, with a document, and with one to add', () => {
    const state = demo()
    const { history, inbox, stopNumber, comments, attachments, ...found } = packageOf(state, 'test', 42)
    const signed = history.filter(({ signature }) => signature?.state === 'APPROVED')
    assert.deepEqual(
      signed.map(({ person }) => state.people.get(person ?? '')?.displayName),
      ['Samuel Adeyemi'],
    )
    assert.deepEqual([stopNumber, inbox.length, comments.length, attachments.length], [1, 2, 1, 1])
    assert.ok(
      formOf(state, 'test', found.formId).route.length > (found.position?.[0] ?? 0) + 1,
      'a stop to come',
    )
    assert.equal(missing(state, 'test', packageOf(state, 'test', 42)).length, 1)
  })
})

describe('campus', () => {
  it('has forms of both kinds, with and without sub-types, and fields of every kind', () => {
    const state = campus()
    for (const env of environments) {
      const forms = [...state.forms[env].values()].filter(({ id }) => id > 6100)
      assert.equal(forms.length, 6)
      assert.deepEqual(new Set(forms.map(({ kind }) => kind)), new Set(['developer', 'form_builder']))
      assert.deepEqual(new Set(forms.map(({ subTypes }) => subTypes.length > 0)), new Set([true, false]))
      const kinds = forms.flatMap(({ fields }) => fields.map(({ kind }) => kind))
      assert.deepEqual(new Set(kinds), new Set(fieldKinds))
      const strict = forms.filter(
        ({ subTypes, fields }) => subTypes.length > 0 && fields.every(({ required }) => required),
      )
      assert.deepEqual(
        strict.map(({ fields }) => fields.map(({ kind }) => kind)),
        [fieldKinds],
        'one has required fields of all kinds, and sub-types',
      )
    }
  })

  it('has attachment types with each rule, with none, and a form without any', () => {
    const forms = [...campus().forms.test.values()]
    const types = forms.flatMap(({ attachmentTypes }) => attachmentTypes)
    assert.ok(types.some(({ visiblePreRouting }) => visiblePreRouting))
    assert.ok(types.some(({ requiredPreRouting }) => requiredPreRouting))
    assert.ok(types.some(({ requiredBeforeComplete }) => requiredBeforeComplete))
    assert.ok(types.some(({ mimeTypeRestrictions: { pdf } }) => pdf))
    const plain = type(44, 'letters', 'Correspondence', {})
    assert.deepEqual(
      types.find(({ id }) => id === 44),
      plain,
    )
    assert.ok(forms.some(({ attachmentTypes }) => attachmentTypes.length === 0))
  })

  it('has stops that sign automatically, freeze, depend on the department, opt out, or hold all permissions', () => {
    const { forms, officeRoutes } = campus()
    const steps = [...forms.test.values()].flatMap(({ route }) => route)
    const stops = steps.flatMap((step) => ('destinations' in step ? [step] : []))
    const offices = steps.flatMap((step) => ('destinations' in step ? [] : [step]))
    assert.ok(stops.some(({ autoSign }) => autoSign))
    assert.ok(stops.some(({ subTypes }) => subTypes))
    assert.ok(
      stops.some(({ destinations }) =>
        permissions.every((permission) => destinations.some((each) => each.permission === permission)),
      ),
    )
    assert.ok(offices.some(({ office }) => typeof office !== 'string' && office.field === 'department'))
    assert.ok(offices.some(({ mayOptOut }) => mayOptOut))
    assert.ok(forms.test.get(6104)?.stopCallbacks[2]?.freeze)

    const own = [...officeRoutes.values()].filter(({ formId }) => formId > 6100)
    assert.deepEqual(new Set(own.map(({ office }) => office)), new Set(['12-0100', '20-0200', '30-0300']))
    assert.deepEqual(
      new Set(own.flatMap(({ optOutIfPossible, office }) => (optOutIfPossible ? [office] : []))),
      new Set(['30-0300']),
    )
  })

  it('leads a package through the office that its entry names', async () => {
    const emulator = start(campus())
    const next = async (name: CampusPackageName) => {
      const params = { env: 'test' as const, ...campusPackages.test[name] }
      const events = await read<{ office: { naturalKey: string } | null }[]>(emulator, 'getHistory', params)
      return new Set(events.flatMap(({ office }) => office?.naturalKey ?? []))
    }
    assert.deepEqual(await next('atSecondStop'), new Set(['12-0100']))
    assert.deepEqual(await next('routeOfOtherDepartment'), new Set(['30-0300']))
    assert.deepEqual(await next('atMixedStop'), new Set(['20-0200']))
    assert.deepEqual(await next('officeOptedOut'), new Set())
  })

  it('has orgs, departments and sub-departments, imported and created by hand', () => {
    const offices = [...campus().offices.values()]
    assert.deepEqual(
      new Set(offices.map(({ scopeNaturalKey }) => scopeNaturalKey)),
      new Set(['org', 'department', 'sub_department']),
    )
    assert.deepEqual(new Set(offices.map(({ state }) => state)), new Set(['IMPORTED', 'CREATED']))
    for (const key of ['12', '20', '30', '12-0100-0001', '20-0200-0001', '30-0300-0001']) {
      assert.ok(offices.some(({ naturalKey }) => naturalKey === key))
    }
  })

  it('has forty more people, with names in many scripts', () => {
    const known = new Set(small().people.keys())
    const people = [...campus().people.values()].filter(({ univid }) => !known.has(univid ?? ''))
    assert.equal(people.length, 40)
    const names = people.map(({ displayName }) => displayName ?? '')
    assert.equal(new Set(names).size, 40)
    for (const script of [
      'Latin',
      'Cyrillic',
      'Greek',
      'Arabic',
      'Hebrew',
      'Han',
      'Hiragana',
      'Hangul',
      'Devanagari',
      'Thai',
      'Tamil',
      'Ethiopic',
    ]) {
      assert.ok(
        names.some((name) => new RegExp(`\\p{Script=${script}}`, 'u').test(name)),
        script,
      )
    }
    for (const pattern of [/[ąłö]/, /[ễạấ]|Đặng/, /'/, /’/, /ʻ/, /^[^\s]+$/, /^.{70,}$/s]) {
      assert.ok(
        names.some((name) => pattern.test(name)),
        String(pattern),
      )
    }
    for (const flag of ['directoryRestricted', 'activeUser'] as const) {
      assert.deepEqual(new Set(people.map((person) => person[flag])), new Set([true, false]))
    }
    assert.ok(new Set(people.map(({ personType }) => personType)).size >= 5)
  })

  const expected: Readonly<Record<CampusPackageName, readonly [PackageState, stop: number, inbox: number]>> =
    {
      preRouting: ['PRE_ROUTING', 0, 0],
      preRoutingWithoutAttachment: ['PRE_ROUTING', 0, 0],
      preRoutingWithAttachment: ['PRE_ROUTING', 0, 0],
      removed: ['PRE_ROUTING', 0, 0],
      removedFromComplete: ['PRE_ROUTING', 0, 0],
      draft: ['DRAFT', 0, 0],
      draftOfFormBuilder: ['DRAFT', 0, 0],
      returnedToInitiator: ['DRAFT', 0, 0],
      resubmitted: ['ROUTING', 1, 2],
      atFirstStop: ['ROUTING', 1, 2],
      atSecondStop: ['ROUTING', 2, 2],
      atLastStop: ['ROUTING', 3, 2],
      atMixedStop: ['ROUTING', 5, 4],
      frozen: ['ROUTING', 2, 0],
      unfrozen: ['ROUTING', 3, 1],
      waitingForAttachment: ['ROUTING', 3, 2],
      waitingForNothingButAttachment: ['ROUTING', 1, 0],
      overrideChange: ['ROUTING', 2, 2],
      overrideDelegate: ['ROUTING', 1, 2],
      overridesOfBothTypes: ['ROUTING', 2, 2],
      complete: ['COMPLETE', 3, 0],
      completeByAutoSign: ['COMPLETE', 2, 0],
      returnedToRouting: ['ROUTING', 4, 1],
      completeAgain: ['COMPLETE', 4, 0],
      voidDuplicate: ['VOID', 2, 2],
      voidIncorrectForm: ['VOID', 1, 2],
      voidCancelled: ['VOID', 3, 2],
      voidDenied: ['VOID', 2, 2],
      voidDuplicateAfter: ['VOID', 3, 0],
      voidIncorrectFormAfter: ['VOID', 3, 0],
      voidCancelledAfter: ['VOID', 3, 0],
      voidDeniedAfter: ['VOID', 3, 0],
      voidWhileFrozen: ['VOID', 2, 0],
      unvoided: ['ROUTING', 2, 2],
      unvoidedComplete: ['COMPLETE', 3, 0],
      restarted: ['ROUTING', 1, 2],
      reinitiated: ['ROUTING', 1, 2],
      commented: ['ROUTING', 2, 2],
      initiatedByApplication: ['ROUTING', 2, 2],
      initiatedByInactive: ['ROUTING', 1, 2],
      officeOptedOut: ['COMPLETE', 2, 0],
      routeOfOtherDepartment: ['ROUTING', 2, 1],
    }

  it('has a package for each situation, in both environments', () => {
    const state = campus()
    for (const env of environments) {
      const found = Object.fromEntries(
        Object.entries(campusPackages[env]).map(([name, { formId, packageId }]) => {
          const each = packageOf(state, env, packageId)
          assert.equal(each.formId, formId)
          return [name, [each.state, each.stopNumber, each.inbox.length]]
        }),
      )
      assert.deepEqual(found, expected)
      assert.equal(state.packages[env].size, Object.keys(expected).length + (env === 'test' ? 1 : 0))
    }
  })

  it('has packages with the history that their names promise', () => {
    const state = campus()
    for (const env of environments) {
      const named = (name: CampusPackageName) => packageOf(state, env, campusPackages[env][name].packageId)
      const classes = (name: CampusPackageName) => named(name).history.map((event) => event.class)

      assert.deepEqual([named('preRouting').isRemoved, named('removed').isRemoved], [false, true])
      assert.deepEqual(classes('preRouting'), [])
      assert.ok(classes('removed').includes('remove'))
      assert.ok(classes('removedFromComplete').includes('complete'))
      assert.match(named('returnedToInitiator').comments.at(-1)?.comment ?? '', /\p{Script=Arabic}/u)
      assert.equal(classes('resubmitted').filter((each) => each === 'initiation').length, 2)
      assert.notEqual(named('frozen').lock, null)
      assert.notEqual(named('voidWhileFrozen').lock, null)
      assert.equal(named('unfrozen').lock, null)
      assert.ok(named('unfrozen').history.some(({ signature }) => signature?.autoSigned))
      assert.ok(named('completeByAutoSign').history.some(({ signature }) => signature?.autoSigned))
      assert.deepEqual(new Set(missing(state, env, named('waitingForAttachment'))), new Set([32]))
      assert.deepEqual(new Set(missing(state, env, named('waitingForNothingButAttachment'))), new Set([51]))
      assert.deepEqual(new Set(missing(state, env, named('atLastStop'))), new Set())

      const types = (name: CampusPackageName) => named(name).overrides.map((override) => override.type)
      assert.deepEqual(types('overrideChange'), ['CHANGE'])
      assert.deepEqual(types('overrideDelegate'), ['DELEGATE'])
      assert.deepEqual(types('overridesOfBothTypes'), ['DELEGATE', 'CHANGE'])

      const voided = [...state.packages[env].values()].filter((each) => each.state === 'VOID')
      for (const held of ['ROUTING', 'COMPLETE'] as const) {
        const reasons = voided.flatMap(({ heldState, voidReason }) =>
          heldState === held ? [voidReason] : [],
        )
        assert.deepEqual(new Set(reasons), new Set(voidReasons))
      }
      for (const name of ['unvoided', 'unvoidedComplete'] as const)
        assert.ok(classes(name).includes('unvoid'))
      assert.equal(classes('returnedToRouting').filter((each) => each === 'complete').length, 1)
      assert.equal(classes('completeAgain').filter((each) => each === 'complete').length, 2)
      assert.ok(named('restarted').history.some(({ signature }) => signature?.state === 'BYPASSED_REMOVE'))
      assert.equal(classes('restarted').filter((each) => each === 'initiation').length, 1)
      assert.ok(classes('reinitiated').includes('re_initiate'))
      assert.equal(named('initiatedByApplication').initiator, 'demo-app')
      assert.equal(state.people.get(named('initiatedByInactive').initiator)?.activeUser, false)
    }
  })

  it('has comments for approvers only, deleted, long, very short, and from right to left', () => {
    const state = campus()
    for (const env of environments) {
      const { comments } = packageOf(state, env, campusPackages[env].commented.packageId)
      assert.ok(comments.some(({ approversOnly, state }) => approversOnly && state === 'ACTIVE'))
      assert.ok(comments.some(({ approversOnly, state }) => !approversOnly && state === 'INACTIVE'))
      assert.ok(comments.some(({ comment }) => comment.length > 1500))
      assert.ok(comments.some(({ comment }) => comment.length === 1))
      for (const script of [/^\p{Script=Arabic}/u, /^\p{Script=Hebrew}/u]) {
        assert.ok(comments.some(({ comment }) => script.test(comment)))
      }
    }
  })

  it('serves generated content of the right length for each attachment, and merges PDFs', async () => {
    const emulator = createEmulator({ seed: campus() })
    let count = 0
    for (const { env, found } of located(emulator, 'campus')) {
      for (const { id, object, contentType, fileSize } of found.attachments) {
        assert.ok(isSeedKey(object), object)
        const params = { env, formId: found.formId, packageId: found.id, attachmentId: id }
        const response = await call(emulator, 'downloadAttachment', params)
        assert.equal(response.status, 200)
        assert.equal(response.headers.get('content-type'), contentType)
        const bytes = new Uint8Array(await response.arrayBuffer())
        assert.equal(bytes.length, fileSize)
        const isPdf = new TextDecoder().decode(bytes.slice(0, 5)) === '%PDF-'
        assert.equal(isPdf, contentType === 'application/pdf')
        count++
      }
    }
    assert.ok(count > 20, `${count}`)
    assert.ok(!isSeedKey(crypto.randomUUID()), 'and no other key is one of a seed')
  })

  it('has expired, deleted and lost files and shares of both types in both deployments', async () => {
    for (const env of environments) {
      const emulator = createEmulator({ seed: campus(), now: () => Date.UTC(2026, 9, 6) })
      const [expired, deleted, lost] = [...emulator.files[env].keys()].map((uuid) => `/api/v1/files/${uuid}`)
      const status = async (path: string) => (await storage(emulator, env, path)).status
      assert.equal(await status(`${expired}/presign`), 400)
      assert.equal(await status(`${deleted}/meta`), 404)
      const meta = await storage(emulator, env, `${lost}/meta`)
      assert.ok(operations.getFileMeta.result.safeParse(await meta.json()).success)
      const link = await (await storage(emulator, env, `${lost}/presign`)).text()
      assert.equal((await emulator.fetch(link)).status, 404)

      const page = operations.getShares.result.parse(
        await (await storage(emulator, env, '/api/v1/shares')).json(),
      )
      assert.deepEqual(
        page.content.map((share) => share?.type),
        ['ALL_FILES', 'SINGLE_FILE'],
      )
    }
  })
})

describe('large', () => {
  it('has 5,000 travel requests in test, from id 10001, in all states', () => {
    const state = large()
    const found = [...state.packages.test.values()].filter(({ id }) => id !== 42)
    assert.deepEqual(
      found.map(({ id }) => id),
      Array.from({ length: 5000 }, (_, index) => 10_001 + index),
    )
    assert.ok(found.every(({ formId }) => formId === 6025))
    for (const each of packageStates) {
      assert.ok(found.filter((one) => one.state === each).length >= 100, each)
    }
    const complete = found.filter((one) => one.state === 'COMPLETE').length
    assert.ok(complete > 2500 && complete < 4000)
    const months = new Set(found.map(({ routingDate }) => routingDate.slice(0, 7)))
    assert.deepEqual([...months].sort(), ['2026-08', '2026-09', '2026-10', '2026-11'])
    assert.deepEqual(new Set(found.flatMap((one) => one.voidReason ?? [])), new Set(voidReasons))
  })

  it('has one package with 10,000 history events', async () => {
    const emulator = start(large())
    const params = { env: 'test' as const, formId: 6025, packageId: largeHistoryId }
    const events = await read<{ '@class': string; isInInbox: boolean | null }[]>(
      emulator,
      'getHistory',
      params,
    )
    assert.equal(events.length, 10_000)
    assert.equal(events.filter((event) => event['@class'] === 'initiation').length, 1)
    assert.equal(events.filter(({ isInInbox }) => isInInbox).length, 1)
  })

  it('has one package with 2,000 comments', async () => {
    const emulator = start(large())
    const params = { env: 'test' as const, formId: 6025, packageId: manyCommentsId }
    const comments = await read<{ comment: string; person: { displayName: string } }[]>(
      emulator,
      'getComments',
      params,
    )
    assert.equal(comments.length, 2000)
    assert.ok(new Set(comments.map(({ person }) => person.displayName)).size >= 5)
    const lengths = comments.map(({ comment }) => comment.length)
    assert.ok(Math.min(...lengths) < 30 && Math.max(...lengths) > 2000)
  })
})

interface Where {
  readonly env: Environment
  readonly form: Form
  readonly found: StoredPackage
}

type Params = Readonly<Record<string, string | number>>

function rows(): [ScenarioName, () => EmulatorState][] {
  return Object.entries(scenarios) as [ScenarioName, () => EmulatorState][]
}

function start(seed: EmulatorState): Emulator {
  return createEmulator({
    seed,
    control: true,
    now: () => Date.UTC(2026, 10, 20, 12),
    fetch: () => Promise.resolve(new Response()),
  })
}

/** Returns all packages, or a sample of them in the scenario `large`. */
function located(state: EmulatorState, name: ScenarioName): Where[] {
  return environments.flatMap((env) =>
    [...state.packages[env].values()]
      .filter(({ id }) => name !== 'large' || id <= manyCommentsId || id % 53 === 0)
      .map((found) => ({ env, form: formOf(state, env, found.formId), found })),
  )
}

function formOf(state: EmulatorState, env: Environment, id: number): Form {
  const form = state.forms[env].get(id)
  assert.ok(form)
  return form
}

function packageOf(state: EmulatorState, env: Environment, id: number): StoredPackage {
  const found = state.packages[env].get(id)
  assert.ok(found)
  return found
}

function paramsOf({ env, found }: Where) {
  return { env, formId: found.formId, packageId: found.id }
}

/** Returns the ids of the attachment types that must still be uploaded. */
function missing(
  state: EmulatorState,
  env: Environment,
  { formId, attachments }: StoredPackage,
  rule: 'requiredPreRouting' | 'requiredBeforeComplete' = 'requiredBeforeComplete',
): number[] {
  return formOf(state, env, formId)
    .attachmentTypes.filter((each) => each[rule] && !attachments.some(({ type }) => type === each.id))
    .map(({ id }) => id)
}

function type(
  id: number,
  naturalKey: string,
  title: string,
  rules: Readonly<Record<string, boolean>>,
  pdf = false,
) {
  return {
    id,
    naturalKey,
    title,
    visiblePreRouting: false,
    requiredPreRouting: false,
    requiredBeforeComplete: false,
    ...rules,
    mimeTypeRestrictions: { pdf },
  }
}

interface CallOptions {
  /** Request user. Default: the client. */
  readonly user?: string
  readonly search?: string
  readonly version?: string
  readonly body?: unknown
}

function call(
  emulator: Emulator,
  name: OperationName,
  params: Params,
  { user = 'demo-app', search = '', version, body }: CallOptions = {},
): Promise<Response> {
  const { method, upstream }: Operation = operations[name]
  const isForm = body instanceof FormData
  return emulator.fetch(`http://emulator.test/wf${fillPath(upstream, params)}${search}`, {
    method,
    headers: {
      Authorization: `Basic ${btoa('demo-app:demo-secret')}`,
      'x-workflow-request-user': user,
      ...(version !== undefined && { Accept: acceptVersion(version) }),
      ...(body !== undefined && !isForm && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
  })
}

/** Sends a read request. Asserts success, and that the response and each row of a list match the contract. */
async function read<T = unknown>(
  emulator: Emulator,
  name: OperationName,
  params: Params,
  options: CallOptions = {},
): Promise<T> {
  const response = await call(emulator, name, params, options)
  const what = `${name} ${JSON.stringify(params)} ${options.search ?? ''}`
  assert.equal(
    response.status,
    200,
    `${what}: ${response.status === 200 ? '' : await response.clone().text()}`,
  )
  const { result, results }: Operation = operations[name]
  const schema = (options.version !== undefined && results?.[options.version]) || result
  assert.ok(schema)
  const parsed = schema.safeParse(await response.json())
  assert.ok(parsed.success, what)
  if (Array.isArray(parsed.data)) assert.ok(!parsed.data.includes(null), what)
  return parsed.data as T
}

function storage(emulator: Emulator, env: Environment, path: string): Promise<Response> {
  return emulator.fetch(`http://emulator.test/fs/${env}${path}`, {
    headers: { Authorization: `Basic ${btoa('demo-app:demo-secret')}` },
  })
}

async function readAll(emulator: Emulator, where: Where): Promise<void> {
  const { found } = where
  const params = paramsOf(where)
  for (const user of ['demo-app', found.initiator]) {
    const shown = await read<{ state: string; commentCount: number; initiator: { displayName: string } }>(
      emulator,
      'getPackage',
      params,
      { user },
    )
    assert.equal(shown.state, found.state)
    assert.equal(typeof shown.initiator.displayName, 'string')
    const history = await read<{ person: unknown; '@class': string }[]>(emulator, 'getHistory', params, {
      user,
    })
    assert.ok(history.every((event) => event.person !== null || event['@class'] === 'complete'))
    await read(emulator, 'getFutureHistory', params, { user })
    assert.deepEqual(await read(emulator, 'getEntry', params, { user }), found.entry)
    await read(emulator, 'getEntry', params, { user, version: '1.1' })
    const comments = await read<{ person: unknown }[]>(emulator, 'getComments', params, { user })
    assert.ok(comments.every(({ person }) => person !== null))
    await read(emulator, 'getAttachmentTypes', params, { user })
    const attachments = await read<{ attachmentType: unknown; person: unknown }[]>(
      emulator,
      'getAttachments',
      params,
      { user },
    )
    assert.ok(attachments.every(({ attachmentType, person }) => attachmentType !== null && person !== null))
    await read(emulator, 'getOverrides', params, { user })
    const search = `?id=${found.id}`
    for (const name of ['getActions', 'getStatus'] as const) {
      assert.equal((await read<unknown[]>(emulator, name, params, { user, search })).length, 1)
    }
    await read(emulator, 'getStatus', params, { user, search, version: '1.2' })
  }
  // Printing thousands of events is slow and tests no more than printing a few.
  const search = `?includeRouting=${found.history.length < 100}&mergeAttachments=true`
  const pdf = await call(emulator, 'getPdf', params, { search })
  assert.equal(pdf.status, 200)
  assert.equal((await pdf.text()).slice(0, 5), '%PDF-')
}

async function readOffices(emulator: Emulator): Promise<void> {
  for (const key of emulator.offices.keys()) {
    const rows = await read<unknown[]>(emulator, 'searchOffices', {}, { search: `?searchTerm=${key}` })
    assert.ok(rows.length > 0)
    for (const env of environments) {
      assert.deepEqual(await read(emulator, 'findOffices', { env }, { search: `?key=${key}` }), rows)
    }
  }
  for (const { routeId, office, formId, subType } of emulator.officeRoutes.values()) {
    const known = subType ?? formOf(emulator, 'test', formId).subTypes[0]
    const search = known === undefined ? '' : `?subType=${known}`
    const route = await read<{ routeId: number }>(
      emulator,
      'getOfficeRoute',
      { officeKey: office, formId },
      { search },
    )
    assert.equal(route.routeId, routeId)
    await read(emulator, 'getRouteSummary', { routeId })
  }
}

async function checkAgreement(emulator: Emulator, where: Where): Promise<void> {
  const { env, found } = where
  const what = `${env} ${found.id}`
  const [row] = await read<{ inboxSignatures: { id: number; responsibleOffice: unknown }[] }[]>(
    emulator,
    'getStatus',
    paramsOf(where),
    { search: `?id=${found.id}`, version: '1.2' },
  )
  const history = await read<{ isInInbox: boolean | null; state: string | null }[]>(
    emulator,
    'getHistory',
    paramsOf(where),
  )
  const shown = row?.inboxSignatures ?? []
  assert.ok(shown.every(({ responsibleOffice }) => responsibleOffice !== null))
  assert.deepEqual(
    shown.map(({ id }) => id),
    found.state === 'ROUTING' ? found.inbox : [],
    what,
  )
  assert.equal(history.filter(({ isInInbox }) => isInInbox).length, shown.length, what)

  const waiting = found.history.filter(({ signature }) => signature?.state === 'RECEIVED')
  assert.deepEqual(
    waiting.map(({ signature }) => signature?.id),
    found.inbox,
    what,
  )
  if (found.state === 'ROUTING' && found.inbox.length === 0) {
    assert.ok(found.lock !== null || missing(emulator, env, found).length > 0, what)
  }
  if (found.state !== 'ROUTING' && found.state !== 'VOID') {
    assert.deepEqual([found.inbox, found.lock], [[], null], what)
  }
  if (found.state === 'COMPLETE') assert.deepEqual(missing(emulator, env, found), [], what)
  assert.equal(found.voidReason !== null, found.state === 'VOID', what)
  assert.equal(found.heldState !== null, found.state === 'VOID', what)
  assert.equal(found.stopNumber === 0, found.state === 'PRE_ROUTING' || found.state === 'DRAFT', what)

  // The history gets an event when it happens, or when a signature is received. Signing later changes only the action date.
  const dates = found.history.map(({ actionDate, signature }) => signature?.routingDate ?? actionDate)
  assert.deepEqual(dates, [...dates].sort(), what)
  assert.ok(
    found.history.every(({ actionDate }, index) => actionDate >= (dates[index] ?? '')),
    what,
  )
  assert.ok([undefined, 'initiation'].includes(found.history[0]?.class), what)
  assert.ok(found.history.length > 0 || found.state === 'PRE_ROUTING' || found.state === 'DRAFT', what)
  const last = [...found.history.map(({ actionDate }) => actionDate), found.routingDate].sort().at(-1) ?? ''
  assert.ok(last < '2026-11-20', what)
}

const bodies: Partial<Readonly<Record<TransitionName, (found: StoredPackage) => unknown>>> = {
  routePackage: ({ subType }) => ({ state: 'ROUTING', subType }),
  voidPackage: ({ id }) => ({ id, state: 'VOID', voidReason: 'INCORRECT_FORM' }),
  returnPackage: () => ({ univid: '10000001' }),
  returnToInitiator: () => ({ comment: 'Please check.' }),
}

async function bringToEnd(emulator: Emulator, where: Where): Promise<void> {
  const { env, found } = where
  const params = paramsOf(where)
  const what = `${env} ${found.id}`
  const tool = async (name: TransitionName) => {
    const body = bodies[name]?.(found)
    await read(emulator, name, params, { ...(body !== undefined && { body }) })
  }
  const control = async (path: string, univid: string) => {
    const { formId, packageId } = params
    const url = `http://emulator.test/_emulator/${env}/forms/${formId}/packages/${packageId}/${path}`
    const response = await emulator.fetch(url, { method: 'POST', body: JSON.stringify({ univid }) })
    assert.equal(response.status, 200, `${path} ${what}`)
  }
  const upload = async (rule: 'requiredPreRouting' | 'requiredBeforeComplete') => {
    for (const attachmentTypeId of missing(emulator, env, found, rule)) {
      const body = new FormData()
      body.append('file', new File(['%PDF-1.4'], 'a.pdf', { type: 'application/pdf' }))
      await read(emulator, 'uploadAttachment', { ...params, attachmentTypeId }, { body })
    }
  }

  if (found.state === 'VOID') await tool('unvoidPackage')
  if (found.state === 'DRAFT' || found.state === 'PRE_ROUTING') {
    await upload('requiredPreRouting')
    if (found.state === 'DRAFT') await control('submit', found.initiator)
    else await tool(found.isRemoved ? 'reinitiatePackage' : 'routePackage')
  }
  await upload('requiredBeforeComplete')

  const signAll = async () => {
    for (let steps = 0; stateOf(found) === 'ROUTING' && steps < 20; steps++) {
      if (found.lock !== null) {
        const { status } = await call(emulator, 'deleteLock', { ...params, lockId: found.lock })
        assert.equal(status, 204, what)
        continue
      }
      const events = await read<{ isInInbox: boolean; permission: string; person: { univid: string } }[]>(
        emulator,
        'getHistory',
        params,
      )
      const next = events.find(
        ({ isInInbox, permission }) => isInInbox && permission === 'SIGNATURE_REQUIRED',
      )
      assert.ok(next, `nobody can sign ${what}`)
      await control('sign', next.person.univid)
    }
    assert.equal(found.state, 'COMPLETE', what)
  }
  await signAll()
  await tool('voidPackage')
  await tool('unvoidPackage')
  assert.equal(found.state, 'COMPLETE', what)
  await tool('returnPackage')
  await signAll()
  await tool('removePackage')
  await tool('reinitiatePackage')
  // If nobody must sign, the package is already complete.
  if (stateOf(found) === 'COMPLETE') return
  await tool('restartPackage')
  await tool('returnToInitiator')
  assert.equal(found.state, 'DRAFT', what)
}

/** Returns the current state. The compiler would assume that it is still the one of an earlier comparison. */
function stateOf(found: StoredPackage): PackageState {
  return found.state
}
