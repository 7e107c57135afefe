import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  ForbiddenError,
  NotFoundError,
  type PageClient,
  RefusedError,
  SignedOutError,
  UnavailableError,
} from '../../../src/client/index.ts'
import { failureText } from '../../../src/elements/wf-overrides/override-change.ts'
import { loadOverrides } from '../../../src/elements/wf-overrides/override-content.ts'
import type { FindPeople } from '../../../src/elements/person/person-lookup.ts'
import { overrides as english } from '../../../src/locales/en-overrides.ts'
import { textsOf } from '../texts.ts'

const { signal } = new AbortController()
const person = (univid: string, displayName: string) => ({ univid, displayName })
const ana = person('10000001', 'Ana')
const ben = person('10000002', 'Ben')
const eva = person('10000003', 'Eva')
const override = { subjectUnivid: '10000002', replacementUnivid: '10000009', type: 'DELEGATE' }
const actions = {
  packageId: 42,
  canView: true,
  tools: ['createOverride', 'deactivateOverride'],
  inboxSignatures: [{ approver: 'Ben' }, { approver: 'Eva' }],
}

/** Loads the overrides of package 42 with these responses. Returns the names of the calls too. */
function load(responses: Readonly<Record<string, unknown>> = {}, findPeople?: FindPeople) {
  const calls: string[] = []
  const all: Readonly<Record<string, unknown>> = {
    getSession: { univid: '10000007', allows: { operations: ['getOverrides'] } },
    getOverrides: [override, null],
    getActions: [null, { ...actions, packageId: 41, canView: false }, actions],
    getPackage: { initiator: ana },
    getHistory: [{ person: ben }, null, { person: null, resolution: eva }],
    getFutureHistory: [{ person: person('10000004', 'Kim') }],
    ...responses,
  }
  const params = { formId: 6025, packageId: 42 }
  const rights = { params: { formId: 6025 }, query: { id: [42] } }
  const operation =
    (name: string) =>
    (...args: unknown[]) => {
      calls.push(name)
      const inputs = name === 'getSession' ? [] : [name === 'getActions' ? rights : { params }]
      assert.deepEqual(args, [...inputs, { signal }], name)
      return Promise.resolve(all[name])
    }
  const operations = Object.fromEntries(Object.keys(all).map((name) => [name, operation(name)]))
  const client = { ...operations, extend: () => client }
  const result = loadOverrides([client as unknown as PageClient, 6025, 42], findPeople, signal)
  return { result, calls }
}

describe('loadOverrides()', () => {
  it('reads the overrides, and the names and inboxes of the package', async () => {
    const { result } = load()
    const { names, ...content } = await result
    assert.deepEqual(content, {
      overrides: [override, null],
      initiator: '10000001',
      inboxes: ['Ben', 'Eva'],
      user: '10000007',
      canCreate: true,
      canEnd: true,
    })
    assert.deepEqual(
      [...names],
      [ana, ben, eva, person('10000004', 'Kim')].map(({ univid, displayName }) => [univid, displayName]),
    )
  })

  it('looks up each other person once, and nobody for an override without a replacement', async () => {
    const asked: string[] = []
    const findPeople: FindPeople = (text) => {
      asked.push(text)
      return Promise.resolve([{ univid: text, name: `Person ${text}` }])
    }
    const rows = [
      override,
      { ...override, subjectUnivid: '10000008' },
      { ...override, replacementUnivid: null },
    ]
    const { names } = await load({ getOverrides: rows }, findPeople).result
    assert.deepEqual(asked, ['10000009', '10000008'])
    assert.equal(names.get('10000009'), 'Person 10000009')
    assert.equal(names.get('10000002'), 'Ben')
  })

  it('keeps ids whose names nobody knows', async () => {
    for (const findPeople of [undefined, () => Promise.resolve([])])
      assert.equal((await load({}, findPeople).result).names.has('10000009'), false)
  })

  it('reads nothing of the package for people who may not view it', async () => {
    for (const getActions of [[{ ...actions, canView: false, inboxSignatures: null }], [null]]) {
      const { result, calls } = load({ getActions })
      const { names, initiator, inboxes } = await result
      assert.deepEqual([[...names], initiator, inboxes], [[], null, null])
      assert.deepEqual(calls.sort(), ['getActions', 'getOverrides', 'getSession'])
    }
  })

  it('knows what the person may change', async () => {
    for (const [tools, canCreate, canEnd] of [
      [[], false, false],
      [['createOverride'], true, false],
      [['deactivateOverride'], false, true],
    ] as const) {
      const content = await load({ getActions: [{ ...actions, tools }] }).result
      assert.deepEqual([content.canCreate, content.canEnd], [canCreate, canEnd])
    }
    const { canCreate, canEnd } = await load({ getActions: [] }).result
    assert.deepEqual([canCreate, canEnd], [false, false])
  })

  it('knows no inboxes if one of them cannot be read or names nobody', async () => {
    for (const inboxSignatures of [null, [null, ...actions.inboxSignatures], [{ approver: null }]]) {
      const { inboxes } = await load({ getActions: [{ ...actions, inboxSignatures }] }).result
      assert.equal(inboxes, null)
    }
    const { inboxes } = await load({ getActions: [{ ...actions, inboxSignatures: [] }] }).result
    assert.deepEqual(inboxes, [])
  })

  it('does not know who made the request if the service does not', async () => {
    assert.equal((await load({ getPackage: { initiator: null } }).result).initiator, null)
  })

  it('is forbidden, and asks for no overrides, if the site serves none', async () => {
    const getSession = { univid: '1', allows: { operations: ['getPackage'] } }
    const { result, calls } = load({ getSession })
    await assert.rejects(result, (error) => {
      assert.ok(error instanceof ForbiddenError)
      assert.equal(error.message, 'getOverrides is not served by this site')
      return true
    })
    assert.deepEqual(calls, ['getSession'])
  })
})

describe('failureText()', () => {
  it('distinguishes a refusal from an unknown outcome', () => {
    const messages = textsOf(english)
    for (const [error, text] of [
      [new ForbiddenError('a', 'b'), messages.forbidden],
      [new RefusedError('a', 422), messages.refused],
      [new RefusedError('a', 409), messages.problems.active],
      [new NotFoundError('a', 'b'), messages.refused],
      [new UnavailableError('a', 'b'), messages.uncertain],
      [new SignedOutError('a', 'b'), messages.uncertain],
    ] as const)
      assert.equal(failureText(error, messages), text)
  })
})
