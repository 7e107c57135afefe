import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import {
  createThreadedWork,
  type ThreadedWorkOptions,
} from '../../../../src/proxy/node/thread/threaded-work.ts'
import { nodeRuntime } from '../../../../src/proxy/node/runtime.ts'

/** The module of a thread that returns its id and the order, or does what the code says. */
function moduleOf(code = ''): URL {
  const text = `
    import { parentPort, threadId } from 'node:worker_threads'
    parentPort.on('message', (order) => {
      const reply = (result, logged = []) => parentPort.postMessage({ result, logged })
      ${code}
      reply({ value: [threadId, order] })
    })
    parentPort.postMessage('ready')`
  return new URL(`data:text/javascript,${encodeURIComponent(text)}`)
}

const turn = { holder: 'a', signal: new AbortController().signal }
const facts = { name: 'getHistory', params: undefined, version: undefined, requestId: 'r' } as const
const html = (length: number) => 'x'.repeat(length)

/** Work in a thread, what it logs, and the ids of its threads. */
function setUp(t: TestContext, { code, ...options }: Partial<ThreadedWorkOptions> & { code?: string } = {}) {
  const logged: unknown[] = []
  const log: ThreadedWorkOptions['log'] = (...entry) => logged.push(entry)
  const work = createThreadedWork({ module: moduleOf(code), log, ...options })
  t.after(() => work.close())
  const threadOf = async () => ((await work.sanitizeHtml(turn, html(501))) as unknown as [number])[0]
  return { work, logged, log, threadOf }
}

it('The module of the thread refuses to run outside of one', async () => {
  await assert.rejects(import('../../../../src/proxy/node/thread/work-thread.ts'), /runs only in a thread/)
})

describe('createThreadedWork() uses its thread', () => {
  it('for long HTML and bodies, and for each response', async (t) => {
    const { work, log } = setUp(t)
    const orders: unknown[] = []
    const add = (done: unknown) => orders.push((done as [number, unknown])[1])
    add(await work.sanitizeHtml(turn, html(501)))
    const bytes = () => new TextEncoder().encode(`"${'x'.repeat(16 * 1024 - 1)}"`)
    const body = { name: 'updateEntry', version: undefined } as const
    add(await work.readBody(turn, { ...body, bytes: bytes() }))
    add(await work.readResponse(turn, { bytes: new Uint8Array([1]), facts }, log))
    add(await work.readJson(turn, { bytes: new Uint8Array([2]), facts }, log))
    assert.deepEqual(orders, [
      { task: 'sanitizeHtml', input: html(501) },
      { task: 'readBody', input: { ...body, bytes: bytes() } },
      { task: 'readResponse', input: { bytes: new Uint8Array([1]), facts } },
      { task: 'readJson', input: { bytes: new Uint8Array([2]), facts } },
    ])
  })

  it('for nothing that costs less than to hand it over', async (t) => {
    const { work, logged } = setUp(t, { module: new URL('missing.js', import.meta.url) })
    assert.equal(await work.sanitizeHtml(turn, html(500)), html(500))
    const text = JSON.stringify({ filename: 'a'.repeat(100) }).padEnd(16 * 1024)
    const read = await work.readBody(turn, {
      ...{ name: 'updateFileMeta', version: undefined },
      bytes: new TextEncoder().encode(text),
    })
    assert.deepEqual(read.value, { filename: 'a'.repeat(100) })
    assert.deepEqual(logged, [], 'no thread has been started')
  })

  it('and hands bytes over with their buffer, but never a buffer that belongs to others too', async (t) => {
    const { work, log } = setUp(t)
    const whole = new Uint8Array([1, 2, 3])
    await work.readResponse(turn, { bytes: whole, facts }, log)
    assert.equal(whole.byteLength, 0)
    const shared = new Uint8Array([1, 2, 3])
    const part = shared.subarray(1)
    const [, order] = (await work.readResponse(turn, { bytes: part, facts }, log)) as [number, unknown]
    assert.deepEqual(order, { task: 'readResponse', input: { bytes: new Uint8Array([2, 3]), facts } })
    assert.deepEqual([...shared], [1, 2, 3])
  })

  it('again, until there has been no work for 30 seconds', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { threadOf } = setUp(t)
    const first = await threadOf()
    t.mock.timers.tick(29_999)
    assert.equal(await threadOf(), first)
    t.mock.timers.tick(29_999)
    assert.equal(await threadOf(), first, 'the time begins anew')
    t.mock.timers.tick(30_000)
    assert.notEqual(await threadOf(), first)
  })

  it('and starts another one after it is closed', async (t) => {
    const { work, threadOf } = setUp(t)
    const first = await threadOf()
    await work.close()
    assert.notEqual(await threadOf(), first)
  })
})

