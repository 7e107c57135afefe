import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import {
  createHttpServer,
  createListener,
  type NodeRuntime,
  nodeRuntime,
} from '../../../src/proxy/node/index.ts'
import { createProxy, type Proxy } from '../../../src/proxy/mount/proxy.ts'
import { overEmulator } from '../mount.ts'
import { until } from '../until.ts'

const common = 'Host: site\r\nx-routeslip: 1\r\nsec-fetch-site: same-origin\r\n'
const json = `${common}content-type: application/json\r\n`

/** Requests whose body does not end, by what they are. */
const requests = {
  'a callback': `POST /api/wf/callbacks HTTP/1.1\r\n${json}content-length: 100\r\n\r\n{"formId":`,
  'a callback in chunks': `POST /api/wf/callbacks HTTP/1.1\r\n${json}transfer-encoding: chunked\r\n\r\n5\r\n{"for\r\n5\r\nmI`,
  'a new package': `POST /api/wf/forms/6025/packages HTTP/1.1\r\n${json}content-length: 100\r\n\r\n{"id":`,
  'an upload':
    `POST /api/wf/files HTTP/1.1\r\n${common}content-type: multipart/form-data; boundary=b\r\n` +
    'content-length: 100000\r\n\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhalf',
}

describe('half a body', () => {
  const faults: unknown[] = []
  const note = (error: unknown) => faults.push(error)
  let runtime: NodeRuntime
  let proxy: Proxy
  let server: Server
  /** Statuses of the requests that the proxy has handled, and the number of those that it has begun to read. */
  let statuses: number[]
  let begun: number

  before(() => process.on('unhandledRejection', note).on('uncaughtException', note))
  after(() => process.off('unhandledRejection', note).off('uncaughtException', note))
  beforeEach(async () => {
    faults.length = begun = 0
    statuses = []
    const emulator = createEmulator()
    runtime = nodeRuntime({ fetch: emulator.fetch })
    proxy = createProxy({
      ...overEmulator(emulator),
      identity: { identify: () => ({ univid: '10000001' }) },
      runtime,
    })
    const listener = createListener(async (request, connection) => {
      const reply = await proxy.handle(request, connection)
      statuses.push(reply.status)
      return reply
    })
    server = createHttpServer((incoming, outgoing) => {
      listener(incoming, outgoing)
      // The proxy reads the body when the decision about rights allows it.
      void until(() => incoming.readableFlowing !== null).then(() => (begun += 1))
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
  })
  afterEach(close)

  async function close(): Promise<void> {
    server.close()
    server.closeAllConnections()
    await proxy.close()
    await runtime.close()
  }

  async function speak(text: string): Promise<Socket> {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write(text)
    return socket
  }

  const ends: Readonly<Record<string, (socket: Socket) => unknown>> = {
    'the client disconnects': (socket) => socket.destroy(),
    'the client resets the connection': (socket) => socket.resetAndDestroy(),
    'the server closes': close,
  }
  for (const [request, text] of Object.entries(requests)) {
    for (const [end, run] of Object.entries(ends)) {
      it(`of ${request} leaves no rejection that nobody handles when ${end}`, async () => {
        const socket = await speak(text)
        await until(() => begun >= 1)
        await run(socket)
        await until(() => statuses.length >= 1)
        // Node has reported the rejections of one turn when the next begins.
        await new Promise((resolve) => setImmediate(resolve))
        assert.deepEqual(statuses, [400])
        assert.deepEqual(faults, [])
        socket.destroy()
      })
    }
  }
})
