import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { operationsOf } from '../../../src/client/transport/operation-input.ts'
import { pageTable } from '../../../src/client/page-table.ts'
import { createPageParts } from '../../../src/client/transport/page-parts.ts'
import type { ProxyResponse } from '../../../src/client/transport/proxy-probe.ts'

const root = 'https://site.test/api/wf'
const params = { formId: 6025, packageId: 42 }
const home = '/forms/6025/packages'
const rightsPath = `${home}/actions?id=42`
const commentsPath = `${home}/42/comments`
const pagePath = `${home}/42/page?part=getActions&part=getComments`
const type = 'application/x-ndjson'
const operation = (name: string) => operationsOf(pageTable).find((each) => each.name === name)!

describe('createPageParts()', () => {
  it('requests what several elements expect of a package in one request', async (t) => {
    const { pageParts, sent, send } = setUp(t, () => page(['getActions', 'getComments', 'getAttachments']))
    pageParts.expect(params, [operation('getComments')])
    pageParts.expect(params, [operation('getAttachments')])
    assert.equal(await read(send(rightsPath)), 'getActions')
    assert.equal(await read(send(commentsPath)), 'getComments')
    assert.equal(await read(send(`${home}/42/attachments`)), 'getAttachments')
    assert.deepEqual(sent, [`${pagePath}&part=getAttachments`])
  })

  it('ignores a part that it has not requested', async (t) => {
    const { sent, expect, send } = setUp(t, () => page(['getHistory', 'getActions', 'getComments']))
    expect()
    assert.equal(await read(send(rightsPath)), 'getActions')
    assert.equal(await read(send(commentsPath)), 'getComments')
    assert.deepEqual(sent, [pagePath])
  })

  it('rejects with the error of a connection that ends before the rights arrive', async (t) => {
    const reset = new TypeError('reset')
    const body = () => new ReadableStream({ pull: (controller) => controller.error(reset) })
    const { expect, send } = setUp(t, () => new Response(body(), { headers: { 'content-type': type } }))
    expect()
    await assert.rejects(send(rightsPath), reset)
  })

  it('rejects if the rights are missing in a complete response', async (t) => {
    const { expect, send } = setUp(t, () => page(['getComments']))
    expect()
    await assert.rejects(send(rightsPath), { name: 'TypeError', message: 'A part is missing' })
  })

  it('returns a refusal without a body as it is, whatever its type', async (t) => {
    const headers = { 'content-type': type }
    const { sent, expect, send } = setUp(t, () => new Response(null, { status: 401, headers }))
    expect()
    assert.equal((await send(rightsPath)).status, 401)
    assert.deepEqual(sent, [pagePath])
  })

  it('sets Retry-After only for the parts that have it', async (t) => {
    const { expect, send } = setUp(
      t,
      () =>
        new Response(part('getActions') + part('getComments', { status: 503, retryAfter: '7' }), {
          headers: { 'content-type': type },
        }),
    )
    expect()
    assert.equal((await send(rightsPath)).headers.get('retry-after'), null)
    assert.equal((await send(commentsPath)).headers.get('retry-after'), '7')
  })

  it('keeps a newer part when the time of an older one ends', async (t) => {
    const { sent, expect, send } = setUp(t, () => page(['getActions', 'getComments']))
    for (const wait of [600, 500]) {
      expect()
      await read(send(rightsPath))
      // The other part arrives in the same chunk.
      await new Promise(setImmediate)
      t.mock.timers.tick(wait)
    }
    assert.equal(await read(send(commentsPath)), 'getComments')
    assert.deepEqual(sent, [pagePath, pagePath])

    expect()
    await read(send(rightsPath))
    await new Promise(setImmediate)
    t.mock.timers.tick(1000)
    assert.equal(await read(send(commentsPath)), 'own', 'control')
  })

  it('rejects a reader that leaves before its part arrives, and requests nothing for it', async (t) => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(part('getActions'))),
    })
    const { sent, expect, send } = setUp(t, () => new Response(body, { headers: { 'content-type': type } }))
    expect()
    await read(send(rightsPath))
    const leave = new AbortController()
    const reading = assert.rejects(send(commentsPath, leave.signal), /left/)
    leave.abort(new Error('left'))
    await reading
    assert.deepEqual(sent, [pagePath])

    // Its part has gone with it, so the next reader gets one of its own.
    assert.equal(await read(send(commentsPath)), 'own', 'control')
    assert.deepEqual(sent, [pagePath, commentsPath])
  })
})

/** Parts whose pages are the results of `respond`. Time stands still, unless the test lets it pass. */
function setUp(t: TestContext, respond: () => Response) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const sent: string[] = []
  const pageParts = createPageParts({
    root,
    fetch: (input) => {
      const path = (input as string).slice(root.length)
      sent.push(path)
      return Promise.resolve(path.includes('/page?') ? respond() : Response.json('own'))
    },
  })
  return {
    pageParts,
    sent,
    expect: () => pageParts.expect(params, [operation('getComments')]),
    send: (path: string, signal = new AbortController().signal) => pageParts.send(path, { signal }),
  }
}

/** One part, whose body is its own name. */
function part(name: string, head: object = {}): string {
  return `${JSON.stringify({ part: name, status: 200, ...head })}\n${JSON.stringify(name)}\n`
}

function page(names: readonly string[]): Response {
  return new Response(names.map((name) => part(name)).join(''), { headers: { 'content-type': type } })
}

async function read(sending: Promise<ProxyResponse>): Promise<unknown> {
  return await (await sending).json()
}