describe('createThreadedWork() reports', () => {
  it('what the thread logs to the caller, and what has failed there', async (t) => {
    const code = `
      if (order.task === 'readJson') return reply({ error: 'TypeError: broken' }, [['warn', 'b', {}]])
      if (order.task === 'readResponse') return reply({ value: 1 }, [['error', 'a', { x: 1 }]])`
    const { work, logged } = setUp(t, { code })
    const own: unknown[] = []
    const logOfCaller: ThreadedWorkOptions['log'] = (...entry) => own.push(entry)
    const input = () => ({ bytes: new Uint8Array([1]), facts })
    assert.equal(await work.readResponse(turn, input(), logOfCaller), 1)
    await assert.rejects(work.readJson(turn, input(), logOfCaller), new Error('TypeError: broken'))
    assert.deepEqual(own, [
      ['error', 'a', { x: 1 }],
      ['warn', 'b', {}],
    ])
    assert.deepEqual(logged, [])
  })

  it('a thread that cannot start, once, and does the work all the same', async (t) => {
    const { work, logged } = setUp(t, { module: new URL('data:text/javascript,throw new Error("no")') })
    for (let time = 0; time < 2; time++) assert.equal(await work.sanitizeHtml(turn, html(501)), html(501))
    const message = 'There is no work thread. Large bodies and responses slow down other requests'
    assert.deepEqual(logged, [['warn', message, { error: 'Error: no' }]])
  })

  it('an error of the thread, and starts another one for the next piece', async (t) => {
    const { work, logged, threadOf } = setUp(t, {
      code: `if (order.input.startsWith?.('y')) throw new RangeError('broken')`,
    })
    const first = await threadOf()
    await assert.rejects(work.sanitizeHtml(turn, 'y'.repeat(501)), /broken/)
    assert.notEqual(await threadOf(), first)
    assert.deepEqual(logged, [])
  })

  it('nothing if it runs from its sources, where there is no thread', async (t) => {
    const { work, logged } = setUp(t, { module: undefined })
    assert.equal(await work.sanitizeHtml(turn, html(501)), html(501))
    assert.deepEqual(logged, [])
  })
})

describe('nodeRuntime()', () => {
  it('sends with a given fetch, and then has no connections of its own', async () => {
    const urls: string[] = []
    const runtime = nodeRuntime({
      fetch: async (input) => {
        urls.push(String(input instanceof Request ? input.url : input))
        return new Response('ok', { status: 201 })
      },
    })
    const response = await runtime.send({
      service: 'storage',
      method: 'GET',
      url: 'http://service.test/a',
      headers: {},
      signal: new AbortController().signal,
    })
    assert.deepEqual([response.status, urls], [201, ['http://service.test/a']])
    assert.equal(runtime.pausedServices, undefined)
    await runtime.close()
  })

  it('knows which services are paused, and logs that', async () => {
    const logged: unknown[] = []
    const runtime = nodeRuntime({
      breaker: { calls: 1 },
      connectTimeout: 1000,
      log: (...entry) => logged.push(entry.slice(0, 2)),
    })
    assert.deepEqual(runtime.pausedServices?.(), [])
    // No program listens on port 1.
    const request = {
      service: 'storage',
      method: 'GET',
      url: 'http://127.0.0.1:1/',
      headers: {},
      signal: new AbortController().signal,
    } as const
    await assert.rejects(runtime.send(request))
    assert.deepEqual(runtime.pausedServices?.(), ['storage'])
    assert.deepEqual(logged, [['warn', 'A service fails. Requests to it are paused']])
    await runtime.close()
    await assert.rejects(runtime.send({ ...request, service: 'workflow' }), /destroyed/)
  })
})
