import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { describe, it } from 'node:test'
import type { Dispatcher } from 'undici'
import { exchange } from '../../../src/proxy/node/exchange.ts'
import { largeSize, type SendRequest } from '../../../src/proxy/upstream/send.ts'

const base: SendRequest = {
  service: 'workflow',
  method: 'GET',
  url: 'http://service.test/a?b=1',
  headers: { accept: 'application/json' },
  signal: new AbortController().signal,
}

/** Sends a request over a dispatcher that the test drives. Records what is done with the connection. */
function setUp(request: Partial<SendRequest> = {}) {
  const actions: string[] = []
  const sent: Dispatcher.DispatchOptions[] = []
  let handler: Dispatcher.DispatchHandler | undefined
  const dispatcher = {
    dispatch(options: Dispatcher.DispatchOptions, given: Dispatcher.DispatchHandler) {
      sent.push(options)
      handler = given
      return true
    },
  } as unknown as Dispatcher
  const controller = {
    pause: () => actions.push('pause'),
    resume: () => actions.push('resume'),
    abort: (reason: Error) => actions.push(`abort: ${reason.message}`),
  } as unknown as Dispatcher.DispatchController
  const response = exchange(dispatcher, { ...base, ...request }, 7)
  response.catch(() => {})
  const start = (status = 200, headers: Record<string, string | string[]> = {}) =>
    handler?.onResponseStart?.(controller, status, headers, '')
  return {
    response,
    sent,
    actions,
    connect: () => handler?.onRequestStart?.(controller, null),
    start,
    data: (size: number) => handler?.onResponseData?.(controller, Buffer.alloc(size, 'x')),
    end: () => handler?.onResponseEnd?.(controller, {}),
    fail: (error: Error) => handler?.onResponseError?.(controller, error),
    /** A response whose headers have arrived. */
    async begin(...args: Parameters<typeof start>) {
      handler?.onRequestStart?.(controller, null)
      start(...args)
      return await response
    },
  }
}

describe('exchange() sends', () => {
  it('the parts of a request', () => {
    const body = '{}'
    const { sent } = setUp({ method: 'PUT', body })
    const [origin, headers] = ['http://service.test', base.headers]
    assert.deepEqual(sent, [{ origin, path: '/a?b=1', method: 'PUT', headers, body, headersTimeout: 7 }])
    assert.equal(setUp().sent[0]?.body, null)
  })

  it('a URL in its normal form', () => {
    for (const [url, origin, path] of [
      ['http://service.test/a', 'http://service.test', '/a'],
      ['http://service.test/a', 'http://service.test', '/a'],
      ['http://service.test:80/a', 'http://service.test', '/a'],
      ['http://service.test:80/b', 'http://service.test', '/b'],
      ['https://service.test:8443/', 'https://service.test:8443', '/'],
      ['http://service.test/a/../b?c', 'http://service.test', '/b?c'],
      ['http://service.test/a/./b', 'http://service.test', '/a/b'],
      ['http://service.test/a?b=%20&c=+', 'http://service.test', '/a?b=%20&c=+'],
      ['http://service.test/a b', 'http://service.test', '/a%20b'],
      ['http://service.test/a#b', 'http://service.test', '/a'],
      ['http://SERVICE.test/a', 'http://service.test', '/a'],
      ['http://service.test', 'http://service.test', '/'],
      ['http://service.test?a=1', 'http://service.test', '/?a=1'],
      ['http://[::1]:81/a', 'http://[::1]:81', '/a'],
    ] as const) {
      const [options] = setUp({ url }).sent
      assert.deepEqual([options?.origin, options?.path], [origin, path], url)
    }
  })

  it('nothing if the request has been aborted', async () => {
    const reason = new Error('gone')
    const aborted = setUp({ signal: AbortSignal.abort(reason) })
    await assert.rejects(aborted.response, reason)
    const other = setUp({ onAbort: (listener) => listener(reason) })
    await assert.rejects(other.response, reason)
    assert.deepEqual([aborted.sent, other.sent], [[], []])
  })
})

