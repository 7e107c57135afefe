import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { describe, it } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type EmulatorServer, serveEmulator } from '../../src/cli/emulator.ts'
import type { FileAsset } from '../../src/contract/storage.ts'

const megabyte = 1024 * 1024
const files = 'fs/test/api/v1/files'
const attachments = 'wf/workflow/test/api/developer/forms/6025/packages/42/attachments'
const headers = {
  Authorization: `Basic ${btoa('demo-app:demo-secret')}`,
  'Content-Type': 'multipart/form-data; boundary=limit',
  'x-workflow-request-user': '10000001',
}

describe('serveEmulator(), uploads', () => {
  it('stores 300 MB and returns them through a link, complete and in ranges, in constant memory', async () => {
    await withServer(async (server) => {
      const content = createContent(300)
      const memory = watchMemory()
      const sent = await send(server, `${files}/upload`, form({ content: content.pieces(memory.measure) }))
      assert.equal(sent.status, 200, sent.text)
      const { uuid, fileSize } = JSON.parse(sent.text) as FileAsset
      assert.equal(fileSize, content.size)

      const presigned = await fetch(`${server.services.url}${files}/${uuid}/presign`, { headers })
      const link = await presigned.text()
      for (const range of [undefined, 'bytes=0-']) {
        const response = await fetch(link, { headers: range === undefined ? {} : { range } })
        assert.equal(response.status, range === undefined ? 200 : 206)
        assert.equal(response.headers.get('content-length'), String(content.size))
        const hash = createHash('sha256')
        for await (const chunk of response.body!) {
          hash.update(chunk)
          memory.measure(chunk.length)
        }
        assert.equal(hash.digest('hex'), content.digest())
      }
      for (const [start, end] of [
        [0, 0],
        [65_535, 200_000],
        [2 * megabyte - 7, 5 * megabyte + 7],
        [content.size - 100_000, content.size - 1],
      ] as const) {
        const response = await fetch(link, { headers: { range: `bytes=${start}-${end}` } })
        assert.equal(response.status, 206)
        assert.equal(response.headers.get('content-range'), `bytes ${start}-${end}/${content.size}`)
        assert.ok(Buffer.from(await response.arrayBuffer()).equals(content.slice(start, end)))
      }
      assert.ok(memory.peak() < 32 * megabyte, `${memory.peak()} bytes held`)
    })

    const inMemory = await serveEmulator({ port: 0 })
    try {
      const content = createContent(100)
      const memory = watchMemory()
      await send(inMemory, `${files}/upload`, form({ content: content.pieces(memory.measure) }))
      assert.ok(memory.peak() > 70 * megabyte, `the control shows only ${memory.peak()} bytes held`)
    } finally {
      await inMemory.close()
    }
  })

  it('removes the data of a rejected upload from the disk', async () => {
    await withServer(async (server, objects) => {
      const content = [randomBytes(megabyte)]
      const kept: string[] = []
      const expectKept = async (path: string, body: Iterable<Uint8Array>) => {
        const { status, text } = await send(server, path, body)
        assert.equal(status, 200, text)
        const now = await objects()
        assert.equal(now.length, kept.length + 1)
        kept.splice(0, Infinity, ...now)
      }
      const expectRejected = async (status: number, path: string, body: Iterable<Uint8Array>) => {
        const response = await send(server, path, body)
        assert.equal(response.status, status, response.text)
        assert.deepEqual(await objects(), kept, response.text)
      }

      await expectKept(`${files}/upload`, form({ content, meta: '{"expiresIn":"1h"}' }))
      for (const meta of [
        '{"expiresIn":"-1h"}',
        '{"expiresIn":"0"}',
        '{"expiresIn":"9999999d"}',
        '{"unknown":1}',
        '{"filename":',
      ]) {
        await expectRejected(400, `${files}/upload`, form({ content, meta }))
        await expectRejected(400, `${files}/upload`, form({ content, meta, isMetaFirst: true }))
      }
      await expectRejected(400, `${files}/upload`, form({ content, end: '' }))
      await expectRejected(400, `${files}/upload`, form({ content, end: '--limit\r\n\r\n' }))
      await expectRejected(
        400,
        `${files}/upload`,
        form({ content: [...content, Buffer.from('\r\n--limitX')] }),
      )

      await expectKept(`${attachments}/types/2`, form({ content }))
      await expectRejected(404, `${attachments}/types/999`, form({ content }))
      await expectRejected(404, `${attachments.replace('42', '43')}/types/2`, form({ content }))
      await expectRejected(400, `${attachments}/types/2`, form({ content, end: '' }))
    })
  })

  it('removes the data of an aborted upload from the disk', async () => {
    await withServer(async (server, objects) => {
      const sent = open(server, `${files}/upload`)
      const broken = once(sent, 'error')
      for (const piece of form({ content: [randomBytes(megabyte)], end: '' })) sent.write(piece)
      await until(async () => (await objects()).length === 1, 'an incomplete object')
      sent.destroy(new Error('The client aborts'))
      await broken
      await until(async () => (await objects()).length === 0, 'no object is left')
      assert.equal((await send(server, `${files}/upload`, form({ content: [randomBytes(9)] }))).status, 200)
    })
  })
})

