import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { request as httpRequest, type RequestListener } from 'node:http'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { listen, type LocalServer, toNodeListener } from '../../../src/cli/listen.ts'
import { createEmulator, type Emulator } from '../../../src/emulator/emulator.ts'
import { createListener, nodeRuntime } from '../../../src/proxy/node/index.ts'
import { createProxy } from '../../../src/proxy/mount/proxy.ts'
import { until } from '../until.ts'

const boundary = 'limit'
const megabyte = 1024 * 1024

describe('the proxy on Node', () => {
  let emulator: Emulator
  let services: LocalServer
  let proxy: LocalServer
  let upstream: RequestListener
  const log: string[] = []
  const runtime = nodeRuntime({ breaker: { calls: 1_000_000 } })

  before(async () => {
    emulator = createEmulator()
    const original = toNodeListener((request) => emulator.fetch(request))
    upstream = original
    services = await listen((request, response) => upstream(request, response), 0, '')
    const credentials = { clientId: 'demo-app', clientSecret: 'demo-secret' }
    proxy = await listen(
      createListener(
        createProxy({
          env: 'test',
          forms: [6025],
          services: {
            workflow: { baseUrl: `${services.url}wf`, ...credentials },
            storage: {
              baseUrl: `${services.url}fs/test`,
              objectOrigins: ['http://emulator.test'],
              ...credentials,
            },
          },
          identity: { identify: () => ({ univid: '10000001' }) },
          limits: { maxFileSize: 8 * megabyte },
          runtime,
          observe: {
            log: (level, message, facts) => log.push(`${level} ${message} ${JSON.stringify(facts)}`),
          },
        }),
      ),
      0,
      '',
    )
  })

  after(async () => {
    await Promise.all([proxy.close(), services.close(), runtime.close()])
  })

  describe('read requests', () => {
    it('are aborted upstream when the browser disconnects, which does not count as a failure of the service', async () => {
      const original = upstream
      try {
        const waiting = new Promise<void>((resolve) => {
          upstream = (_, response) => {
            response.once('close', resolve)
            request.destroy()
          }
        })
        const request = httpRequest(`${proxy.url}api/wf/forms/6025/packages/42`, {
          headers: { 'x-routeslip': '1', 'sec-fetch-site': 'same-origin' },
        })
        request.on('error', () => {})
        request.end()
        await waiting
        upstream = original
        // A failure of the service would be logged before this response.
        assert.equal((await send(multipart([filePart('a.bin', Buffer.from('x'))]))).status, 200)
        assert.deepEqual(
          log.filter((line) => !line.startsWith('info uploadFile')),
          [],
        )
      } finally {
        upstream = original
      }
    })
  })

  describe('uploads', () => {
    it('arrive byte for byte, however they are divided into chunks (F05)', async () => {
      const content = Buffer.alloc(3 * megabyte, 'no boundary here\r\n--limi')
      for (const size of [content.length, 65_536, 1021]) {
        const { status, body } = await send(multipart([filePart('résumé “1”.bin', content)]), size)
        assert.equal(status, 200)
        const { uuid, filename } = JSON.parse(body) as { uuid: string; filename: string }
        assert.equal(filename, 'résumé “1”.bin')
        const stored = emulator.files.test.get(uuid)
        assert.equal(hash(await contentOf(emulator, stored!.object)), hash(content))
        assert.equal(stored?.asset.contentType, 'application/octet-stream')
      }
    })

    it('arrive in chunks of one byte (F05)', async () => {
      const { status } = await send(multipart([filePart('a.bin', Buffer.from('hello'))]), 1)
      assert.equal(status, 200)
    })

    it('stop at the size limit, and the service stores nothing (T23)', async () => {
      const before = emulator.files.test.size
      for (const size of [8 * megabyte + 1, 9 * megabyte]) {
        const { status, body } = await send(multipart([filePart('a.bin', Buffer.alloc(size))]))
        assert.equal(status, 413)
        assert.match(body, /larger than 8 MB/)
      }
      // Without a length, only counting helps.
      const { status } = await send(
        multipart([filePart('a.bin', Buffer.alloc(8 * megabyte + 1))]),
        65_536,
        false,
      )
      assert.equal(status, 413)
      assert.equal(emulator.files.test.size, before)

      const exact = await send(multipart([filePart('a.bin', Buffer.alloc(8 * megabyte))]))
      assert.equal(exact.status, 200)
    })

    const good = filePart('a.bin', Buffer.from('x'))
    // All others are in test/proxy/files/multipart.node.test.ts.
    const bodies: readonly [string, Buffer][] = [
      ['two files', multipart([good, good])],
      ['no closing boundary', multipart([good]).subarray(0, -4)],
    ]
    for (const [name, body] of bodies) {
      it(`are refused with ${name} (T21)`, async () => {
        const before = emulator.files.test.size
        const { status } = await send(body)
        assert.equal(status, 400)
        assert.equal(emulator.files.test.size, before)
      })
    }

    it('are refused immediately if the part after the file is not valid, which is not a failure of the service (T21)', async () => {
      const whole = multipart([good, fieldPart('meta', '{}')])
      for (const at of [whole.length - 30, whole.length - 70]) {
        log.length = 0
        const status = await new Promise<number>((resolve, reject) => {
          const options = { method: 'POST', headers: headers(whole.length) }
          const request = httpRequest(`${proxy.url}api/wf/files`, options, (response) => {
            response.resume()
            resolve(response.statusCode ?? 0)
          })
          request.on('error', reject)
          request.write(whole.subarray(0, at))
          // The response to a later request shows that the first part has arrived.
          fetch(`${proxy.url}api/wf/healthz`).then(() => request.end(whole.subarray(at)), reject)
        })
        assert.equal(status, 400)
        assert.deepEqual(log, [])
      }
    })

    it('are aborted upstream when the browser disconnects, and the proxy keeps running (F08)', async () => {
      const before = emulator.files.test.size
      const original = upstream
      let begun = 0
      let open = 0
      upstream = (request, response) => {
        begun++
        open++
        request.once('close', () => open--)
        original(request, response)
      }
      for (let round = 0; round < 10; round++) {
        const body = multipart([filePart('a.bin', Buffer.alloc(4 * megabyte))])
        const request = httpRequest(`${proxy.url}api/wf/files`, {
          method: 'POST',
          headers: headers(body.length),
        })
        request.on('error', () => {})
        request.write(body.subarray(0, (round + 1) * 300_000))
        await until(() => begun > round)
        request.destroy()
      }
      await until(() => open === 0)
      upstream = original
      assert.equal(emulator.files.test.size, before)
      assert.equal((await send(multipart([good]))).status, 200)
    })

    it('return 502 if the service disconnects halfway', async () => {
      const original = upstream
      upstream = (request) => {
        request.once('data', () => request.socket.destroy())
      }
      try {
        const { status } = await send(multipart([filePart('a.bin', Buffer.alloc(4 * megabyte))]))
        assert.equal(status, 502)
      } finally {
        upstream = original
      }
    })

    it('use little memory, whatever their size', async () => {
      let received = 0
      let peak = 0
      const original = upstream
      upstream = (request, response) => {
        request.on('data', (chunk: Buffer) => (received += chunk.length))
        request.on('end', () =>
          response.end(JSON.stringify({ uuid: '00000000-0000-4000-8000-000000000000' })),
        )
      }
      const big = await listen(
        createListener(
          createProxy({
            env: 'test',
            forms: [],
            services: {
              workflow: { baseUrl: services.url, clientId: 'a', clientSecret: 'b' },
              storage: {
                baseUrl: services.url.slice(0, -1),
                clientId: 'a',
                clientSecret: 'b',
                objectOrigins: [],
              },
            },
            identity: { identify: () => ({ univid: '1' }) },
            limits: { maxFileSize: 1024 * megabyte },
            runtime,
          }),
        ),
        0,
        '',
      )
      try {
        const size = 300 * megabyte
        const chunk = Buffer.alloc(megabyte)
        const [head, tail] = around('a.bin')
        async function* body() {
          yield head
          for (let sent = 0; sent < size; sent += megabyte) {
            // Bytes that the browser has sent and the service has not received.
            peak = Math.max(peak, sent - received)
            yield chunk
          }
          yield tail
        }
        const status = await new Promise<number>((resolve, reject) => {
          const request = httpRequest(
            `${big.url}api/wf/files`,
            { method: 'POST', headers: headers() },
            (response) => {
              response.resume()
              resolve(response.statusCode ?? 0)
            },
          )
          request.on('error', reject)
          Readable.from(body()).pipe(request)
        })
        assert.equal(status, 200)
        assert.ok(received > size)
        assert.ok(peak < size / 2, `${Math.round(peak / megabyte)} MB in between for ${size / megabyte} MB`)
      } finally {
        upstream = original
        await big.close()
      }
    })
  })

  /** Sends a body in chunks of `size` bytes. */
  function send(
    body: Buffer,
    size = 65_536,
    hasLength = true,
    type?: string,
  ): Promise<{ status: number; body: string }> {
    return new Promise((resolve, reject) => {
      const options = { method: 'POST', headers: headers(hasLength ? body.length : undefined, type) }
      const request = httpRequest(`${proxy.url}api/wf/files`, options, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }),
        )
      })
      // An early response may close the connection while the request is still being written.
      request.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET') reject(error)
      })
      // No effect if a response has arrived.
      request.on('close', () =>
        setImmediate(() => reject(new Error('The connection ended without a response'))),
      )
      function* chunks() {
        for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size)
      }
      Readable.from(chunks()).pipe(request)
    })
  }
})

