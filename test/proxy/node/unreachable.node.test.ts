import assert from 'node:assert/strict'
import { once } from 'node:events'
import {
  createServer as createTlsServer,
  request as requestOverTls,
  type Server as TlsServer,
} from 'node:https'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { createLog, nodeRuntime } from '../../../src/proxy/node/index.ts'
import { createProxy } from '../../../src/proxy/mount/proxy.ts'
import { requestOf } from '../mount.ts'
import { selfSigned } from './self-signed.ts'

const secret = 's3cret-of-this-application'
const package42 = { id: 42, state: 'ROUTING' }

describe('a service whose name or certificate is not valid (F14)', () => {
  /** Its certificate is signed by itself. */
  let impostor: TlsServer
  /** Accepts connections, but speaks no TLS. */
  let plain: Server
  /** The requests that the impostor could read. */
  const overheard: string[] = []

  before(async () => {
    impostor = createTlsServer(selfSigned(), (request, response) => {
      overheard.push(String(request.headers.authorization))
      response.setHeader('content-type', 'application/json').end(JSON.stringify(package42))
    })
    plain = createServer((socket) => socket.on('error', () => {}).end('HTTP/1.1 200 OK\r\n\r\n'))
    for (const server of [impostor, plain]) {
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
    }
  })

  after(() => {
    impostor.close()
    impostor.closeAllConnections()
    plain.close()
  })

  const portOf = (server: Server | TlsServer) => (server.address() as AddressInfo).port
  // A name that never exists (RFC 6761, 6.4).
  const unknownName = () => 'https://workflow.invalid'
  const addresses: readonly (readonly [string, () => string])[] = [
    ['a name that does not exist', unknownName],
    ['a certificate that nobody trusts', () => `https://127.0.0.1:${portOf(impostor)}`],
    ['no TLS where the address requires it', () => `https://127.0.0.1:${portOf(plain)}`],
  ]

  for (const [name, addressOf] of addresses) {
    it(`gets no credentials, and the browser 502 without the reason: ${name}`, async () => {
      const { status, body, lines } = await readPackage(addressOf())
      assert.equal(status, 502)
      assert.deepEqual(overheard, [])
      assert.doesNotMatch(body, /invalid|127\.0\.0\.1|certificate|ENOTFOUND|EAI_AGAIN|SSL/i)
      assert.ok(
        lines.some((line) => line.includes('no response')),
        'operators see that the service is not available',
      )
      assert.doesNotMatch(lines.join(), new RegExp(`${secret}|${btoa(`demo-app:${secret}`)}`))
    })
  }

  it('would get the credentials of the application from a client that trusts any certificate (control)', async () => {
    const url = `https://127.0.0.1:${portOf(impostor)}/`
    const sent = requestOverTls(url, {
      rejectUnauthorized: false,
      headers: { authorization: 'Basic x' },
    }).end()
    const [response] = (await once(sent, 'response')) as [NodeJS.ReadableStream]
    response.resume()
    assert.deepEqual(overheard.splice(0), ['Basic x'])
  })

  /** Reads a package from a service at an address, as a page of the site does. */
  async function readPackage(address: string) {
    const lines: string[] = []
    const runtime = nodeRuntime()
    const service = { baseUrl: address, clientId: 'demo-app', clientSecret: secret }
    const proxy = createProxy({
      env: 'test',
      forms: [6025],
      services: { workflow: service, storage: { ...service, objectOrigins: [] } },
      identity: { identify: () => ({ univid: '10000001' }) },
      runtime,
      observe: { log: createLog({ destination: { write: (line) => void lines.push(line) } }) },
    })
    try {
      const response = await proxy(requestOf('/forms/6025/packages/42'))
      return { status: response.status, body: await response.text(), lines }
    } finally {
      await proxy.close()
      await runtime.close()
    }
  }
})
