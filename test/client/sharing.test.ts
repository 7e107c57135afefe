import { expect } from '@open-wc/testing'
import {
  type Client,
  type ClientOptions,
  createClient,
  NotFoundError,
  packageScope,
  SignedOutError,
  UnavailableError,
} from '../../src/client/index.ts'
import { createRetryBudget, parseRetryAfter } from '../../src/client/transport/retry.ts'
import { createBackend, people } from '../../stories/backend.ts'
import { outlast } from '../../stories/settled.ts'
import { waitUntil } from '../wait-until.ts'

const params = { formId: 6025, packageId: 42 }
const found = { id: 42, state: 'ROUTING' }
const voiding = { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' } as const

describe('createClient(), for many elements of one page', () => {
  it('combines reads of single packages into bulk calls of up to 100 ids', async () => {
    const { client, sent } = clientOver(statuses)
    const ids = Array.from({ length: 250 }, (_, index) => index + 1)
    const responses = await Promise.all(
      ids.map((id) => client.getStatus({ params: { formId: 6025 }, query: { id: [id] } })),
    )

    expect(responses.map(([row]) => row?.id)).to.deep.equal(ids)
    expect(sent.map((request) => idsOf(request).length)).to.deep.equal([100, 100, 50])
  })

  it('combines only reads of the same form, operation and version', async () => {
    const { client, sent } = clientOver((request) =>
      idsOf(request).map((id) => ({ id, state: 'ROUTING', inboxSignatures: [] })),
    )
    await Promise.all([
      client.getStatus({ params: { formId: 1 }, query: { id: [1] } }),
      client.getStatus({ params: { formId: 2 }, query: { id: [1] } }),
      client.getStatus({ params: { formId: 1 }, query: { id: [2] } }, { version: '1.2' }),
      client.getStatus({ params: { formId: 1 }, query: { id: [3, 1] } }),
    ])

    expect(sent.map((request) => new URL(request.url).pathname.split('/').slice(3).join('/'))).to.deep.equal([
      'forms/1/packages/status',
      'forms/2/packages/status',
      'forms/1/packages/status',
    ])
    expect(idsOf(sent[0]!)).to.deep.equal([1, 3])
  })

  it('resolves the reads of valid ids if the service refuses a bulk call because of one id', async () => {
    const { client, sent } = clientOver((request) =>
      idsOf(request).includes(13) ? new Response('', { status: 404 }) : statuses(request),
    )
    const outcomes = await Promise.allSettled(
      [11, 12, 13, 14].map((id) => client.getStatus({ params: { formId: 6025 }, query: { id: [id] } })),
    )

    expect(outcomes.map(({ status }) => status)).to.deep.equal([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ])
    expect((outcomes[2] as PromiseRejectedResult).reason).to.be.instanceOf(NotFoundError)
    expect(sent.map((request) => idsOf(request).join())).to.deep.equal([
      '11,12,13,14',
      '11,12',
      '13,14',
      '13',
      '14',
    ])
  })

  it('does not split a bulk call when the service is down', async () => {
    const { client, sent } = clientOver(() => new Response('', { status: 500 }))
    await Promise.allSettled(
      [1, 2, 3].map((id) => client.getStatus({ params: { formId: 6025 }, query: { id: [id] } })),
    )

    expect(sent).to.have.length(1)
  })

  it('sends one request for equal reads at the same time or within a second', async () => {
    const { client, sent } = clientOver(() => found)
    await Promise.all([client.getPackage({ params }), client.getPackage({ params })])
    await client.getPackage({ params })
    expect(sent).to.have.length(1)

    client.invalidate(packageScope(6025, 43))
    await client.getPackage({ params })
    expect(sent, 'another package').to.have.length(1)
    client.invalidate(packageScope(6025, 42))
    await client.getPackage({ params })
    expect(sent).to.have.length(2)
  })

  it('reads again after a write, even if a read was in progress', async () => {
    let state = 'ROUTING'
    const releases: (() => void)[] = []
    const { client, sent } = clientOver(async (request) => {
      const body = { id: 42, state }
      if (request.method === 'PUT') return { id: 42, state: (state = 'VOID') }
      await new Promise<void>((resolve) => releases.push(resolve))
      return body
    })
    const before = client.getPackage({ params })
    await waitUntil(() => releases.length === 1)
    await client.voidPackage({ params, body: voiding })
    const after = client.getPackage({ params })
    await waitUntil(() => releases.length === 2)
    releases[1]?.()
    expect((await after).state).to.equal('VOID')
    releases[0]?.()
    expect((await before).state).to.equal('ROUTING')

    expect(client.getCached('getPackage', { params })?.state, 'the late response').to.equal('VOID')
    expect(sent).to.have.length(3)
  })

  it('aborts a bulk call when the readers of all its parts abort', async () => {
    const { client, sent } = clientOver(hang)
    const aborts = [1, 2].map((id) => {
      const abort = new AbortController()
      void failureOf(
        client.getStatus({ params: { formId: 6025 }, query: { id: [id] } }, { signal: abort.signal }),
      )
      return abort
    })
    await waitUntil(() => sent.length === 1)
    aborts[0]?.abort()
    expect(sent[0]?.signal.aborted).to.equal(false)
    aborts[1]?.abort()
    expect(sent[0]?.signal.aborted).to.equal(true)
  })

  it('returns cached values until a read is refused', async () => {
    let status = 200
    const { client } = clientOver(() => Response.json(found, { status }))
    expect(client.getCached('getPackage', { params })).to.equal(undefined)
    await client.getPackage({ params })
    expect(client.getCached('getPackage', { params })?.state).to.equal('ROUTING')

    for (const [refusal, isKept] of [
      [500, true],
      [403, false],
    ] as const) {
      status = refusal
      client.invalidate()
      await failureOf(client.getPackage({ params }))
      expect(client.getCached('getPackage', { params }) !== undefined, `${refusal}`).to.equal(isKept)
    }
  })
})

describe('createClient(), when someone else signs in', () => {
  it('clears the cache, notifies the listeners and rejects a response for another user', async () => {
    let person = '10000001'
    const { client } = clientOver(() =>
      Response.json({ ...found, voidReason: `for ${person}` }, { headers: { 'x-routeslip-person': person } }),
    )
    const reasons: string[] = []
    const stop = client.watch(packageScope(6025, 42), (why) => reasons.push(why))
    await client.getPackage({ params })
    person = '10000002'
    client.invalidate()
    const failure = await failureOf(client.getPackage({ params }))

    expect(failure).to.be.instanceOf(UnavailableError)
    expect(reasons).to.deep.equal(['user'])
    expect(client.getCached('getPackage', { params })).to.equal(undefined)
    expect((await client.getPackage({ params })).voidReason).to.equal('for 10000002')
    stop()
  })

  it('clears the cache and notifies the listeners once when the session ends', async () => {
    let status = 200
    const { client } = clientOver(() =>
      Response.json(found, { status, headers: { 'x-routeslip-person': '10000001' } }),
    )
    const reasons: string[] = []
    const stop = client.watch(packageScope(6025, 42), (why) => reasons.push(why))
    await client.getPackage({ params })
    status = 401
    for (let round = 0; round < 3; round++) {
      client.invalidate()
      expect(await failureOf(client.getPackage({ params }))).to.be.instanceOf(SignedOutError)
    }

    expect(client.getCached('getPackage', { params })).to.equal(undefined)
    expect(reasons).to.deep.equal(['user'])
    stop()
  })

  it('opens the live stream again after a sign-in (F15, F53)', async () => {
    let status = 401
    const { client, sent } = clientOver(
      (request) =>
        request.url.includes('/events') && status === 200
          ? new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } })
          : Response.json(found, { status, headers: { 'x-routeslip-person': '10000001' } }),
      { live: true },
    )
    const streams = () => sent.filter(({ url }) => url.includes('/events')).length
    const stop = client.watch(packageScope(6025, 42), () => {})
    await failureOf(client.getPackage({ params }))
    await waitUntil(() => streams() === 1)
    status = 200
    await client.getPackage({ params })
    await waitUntil(() => streams() === 2)

    client.invalidate()
    await client.getPackage({ params })
    // Longer than the stream waits until it opens again.
    await outlast(300)
    expect(streams(), 'the same person again makes no difference').to.equal(2)
    stop()
  })
})

