import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createClient, ForbiddenError, SignedOutError, UnavailableError } from '../../../src/client/index.ts'
import type { PagePart } from '../../../src/contract/routes/package-page.ts'
import { nextTurn } from '../../next-turn.ts'

const params = { formId: 6025, packageId: 42 }
const home = '/forms/6025/packages'
const rightsPath = `${home}/actions?id=42`
const pagePath = `${home}/42/page?part=getActions&part=getComments&part=getAttachments`
const marked = { 'x-routeslip': '1', 'x-routeslip-person': '10000001' }
const flags = [
  'canView',
  'canEdit',
  'canSign',
  'canVoid',
  'canInitiatorVoid',
  'canAddApprover',
  'canVoidAfter',
]
const rightsTo = (packageId: number) => ({
  packageId,
  ...Object.fromEntries(flags.map((flag) => [flag, true])),
  signatureId: null,
  tools: [],
})
const comment = {
  id: 7,
  comment: 'Hello',
  createdAt: '2026-11-16T10:00:00',
  approversOnly: false,
  state: 'ACTIVE',
  canDelete: null,
  person: null,
}

const rights = line('getActions', [rightsTo(42)])
const comments = line('getComments', [comment])
const attachments = line('getAttachments', [])

function line(part: PagePart, body: unknown, head: object = {}): string {
  return `${JSON.stringify({ part, status: 200, ...head })}\n${JSON.stringify(body)}\n`
}

/** A response of a page, in any chunks. */
function page(...chunks: readonly string[]): Response {
  return new Response(streamOf(chunks), {
    headers: { ...marked, 'content-type': 'application/x-ndjson' },
  })
}

function streamOf(chunks: Iterable<string> | AsyncIterable<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async start(controller) {
      for await (const chunk of chunks) controller.enqueue(encoder.encode(chunk))
      controller.close()
    },
  })
}

const own: Readonly<Record<string, () => Response>> = {
  [rightsPath]: () => Response.json([rightsTo(42)], { headers: marked }),
  [`${home}/actions?id=42&id=43`]: () => Response.json([rightsTo(42), rightsTo(43)], { headers: marked }),
  [`${home}/42/comments`]: () => Response.json([comment], { headers: marked }),
  [`${home}/42/attachments`]: () => Response.json([], { headers: marked }),
}

