import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request as httpRequest, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { createHttpServer, createListener, type ListenerHandler } from '../../../src/proxy/node/listener.ts'
import { NodeBodyStream } from '../../../src/proxy/node/node-body-stream.ts'
import { createSend } from '../../../src/proxy/node/send.ts'
import { connectionOf } from '../../../src/proxy/http/connection.ts'
import { readBytes } from '../../../src/proxy/http/read-body.ts'
import { type Reply, responseOf } from '../../../src/proxy/http/reply.ts'
import { until } from '../until.ts'

describe('createListener()', () => {
  let server: Server
  let port: number
  let handle: ListenerHandler
  const handled: string[] = []
  const unhandled: unknown[] = []
  const note = (error: unknown) => unhandled.push(error)

  before(() => process.on('unhandledRejection', note))
  after(() => {
    process.off('unhandledRejection', note)
    assert.deepEqual(unhandled, [])
  })

  beforeEach(async () => {
    handled.length = 0
    handle = () => Promise.resolve(textOf('handled'))
    server = createHttpServer(
      createListener((request, connection) => {
        handled.push(`${request.method} ${request.url}`)
        return handle(request, connection)
      }),
    ).listen(0, '127.0.0.1')
    await once(server, 'listening')
    ;({ port } = server.address() as AddressInfo)
  })
  afterEach(() => {
    server.close()
    server.closeAllConnections()
  })

  /** Sends text unchanged. Resolves to everything that is received until the connection ends. */
  async function raw(text: string): Promise<{ status: number; head: string; body: string }> {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(text)
    const received = Buffer.concat((await socket.toArray()) as Buffer[]).toString('latin1')
    const [head = '', body = ''] = received.split(/\r\n\r\n(.*)/s)
    return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]), head, body }
  }

  function get(target: string, method = 'GET', extra = '') {
    return raw(`${method} ${target} HTTP/1.1\r\nHost: site\r\nConnection: close\r\n${extra}\r\n`)
  }

  describe('a request target', () => {
    it('does not reach the handler if no operation can have it (T3, T8)', async () => {
      for (const target of [
        '/api/wf/forms/../packages',
        '/api/wf/./forms',
        '/api/wf/..',
        '/..',
        '/.well-known',
        '/api/.hidden',
        '/api/a..b',
        '/api/a.',
        '/api/...',
        '/api/%2e%2e/b',
        '/api/%2E./b',
        '/api/a%2fb',
        '/api/%34%32',
        '/api/a%00',
        '/api/%c0%ae%c0%ae/b',
        '/api/%EF%BC%8E%EF%BC%8E/b',
        '/api\\b',
        '/api/..\\b',
        '/api/a;x=1',
        '/api/a;/../b',
        '//evil.example/api',
        '///evil.example/api',
        '/\\evil.example/api',
        'http://evil.example/api',
        'https://site/api',
        'file:///etc/passwd',
        '/api//b',
        '/api/b/',
        '/',
        '*',
        'api',
        '?a',
        '/api/b#c',
        '/api/b?c#d',
        '/api/b?c=d e',
        '/api/b?c=<d>',
        '/api/b?c=[]',
        '/api/\tb',
        '/api/b\t',
        '/api/\u00e9',
        '/api/\x7f',
        '/api/a@b',
        '/api/a:b',
        `/api/${'a'.repeat(20_000)}`,
      ]) {
        const { status } = await get(target)
        assert.ok(status === 400 || status === 431, `${target.slice(0, 60)}: ${status}`)
      }
      assert.deepEqual(handled, [])
    })

    it('reaches the handler if it has plain segments and a query (control)', async () => {
      for (const target of [
        '/api/wf/forms/6025/packages/42',
        '/api/a-b_c/Z9',
        '/openapi.json',
        '/api/v1.2/a.b.c',
        '/api/a?b=c&d=%20..%2F+e.f~g-h_',
        '/api/a?',
        `/api/${'a'.repeat(10_000)}`,
      ]) {
        const { status, body } = await get(target)
        assert.deepEqual([status, body], [200, 'handled'], target.slice(0, 60))
      }
      assert.equal(handled.length, 7)
    })
  })

  describe('a method', () => {
    it('is refused with 405 and the allowed methods if no operation uses it (T3)', async () => {
      for (const method of ['TRACE', 'PATCH', 'PROPFIND', 'SEARCH', 'PURGE', 'LINK', 'QUERY']) {
        const { status, head, body } = await get('/api/a', method)
        // Some of them Node's parser does not know.
        if (status === 400 && method === 'QUERY') continue
        assert.equal(status, 405, method)
        assert.match(head, /^allow: GET, HEAD, POST, PUT, DELETE, OPTIONS\r?$/im)
        assert.match(head, /^content-type: application\/problem\+json\r?$/im)
        assert.equal((JSON.parse(body) as { status: number }).status, 405)
      }
      const connected = await get('site:80', 'CONNECT')
      assert.ok(Number.isNaN(connected.status))
      assert.deepEqual(handled, [])
    })

    it('passes if an operation uses it, and for preflight requests', async () => {
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
        assert.equal((await get('/api/a', method)).status, 200, method)
      }
    })
  })

  describe('headers', () => {
    it('do not reach the handler if parsers could read them differently (T3)', async () => {
      for (const extra of [
        'Host: other\r\n',
        'HOST: site\r\n',
        'Content-Type: text/plain\r\nContent-Type: application/json\r\n',
        'Content-Type: application/json\r\ncontent-type: application/json\r\n',
        'Content-Length: 0\r\nContent-Length: 0\r\n',
        'Content-Length: 1\r\nContent-Length: 2\r\n',
        'Content-Length: 0, 0\r\n',
        'Content-Length: +1\r\n',
        'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n',
        'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n',
        'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n',
        'Transfer-Encoding: gzip\r\n',
        'Transfer-Encoding : chunked\r\n',
        'x-routeslip: 1\r\nX-Routeslip: 1\r\n',
        'A: b\nHost: other\r\n',
        'A: b\r\n Host: other\r\n',
        'A: b\0c\r\n',
        `A: ${'b'.repeat(17_000)}\r\n`,
      ]) {
        const { status } = await get('/api/a', 'POST', extra)
        assert.ok(status === 400 || status === 431, `${JSON.stringify(extra.slice(0, 60))}: ${status}`)
      }
      assert.deepEqual(handled, [])
    })

    it('do not reach the handler if the host is missing or not valid', async () => {
      assert.equal((await raw('GET /api/a HTTP/1.1\r\nConnection: close\r\n\r\n')).status, 400)
      assert.equal((await raw('GET /api/a HTTP/1.0\r\n\r\n')).status, 400)
      for (const host of ['a b', 'a/b', 'a@b', 'a\\b', 'a#b', '', '%00']) {
        const { status } = await raw(`GET /api/a HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
        assert.equal(status, 400, host)
      }
      assert.deepEqual(handled, [])
    })

    it('pass if each occurs once (control)', async () => {
      const single = 'Content-Type: text/plain\r\nx-routeslip: 1\r\n'
      assert.equal((await get('/api/a', 'POST', `${single}Content-Length: 0\r\n`)).status, 200)
      const chunked = await get('/api/a', 'POST', `${single}Transfer-Encoding: chunked\r\n\r\n0\r\n`)
      assert.equal(chunked.status, 200)
      assert.equal(handled.length, 2)
    })
  })

  describe('a request', () => {
    const head =
      'Cookie: a=1\r\ncookie: b=2\r\nAuthorization: Bearer x\r\nAuthorization: Bearer y\r\nX-Empty:\r\n' +
      'Content-Type: application/json\r\nContent-Length: 8\r\n'

    async function posted<T>(read: (request: Request) => Promise<T>): Promise<T> {
      let result: Promise<T> | undefined
      handle = async (request) => {
        await (result = read(request))
        return textOf('read')
      }
      const { status } = await raw(
        `POST /api/b?c=d HTTP/1.1\r\nHost: site\r\nConnection: close\r\n${head}\r\n{"e": 1}`,
      )
      assert.equal(status, 200)
      return await (result as Promise<T>)
    }

    it('has lists for repeated headers, where Node keeps the first (T2)', async () => {
      const names = ['cookie', 'Authorization', 'x-empty', 'x-missing']
      const expected = ['a=1; b=2', 'Bearer x, Bearer y', '', null]
      const values = ({ headers }: Pick<Request, 'headers'>) => names.map((name) => headers.get(name))
      assert.deepEqual(await posted((request) => Promise.resolve(values(request))), expected)
      // After a function has read all of them, and in a copy.
      const copied = await posted((request) => {
        const { length } = [...request.headers]
        return Promise.resolve([length > 5, values(request), values(new Request('http://a.test/', request))])
      })
      assert.deepEqual(copied, [true, expected, expected])
      const has = await posted(({ headers }) => Promise.resolve(names.map((name) => headers.has(name))))
      assert.deepEqual(has, [true, true, true, false])
    })

    it('has everything that a Request has', async () => {
      const read = await posted(async (request) => {
        const { method, url, redirect, bodyUsed, signal } = request
        const copy = request.clone()
        const facts = [method, new URL(url).pathname, redirect, bodyUsed, signal.aborted]
        const kinds = [
          request instanceof Request,
          request.headers instanceof Headers,
          new Request(request.clone()).headers.has('host'),
        ]
        return [...facts, ...kinds, (await copy.json()) as unknown, await readBytes(request.body, 100, Error)]
      })
      const bytes = new Uint8Array(Buffer.from('{"e": 1}'))
      assert.deepEqual(read, ['POST', '/api/b', 'follow', false, false, true, true, true, { e: 1 }, bytes])
      assert.deepEqual(
        await posted(async (request) => [(await request.json()) as unknown, request.bodyUsed]),
        [{ e: 1 }, true],
      )
      handle = ({ body }) => Promise.resolve(textOf(JSON.stringify(body)))
      assert.equal((await get('/api/b')).body, 'null')
    })
  })

  describe('a refusal', () => {
    it('contains problem details and closes the connection', async () => {
      const { head, body } = await raw('GET //evil HTTP/1.1\r\nHost: site\r\n\r\n')
      assert.match(head, /^connection: close\r?$/im)
      assert.match(head, /^content-type: application\/problem\+json\r?$/im)
      const problem = JSON.parse(body) as { detail: string; requestId: string }
      assert.equal(problem.detail, 'The address contains characters that are not allowed. Check the address.')
      assert.match(problem.requestId, /^[\da-f-]{36}$/)
      assert.deepEqual(handled, [])
    })

    it('stops everything that is pipelined behind it (T3)', async () => {
      const behind = 'GET /api/behind HTTP/1.1\r\nHost: site\r\n\r\n'.repeat(3)
      for (const refused of [
        'GET //evil HTTP/1.1\r\nHost: site\r\n\r\n',
        'PATCH /api/a HTTP/1.1\r\nHost: site\r\n\r\n',
        'POST /api/a HTTP/1.1\r\nHost: site\r\nContent-Type: a/b\r\nContent-Type: c/d\r\nContent-Length: 0\r\n\r\n',
        'GET /api/a HTTP/1.1\r\nHost: a/b\r\n\r\n',
      ]) {
        const { status, body } = await raw(refused + behind)
        assert.ok(status === 400 || status === 405, `${refused}: ${status}`)
        assert.doesNotMatch(body, /HTTP\/1/, 'one response')
      }
      assert.deepEqual(handled, [])
    })

    it('is also sent if a handler fails, without the reason', async () => {
      for (const fail of [
        () => Promise.reject(new Error('hunter2')),
        () => {
          throw new Error('hunter2')
        },
      ]) {
        handle = fail
        const { status, body } = await get('/api/a')
        assert.equal(status, 500)
        assert.doesNotMatch(body, /hunter2/)
        assert.equal((JSON.parse(body) as { status: number }).status, 500)
      }
    })
  })

  describe('pipelined requests', () => {
    it('run one after another, and only a few wait (T23)', async () => {
      let running = 0
      let most = 0
      handle = async (request) => {
        most = Math.max(most, ++running)
        await new Promise((resolve) => setImmediate(resolve))
        running--
        return textOf(new URL(request.url).pathname)
      }
      const requests = (count: number) =>
        Array.from({ length: count }, (_, index) => `GET /api/${index} HTTP/1.1\r\nHost: site\r\n\r\n`).join(
          '',
        )
      const last = 'GET /api/last HTTP/1.1\r\nHost: site\r\nConnection: close\r\n\r\n'
      const { body } = await raw(requests(8) + last)
      assert.match(body, /\/api\/1.*\/api\/7.*\/api\/last/s)
      assert.deepEqual([handled.length, most], [9, 1])

      handle = () => new Promise(() => {})
      handled.length = 0
      assert.equal((await raw(requests(100))).body, '', 'the connection ends')
      assert.equal(handled.length, 1)
    })
  })

  describe('the body of a request', () => {
    it('may continue for a minute after the response, and no longer (T23)', async (t) => {
      t.mock.timers.enable({ apis: ['setTimeout'] })
      let atServer: Socket | undefined
      server.on('connection', (socket: Socket) => (atServer = socket))
      const socket = connect(port, '127.0.0.1').on('error', () => {})
      let sent = 0
      const write = (text: string) => {
        sent += text.length
        socket.write(text)
      }
      write('POST /api/a HTTP/1.1\r\nHost: site\r\nContent-Length: 1000000\r\n\r\nx')
      let received = ''
      let isClosed = false
      socket
        .on('data', (chunk: Buffer) => (received += chunk.toString()))
        .on('close', () => (isClosed = true))
      await until(() => received.endsWith('handled'))
      for (let second = 0; second < 59; second++) {
        t.mock.timers.tick(1000)
        write('x')
        await until(() => isClosed || atServer?.bytesRead === sent)
        assert.equal(isClosed, false, `after ${second} seconds`)
      }
      await until(
        () => isClosed,
        async () => {
          t.mock.timers.tick(1000)
          await new Promise((resolve) => setImmediate(resolve))
        },
      )
    })

    it('does not end the connection if only its beginning is read (T23)', async () => {
      handle = async (request) => {
        const refused = () => new Error('too long')
        const problem = await readBytes(request.body, 100, refused).catch((error: unknown) => error)
        return textOf(String(problem))
      }
      const client = connect(port, '127.0.0.1').on('error', () => {})
      let received = ''
      let isClosed = false
      client
        .on('data', (chunk: Buffer) => (received += chunk.toString()))
        .on('close', () => (isClosed = true))
      for (const count of [1, 2]) {
        client.write(
          `POST /api/a HTTP/1.1\r\nHost: site\r\nContent-Length: 3000000\r\n\r\n${'x'.repeat(101)}`,
        )
        await until(() => isClosed || received.split('too long').length - 1 === count)
        assert.equal(isClosed, false)
        client.write('x'.repeat(3_000_000 - 101))
      }
      client.destroy()
    })

    it('is discarded in small pieces if nobody reads it, so that other requests are served (T23)', async (t) => {
      const server = createHttpServer(createListener(() => Promise.resolve(textOf('refused'))))
      const connections: Socket[] = []
      server.on('connection', (socket) => connections.push(socket))
      await once(server.listen(0, '127.0.0.1'), 'listening')
      const size = 1_000_000
      const head = `POST /api/a HTTP/1.1\r\nHost: site\r\nContent-Length: ${size}\r\n\r\n`
      const replies: number[] = []
      const clients = Array.from({ length: 16 }, (_, index) => {
        const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
        client.on('data', (data: Buffer) => {
          replies[index] = (replies[index] ?? 0) + data.toString().split('refused').length - 1
        })
        client.write(head)
        return client
      })
      t.after(() => {
        for (const client of clients) client.destroy()
        server.close()
      })
      const repliesAre = (count: number) =>
        replies.filter((found) => found === count).length === clients.length
      await until(() => repliesAre(1))

      for (const client of clients) client.write(Buffer.alloc(size))
      let before = 0
      let most = 0
      await until(() => {
        const received = connections.reduce((sum, { bytesRead }) => sum + bytesRead, 0)
        most = Math.max(most, received - before)
        before = received
        return received > clients.length * size
      })
      assert.ok(most < 6_000_000, `${most} bytes in one turn`)
      // Each connection can be used again.
      for (const client of clients) client.write('GET /api/a HTTP/1.1\r\nHost: site\r\n\r\n')
      await until(() => repliesAre(2))
    })

    it('is requested if the browser expects 100-continue', async () => {
      handle = async (request) => textOf(await request.text())
      const socket = connect(port, '127.0.0.1')
      socket.write(
        'POST /api/a HTTP/1.1\r\nHost: site\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n',
      )
      const [interim] = (await once(socket, 'data')) as [Buffer]
      assert.match(interim.toString(), /^HTTP\/1\.1 100 Continue\r\n\r\n$/)
      socket.write('hello')
      assert.match(
        Buffer.concat((await socket.toArray()) as Buffer[]).toString(),
        /^HTTP\/1\.1 200 OK.*hello$/s,
      )
    })

    it('is available as a Node stream', async () => {
      handle = async (_, { body }) => {
        assert.ok(body instanceof Readable)
        return textOf(Buffer.concat((await body.toArray()) as Buffer[]).toString())
      }
      assert.equal((await get('/api/a', 'POST', 'Content-Length: 5\r\n\r\nhello')).body, 'hello')
      assert.equal(connectionOf(new Request('http://site/')).body, undefined)
    })
  })

  describe('a browser that reads too slowly', () => {
    it('is cut off, whether it reads a file, a long text or the parts of a page (T23)', async (t) => {
      // Slots of a second.
      t.mock.timers.enable({ apis: ['setInterval'] })
      const size = 50_000_000
      const slow = createHttpServer(
        createListener(
          (request: Request) => {
            const isText = request.url.endsWith('text')
            const chunks = Array.from({ length: size / 50_000 }, () => Buffer.alloc(50_000))
            const isFile = request.url.endsWith('file')
            const stream = isFile
              ? new NodeBodyStream(Readable.from(chunks))
              : Readable.toWeb(Readable.from(chunks))
            const body = isText ? 'x'.repeat(size) : (stream as ReadableStream<Uint8Array>)
            return Promise.resolve({ status: 200, headers: {}, body })
          },
          { minRate: 1000, stallSeconds: 30 },
        ),
      ).listen(0, '127.0.0.1')
      await once(slow, 'listening')
      const { port: slowPort } = slow.address() as AddressInfo
      const paths = ['/api/text', '/api/file', '/api/page']
      let cut = 0
      slow.on('connection', (socket: Socket) => socket.on('close', () => cut++))
      for (const path of paths) {
        const whole = await fetch(`http://127.0.0.1:${slowPort}${path}`)
        let received = 0
        for await (const chunk of whole.body ?? []) {
          // 1 MB in each second.
          if (Math.floor((received + chunk.length) / 1e6) > Math.floor(received / 1e6))
            t.mock.timers.tick(1000)
          received += chunk.length
        }
        assert.equal(received, size, 'control')
      }
      assert.equal(cut, 0)
      const sockets = paths.map((path) => {
        const socket = connect(slowPort, '127.0.0.1').pause()
        socket.write(`GET ${path} HTTP/1.1\r\nHost: site\r\n\r\n`)
        return socket
      })
      await until(
        () => cut >= paths.length,
        async () => {
          t.mock.timers.tick(1000)
          await new Promise((resolve) => setImmediate(resolve))
        },
      )
      for (const socket of sockets) socket.on('error', () => {}).destroy()
      slow.close()
      slow.closeAllConnections()
    })
  })

  describe('the signal of a request', () => {
    it('aborts when the browser disconnects, whether it waits or sends', async () => {
      for (const text of [
        'GET /api/a HTTP/1.1\r\nHost: site\r\n\r\n',
        'POST /api/a HTTP/1.1\r\nHost: site\r\nContent-Length: 100\r\n\r\nsome',
      ]) {
        let begun = () => {}
        const begin = new Promise<void>((resolve) => (begun = resolve))
        const aborted = new Promise<void>((resolve) => {
          handle = ({ signal }) => {
            begun()
            return new Promise((respond) => {
              signal.addEventListener('abort', () => {
                resolve()
                respond(new Response('too late'))
              })
            })
          }
        })
        const socket = connect(port, '127.0.0.1')
        socket.write(text)
        await begin
        socket.destroy()
        await aborted
      }
    })

    it('does not abort if the request succeeds (control)', async () => {
      let signal: AbortSignal | undefined
      handle = (request) => {
        ;({ signal } = request)
        return Promise.resolve(new Response('fine'))
      }
      await get('/api/a')
      assert.equal(signal?.aborted, false)
    })
  })

  describe('a reply with a text body', () => {
    it('is written at once, with its length, status and headers', async () => {
      const headers = { 'Content-Type': 'application/json', 'X-One': 'a' }
      handle = () => Promise.resolve({ status: 201, headers, body: '{"é":1}' })
      const { status, head, body } = await get('/api/a')
      assert.equal(status, 201)
      assert.match(head, /^content-length: 8\r?$/im)
      assert.match(head, /^content-type: application\/json\r?$/im)
      assert.match(head, /^x-one: a\r?$/im)
      assert.doesNotMatch(head, /transfer-encoding/i)
      assert.equal(Buffer.from(body, 'latin1').toString(), '{"é":1}')
    })

    it('can be converted to a Response for fetch handlers', async () => {
      const make = () => responseOf({ status: 404, headers: { 'X-One': 'a' }, body: '{"a":1}' })
      const response = make()
      assert.ok(response instanceof Response)
      assert.deepEqual([response.status, response.ok, response.headers.get('x-one')], [404, false, 'a'])
      assert.equal(response.bodyUsed, false)
      const copy = response.clone()
      assert.deepEqual(await response.json(), { a: 1 })
      assert.equal(response.bodyUsed, true)
      await assert.rejects(response.text(), TypeError)
      assert.deepEqual([copy.status, copy.headers.get('x-one')], [404, 'a'])
      assert.equal(await copy.text(), '{"a":1}')
      assert.equal((await make().arrayBuffer()).byteLength, 7)
      assert.equal((await make().blob()).size, 7)
      assert.equal(await new Response(make().body).text(), '{"a":1}')
    })
  })

  describe('a streamed response', () => {
    const { send, close } = createSend({ breaker: { calls: 1_000_000 } })
    const content = randomBytes(3_000_000)
    let service: Server
    let url: string
    let serve: (socket: Socket) => void
    /** Endless responses that have not ended. */
    const open = new Set<ServerResponse>()
    let begun = 0

    before(async () => {
      service = createServer((request, response) => {
        if (request.url === '/whole') response.end(content)
        else if (request.url === '/endless') {
          open.add(response)
          begun += 1
          response.on('close', () => open.delete(response)).writeHead(200)
          Readable.from(forever())
            .on('error', () => {})
            .pipe(response)
        } else {
          response.writeHead(200, request.url === '/sized' ? { 'Content-Length': '100000' } : {})
          response.write(Buffer.alloc(50_000), () => serve(request.socket))
        }
      }).listen(0, '127.0.0.1')
      await once(service, 'listening')
      url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
    })
    after(async () => {
      await close()
      service.close()
      service.closeAllConnections()
    })

    /** Forwards a response: as a Node stream, or through a web stream whose source is not known. */
    function relay(target: string, isKnown: boolean): ListenerHandler {
      return async ({ signal }) => {
        const serviceResponse = await send({
          service: 'storage',
          method: 'GET',
          url: url + target,
          headers: {},
          signal,
        })
        const headers = new Headers([
          ['X-One', 'a'],
          ['Set-Cookie', 'a=1'],
          ['Set-Cookie', 'b=2'],
        ])
        const length = serviceResponse.header('content-length')
        if (length !== null) headers.set('Content-Length', length)
        const stream = serviceResponse.stream()
        return new Response(isKnown ? stream : stream.pipeThrough(new TransformStream()), { headers })
      }
    }

    for (const isKnown of [true, false]) {
      const how = isKnown ? 'from Node to Node' : 'from web to web'

      it(`arrives complete, ${how}`, async () => {
        handle = relay('/whole', isKnown)
        const { status, headers, body } = await download()
        assert.equal(status, 200)
        assert.equal(headers['content-length'], String(content.length))
        assert.equal(headers['x-one'], 'a')
        assert.deepEqual(headers['set-cookie'], ['a=1', 'b=2'])
        assert.deepEqual(body, content)
      })

      it(`never looks complete if the service disconnects halfway, ${how} (F07)`, async () => {
        for (const target of ['/sized', '/chunked']) {
          for (const end of ['destroy', 'resetAndDestroy'] as const) {
            serve = (socket) => socket[end]()
            handle = relay(target, isKnown)
            await assert.rejects(download(), `${target} ${end}`)
          }
        }
      })

      it(`ends when the browser disconnects, 30 times, ${how}`, async () => {
        handle = relay('/endless', isKnown)
        begun = 0
        const rounds = Array.from({ length: 30 }, async (_, round) => {
          const socket = connect(port, '127.0.0.1')
          socket.write('GET /api/a HTTP/1.1\r\nHost: site\r\n\r\n')
          await once(socket, 'data')
          if (round % 2 === 0) socket.destroy()
          else socket.resetAndDestroy()
        })
        await Promise.all(rounds)
        await until(() => open.size === 0)
        assert.equal(begun, 30, 'all have started (control)')
      })
    }

    it('is locked, so that nothing else reads it', async () => {
      let response: Response | Reply | undefined
      handle = async (...sent) => (response = await relay('/whole', true)(...sent))
      await download()
      assert.ok(response?.body instanceof ReadableStream)
      assert.equal(response.body.locked, true)
    })

    function download() {
      return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>(
        (resolve, reject) => {
          httpRequest({ port, path: '/api/a', agent: false }, (response) => {
            response.toArray().then(
              (chunks: Buffer[]) =>
                resolve({
                  status: response.statusCode ?? 0,
                  headers: response.headers,
                  body: Buffer.concat(chunks),
                }),
              reject,
            )
          })
            .on('error', reject)
            .end()
        },
      )
    }
  })
})