describe('exchange() receives', () => {
  it('the status and the headers', async () => {
    const { start, begin } = setUp()
    start(103, { link: 'early' })
    const response = await begin(201, { 'content-type': 'text/plain', 'x-two': ['a', 'b'] })
    assert.equal(response.status, 201)
    assert.equal(response.header('Content-Type'), 'text/plain')
    assert.equal(response.header('x-two'), 'a, b')
    assert.equal(response.header('link'), null)
  })

  it('the whole body, whether it arrives before or after it is read', async () => {
    for (const [early, late] of [
      [[3], []],
      [[1, 2], [3]],
      [[], [2]],
      [[], []],
    ] as const) {
      const { begin, data, end, actions } = setUp()
      const response = await begin()
      for (const size of early) data(size)
      if (late.length === 0) end()
      const bytes = response.bytes(100)
      for (const size of late) data(size)
      if (late.length > 0) end()
      const expected = [...early, ...late].reduce((sum: number, size) => sum + size, 0)
      assert.equal((await bytes).toString(), 'x'.repeat(expected))
      assert.deepEqual(actions, late.length > 0 ? ['resume'] : [])
    }
  })

  it('no more than 64 kB before it is read', async () => {
    const { begin, data, actions } = setUp()
    await begin()
    data(64 * 1024)
    assert.deepEqual(actions, [])
    data(1)
    assert.deepEqual(actions, ['pause'])
  })

  it('a body up to the limit, and breaks a larger one off', async () => {
    const { begin, data, end, actions } = setUp()
    const exact = (await begin()).bytes(10)
    data(10)
    end()
    assert.equal((await exact).length, 10)
    const other = setUp()
    const larger = (await other.begin()).bytes(10)
    other.data(11)
    await assert.rejects(larger, new Error('The response is larger than 10 bytes'))
    assert.deepEqual([actions, other.actions], [['resume'], ['resume', 'abort: Broken off']])
  })

  it('a large body only when it is permitted', async () => {
    const { begin, data, end, actions } = setUp()
    const asked: number[] = []
    let permit = () => {}
    const bytes = (await begin()).bytes(10 * largeSize, (size) => {
      asked.push(size)
      return asked.length === 1 ? new Promise((resolve) => (permit = resolve)) : undefined
    })
    data(largeSize)
    assert.deepEqual([asked, actions], [[], ['resume']])
    data(1)
    data(1)
    assert.deepEqual([asked, actions], [[largeSize + 1], ['resume', 'pause', 'pause']])
    permit()
    await Promise.resolve()
    await Promise.resolve()
    assert.equal(actions.at(-1), 'resume')
    data(1)
    assert.deepEqual([asked, actions.at(-1)], [[largeSize + 1, largeSize + 3], 'resume'])
    end()
    assert.equal((await bytes).length, largeSize + 3)
  })

  it('a large body that is there already only when it is permitted', async () => {
    const { begin, data, actions } = setUp()
    const response = await begin()
    data(largeSize + 1)
    void response.bytes(10 * largeSize, () => new Promise(() => {}))
    assert.deepEqual(actions, ['pause', 'pause', 'resume', 'pause'])
  })

  it('no large body that is not permitted', async () => {
    const refusal = new Error('too busy')
    for (const permit of [
      () => Promise.reject(refusal),
      () => {
        throw refusal
      },
    ]) {
      const { begin, data, actions } = setUp()
      const bytes = (await begin()).bytes(10 * largeSize, permit)
      data(largeSize + 1)
      await assert.rejects(bytes, refusal)
      assert.equal(actions.at(-1), 'abort: Broken off')
    }
  })

  it('a body as a stream', async () => {
    const { begin, data, end } = setUp()
    const stream = (await begin()).stream()
    data(2)
    end()
    assert.equal(await new Response(stream).text(), 'xx')
  })

  it('no more when its stream is cancelled, and nothing to break off after its end', async () => {
    const cancelled = setUp()
    await (await cancelled.begin()).stream().cancel()
    assert.equal(cancelled.actions.at(-1), 'abort: Broken off')
    const whole = setUp()
    const stream = (await whole.begin()).stream()
    whole.end()
    await stream.cancel()
    assert.equal(whole.actions.includes('abort: Broken off'), false)
  })
})

describe('exchange() fails', () => {
  const error = new Error('reset')

  it('with the error of the connection, before and while the body arrives', async () => {
    const early = setUp()
    early.fail(error)
    await assert.rejects(early.response, error)
    const { begin, data, fail } = setUp()
    const bytes = (await begin()).bytes(10)
    data(1)
    fail(error)
    await assert.rejects(bytes, error)
    const late = setUp()
    const response = await late.begin()
    late.fail(error)
    await assert.rejects(response.bytes(10), error)
    const streamed = setUp()
    const stream = (await streamed.begin()).stream()
    streamed.fail(error)
    await assert.rejects(new Response(stream).text(), error)
  })

  it('with the reason of an abort, and breaks the request off', async () => {
    const reason = new Error('gone')
    for (const isConnected of [true, false]) {
      let abort: (reason: unknown) => void = () => {}
      const { response, connect, actions } = setUp({ onAbort: (listener) => (abort = listener) })
      if (isConnected) connect()
      abort(reason)
      abort(new Error('later'))
      await assert.rejects(response, reason)
      if (!isConnected) connect()
      assert.deepEqual(actions, ['abort: Broken off'])
    }
    let abort: (reason: unknown) => void = () => {}
    const { begin, actions } = setUp({ onAbort: (listener) => (abort = listener) })
    const stream = (await begin()).stream()
    abort('no error')
    await assert.rejects(new Response(stream).text(), /no error/)
    assert.equal(actions.at(-1), 'abort: Broken off')
  })

  it('no more after the end, and leaves no listener on the signal', async () => {
    const { signal } = new AbortController()
    const listeners = () => getEventListeners(signal, 'abort').length
    const whole = setUp({ signal })
    assert.equal(listeners(), 1)
    const response = await whole.begin()
    whole.data(1)
    whole.end()
    assert.equal(listeners(), 0)
    whole.fail(error)
    assert.equal((await response.bytes(10)).length, 1)
    const failing = setUp({ signal })
    failing.fail(error)
    await assert.rejects(failing.response, error)
    assert.equal(listeners(), 0)
  })
})
