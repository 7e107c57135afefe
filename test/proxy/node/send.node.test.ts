import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { getEventListeners, once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { NodeBodyStream } from '../../../src/proxy/node/node-body-stream.ts'
import { createSend, type SendOptions, type ServiceSender } from '../../../src/proxy/node/send.ts'
import { ProxyError } from '../../../src/proxy/http/problem.ts'
import {
  type Send,
  type SendResponse,
  type SendRequest,
  ServicePausedError,
} from '../../../src/proxy/upstream/send.ts'
import { until } from '../until.ts'

describe('createSend()', () => {
  let server: Server
  let url: string
  let respond: (...exchange: Parameters<RequestListener>) => unknown
  let send: Send
  let closeSend: () => Promise<void>
  let pausedServices: ServiceSender['pausedServices']
  const unhandled: unknown[] = []
  const note = (error: unknown) => unhandled.push(error)

  before(() => process.on('unhandledRejection', note))
  after(() => {
    process.off('unhandledRejection', note)
    assert.deepEqual(unhandled, [])
  })

  beforeEach(async () => {
    respond = (_, response) => response.end('{}')
    server = createServer((request, response) => void respond(request, response)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    use()
  })
  afterEach(async () => {
    await closeSend()
    server.close()
    server.closeAllConnections()
  })

  function use(options?: SendOptions): void {
    const made = createSend(options)
    send = made.send
    closeSend = made.close
    pausedServices = made.pausedServices
  }

  function sendRequest(request: Partial<SendRequest> = {}): Promise<SendResponse> {
    const { signal } = new AbortController()
    return send({ service: 'workflow', method: 'GET', url, headers: {}, signal, ...request })
  }

  describe('a request', () => {
    it('arrives unchanged, and its response is returned', async () => {
      const arrived: unknown[] = []
      respond = async (request, response) => {
        const { method, url: target, headers } = request
        arrived.push(method, target, headers['x-one'], await textOf(request))
        response.writeHead(201, { 'X-Two': ['b', 'c'] }).end('größer')
      }
      const received = await sendRequest({
        method: 'PUT',
        url: `${url}a/b?c=d%20e`,
        headers: { 'X-One': 'a' },
        body: '{"é":1}',
      })
      assert.equal(received.status, 201)
      assert.equal(received.header('x-two'), 'b, c')
      assert.equal(received.header('X-Three'), null)
      assert.equal(await textIn(received, 100), 'größer')
      assert.deepEqual(arrived, ['PUT', '/a/b?c=d%20e', 'a', '{"é":1}'])
    })

    it('sends a body while it is generated', async () => {
      const content = randomBytes(3_000_000)
      respond = async (request, response) => {
        const hash = createHash('sha256')
        for await (const chunk of request) hash.update(chunk as Buffer)
        response.end(hash.digest('hex'))
      }
      async function* pieces() {
        for (let at = 0; at < content.length; at += 50_000) yield content.subarray(at, at + 50_000)
      }
      const received = await sendRequest({ method: 'POST', body: pieces() })
      assert.equal(await textIn(received, 100), createHash('sha256').update(content).digest('hex'))
    })

    it('fails if no server listens (F01)', async () => {
      const gone = createServer().listen(0, '127.0.0.1')
      await once(gone, 'listening')
      const { port } = gone.address() as AddressInfo
      gone.close()
      await assert.rejects(sendRequest({ url: `http://127.0.0.1:${port}/` }), { code: 'ECONNREFUSED' })
    })

    it('times out if no response arrives, except for an upload (F02)', async () => {
      use({ headersTimeout: 100 })
      let finish = () => {}
      respond = (request, response) => {
        if (request.method === 'POST') finish = () => response.end('late')
      }
      async function* body() {
        yield new Uint8Array(1)
      }
      const upload = sendRequest({ method: 'POST', body: body(), isFile: true })
      await assert.rejects(sendRequest(), { code: 'UND_ERR_HEADERS_TIMEOUT' })
      finish()
      assert.equal(await textIn(await upload, 10), 'late')
    })

    it('times out if a response stalls (F11)', async () => {
      use({ bodyTimeout: 100 })
      respond = (_, response) => void response.writeHead(200).write('some')
      await assert.rejects(textIn(await sendRequest(), 100), { code: 'UND_ERR_BODY_TIMEOUT' })
    })

    it('does not follow redirects (T11)', async () => {
      let hits = 0
      respond = (request, response) => {
        if (request.url === '/elsewhere') hits++
        response.writeHead(Number(request.url?.slice(1)), { location: `${url}elsewhere` }).end('see there')
      }
      for (const status of [300, 301, 302, 303, 304, 307, 308]) {
        await assert.rejects(sendRequest({ url: `${url}${status}` }), {
          name: 'TypeError',
          message: 'The service responded with a redirect',
        })
      }
      assert.equal(hits, 0)
    })

    it('does not share connections with the other service', async () => {
      use({ connections: 1 })
      respond = (request, response) => {
        if (request.url === '/fast') response.end('{}')
      }
      const controller = new AbortController()
      const slow = sendRequest({ signal: controller.signal })
      assert.equal((await sendRequest({ service: 'storage', url: `${url}fast` })).status, 200)
      controller.abort()
      await assert.rejects(slow)
    })
  })

  describe('the text of a response', () => {
    it('closes the connection as soon as it is too long', async () => {
      const closed = new Promise<void>((resolve) => {
        respond = (request, response) => {
          request.socket.on('close', () => resolve())
          response.writeHead(200)
          Readable.from(forever()).pipe(response)
        }
      })
      await assert.rejects(textIn(await sendRequest(), 200_000), /larger than/)
      await closed
    })

    it('is decoded from any chunks, without a byte order mark', async () => {
      respond = async (_, response) => {
        for (const byte of Buffer.from('\uFEFFé€😀'))
          await new Promise((done) => response.write(Buffer.of(byte), done))
        response.end()
      }
      assert.equal(await textIn(await sendRequest(), 100), 'é€😀')
    })
  })

  describe('the stream of a response', () => {
    it('arrives byte for byte', async () => {
      const content = randomBytes(2_000_000)
      respond = (_, response) => response.end(content)
      const received = await sendRequest()
      assert.deepEqual(await bytesOf(received.stream()), content)
    })

    it('is available as the original Node stream', async () => {
      const content = randomBytes(2_000_000)
      respond = (_, response) => response.end(content)
      const stream = (await sendRequest()).stream()
      const source = nodeSourceOf(stream)
      assert.ok(source instanceof Readable)
      assert.equal(stream.locked, true)
      assert.deepEqual(Buffer.concat(await source.toArray()), content)
      // Only one of the two reads it.
      assert.throws(() => nodeSourceOf(stream), TypeError)
    })

    it('arrives no faster than it is read, and waits until a way to read it is chosen', async () => {
      let written = 0
      respond = (_, response) => {
        response.writeHead(200)
        Readable.from(forever((size) => (written += size))).pipe(response)
      }
      for (const isTaken of [true, false]) {
        written = 0
        const received = await sendRequest()
        const taken = isTaken ? received.stream() : undefined
        // If nothing moves any more, all buffers are full. No event tells that: on a machine that needs longer, the test sees less,
        // but does not fail.
        for (let before = -1; before !== written;) {
          before = written
          await new Promise((resolve) => setTimeout(resolve, 50))
        }
        assert.ok(written < 32_000_000, `${written} bytes are on their way`)
        await (taken ?? received.stream()).cancel()
      }
    })

    it('releases its connection when it is cancelled', async () => {
      const closed = new Promise<void>((resolve) => {
        respond = (request, response) => {
          request.socket.on('close', () => resolve())
          response.writeHead(200)
          Readable.from(forever()).pipe(response)
        }
      })
      const reader = (await sendRequest()).stream().getReader()
      await reader.read()
      await reader.cancel()
      await closed
    })
  })

  describe('a response that ends too early (F07)', () => {
    const ends: readonly (readonly [string, string])[] = [
      ['fewer bytes than announced', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'],
      [
        'fewer bytes than announced, and Connection: close',
        'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 100\r\n\r\nhalf',
      ],
      ['no last chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n'],
      [
        'no last chunk, and Connection: close',
        'HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n',
      ],
      ['half a chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\nhalf'],
    ]
    for (const [name, text] of ends) {
      for (const how of ['end', 'resetAndDestroy'] as const) {
        it(`fails: ${name} (${how})`, async () => {
          const raw = await listenRaw((socket) => socket.write(text, () => socket[how]()))
          try {
            // A reset may overtake what was written before it.
            await assert.rejects(async () => textIn(await sendRequest({ url: raw.url }), 1000))
            await assert.rejects(async () => await bytesOf((await sendRequest({ url: raw.url })).stream()))
            await assert.rejects(async () => {
              const source = nodeSourceOf((await sendRequest({ url: raw.url })).stream())
              await source.toArray()
            })
          } finally {
            raw.close()
          }
        })
      }
    }

    it('is complete if it does not (control)', async () => {
      const raw = await listenRaw((socket) =>
        socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 4\r\n\r\nfull'),
      )
      assert.equal(await textIn(await sendRequest({ url: raw.url }), 1000), 'full')
      raw.close()
    })
  })

  describe('a signal', () => {
    it('aborts requests that wait for a response or for a connection', async () => {
      use({ connections: 1 })
      const arrived = new Promise<void>((resolve) => (respond = () => resolve()))
      const first = new AbortController()
      const second = new AbortController()
      const waiting = sendRequest({ signal: first.signal })
      await arrived
      const queued = sendRequest({ signal: second.signal })
      second.abort('second')
      await assert.rejects(queued, (error) => error === 'second')
      first.abort('first')
      await assert.rejects(waiting, (error) => error === 'first')
    })

    it('aborts a response that is being read', async () => {
      respond = (_, response) => void response.writeHead(200).write('some')
      for (const take of ['text', 'stream', 'node'] as const) {
        const controller = new AbortController()
        const received = await sendRequest({ signal: controller.signal })
        const taken =
          take === 'text'
            ? textIn(received, 100)
            : take === 'stream'
              ? bytesOf(received.stream())
              : nodeSourceOf(received.stream()).toArray()
        controller.abort(new Error('gone'))
        await assert.rejects(taken, /gone/)
      }
    })

    it('has no listener left afterwards', async () => {
      const controller = new AbortController()
      const { signal } = controller
      const listeners = () => getEventListeners(signal, 'abort').length
      await textIn(await sendRequest({ signal }), 100)
      assert.equal(listeners(), 0)
      await bytesOf((await sendRequest({ signal })).stream())
      assert.equal(listeners(), 0)
      await assert.rejects(textIn(await sendRequest({ signal }), 1))
      await (await sendRequest({ signal })).stream().cancel()
      respond = (request) => request.socket.destroy()
      await assert.rejects(sendRequest({ signal }))
      respond = (_, response) => response.writeHead(302).end()
      await assert.rejects(sendRequest({ signal }))
      assert.equal(listeners(), 0)

      respond = () => {}
      const pending = sendRequest({ signal })
      assert.equal(listeners(), 1, 'a listener is counted (control)')
      controller.abort('gone')
      await assert.rejects(pending, (error) => error === 'gone')
      assert.equal(listeners(), 0)
    })

    it('leaves no connection open after 30 aborted downloads and 30 aborted uploads (F08)', async () => {
      respond = (request, response) => {
        request.resume()
        if (request.method === 'GET') {
          response.writeHead(200)
          Readable.from(forever())
            .on('error', () => {})
            .pipe(response)
        }
      }
      const open = new Set<Socket>()
      let connections = 0
      server.on('connection', (socket: Socket) => {
        connections += 1
        open.add(socket)
        socket.on('close', () => open.delete(socket)).on('error', () => {})
      })
      for (let round = 0; round < 30; round++) {
        const controller = new AbortController()
        const reader = (await sendRequest({ signal: controller.signal })).stream().getReader()
        await reader.read()
        controller.abort('gone')
        await assert.rejects(async () => {
          while (!(await reader.read()).done);
        })
      }
      for (let round = 0; round < 30; round++) {
        const controller = new AbortController()
        let sent = 0
        const body = forever((size) => {
          sent += size
          if (sent > 500_000) controller.abort('gone')
        })
        await assert.rejects(
          sendRequest({ method: 'POST', body, signal: controller.signal }),
          (error) => error === 'gone',
        )
      }
      // The server may accept some connections late.
      await until(() => open.size === 0 && connections >= 60)
    })
  })

  describe('a body that fails', () => {
    it('fails the request with its own error', async () => {
      respond = (request) => request.resume()
      async function* body() {
        yield new Uint8Array(10)
        throw new ProxyError(400, 'Broken')
      }
      await assert.rejects(sendRequest({ method: 'POST', body: body() }), {
        name: 'ProxyError',
        message: 'Broken',
      })
    })
  })

  describe('a service that fails repeatedly', () => {
    /** The clock of the breaker, in ms. */
    let time = 0
    const breaker = { resetTimeout: 100, now: () => time }
    let hits: number
    let lines: string[]

    beforeEach(() => {
      hits = 0
      lines = []
      use({ breaker, log: (level, message) => lines.push(`${level} ${message}`) })
      respond = (_, response) => {
        hits++
        response.writeHead(500).end()
      }
    })

    async function fail(times: number): Promise<void> {
      for (let time = 0; time < times; time++) assert.equal((await sendRequest()).status, 500)
    }

    /** Sends requests until one reaches the service. */
    async function untilAsked(request?: Partial<SendRequest>): Promise<SendResponse> {
      let response: SendResponse | null = null
      await until(async () => {
        time += breaker.resetTimeout
        try {
          response = await sendRequest(request)
        } catch (error) {
          if (!(error instanceof ServicePausedError)) throw error
        }
        return response !== null
      })
      return response as unknown as SendResponse
    }

    it('gets no requests for a while, after its failures were returned (F01)', async () => {
      assert.deepEqual(pausedServices(), [])
      await fail(10)
      assert.deepEqual(pausedServices(), ['workflow'])
      await assert.rejects(
        sendRequest(),
        (error) => error instanceof ServicePausedError && error.retryAfter === 1,
      )
      await assert.rejects(sendRequest({ method: 'POST', body: forever() }), ServicePausedError)
      assert.equal(hits, 10)
      assert.deepEqual(lines, ['warn A service fails. Requests to it are paused'])
    })

    it('does not count as failing if this process was too busy to receive its response (T23)', async () => {
      use({ breaker: { calls: 1 } })
      respond = () => {}
      const sendWithTimeout = () => {
        const controller = new AbortController()
        setTimeout(() => controller.abort(new DOMException('late', 'TimeoutError')), 100)
        return sendRequest({ signal: controller.signal })
      }
      const sent = sendWithTimeout()
      for (const end = performance.now() + 1000; performance.now() < end;);
      await assert.rejects(sent, { name: 'TimeoutError' })
      await assert.rejects(sendWithTimeout(), { name: 'TimeoutError' })
      // Control: as soon as this process has time, the service has failed.
      await until(() =>
        sendWithTimeout().then(
          () => false,
          (error) => error instanceof ServicePausedError,
        ),
      )
    })

    it('also fails by refusing connections, disconnecting and timing out', async () => {
      for (const failing of [
        (request: Parameters<RequestListener>[0]) => request.socket.destroy(),
        () => {},
      ]) {
        use({ breaker })
        respond = failing
        for (let time = 0; time < 10; time++) {
          const controller = new AbortController()
          const response = sendRequest({ signal: controller.signal })
          if (failing.length === 0) controller.abort(new DOMException('Too late', 'TimeoutError'))
          await assert.rejects(response, (error) => !(error instanceof ServicePausedError))
        }
        await assert.rejects(sendRequest(), ServicePausedError)
        await closeSend()
      }
      use({ breaker })
    })

    it('does not count as failing if responses are 4xx, callers disconnect, or their bodies fail', async () => {
      respond = (request, response) => {
        request.resume()
        if (request.method === 'GET') response.writeHead(429).end()
      }
      async function* broken() {
        yield new Uint8Array(1)
        throw new ProxyError(400, 'Broken')
      }
      for (let time = 0; time < 20; time++) {
        assert.equal((await sendRequest()).status, 429)
        const controller = new AbortController()
        const response = sendRequest({ method: 'DELETE', signal: controller.signal })
        controller.abort('gone')
        await assert.rejects(response, (error) => error === 'gone')
        await assert.rejects(sendRequest({ method: 'POST', body: broken() }), ProxyError)
      }
      assert.equal((await sendRequest()).status, 429)
    })

    it('does not affect the other service', async () => {
      await fail(10)
      assert.equal((await sendRequest({ service: 'storage' })).status, 500)
      await assert.rejects(sendRequest(), ServicePausedError)
    })

    it('gets exactly one probe after the reset timeout, and all requests once the probe succeeds (F36)', async () => {
      await fail(10)
      let release = () => {}
      respond = (_, response) => {
        hits++
        release = () => response.end('{}')
      }
      const probe = untilAsked()
      await until(() => hits >= 11)
      const others = await Promise.allSettled(Array.from({ length: 50 }, () => sendRequest()))
      assert.ok(others.every(({ status }) => status === 'rejected'))
      assert.equal(hits, 11)
      release()
      assert.equal((await probe).status, 200)
      respond = (_, response) => response.end('{}')
      const all = await Promise.all(Array.from({ length: 50 }, () => sendRequest()))
      assert.ok(all.every(({ status }) => status === 200))
      assert.deepEqual(lines, [
        'warn A service fails. Requests to it are paused',
        'info A service responds again',
      ])
    })

    it('is not probed by a file transfer, which may take long, but by the next call (F36)', async () => {
      await fail(10)
      respond = (_, response) => {
        hits++
        response.end('{}')
      }
      for (let tries = 0; tries < 30; tries++) {
        await assert.rejects(sendRequest({ isFile: true }), ServicePausedError)
        time += breaker.resetTimeout
      }
      assert.equal(hits, 10)
      assert.equal((await untilAsked()).status, 200)
      assert.equal((await sendRequest({ isFile: true })).status, 200)
    })

    it('gets no requests if the probe fails (F36)', async () => {
      await fail(10)
      assert.equal((await untilAsked()).status, 500)
      await assert.rejects(sendRequest(), ServicePausedError)
      assert.equal(hits, 11)
    })

    it('is probed by the next call if the caller of the probe disconnects (F36)', async () => {
      await fail(10)
      respond = () => hits++
      const controller = new AbortController()
      const probe = untilAsked({ signal: controller.signal })
      await until(() => hits >= 11)
      await assert.rejects(sendRequest(), ServicePausedError)
      controller.abort('gone')
      await assert.rejects(probe, (error) => error === 'gone')
      respond = (_, response) => response.end('{}')
      assert.equal((await sendRequest()).status, 200)
    })
  })
})

async function listenRaw(respond: (socket: Socket) => void): Promise<{ url: string; close: () => void }> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => respond(socket))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() }
}

async function* forever(
  count: (size: number) => void = () => {},
): AsyncGenerator<Uint8Array, void, undefined> {
  for (;;) {
    const chunk = Buffer.alloc(65_536)
    yield chunk
    count(chunk.length)
  }
}

async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function textIn(response: SendResponse, limit: number): Promise<string> {
  return new TextDecoder().decode(await response.bytes(limit))
}

async function textOf(stream: Readable): Promise<string> {
  return Buffer.concat((await stream.toArray()) as Buffer[]).toString()
}

function nodeSourceOf(stream: ReadableStream): Readable {
  assert.ok(stream instanceof NodeBodyStream)
  return stream.takeSource()
}
