import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { createServer as createNodeServer, type Server as HttpServer } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import { createHttpServer, createListener, nodeRuntime } from '../../../src/proxy/node/index.ts'
import { createProxy, type Proxy } from '../../../src/proxy/mount/proxy.ts'
import { overEmulator } from '../mount.ts'
import { until } from '../until.ts'

describe('a connection of which one side has gone (F10)', () => {
  const emulator = createEmulator()
  const runtime = nodeRuntime({ fetch: emulator.fetch })
  let proxy: Proxy
  let server: HttpServer
  let port = 0
  const sockets = new Set<Socket>()
  const clients = new Set<Socket>()
  let requests = 0

  before(async () => {
    proxy = createProxy({
      ...overEmulator(emulator),
      identity: { identify: () => ({ univid: '10000001' }) },
      limits: { streamsPerPerson: 1, filesPerPerson: 1 },
      runtime,
    })
    server = createHttpServer(createListener(proxy))
    server.on('connection', (socket) => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    })
    server.on('request', () => (requests += 1))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    port = (server.address() as AddressInfo).port
  })
  after(async () => {
    for (const client of clients) client.destroy()
    server.close()
    server.closeAllConnections()
    await proxy.close()
    await runtime.close()
  })

  const common = `Host: site\r\nx-routeslip: 1\r\nsec-fetch-site: same-origin\r\n`
  const get = (path: string) => `GET /api/wf${path} HTTP/1.1\r\n${common}\r\n`
  const upload =
    `POST /api/wf/files HTTP/1.1\r\n${common}content-type: multipart/form-data; boundary=b\r\n` +
    'content-length: 100000\r\n\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhalf'

  /** Sends text, and leaves the connection open. `received()` returns what has arrived. */
  async function speak(text: string) {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    let received = ''
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()))
    socket.on('error', () => {})
    clients.add(socket)
    await once(socket, 'connect')
    socket.write(text)
    return { socket, received: () => received }
  }

  it('still gets the response to a complete request, and then ends', async () => {
    const { socket, received } = await speak(get('/forms/6025/packages/42'))
    socket.end()
    await until(() => sockets.size === 0)
    assert.match(received(), /^HTTP\/1\.1 200 /)
    assert.match(received(), /"state":"ROUTING"/)
    socket.destroy()
  })

  for (const [name, text] of [
    ['half the head of a request', 'GET /api/wf/forms/6025/packages/42 HTTP/1.1\r\nHost: a\r\nx-rou'],
    ['half an upload', upload],
  ] as const) {
    it(`ends at once after ${name}`, async () => {
      const before = requests
      const { socket } = await speak(text)
      await until(() => sockets.size === 1 && (text !== upload || requests > before))
      socket.end()
      await until(() => sockets.size === 0)
      socket.destroy()
      assert.equal(emulator.files.test.size, 0)
    })
  }

  it('gives its place to the next stream of live events at once', async () => {
    const path = '/events?package=6025-42'
    for (let round = 0; round < 3; round++) {
      const { socket, received } = await speak(get(path))
      await until(() => received().includes('\r\n\r\n'))
      assert.match(received(), /^HTTP\/1\.1 200 /, 'the person may have one stream')
      socket.end()
      await until(() => sockets.size === 0)
      socket.destroy()
    }
  })

  it('ends after the idle timeout if it is silent, without a word of goodbye', async () => {
    // As the option `idleTimeout` does: two minutes are the default.
    server.timeout = 3000
    await Promise.all([speak(''), speak(upload)])
    await until(() => sockets.size === 2)
    await until(() => sockets.size === 0)
    assert.equal(emulator.files.test.size, 0)
  })

  it('has no idle timeout of Node by default, which would keep it for ever (control)', () => {
    assert.equal(createNodeServer().timeout, 0)
    assert.equal(createHttpServer(() => {}).timeout, 120_000)
  })
})

describe('a service that keeps its connection open after the response (F10)', () => {
  it('does not delay the response, and has no influence on the next one', async () => {
    const open: Socket[] = []
    const body = JSON.stringify({ id: 42, state: 'ROUTING' })
    const service: Server = createServer((socket) => {
      open.push(socket)
      socket.on('error', () => {})
      socket.on('data', () =>
        socket.write(
          'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n' +
            `Content-Length: ${body.length}\r\n\r\n${body}`,
        ),
      )
    })
    await once(service.listen(0, '127.0.0.1'), 'listening')
    const { send, close } = nodeRuntime()
    const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/`
    for (let round = 0; round < 3; round++) {
      const { signal } = new AbortController()
      const response = await send({ service: 'workflow', method: 'GET', url, headers: {}, signal })
      assert.equal(new TextDecoder().decode(await response.bytes(1000)), body)
    }
    assert.equal(open.length, 3, 'a connection that the service gives up is not used again')
    await until(() => open.every(({ readableEnded, destroyed }) => readableEnded || destroyed))
    await close()
    for (const socket of open) socket.destroy()
    service.close()
  })
})
