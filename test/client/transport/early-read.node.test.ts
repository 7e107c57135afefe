import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { startEarlyRead, takeEarlyRead } from '../../../src/client/transport/early-read.ts'
import { operationsOf } from '../../../src/client/transport/operation-input.ts'
import { pageTable } from '../../../src/client/page-table.ts'
import { createPageParts } from '../../../src/client/transport/page-parts.ts'

const root = 'https://site.test/api/wf'
const params = { formId: 6025, packageId: 42 }
const parts = ['getActions', 'getComments'] as const
const named = (names: readonly string[]) => operationsOf(pageTable).filter(({ name }) => names.includes(name))
const operations = named(parts)
const home = '/forms/6025/packages'
const rightsPath = `${home}/actions?id=42`
const commentsPath = `${home}/42/comments`
const pagePath = `${home}/42/page?part=getActions&part=getComments`
const init = { signal: new AbortController().signal }

const lines = (names: readonly string[]) =>
  names.map((part) => `${JSON.stringify({ part, status: 200 })}\n${JSON.stringify(part)}\n`).join('')
const page = (names: readonly string[] = parts) =>
  new Response(lines(names), { headers: { 'content-type': 'application/x-ndjson' } })

// An early read is kept for ten seconds.
beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
afterEach(() => mock.timers.reset())

/** Parts of a client that has been created after an early read. */
function setUp(response: () => Promise<Response>) {
  const sent: string[] = []
  startEarlyRead({ endpoint: `${root}/`, ...params, parts }, (input) => {
    sent.push(`early ${(input as string).slice(root.length)}`)
    return response()
  })
  const early = takeEarlyRead(root)
  const pageParts = createPageParts({
    root,
    fetch: (input) => {
      sent.push((input as string).slice(root.length))
      return Promise.resolve(Response.json('own'))
    },
  })
  if (early) pageParts.adopt(early, operations, early.response)
  const read = async (path: string) => (await (await pageParts.send(path, init)).json()) as unknown
  return { sent, pageParts, read }
}

describe('an early read', () => {
  it('is the request that the client would send, and brings all parts', async () => {
    const { sent, read } = setUp(() => Promise.resolve(page()))
    assert.deepEqual(await Promise.all([read(rightsPath), read(commentsPath)]), parts)
    assert.deepEqual(sent, [`early ${pagePath}`])
    // Each part has one reader.
    assert.equal(await read(commentsPath), 'own')
  })

  it('brings each part as soon as it arrives', async () => {
    let release!: () => void
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(lines(['getActions'])))
        release = () => {
          controller.enqueue(new TextEncoder().encode(lines(['getComments'])))
          controller.close()
        }
      },
    })
    const headers = { 'content-type': 'application/x-ndjson' }
    const { read } = setUp(() => Promise.resolve(new Response(body, { headers })))
    assert.equal(await read(rightsPath), 'getActions')
    const comments = read(commentsPath)
    release()
    assert.equal(await comments, 'getComments')
  })

  it('is replaced by requests of the client if it fails, or if a part is missing', async () => {
    const failed = setUp(() => Promise.reject(new TypeError('Failed to fetch')))
    failed.pageParts.expect(params, operations)
    assert.equal(await failed.read(rightsPath), 'own')
    assert.deepEqual(failed.sent, [`early ${pagePath}`, pagePath])

    const partial = setUp(() => Promise.resolve(page(['getActions'])))
    assert.deepEqual(await Promise.all([partial.read(rightsPath), partial.read(commentsPath)]), [
      'getActions',
      'own',
    ])
    assert.deepEqual(partial.sent, [`early ${pagePath}`, commentsPath])
  })

  it('is replaced by single requests if the proxy has no such page', async () => {
    const { sent, read } = setUp(() => Promise.resolve(new Response(null, { status: 404 })))
    assert.deepEqual(await Promise.all([read(rightsPath), read(commentsPath)]), ['own', 'own'])
    assert.deepEqual(sent, [`early ${pagePath}`, rightsPath, commentsPath])
  })

  it('passes a refusal on as that of the rights', async () => {
    const { sent, pageParts } = setUp(() => Promise.resolve(Response.json({}, { status: 401 })))
    assert.equal((await pageParts.send(rightsPath, init)).status, 401)
    assert.deepEqual(sent, [`early ${pagePath}`])
  })

  it('is dropped if the data may have changed since', async () => {
    const { sent, pageParts, read } = setUp(() => Promise.resolve(page()))
    pageParts.forget()
    assert.equal(await read(rightsPath), 'own')
    assert.deepEqual(sent, [`early ${pagePath}`, rightsPath])
  })

  it('is kept for five seconds for elements that load later', async () => {
    for (const [time, expected] of [
      [4999, 'getComments'],
      [5000, 'own'],
    ] as const) {
      const { read } = setUp(() => Promise.resolve(page()))
      await read(rightsPath)
      mock.timers.tick(time)
      assert.equal(await read(commentsPath), expected)
    }
  })

  it('is used once, by the client of its proxy, and for ten seconds', () => {
    const start = () => startEarlyRead({ endpoint: root, ...params, parts }, () => Promise.resolve(page()))
    start()
    assert.equal(takeEarlyRead('https://site.test/other'), undefined)
    mock.timers.tick(9999)
    assert.equal(takeEarlyRead(root)?.packageId, 42)
    assert.equal(takeEarlyRead(root), undefined)
    start()
    mock.timers.tick(10_000)
    assert.equal(takeEarlyRead(root), undefined)
  })

  it('brings what arrives together in one task, so that it is drawn in one frame', async () => {
    const { pageParts } = setUp(() => Promise.resolve(page()))
    const rights = await pageParts.send(rightsPath, init)
    assert.deepEqual([rights.ok, rights.status], [true, 200])
    let hasEnded = false
    setImmediate(() => (hasEnded = true))
    assert.equal(await rights.json(), 'getActions')
    assert.equal(await (await pageParts.send(commentsPath, init)).json(), 'getComments')
    assert.equal(hasEnded, false)
  })

  it('sends the header that a proxy requires, and does not follow redirects', () => {
    const inits: (RequestInit | undefined)[] = []
    startEarlyRead({ endpoint: root, ...params, parts }, (_, init) => {
      inits.push(init)
      return Promise.resolve(page())
    })
    const [init] = inits
    assert.equal(new Headers(init?.headers).get('x-routeslip'), '1')
    assert.equal(new Headers(init?.headers).get('accept'), 'application/json')
    assert.deepEqual([init?.credentials, init?.redirect], ['include', 'manual'])
  })
})
