import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FormRequestList, RequestList } from '../../../src/contract/schemas/lists.ts'
import type { Policy } from '../../../src/proxy/rights/policy.ts'
import { readPolicy } from '../../../src/proxy/rights/policy-rules.ts'
import { rulesPolicy } from '../../../src/proxy/rights/rules-policy.ts'
import { people, type Role } from '../mount.ts'
import { until } from '../until.ts'
import { heldBy } from './index-contract.ts'
import { still, withIndex } from './with-index.ts'

const day = 24 * 60 * 60_000
const path = '/forms/6025/list'

const listers = rulesPolicy(() =>
  readPolicy({
    rules: [
      {
        name: 'These people list the requests of the form',
        people: [people.administrator, people.outsider, people.firstApprover],
        operations: ['getFormList'],
        forms: [6025],
      },
    ],
  }),
)

/** Creates a mount that knows package 42 of a form that some people may list, and checks nothing without a reason. */
async function withForm(options: Parameters<typeof withIndex>[0] = {}, policy: Policy = listers) {
  const mount = withIndex({
    ...options,
    identity: { policy },
    lists: { now: still, ...options.lists },
  })
  await mount.addCopies(1, 42)
  mount.journal.splice(0)
  return {
    ...mount,
    async list(query = '', as: Role = 'administrator'): Promise<FormRequestList> {
      const response = await mount.request(path + query, { as })
      assert.equal(response.status, 200, await response.clone().text())
      return (await response.json()) as FormRequestList
    },
    status: async (query: string, as?: Role, form = path) =>
      (await mount.request(form + query, as ? { as } : {})).status,
    /** Waits until everything is checked that was requested. */
    settle: () => until(async () => (await mount.index.due(1, 1)).length === 0),
  }
}

const idsIn = ({ rows }: RequestList) => rows.map((row) => row?.packageId)