function headers(length?: number, type = `multipart/form-data; boundary=${boundary}`) {
  return {
    'content-type': type,
    'x-routeslip': '1',
    'sec-fetch-site': 'same-origin',
    ...(length !== undefined && { 'content-length': String(length) }),
  }
}

function multipart(parts: readonly Buffer[]): Buffer {
  const pieces = parts.map((part) =>
    Buffer.concat([Buffer.from(`--${boundary}\r\n`), part, Buffer.from('\r\n')]),
  )
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)])
}

function filePart(filename: string, content: Buffer, name = 'file'): Buffer {
  const disposition = `Content-Disposition: form-data; name="${name}"; filename="${filename}"`
  return Buffer.concat([
    Buffer.from(`${disposition}\r\nContent-Type: application/octet-stream\r\n\r\n`),
    content,
  ])
}

function fieldPart(name: string, value: string): Buffer {
  return Buffer.from(`Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`)
}

/** The bytes before and after the content in a body with one file. */
function around(filename: string): [Buffer, Buffer] {
  const whole = multipart([filePart(filename, Buffer.from('|'))])
  const at = whole.indexOf('|')
  return [whole.subarray(0, at), whole.subarray(at + 1)]
}

async function contentOf(emulator: Emulator, object: string): Promise<Buffer> {
  return Buffer.from(await new Response(await emulator.objects.get(object)).arrayBuffer())
}

function hash(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
