import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage, type ServerResponse } from 'node:http'
import { after, before, beforeEach, describe, it } from 'node:test'
import { listen, type LocalServer } from '../../../src/cli/listen.ts'
import { createListener, nodeRuntime } from '../../../src/proxy/node/index.ts'
import { createProxy, type Proxy } from '../../../src/proxy/mount/proxy.ts'
import { until } from '../until.ts'

const megabyte = 1024 * 1024
/** Size of the large files, in bytes. The fault laboratory sets 2 GB. */
const large = Number(process.env['ROUTESLIP_TEST_DOWNLOAD_MB'] ?? 200) * megabyte
/** Timeout for a response to begin, and between two of its chunks, in ms. Defaults 8000 and 30,000. */
const timeouts = { timeout: 2000, bodyTimeout: 2000 }

type Serve = (request: IncomingMessage, response: ServerResponse) => unknown

describe('a download', () => {
  const runtime = nodeRuntime({ ...timeouts, breaker: { calls: 1_000_000 } })
  let serve: Serve
  let service: LocalServer
  let proxy: Proxy
  let site: LocalServer
  /** Below the package. */
  let path = ''

  before(async () => {
    service = await listen(
      (request, response) => {
        if (!request.url?.endsWith('/attachments')) return serve(request, response)
        response.setHeader('content-type', 'application/json').end('[{"id":7,"fileName":"scan.bin"}]')
      },
      0,
      '',
    )
    const credentials = { clientId: 'demo-app', clientSecret: 'demo-secret' }
    proxy = createProxy({
      env: 'test',
      forms: [6025],
      services: {
        workflow: { baseUrl: service.url.slice(0, -1), ...credentials },
        storage: { baseUrl: service.url.slice(0, -1), objectOrigins: [], ...credentials },
      },
      identity: { identify: () => ({ univid: '10000001' }) },
      limits: { ...timeouts, downloadTimeout: 60_000 },
      runtime,
    })
    site = await listen(createListener(proxy), 0, '')
  })
  after(async () => {
    await proxy.close()
    await Promise.all([site.close(), service.close(), runtime.close()])
  })
  beforeEach(() => {
    path = '/attachments/7'
  })

  /** Begins a download, as a browser does. Rejects if the proxy ends the connection before its response. */
  function begin(at = path): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const headers = { 'sec-fetch-site': 'same-origin', 'x-routeslip': '1' }
      get(`${site.url}api/wf/forms/6025/packages/42${at}`, { headers, agent: false }, resolve).on(
        'error',
        reject,
      )
    })
  }

  async function sizeOf(response: IncomingMessage): Promise<number> {
    let size = 0
    for await (const chunk of response) size += (chunk as Buffer).length
    return size
  }

  const broken: readonly (readonly [string, Serve])[] = [
    [
      'the service announces more than it sends',
      (_, response) => {
        response.setHeader('content-length', '100000')
        response.write(Buffer.alloc(50_000), () => response.destroy())
      },
    ],
    [
      'the service dies halfway',
      (_, response) => response.write(Buffer.alloc(50_000), () => response.destroy()),
    ],
    [
      'the service stops sending for longer than the timeout',
      (_, response) => void response.write(Buffer.alloc(50_000)),
    ],
  ]
  for (const [name, how] of broken) {
    it(`never looks complete if ${name} (F30)`, async () => {
      serve = how
      const response = await begin()
      assert.equal(response.statusCode, 200)
      await assert.rejects(sizeOf(response), { code: 'ECONNRESET' })
    })
  }

  it('is complete if the service sends all of it (control of F30)', async () => {
    serve = (_, response) => response.end(Buffer.alloc(100_000))
    assert.equal(await sizeOf(await begin()), 100_000)
  })

  it('is saved as plain bytes if the service names no type, and may be empty (F30)', async () => {
    for (const size of [0, 5]) {
      serve = (_, response) => response.end(Buffer.alloc(size))
      const response = await begin()
      assert.equal(response.statusCode, 200)
      assert.equal(response.headers['content-type'], 'application/octet-stream')
      assert.match(String(response.headers['content-disposition']), /^attachment; filename="scan.bin"/)
      assert.equal(await sizeOf(response), size)
    }
  })

  it('takes little memory, however large it is (F30)', async () => {
    const chunk = Buffer.alloc(megabyte)
    serve = async (_, response) => {
      response.setHeader('content-length', String(large))
      for (; sent < large; sent += megabyte) {
        if (!response.write(chunk)) await once(response, 'drain')
      }
      response.end()
    }
    /** Bytes that the service has sent and the browser has not received. */
    let peak = 0
    let sent = 0
    let size = 0
    for await (const piece of await begin()) {
      peak = Math.max(peak, sent - size)
      size += (piece as Buffer).length
    }
    assert.equal(size, large)
    assert.ok(peak < 100 * megabyte, `${Math.round(peak / megabyte)} MB for ${large / megabyte} MB`)
  })

  describe('of a PDF that the service renders slowly (F35)', () => {
    beforeEach(() => {
      path = '/pdf'
    })

    it('may take longer than every timeout while bytes arrive', async () => {
      let pieces = 0
      serve = (_, response) => {
        response.setHeader('content-type', 'application/pdf')
        const timer = setInterval(() => {
          pieces += 1
          response.write('%PDF-1.7 ')
          if (pieces < 16) return
          clearInterval(timer)
          response.end()
        }, 150)
      }
      const start = performance.now()
      assert.equal(await sizeOf(await begin()), 16 * 9)
      const limit = Math.max(timeouts.timeout, timeouts.bodyTimeout)
      assert.ok(performance.now() - start > limit, 'it took longer (control)')
    })

    it('may begin later than the response to a read, which has its own timeout', async () => {
      serve = ({ url }, response) => {
        const isPdf = url?.includes('/pdf') === true
        setTimeout(() => {
          response.setHeader('content-type', isPdf ? 'application/pdf' : 'application/json')
          response.end(isPdf ? '%PDF-1.7' : '{"id":42,"state":"ROUTING"}')
        }, timeouts.timeout * 1.5)
      }
      const [pdf, read] = await Promise.all([begin(), begin('')])
      assert.equal(pdf.statusCode, 200)
      assert.equal(await sizeOf(pdf), 8)
      read.resume()
      assert.equal(read.statusCode, 502, 'a read times out (control)')
    })

    it('ends in the service when the person cancels it', async () => {
      let isOpen = false
      serve = (_, response) => {
        isOpen = true
        response.on('close', () => (isOpen = false))
        response.writeHead(200, { 'content-type': 'application/pdf' }).write('%PDF-1.7')
      }
      const response = await begin()
      await once(response, 'data')
      assert.equal(isOpen, true)
      response.destroy()
      await until(() => !isOpen)
    })
  })
})
