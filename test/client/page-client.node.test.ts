import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { createClient } from '../../src/client/index.ts'

const params = { formId: 6025, packageId: 42 }
const flags = [
  'canView',
  'canEdit',
  'canSign',
  'canVoid',
  'canInitiatorVoid',
  'canAddApprover',
  'canVoidAfter',
]
const noRights = { ...Object.fromEntries(flags.map((flag) => [flag, false])), signatureId: null, tools: [] }

describe('a failed change', () => {
  const failures = {
    'an outage': () => new Response(null, { status: 503, headers: { 'retry-after': '30' } }),
    'a lost connection': () => Promise.reject(new TypeError('reset')),
  }
  const refusals = {
    'a refusal': () => Response.json({ status: 409, detail: 'Too late' }, { status: 409 }),
    'a success': () => Response.json({ id: 42, state: 'VOID', formId: 6025 }),
  }

  for (const [name, respond] of Object.entries(failures))
    it(`delays the next poll after ${name}`, async (t) => {
      const { polls, change } = setUp(t, respond)
      await change()
      t.mock.timers.tick(150)
      assert.equal(polls(), 0)
      // At the latest after 30 seconds, or after the backoff of one failure.
      t.mock.timers.tick(30_000)
      assert.ok(polls() > 0)
    })

  it('is followed by a poll only after the time that the proxy requests', async (t) => {
    const { polls, change } = setUp(t, failures['an outage'])
    await change()
    t.mock.timers.tick(29_999)
    assert.equal(polls(), 0)
    t.mock.timers.tick(1)
    assert.equal(polls(), 1)
  })

  for (const [name, respond] of Object.entries(refusals))
    it(`does not delay polls after ${name}`, async (t) => {
      const { polls, change } = setUp(t, respond)
      await change()
      t.mock.timers.tick(100)
      assert.equal(polls(), 1)
    })

  function setUp(t: TestContext, respond: () => Response | Promise<Response>) {
    t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 })
    const client = createClient({
      endpoint: 'https://site.test/api/wf',
      live: false,
      interval: 100,
      retries: 0,
      fetch: async () => fromProxy(await respond()),
    })
    let polls = 0
    t.after(client.watch('a scope of no package', (reason) => reason === 'poll' && polls++))
    const body = { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' } as const
    const change = () => client.voidPackage({ params, body }).catch(() => {})
    return { polls: () => polls, change }
  }
})

describe('a bulk read', () => {
  it('sends the ids of a form to the path of that form, and returns its rows in their order', async () => {
    const { client, sent } = setUp()
    const [one, other] = await Promise.all([
      client.getActions({ params: { formId: 6025 }, query: { id: [43, 42] } }),
      client.getActions({ params: { formId: 6030 }, query: { id: [42] } }),
    ])
    assert.deepEqual(
      one.map((row) => row?.packageId),
      [43, 42],
    )
    assert.deepEqual(
      other.map((row) => row?.packageId),
      [42],
    )
    assert.deepEqual(sent, [
      '/api/wf/forms/6025/packages/actions?id=43&id=42',
      '/api/wf/forms/6030/packages/actions?id=42',
    ])
  })

  it('returns cached rows that were read one by one, if none is missing', async () => {
    const { client } = setUp()
    const cached = (formId: number, id: readonly number[], version?: '1.2') =>
      client
        .getCached('getStatus', { params: { formId }, query: { id: [...id] } }, version)
        ?.map((row) => row?.id)
    for (const id of [42, 43]) await client.getStatus({ params: { formId: 6025 }, query: { id: [id] } })

    assert.deepEqual(cached(6025, [42, 43]), [42, 43])
    assert.deepEqual(cached(6025, [43]), [43])
    assert.equal(cached(6025, [42, 43, 44]), undefined, 'one is missing')
    assert.equal(cached(6030, [42]), undefined, 'another form')
    assert.equal(cached(6025, [42], '1.2'), undefined, 'another version')
    assert.equal(client.getCached('getActions', { params: { formId: 6025 }, query: { id: [42] } }), undefined)
  })

  function setUp() {
    const sent: string[] = []
    const client = createClient({
      endpoint: 'https://site.test/api/wf',
      live: false,
      fetch: async (input) => {
        const { pathname, search, searchParams } = new URL(input as string)
        sent.push(pathname + search)
        const ids = searchParams.getAll('id').map(Number)
        const rows = pathname.endsWith('/status')
          ? ids.map((id) => ({ id, state: 'ROUTING' }))
          : ids.map((packageId) => ({ ...noRights, packageId }))
        return fromProxy(Response.json(rows.toReversed()))
      },
    })
    return { client, sent }
  }
})

function fromProxy(response: Response): Response {
  response.headers.set('x-routeslip', '1')
  return response
}