interface Form {
  readonly content: Iterable<Uint8Array>
  /** Text of the part `meta`. */
  readonly meta?: string
  readonly isMetaFirst?: boolean
  /** Last line of the body. */
  readonly end?: string
}

/** Returns the body of an upload in pieces. */
function* form({ content, meta, isMetaFirst = false, end = '--limit--\r\n' }: Form): Generator<Uint8Array> {
  const head = (disposition: string, type: string) =>
    `--limit\r\nContent-Disposition: form-data; ${disposition}\r\nContent-Type: ${type}\r\n\r\n`
  const metaPart =
    meta === undefined
      ? Buffer.alloc(0)
      : Buffer.from(`${head('name="meta"', 'application/json')}${meta}\r\n`)
  if (isMetaFirst) yield metaPart
  yield Buffer.from(head('name="file"; filename="a.bin"', 'application/x-any'))
  yield* content
  yield Buffer.from('\r\n')
  if (!isMetaFirst) yield metaPart
  yield Buffer.from(end)
}

function open(server: EmulatorServer, path: string): ClientRequest {
  return request(`${server.services.url}${path}`, { method: 'POST', headers })
}

/** Sends a body with backpressure. */
async function send(server: EmulatorServer, path: string, body: Iterable<Uint8Array>) {
  const sent = open(server, path)
  const responded = once(sent, 'response') as Promise<[IncomingMessage]>
  await pipeline(Readable.from(body, { objectMode: false }), sent)
  const [response] = await responded
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += String(chunk)
  return { status: response.statusCode, text }
}

/** Creates random content, different in each megabyte. It is generated again for comparison, not kept in memory. */
function createContent(megabytes: number) {
  const size = megabytes * megabyte
  const random = randomBytes(megabyte)
  const hash = createHash('sha256')
  let digest: string | undefined
  const pieceAt = (index: number) => {
    const piece = Buffer.from(random)
    piece.writeUInt32BE(index)
    return piece
  }
  return {
    size,
    *pieces(onSend: (bytes: number) => void): Generator<Uint8Array> {
      for (let index = 0; index < megabytes; index += 1) {
        const piece = pieceAt(index)
        hash.update(piece)
        onSend(piece.length)
        yield piece
      }
    },
    /** Digest of the sent content. */
    digest: () => (digest ??= hash.digest('hex')),
    /** Returns the bytes from `start` to `end`, both included. */
    slice(start: number, end: number): Buffer {
      const [first, last] = [Math.floor(start / megabyte), Math.floor(end / megabyte)]
      const pieces = Array.from({ length: last - first + 1 }, (_, index) => pieceAt(first + index))
      return Buffer.concat(pieces).subarray(start - first * megabyte, end + 1 - first * megabyte)
    },
  }
}

/** Measures the peak memory of new buffers, after every 20 MB. Client and server run in this process. */
function watchMemory() {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const alive = () => {
    // The first call starts a concurrent sweeper; the second waits for it.
    collect()
    collect()
    return process.memoryUsage().arrayBuffers
  }
  const before = alive()
  let peak = 0
  let passed = 0
  return {
    measure(bytes: number) {
      passed += bytes
      if (passed < 20 * megabyte) return
      passed = 0
      peak = Math.max(peak, alive() - before)
    },
    peak: () => peak,
  }
}

/** Runs a function with an emulator that has its own data directory. */
async function withServer(
  run: (server: EmulatorServer, objects: () => Promise<string[]>) => Promise<void>,
): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), 'uploads-'))
  try {
    const server = await serveEmulator({ port: 0, data })
    try {
      await run(server, async () => (await readdir(join(data, 'objects'))).sort())
    } finally {
      await server.close()
    }
  } finally {
    await rm(data, { recursive: true })
  }
}

/** Waits until a condition holds. Throws after 30 seconds. */
async function until(condition: () => Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + 30_000
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`Waited 30 seconds in vain: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