describe('createHttpServer()', () => {
  it('sets no timeout for uploads, and ten seconds for headers', () => {
    const server = createHttpServer(() => {}, { idleTimeout: 5000, maxConnections: 7 })
    const { requestTimeout, headersTimeout, keepAliveTimeout, timeout, maxConnections } = server
    assert.deepEqual([requestTimeout, headersTimeout, timeout, maxConnections], [0, 10_000, 5000, 7])
    assert.ok(keepAliveTimeout > 60_000)
    assert.equal(createHttpServer(() => {}).timeout, 120_000)
  })

  it('closes connections over the maximum number', async () => {
    const server = createHttpServer((_, response) => response.end('fine'), { maxConnections: 1 })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const first = connect(port, '127.0.0.1')
    await once(server, 'connection')
    const second = connect(port, '127.0.0.1')
    second.on('error', () => {})
    await once(second, 'close')
    first.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    assert.match(Buffer.concat((await first.toArray()) as Buffer[]).toString(), /fine/)
    server.close()
  })
})

/** Bytes without end, a few at each turn. */
async function* forever(): AsyncGenerator<Uint8Array, void, undefined> {
  for (;;) {
    yield Buffer.alloc(1000)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

function textOf(body: string): Reply {
  return { status: 200, headers: {}, body }
}