describe('createClient(), when a read fails', () => {
  for (const [name, failure] of [
    ['the connection is reset', () => Promise.reject(new TypeError('reset'))],
    ['502', () => new Response('', { status: 502 })],
    ['503', () => new Response('', { status: 503, headers: { 'retry-after': '0' } })],
    ['429', () => new Response('', { status: 429 })],
  ] as const) {
    it(`retries up to twice (F06): ${name}`, async () => {
      let failures = 2
      const { client, sent } = clientOver(() => (failures-- > 0 ? failure() : found))
      expect((await client.getPackage({ params })).state).to.equal('ROUTING')
      expect(sent).to.have.length(3)

      const { client: other, sent: all } = clientOver(failure)
      expect(await failureOf(other.getPackage({ params }))).to.be.instanceOf(UnavailableError)
      expect(all).to.have.length(3)
    })
  }

  for (const [name, failure] of [
    ['500', () => new Response('', { status: 500 })],
    ['an unreadable response', () => new Response('<h1>Login</h1>')],
    ['404', () => new Response('', { status: 404 })],
    [
      '503 with a long Retry-After',
      () => new Response('', { status: 503, headers: { 'retry-after': '30' } }),
    ],
  ] as const) {
    it(`does not retry after ${name}`, async () => {
      const { client, sent } = clientOver(failure)
      await failureOf(client.getPackage({ params }))
      expect(sent).to.have.length(1)
    })
  }

  it('never retries a write', async () => {
    const { client, sent } = clientOver(() => Promise.reject(new TypeError('reset')))
    await failureOf(client.voidPackage({ params, body: voiding }))
    expect(sent).to.have.length(1)
  })

  it('reports the Retry-After of the proxy, up to a minute (F20)', async () => {
    for (const [header, retryAfter] of [
      ['1e9', undefined],
      ['30', 30_000],
      ['1000000000', 60_000],
    ] as const) {
      const { client } = clientOver(
        () => new Response('', { status: 503, headers: { 'retry-after': header } }),
        { retries: 0 },
      )
      expect(await failureOf(client.getPackage({ params }))).to.have.property('retryAfter', retryAfter)
    }
    const now = Date.UTC(2026, 10, 21, 12)
    for (const [text, wait] of [
      ['30', 30_000],
      ['0', 0],
      [' 5 ', 5000],
      ['1000000000', 60_000],
      ['Sat, 21 Nov 2026 12:00:20 GMT', 20_000],
      ['Sat, 21 Nov 2026 11:00:00 GMT', undefined],
      ['-5', undefined],
      ['soon', undefined],
      ['', undefined],
      [null, undefined],
    ] as const) {
      expect(parseRetryAfter(text, 60_000, now), `${text}`).to.equal(wait)
    }
  })

  it('reports until when a limit refuses the request, which no other failure does', async () => {
    for (const [status, header, wait] of [
      [429, '1800', 1_800_000],
      [429, 'soon', 0],
      [503, '1800', undefined],
    ] as const) {
      const { client } = clientOver(() => new Response('', { status, headers: { 'retry-after': header } }), {
        retries: 0,
      })
      const before = Date.now()
      const { limitedUntil } = (await failureOf(client.getPackage({ params }))) as UnavailableError
      if (wait === undefined) expect(limitedUntil).to.equal(undefined)
      else expect(limitedUntil).to.be.within(before + wait, Date.now() + wait)
    }
  })

  it('limits retries to about a tenth of all requests (F13)', () => {
    const budget = createRetryBudget()
    let spent = 0
    for (let request = 0; request < 1000; request++) if (budget.spend()) spent++
    expect(spent).to.equal(5)
    for (let request = 0; request < 1000; request++) {
      budget.earn()
      if (budget.spend()) spent++
    }
    expect(spent).to.be.within(100, 106)
  })
})

