import assert from 'node:assert/strict'
import { once } from 'node:events'
import {
  Agent,
  createServer,
  type IncomingMessage,
  request,
  type RequestListener,
  type Server,
} from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, describe, it } from 'node:test'
import { createGracefulShutdown, type GracefulShutdown } from '../../src/cli/graceful-shutdown.ts'

/** Longer than any test. */
const long = 3_600_000

const opened: { readonly destroy: () => void }[] = []
afterEach(() => {
  for (const one of opened.splice(0)) one.destroy()
})

describe('createGracefulShutdown()', () => {
  it('finishes an open request and accepts no new connections', async () => {
    const { shutdown, port } = await serve(echo)
    const upload = post(port)
    upload.write('first ')
    await once(upload, 'socket')
    await received
    const ended = shutdown.shutDown(long)
    await assert.rejects(fetch(`http://127.0.0.1:${port}/`))
    upload.end('second')
    const [response] = (await once(upload, 'response')) as [IncomingMessage]
    assert.equal(response.headers.connection, 'close')
    assert.equal(await textOf(response), 'first second')
    await ended
  })

  it('finishes a response that has started', async () => {
    const { shutdown, port } = await serve((_, response) => {
      response.write('first ')
      finish = () => response.end('second')
    })
    let finish = (): void => {}
    const agent = new Agent({ keepAlive: true })
    opened.push(agent)
    const sent = request({ port, host: '127.0.0.1', agent }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const ended = shutdown.shutDown(long)
    finish()
    assert.equal(await textOf(response), 'first second')
    await ended
  })

  it('closes idle connections, used or unused', async () => {
    const { shutdown, port } = await serve(echo)
    const agent = new Agent({ keepAlive: true })
    opened.push(agent)
    const sent = request({ port, host: '127.0.0.1', agent }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    assert.equal(response.headers.connection, 'keep-alive')
    await textOf(response)
    const fresh = await open(port)
    const closed = once(fresh.resume(), 'close')
    await shutdown.shutDown(long)
    await closed
  })

  it('closes the other connections after the timeout', async () => {
    const { shutdown, port } = await serve(echo)
    const upload = post(port)
    upload.write('first')
    await received
    const broken = once(upload, 'error')
    await shutdown.shutDown(1)
    await broken
  })

  it('closes the other connections at once on closeNow()', async () => {
    const { shutdown, port } = await serve(echo)
    const upload = post(port)
    upload.write('first')
    await received
    const broken = once(upload, 'error')
    const ended = shutdown.shutDown(long)
    shutdown.closeNow()
    await ended
    await broken
  })
})

/** Resolves when `echo` receives the first part of a request. */
let received: Promise<void>
let begin: () => void

const echo: RequestListener = (incoming, outgoing) => {
  const chunks: Buffer[] = []
  incoming.on('data', (chunk: Buffer) => {
    begin()
    chunks.push(chunk)
  })
  incoming.on('end', () => outgoing.end(Buffer.concat(chunks)))
}

async function serve(
  listener: RequestListener,
): Promise<{ shutdown: GracefulShutdown; port: number; server: Server }> {
  received = new Promise((resolve) => (begin = resolve))
  // Only the shutdown closes a connection.
  const server = createServer({ keepAliveTimeout: long, headersTimeout: 0, requestTimeout: 0 }, listener)
  const shutdown = createGracefulShutdown(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  opened.push({ destroy: () => void (server.close(), server.closeAllConnections()) })
  return { shutdown, port: (server.address() as AddressInfo).port, server }
}

function post(port: number) {
  const agent = new Agent({ keepAlive: true })
  opened.push(agent)
  const upload = request({ port, host: '127.0.0.1', method: 'POST', agent })
  // The tests that expect an error wait for it.
  upload.on('error', () => {})
  return upload
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  opened.push(socket)
  await once(socket, 'connect')
  return socket
}

async function textOf(message: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of message.setEncoding('utf8')) text += String(chunk)
  return text
}