describe('GET /forms/:formId/list', () => {
  it('lists the requests of a form with stop, receipt and initiator', async () => {
    const { list, journal, addCopies } = await withForm()
    await addCopies(1, 43, { state: 'COMPLETE', inbox: [] })
    journal.splice(0)
    const { rows, next } = await list()
    const [complete, routing] = rows
    assert.deepEqual(
      [routing?.packageId, routing?.state, routing?.initiator, routing?.received, routing?.stops, next],
      [42, 'ROUTING', 'Amara Okafor', '2026-11-16T09:42:12', [{ name: 'Department', stopNumber: 1 }], null],
    )
    assert.deepEqual(
      [complete?.packageId, complete?.state, complete?.received, complete?.stops],
      [43, 'COMPLETE', null, []],
    )
    assert.deepEqual(
      journal.map(({ url }) => new URL(url).pathname.split('/').at(-1)).sort(),
      ['actions', 'status'],
      'two calls of the service',
    )
    for (const { headers } of journal)
      assert.deepEqual(
        [headers.get('x-workflow-request-user'), headers.get('x-workflow-bypass-authorization')],
        [people.administrator, null],
      )
  })

  it('lists those that meet all conditions', async () => {
    let time = Date.UTC(2026, 10, 16, 10)
    const mount = await withForm({ lists: { now: () => time } })
    const { list, addCopies, settle, index, control } = mount
    time += 3 * day
    await addCopies(1, 43)
    await addCopies(1, 44, { state: 'COMPLETE', inbox: [], actionDate: '2026-11-19T01:00:00' })
    await addCopies(1, 45, { state: 'VOID', inbox: [], actionDate: '2026-09-19T01:00:00' })
    await control('POST', 'test/forms/6025/packages/43/sign', { univid: people.firstApprover })
    await index.request([{ formId: 6025, packageId: 43 }], time)
    await settle()
    for (const [query, ids] of [
      ['', [44, 43, 42, 45]],
      ['?state=ROUTING', [43, 42]],
      ['?state=VOID', [45]],
      ['?state=DRAFT', []],
      ['?stop=1', [42]],
      ['?stop=2', [43]],
      ['?office=05-0100', [42]],
      ['?office=05-0333&stop=2', [43]],
      ['?office=05-0333&stop=1', []],
      ['?days=3', [42, 45]],
      ['?days=4', [45]],
      ['?days=61', [45]],
      ['?days=62', []],
      ['?days=0&state=COMPLETE', [44]],
      ['?days=3&stop=1&office=05-0100&state=ROUTING', [42]],
    ] as const)
      assert.deepEqual(idsIn(await list(query)), ids, query)
  })

  it('needs the policy, which the service follows with each request (T4)', async () => {
    const { status, journal, list } = await withForm()
    for (const role of ['initiator', 'viewer', 'secondApprover'] as const)
      assert.equal(await status('', role), 403, role)
    assert.equal(await status('', 'administrator', '/forms/6026/list'), 403, 'of another form')
    assert.equal(await status(''), 401)
    assert.deepEqual(journal, [], 'nothing is read')
    assert.deepEqual(idsIn(await list('', 'firstApprover')), [42], 'control')
    const denied = await withForm({}, () => false)
    assert.equal(await denied.status('', 'administrator'), 403)
    const { request } = withIndex()
    assert.equal((await request(path, { as: 'administrator' })).status, 403, 'without a policy')
    const failing = await withForm({}, () => Promise.reject(new Error('down')))
    assert.ok((await failing.status('', 'administrator')) >= 500)
  })

  it('asks the policy about the person and the form', async () => {
    const questions: unknown[] = []
    const { list } = await withForm({}, (question) => {
      questions.push(question)
      return question.operation === 'getFormList'
    })
    await list()
    const [first] = questions as [{ person: { univid: string } }]
    assert.deepEqual(
      { ...first, person: first.person.univid },
      {
        operation: 'getFormList',
        person: people.administrator,
        formId: 6025,
      },
    )
  })

  it('shows nothing of a package that the person may not view, whatever index and policy say (T4)', async () => {
    const { list, index } = await withForm()
    const { pkg } = (await index.find({ formId: 6025, packageId: 42 }))!
    await index.record([{ pkg: { ...pkg, initiator: people.outsider }, holders: [heldBy(people.outsider)] }])
    for (const query of ['', '?state=ROUTING']) {
      const seen = await list(query, 'outsider')
      assert.deepEqual({ ...seen, known: null }, { rows: [], next: null, isPartial: false, known: null })
    }
    assert.deepEqual(idsIn(await list('', 'administrator')), [42], 'control')
  })

  it('replies with the same bytes if the only difference is a package that the person may not view (T4)', async () => {
    const now = () => Date.UTC(2026, 10, 16, 10)
    async function replies(hidden: number, as: Role) {
      const mount = await withForm({ lists: { now } })
      await mount.addCopies(hidden, 1001, {})
      return await Promise.all(
        ['', '?state=ROUTING', '?stop=1', '?office=05-0100', '?days=0'].map(async (query) => {
          const response = await mount.request(path + query, { as })
          const { 'x-request-id': _, ...headers } = Object.fromEntries(response.headers)
          return [response.status, headers, await response.text()]
        }),
      )
    }
    for (const hidden of [1, 60, 98])
      assert.deepEqual(await replies(hidden, 'outsider'), await replies(0, 'outsider'), `${hidden}`)
    assert.notDeepEqual(await replies(1, 'administrator'), await replies(0, 'administrator'), 'control')
  })

  it('leaves out what no longer meets the conditions, and corrects the index', async () => {
    const { list, settle, emulator, control } = await withForm()
    await control('POST', 'test/forms/6025/packages/42/sign', { univid: people.firstApprover })
    for (const query of ['?stop=1', '?office=05-0100', '?days=0']) {
      const mount = await withForm()
      await mount.control('POST', 'test/forms/6025/packages/42/sign', { univid: people.firstApprover })
      assert.deepEqual(idsIn(await mount.list(query)), [], query)
    }
    const [row] = (await list('?state=ROUTING')).rows
    assert.deepEqual([row?.packageId, row?.stops, row?.received], [42, null, null], 'its stop is not known')
    await settle()
    assert.deepEqual(idsIn(await list('?stop=2')), [42])
    Object.assign(emulator.packages.test.get(42)!, { state: 'VOID', inbox: [] })
    assert.deepEqual(idsIn(await list('?state=ROUTING')), [])
    await settle()
    assert.deepEqual(idsIn(await list('?state=VOID')), [42])
  })

  it('reaches each package once, in full parts, past those that are hidden', async () => {
    const mount = await withForm({
      async intercept(sent, emulator) {
        const response = await emulator.fetch(sent)
        if (!sent.url.includes('/actions')) return response
        const flags = (await response.json()) as readonly { readonly packageId: number }[]
        return Response.json(flags.map((one) => ({ ...one, canView: one.packageId % 5 > 0 })))
      },
    })
    const ids = await mount.addCopies(250)
    const found: (number | undefined)[] = []
    const sizes: number[] = []
    for (let next: string | null = ''; next !== null;) {
      const part: FormRequestList = await mount.list(`?state=ROUTING${next && `&after=${next}`}`)
      found.push(...idsIn(part))
      sizes.push(part.rows.length)
      next = part.next
    }
    assert.deepEqual(
      found.toSorted((a = 0, b = 0) => a - b),
      [42, ...ids].filter((id) => id % 5 > 0),
    )
    assert.deepEqual(sizes, [100, 100, 1])
  })

  it('accepts a place only of the same person, form and conditions', async () => {
    const { list, status, addCopies, getList } = await withForm()
    await addCopies(150)
    const { next } = await list('?state=ROUTING')
    assert.match(next ?? '', /^[\w-]{100,}$/)
    assert.equal(await status(`?state=ROUTING&after=${next}`, 'administrator'), 200)
    for (const [query, as] of [
      ['?state=ROUTING', 'firstApprover'],
      ['', 'administrator'],
      ['?state=ROUTING&stop=1', 'administrator'],
      ['?state=ROUTING&days=0', 'administrator'],
    ] as const)
      assert.equal(await status(`${query}${query ? '&' : '?'}after=${next}`, as), 400, `${query} ${as}`)
    const { next: own } = await getList('initiator', 'view=mine&form=6025')
    assert.equal(await status(`?after=${own}`, 'initiator'), 403)
  })

  it('finds the package for which a bulk call is refused, states what is missing, and passes on failures', async () => {
    let refused: readonly number[] = []
    let isDown = ''
    const mount = await withForm({
      async intercept(sent, emulator) {
        const url = new URL(sent.url)
        if (isDown && url.pathname.endsWith(isDown)) return new Response(null, { status: 500 })
        const isRefused = url.searchParams.getAll('id').some((id) => refused.includes(Number(id)))
        return isRefused && url.pathname.endsWith('/actions')
          ? Response.json({}, { status: 404 })
          : await emulator.fetch(sent)
      },
    })
    const ids = await mount.addCopies(60)
    refused = ids.slice(7, 8)
    const one = await mount.list()
    assert.deepEqual([one.rows.length, one.isPartial], [60, false])
    refused = ids.filter((id) => id % 2 === 0)
    assert.equal((await mount.list()).isPartial, true)
    refused = []
    for (const part of ['/actions', '/status']) {
      isDown = part
      assert.equal(await mount.status('', 'administrator'), 502, part)
    }
  })

  it('offers to remind the approvers of a request if the policy allows it', async () => {
    const { list } = await withForm(
      {},
      ({ operation }) => operation === 'getFormList' || operation === 'remind',
    )
    assert.deepEqual((await list()).rows[0]?.reminder, {
      sentAt: null,
      isUncertain: false,
      count: 0,
      limit: 5,
    })
    const without = await withForm()
    assert.equal((await without.list()).rows[0]?.reminder, null)
  })

  it('refuses other queries and other forms', async () => {
    const { status } = await withForm()
    for (const query of [
      '?view=mine',
      '?form=6025',
      '?state=',
      '?state=routing',
      '?state=ROUTING&state=VOID',
      '?days=-1',
      '?days=1.5',
      '?days=10000',
      '?stop=01',
      '?office=5',
      '?after=',
    ])
      assert.equal(await status(query, 'administrator'), 400, query)
    assert.equal(await status('', 'administrator', '/forms/6030/list'), 404)
    assert.equal(await status('', 'administrator', '/forms/x/list'), 404)
  })
})