describe('createClient(), with live events', () => {
  it('notifies listeners of a change by another user, and does not poll', async () => {
    const backend = createBackend(people.administrator, { live: true, interval: 300 })
    const reasons: string[] = []
    const stop = backend.client.watch(packageScope(6025, 42), (why) => reasons.push(why))
    // The proxy reads the rights of a new stream.
    await waitUntil(() => backend.journal.some((line) => line.endsWith('/actions')))
    await backend.other.voidPackage({ params, body: voiding })
    await waitUntil(() => reasons.includes('changed'))

    reasons.length = 0
    const without = createBackend(people.administrator, { live: false, interval: 300 })
    const polls: string[] = []
    const stopPolls = without.client.watch(packageScope(6025, 42), (why) => polls.push(why))
    await waitUntil(() => polls.length >= 3)
    expect(reasons, 'in three intervals (control: the other client has polled)').to.have.length(0)
    stopPolls()
    stop()
  })

  it('polls at each interval without live events (F53)', async () => {
    const backend = createBackend(people.administrator, { live: false, interval: 50 })
    const reasons: string[] = []
    const stop = backend.client.watch(packageScope(6025, 42), (why) => reasons.push(why))
    await waitUntil(() => reasons.length >= 3)
    stop()
  })
})

type MockResponse = Response | object | Promise<Response | object>

/** Responses are from a proxy. */
function clientOver(respond: (request: Request) => MockResponse, options: Partial<ClientOptions> = {}) {
  const sent: Request[] = []
  const client: Client = createClient({
    endpoint: 'https://site.test/api/wf',
    live: false,
    fetch: async (input, init) => {
      const request = new Request(input, init)
      sent.push(request)
      const given = await Promise.race([
        respond(request),
        new Promise<never>((_, reject) => {
          request.signal.addEventListener('abort', () => reject(request.signal.reason as Error))
        }),
      ])
      const response = given instanceof Response ? given : Response.json(given)
      response.headers.set('x-routeslip', '1')
      return response
    },
    ...options,
  })
  return { client, sent }
}

function statuses(request: Request): object {
  return idsOf(request).map((id) => ({ id, state: 'ROUTING' }))
}

function idsOf({ url }: Request): number[] {
  return new URL(url).searchParams.getAll('id').map(Number)
}

function hang(): Promise<Response> {
  return new Promise(() => {})
}

/** What a call rejects with. */
async function failureOf(call: Promise<unknown>): Promise<unknown> {
  try {
    await call
  } catch (error) {
    return error
  }
  throw new Error('The call went well')
}
