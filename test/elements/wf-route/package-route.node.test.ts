import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type PageClient, UnavailableError } from '../../../src/client/index.ts'
import type { HistoryEvent } from '../../../src/contract/schemas/history.ts'
import {
  loadPackageRoute,
  type PackageRoute,
  routeOfPackage,
} from '../../../src/elements/wf-route/package-route.ts'
import { routeOfEvents } from '../../../src/elements/wf-route/route-events.ts'
import { differencesFrom, predictionOf, rememberRoute } from '../../../src/elements/wf-route/prediction.ts'
import type { RouteStop } from '../../../src/elements/wf-route/route-stops.ts'
import { common as english } from '../../../src/locales/en.ts'
import { route } from '../../../src/locales/en-route.ts'
import { savedRoute } from '../../../src/locales/en-saved-route.ts'
import { textsOf } from '../texts.ts'

const messages = { ...textsOf(route), ...textsOf(savedRoute) }
const common = textsOf(english)
const { signal } = new AbortController()
const requester = { id: '1', isSelf: true, name: 'Ana' }

/** A signature of a person at a stop. */
const signature = (stopNumber: number, name: string | null, fields: object = {}) =>
  ({
    '@class': 'signature',
    stop: { stopNumber, name },
    person: { univid: '2', displayName: 'Ben', title: null, directoryRestricted: false },
    office: null,
    resolution: null,
    permission: 'SIGNATURE_REQUIRED',
    state: 'RECEIVED',
    ...fields,
  }) as unknown as HistoryEvent
const event = (name: string) => ({ '@class': name, stop: null, person: null }) as unknown as HistoryEvent

describe('routeOfEvents()', () => {
  const stopsOf = (...events: (HistoryEvent | null)[]) =>
    routeOfEvents(events, requester, messages).stops.map(({ name, people }) => [name, people.length])

  it('joins the people of each stop, and names the stops that the service leaves out', () => {
    const events = [signature(1, 'A'), signature(1, 'A'), signature(1, 'B'), signature(4, null)]
    assert.deepEqual(stopsOf(...events), [
      ['A', 2],
      ['B', 1],
      ['Stop 2', 0],
      ['Stop 3', 0],
      ['Stop 4', 1],
    ])
    assert.deepEqual(stopsOf(signature(3, 'C')), [['C', 1]], 'nothing before the first')
  })

  it('shows only the latest round, without the signatures that were voided', () => {
    const old = [event('initiation'), signature(1, 'old'), event('remove')]
    for (const start of ['initiation', 're_initiate'])
      assert.deepEqual(stopsOf(...old, event(start), signature(1, 'new')), [['new', 1]], start)
    assert.deepEqual(stopsOf(...old, event('un_initiated')), [['old', 1]])
    assert.deepEqual(stopsOf(signature(1, 'A', { stop: null }), signature(0, 'B')), [
      ['Stop 0', 1],
      ['B', 1],
    ])
    assert.deepEqual(stopsOf(signature(1, 'A', { state: 'VOIDED' }), event('complete'), signature(2, 'B')), [
      ['B', 1],
    ])
  })

  it('counts the rows that could not be read', () => {
    const found = routeOfEvents([null, signature(1, 'A'), null], requester, messages)
    assert.equal(found.leftOut, 2)
    assert.deepEqual(found.requester, requester)
  })

  it('says who signs, as whom, and whether they have signed', () => {
    const person = { univid: '3', displayName: 'Eva', title: 'Dean', directoryRestricted: false }
    const facts = { person, office: { name: 'Biology' }, resolution: { name: 'Chair' }, state: 'APPROVED' }
    const [one, restricted, nobody] = routeOfEvents(
      [
        signature(1, 'A', facts),
        signature(1, 'A', { person: { ...person, directoryRestricted: true } }),
        signature(1, 'A', { person: null }),
      ],
      requester,
      messages,
    ).stops[0]!.people
    assert.deepEqual(one, {
      name: 'Eva',
      details: ['Dean', 'Biology', 'Chair'],
      isRole: true,
      permission: 'SIGNATURE_REQUIRED',
      id: '3',
      hasSigned: true,
    })
    assert.deepEqual(restricted?.details, [], 'the directory withholds the title')
    assert.equal(restricted?.isRole, false)
    assert.equal(restricted?.hasSigned, false)
    assert.deepEqual([nobody?.name, nobody?.id, nobody?.details], [null, null, []])
  })
})

describe('routeOfPackage()', () => {
  const content = (fields: object) =>
    ({
      package: { initiator: { univid: '1', displayName: 'Ana' } },
      past: null,
      future: [signature(1, 'A')],
      isOwn: true,
      overrides: [],
      at: new Date(0),
      ...fields,
    }) as unknown as PackageRoute
  const routeOf = (fields: object) => routeOfPackage(content(fields), messages, common)

  it('joins the past and the future', () => {
    const { stops, requester: found } = routeOf({ past: [signature(1, 'A')], future: [signature(2, 'B')] })
    assert.deepEqual(
      stops.map(({ name }) => name),
      ['A', 'B'],
    )
    assert.deepEqual(found, { id: '1', isSelf: true, name: 'Ana' })
    const unknown = routeOf({ package: { initiator: null }, isOwn: false }).requester
    assert.deepEqual(unknown, { id: undefined, isSelf: false, name: 'Someone' })
  })

  it('states each override in words', () => {
    const override = (type: string, replacementUnivid: string | null) => ({
      subjectUnivid: '2',
      replacementUnivid,
      type,
    })
    const overrides = [override('DELEGATE', '1'), null, override('CHANGE', '9'), override('NEW', null)]
    assert.deepEqual(routeOf({ overrides }).notes, [
      'An override is in force: Ana signs instead of Ben, who can view the request, but not sign it.',
      'An override is in force: Someone signs instead of Ben, who cannot see the request.',
      'An override is in force: Someone signs instead of Ben, who cannot see the request.',
    ])
    assert.deepEqual(routeOf({}).notes, [])
  })
})

