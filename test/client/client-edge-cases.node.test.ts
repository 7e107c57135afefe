import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ClientOptions, createClient, SignedOutError } from '../../src/client/index.ts'
import { loadLiveHints } from '../../src/client/late.ts'

const root = 'https://site.test/api/wf'
const params = { formId: 6025, packageId: 42 }
const home = '/forms/6025/packages'
const uuid = '00000000-0000-4000-8000-000000000000'
const voiding = { params, body: { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' } } as const
const session = {
  univid: '10000001',
  env: 'test',
  forms: [6025],
  allows: { operations: [], maxFileSize: 1, extensions: null },
}

/** JSON responses of the proxy by method and path. */
const responses: Readonly<Record<string, unknown>> = {
  'GET /session': session,
  [`GET ${home}/42`]: { id: 42, state: 'ROUTING' },
  [`PUT ${home}/42/void`]: { id: 42, state: 'VOID' },
  [`GET ${home}/42/attachments/types`]: [],
}

describe('href() of a client', () => {
  it('returns the URL of an operation, with its search parameters', () => {
    const { client } = setUp()
    assert.equal(client.href('getPdf', params), `${root}${home}/42/pdf`)
    assert.equal(
      client.href('presignFile', { uuid }, { inline: true }),
      `${root}/files/${uuid}/download?inline=true`,
    )
    assert.equal(client.href('presignFile', { uuid }, {}), `${root}/files/${uuid}/download`)
  })
})

describe('the methods of a client', () => {
  it('do not include operations whose response is a file or a redirect: they are for links', () => {
    const { client } = setUp()
    const names = ['getPdf', 'downloadAttachment', 'presignFile', 'getPackage', 'deleteFile', 'uploadFile']
    assert.deepEqual(
      names.filter((name) => name in client),
      ['getPackage', 'deleteFile', 'uploadFile'],
    )
  })
})

describe('the configuration that a client reads', () => {
  it('stays fresh for five minutes, also through changes of its package', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 })
    const { client, count } = setUp()
    const readAll = async () => {
      await client.getSession()
      await client.getAttachmentTypes({ params })
    }
    await readAll()
    await client.voidPackage(voiding)
    t.mock.timers.tick(299_999)
    await readAll()
    assert.deepEqual([count('/session'), count('/types')], [1, 1])
    t.mock.timers.tick(1)
    await readAll()
    assert.deepEqual([count('/session'), count('/types')], [2, 2])
  })

  it('comes with the rights to a package if a page expects it and the client does not have it', async () => {
    const { client, sent } = setUp()
    const readRights = () => client.getActions({ params: { formId: 6025 }, query: { id: [42] } })
    for (let round = 0; round < 2; round++) {
      client.expect(params, ['getAttachmentTypes'])
      await readRights()
      await client.getAttachmentTypes({ params })
      client.invalidate('6025/42')
    }
    assert.deepEqual(sent, [
      `GET ${home}/42/page?part=getActions&part=getAttachmentTypes`,
      `GET ${home}/actions?id=42`,
    ])
  })

  it('is not read again because of a change that belongs to no package', async () => {
    const { client, count } = setUp()
    await client.getSession()
    await client.deleteFile({ params: { uuid } })
    await client.getSession()
    assert.equal(count('/session'), 1)

    client.invalidate()
    await client.getSession()
    assert.equal(count('/session'), 2, 'control')
  })

  it('is not read again because of polls after the last listener has left', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 })
    const { client, count } = setUp({ interval: 1000 })
    await client.getSession()
    const stop = client.watch('6025/42', () => {})
    await new Promise(setImmediate)
    stop()
    await new Promise(setImmediate)
    for (let second = 0; second < 10; second++) t.mock.timers.tick(1000)
    await client.getSession()
    assert.equal(count('/session'), 1)

    t.after(client.watch('6025/42', () => {}))
    await new Promise(setImmediate)
    t.mock.timers.tick(1000)
    await client.getSession()
    assert.equal(count('/session'), 2, 'control: a poll makes everything stale')
  })
})

describe('a client without live events', () => {
  it('reads again after a sign-in', async () => {
    let status = 401
    const { client } = setUp({ fetch: async () => fromProxy({ id: 42, state: 'ROUTING' }, { status }) })
    await assert.rejects(client.getPackage({ params }), SignedOutError)
    status = 200
    assert.equal((await client.getPackage({ params })).state, 'ROUTING')
  })

  it('accepts the id of the event that announces its change', async () => {
    const { client } = setUp({
      fetch: async () => fromProxy({ id: 42, state: 'VOID' }, { headers: { 'x-routeslip-event': '7-1' } }),
    })
    assert.equal((await client.voidPackage(voiding)).state, 'VOID')
  })
})

describe('a client with live events', () => {
  it('notifies its listeners of its own change once, and of the next change by another user', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 })
    let stream: ReadableStreamDefaultController<Uint8Array> | undefined
    const { client } = setUp({
      live: true,
      fetch: async (input) => {
        if (!(input as string).includes('/events'))
          return fromProxy({ id: 42, state: 'VOID' }, { headers: { 'x-routeslip-event': '7-1' } })
        const body = new ReadableStream<Uint8Array>({ start: (controller) => void (stream = controller) })
        return new Response(body, { headers: { 'content-type': 'text/event-stream', 'x-routeslip': '1' } })
      },
    })
    const send = (id: string) =>
      stream?.enqueue(
        new TextEncoder().encode(`id: ${id}\nevent: change\ndata: {"formId":6025,"packageId":42}\n\n`),
      )
    const passTime = async (milliseconds: number) => {
      for (let passed = 0; passed < milliseconds; passed += 25) {
        t.mock.timers.tick(25)
        for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
      }
    }
    let changes = 0
    // The code of live events loads at once then.
    await loadLiveHints()
    t.after(client.watch('6025/42', (reason) => reason === 'changed' && changes++))
    const deadline = performance.now() + 20_000
    while (!stream) {
      assert.ok(performance.now() < deadline, 'No stream')
      await passTime(25)
    }
    await client.voidPackage(voiding)
    // The event may arrive after the read that follows the change.
    send('7-1')
    await passTime(300)
    assert.equal(changes, 1)
    send('7-2')
    await passTime(300)
    assert.equal(changes, 2, 'control')
  })
})

function setUp(options: Partial<ClientOptions> = {}) {
  const sent: string[] = []
  const client = createClient({
    endpoint: root,
    live: false,
    retries: 0,
    fetch: async (input, init) => {
      const path = (input as string).slice(root.length)
      const line = `${init?.method} ${path}`
      sent.push(line)
      if (path.includes('/page?')) return page()
      if (path.includes('/actions?')) return fromProxy([])
      return line in responses ? fromProxy(responses[line]) : fromProxy({}, { status: 204 })
    },
    ...options,
  })
  return { client, sent, count: (end: string) => sent.filter((line) => line.endsWith(end)).length }
}

function fromProxy(body: unknown, init: ResponseInit = {}): Response {
  const headers = new Headers(init.headers)
  headers.set('x-routeslip', '1')
  return new Response(init.status === 204 ? null : JSON.stringify(body), { ...init, headers })
}

/** The rights to a package, and the types of its attachments. */
function page(): Response {
  const lines = ['getActions', 'getAttachmentTypes'].map(
    (part) => `${JSON.stringify({ part, status: 200 })}\n[]\n`,
  )
  return new Response(lines.join(''), {
    headers: { 'content-type': 'application/x-ndjson', 'x-routeslip': '1' },
  })
}