describe('reads that a page expects', () => {
  /** A client whose proxy responds to `pagePath` with the result of `respond`. */
  function setUp(respond: () => Response | Promise<Response>) {
    const sent: string[] = []
    const client = createClient({
      endpoint: 'https://site.test/api/wf',
      live: false,
      retries: 0,
      fetch: (input) => {
        const path = (input as string).slice('https://site.test/api/wf'.length)
        sent.push(path)
        const response = path.startsWith(`${home}/42/page`) ? respond() : own[path]?.()
        return Promise.resolve(response ?? new Response(null, { status: 404, headers: marked }))
      },
    })
    return {
      client,
      sent,
      expect: () => client.expect(params, ['getComments', 'getAttachments']),
      readRights: (id = [42]) => client.getActions({ params: { formId: 6025 }, query: { id } }),
      readComments: (signal?: AbortSignal) => client.getComments({ params }, { signal }),
      readAttachments: () => client.getAttachments({ params }),
    }
  }

  for (const [name, chunks] of [
    ['in one chunk', [rights + comments + attachments]],
    ['part by part, in another order', [rights, attachments, comments]],
    ['byte by byte', [...(rights + comments + attachments)]],
  ] as const) {
    it(`come with the rights: ${name}`, async () => {
      const { sent, expect, readRights, readComments, readAttachments } = setUp(() => page(...chunks))
      expect()
      assert.equal((await readRights())[0]?.canView, true)
      assert.deepEqual(await Promise.all([readComments(), readAttachments()]), [[comment], []])
      assert.deepEqual(sent, [pagePath])
    })
  }

  it('are resolved one by one', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    async function* chunks() {
      yield rights + attachments
      await held
      yield comments
    }
    const body = streamOf(chunks())
    const headers = { ...marked, 'content-type': 'application/x-ndjson' }
    const { expect, readRights, readComments, readAttachments } = setUp(() => new Response(body, { headers }))
    expect()
    await readRights()
    const reading = readComments()
    assert.deepEqual(await readAttachments(), [])
    release()
    assert.deepEqual(await reading, [comment])
  })

  it('are requested on their own if nobody reads the rights, or reads those of two packages', async () => {
    const { sent, expect, readRights, readComments } = setUp(() => assert.fail())
    expect()
    await readComments()
    expect()
    await readRights([42, 43])
    assert.deepEqual(sent, [`${home}/42/comments`, `${home}/actions?id=42&id=43`])
    // An expectation is over after two turns.
    const late = setUp(() => assert.fail())
    late.expect()
    for (let turn = 0; turn < 3; turn++) await nextTurn()
    await late.readRights()
    assert.deepEqual(late.sent, [rightsPath])
  })

  it('are requested on their own from a proxy without pages', async () => {
    const { sent, expect, readRights, readComments } = setUp(
      () => new Response(null, { status: 404, headers: marked }),
    )
    expect()
    await readRights()
    await readComments()
    assert.deepEqual(sent, [pagePath, rightsPath, `${home}/42/comments`])
  })

  it('are requested on their own if the connection ends before they arrive', async () => {
    const { sent, expect, readRights, readComments, readAttachments } = setUp(() =>
      page(rights, comments.slice(0, 50)),
    )
    expect()
    await readRights()
    assert.deepEqual(await readComments(), [comment])
    assert.deepEqual(await readAttachments(), [])
    assert.deepEqual(sent, [pagePath, `${home}/42/comments`, `${home}/42/attachments`])
  })

  it('fail as they would on their own', async () => {
    const { sent, expect, readRights, readComments, readAttachments } = setUp(() =>
      page(
        rights,
        line('getComments', { status: 403, detail: 'No' }, { status: 403 }),
        line('getAttachments', { status: 503 }, { status: 503, retryAfter: '7' }),
      ),
    )
    expect()
    await readRights()
    await assert.rejects(readComments(), ForbiddenError)
    await assert.rejects(
      readAttachments(),
      (error) => error instanceof UnavailableError && error.retryAfter === 7000,
    )
    assert.deepEqual(sent, [pagePath])
  })

  it('do not hide that nobody is signed in, or that the proxy is busy', async () => {
    const signedOut = setUp(() => new Response(null, { status: 401, headers: marked }))
    signedOut.expect()
    await assert.rejects(signedOut.readRights(), SignedOutError)
    const busy = setUp(() => new Response(null, { status: 503, headers: marked }))
    busy.expect()
    await assert.rejects(busy.readRights(), UnavailableError)
    const cut = setUp(() => page(''))
    cut.expect()
    await assert.rejects(cut.readRights(), UnavailableError)
  })

  it('are requested again after a change, and when they are read later', async (t) => {
    const { client, sent, expect, readRights, readComments } = setUp(() =>
      page(rights, comments, attachments),
    )
    expect()
    await readRights()
    client.invalidate('6025/42')
    await readComments()
    assert.deepEqual(sent, [pagePath, `${home}/42/comments`])

    t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.now() })
    client.invalidate('6025/42')
    expect()
    const reading = readRights()
    t.mock.timers.tick(0)
    await reading
    t.mock.timers.tick(1000)
    await readComments()
    assert.deepEqual(sent.slice(2), [pagePath, `${home}/42/comments`])
  })

  it('end when their reader leaves', async () => {
    const { expect, readRights, readComments } = setUp(() => {
      const body = new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode(rights)),
      })
      return new Response(body, { headers: { ...marked, 'content-type': 'application/x-ndjson' } })
    })
    expect()
    await readRights()
    const leave = new AbortController()
    const reading = readComments(leave.signal)
    leave.abort(new Error('left'))
    await assert.rejects(reading, /left/)
  })

  it('do not request configuration that is known', async () => {
    const session = {
      univid: '10000001',
      env: 'test',
      forms: [6025],
      allows: { operations: [], maxFileSize: 1, extensions: null },
    }
    const { client, sent, readRights } = setUp(() => page(rights, line('getSession', session)))
    for (let round = 0; round < 2; round++) {
      client.expect(params, ['getSession'])
      await readRights()
      await client.getSession()
      client.invalidate('6025/42')
    }
    assert.deepEqual(sent, [`${home}/42/page?part=getActions&part=getSession`, rightsPath])
  })
})