describe('loadPackageRoute()', () => {
  const row = { packageId: 42, canView: true, tools: ['createOverride'] }

  /** Loads the route of package 42, and returns the names of the calls too. */
  async function load(responses: Readonly<Record<string, unknown>> = {}) {
    const calls: string[] = []
    const all: Readonly<Record<string, unknown>> = {
      getPackage: { state: 'ROUTING', initiator: { univid: '1' } },
      getFutureHistory: ['future'],
      getHistory: ['past'],
      getSession: { univid: '1', allows: { operations: ['getOverrides'] } },
      getActions: [row],
      getOverrides: ['override'],
      ...responses,
    }
    const params = { formId: 6025, packageId: 42 }
    const rights = { params: { formId: 6025 }, query: { id: [42] } }
    const operation =
      (name: string) =>
      async (...args: unknown[]) => {
        calls.push(name)
        const inputs = name === 'getSession' ? [] : [name === 'getActions' ? rights : { params }]
        assert.deepEqual(args, [...inputs, { signal }], name)
        const response = all[name]
        return await (response instanceof Error ? Promise.reject(response) : Promise.resolve(response))
      }
    const operations = Object.fromEntries(Object.keys(all).map((name) => [name, operation(name)]))
    const client = { ...operations, extend: () => client }
    const route = await loadPackageRoute([client as unknown as PageClient, 6025, 42], signal)
    return { ...route, calls }
  }

  it('reads the history only after routing has started', async () => {
    assert.deepEqual((await load()).past, ['past'])
    for (const state of ['PRE_ROUTING', 'DRAFT']) {
      const { past, future, calls } = await load({ getPackage: { state, initiator: null } })
      assert.equal(past, null)
      assert.deepEqual(future, ['future'])
      assert.equal(calls.includes('getHistory'), false)
    }
  })

  it('knows whether the person has made the request, and when it was calculated', async () => {
    const before = Date.now()
    const { isOwn, at } = await load()
    assert.equal(isOwn, true)
    assert.ok(at.getTime() >= before && at.getTime() <= Date.now())
    assert.equal((await load({ getPackage: { state: 'ROUTING', initiator: { univid: '2' } } })).isOwn, false)
    assert.equal((await load({ getPackage: { state: 'ROUTING', initiator: null } })).isOwn, false)
  })

  it('reads overrides only for people who may change them', async () => {
    assert.deepEqual((await load()).overrides, ['override'])
    const ending = { ...row, tools: ['voidPackage', 'deactivateOverride'] }
    assert.deepEqual((await load({ getActions: [ending] })).overrides, ['override'])
    for (const responses of [
      { getActions: [{ ...row, tools: ['voidPackage'] }] },
      { getActions: new UnavailableError('getActions', 'got no response') },
      { getSession: { univid: '1', allows: { operations: [] } } },
    ]) {
      const { overrides, calls } = await load(responses)
      assert.deepEqual(overrides, [])
      assert.equal(calls.includes('getOverrides'), false)
    }
    const getOverrides = new UnavailableError('getOverrides', 'got no response')
    assert.deepEqual((await load({ getOverrides })).overrides, [], 'the route matters more')
  })
})

describe('differencesFrom()', () => {
  const stop = (name: string, ...names: (string | null)[]) =>
    ({ name, people: names.map((one) => ({ name: one })) }) as unknown as RouteStop
  const differences = (before: [string, string[]][], ...stops: RouteStop[]) =>
    differencesFrom({ at: 0, stops: before }, stops, messages, 'en')

  it('has nothing to say about the same people in any order', () => {
    assert.deepEqual(differences([['A', ['Ana', 'Ben']]], stop('A', 'Ben', 'Ana')), [])
    assert.deepEqual(differences([['A', []]], stop('A', null)), [])
  })

  it('names the stops that came, changed or went', () => {
    assert.deepEqual(
      differences(
        [
          ['A', ['Ana', 'Ben']],
          ['B', []],
          ['C', ['Eva']],
          ['D', ['Eva']],
          ['E', ['Ana']],
        ],
        stop('New', 'Kim'),
        stop('A', 'Ana'),
        stop('B', 'Ben'),
        stop('C', null),
        stop('E', 'Ben'),
      ),
      [
        '“New” was not expected.',
        '“A”: Ana and Ben expected, Ana on the route.',
        '“B”: Nobody at present expected, Ben on the route.',
        '“C”: Eva expected, Nobody at present on the route.',
        '“E”: Ana expected, Ben on the route.',
        '“D” was expected.',
      ],
    )
  })
})

describe('rememberRoute()', () => {
  it('does nothing where nothing can be stored', () => {
    rememberRoute('1', [], 0)
    assert.equal(predictionOf('1'), undefined)
  })
})
