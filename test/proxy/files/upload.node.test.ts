import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { browserOperations } from '../../../src/contract/services/browser-operations.ts'
import { peek } from '../../../src/proxy/files/peek.ts'
import { type UploadedFile, readUploadWhole } from '../../../src/proxy/files/read-upload.ts'
import { uploadFile, type UploadPolicy } from '../../../src/proxy/files/upload.ts'
import { connectionOf } from '../../../src/proxy/http/connection.ts'
import { ProxyError } from '../../../src/proxy/http/problem.ts'
import type { OperationRequest } from '../../../src/proxy/operation/operation-request.ts'
import type { Upstream, UpstreamCall } from '../../../src/proxy/upstream/upstream.ts'

/** Uploads a file to a service that does this with the body. */
async function upload(
  bytes: AsyncIterable<Uint8Array>,
  receive: (body: AsyncIterable<Uint8Array>) => Promise<unknown>,
  options: Partial<UploadPolicy> = {},
) {
  let discarded = 0
  const logged: string[] = []
  const file: UploadedFile = {
    filename: 'a.txt',
    contentType: 'text/plain',
    part: undefined,
    bytes,
    discard: () => void (discarded += 1),
  }
  const upstream = {
    call: async (_name: string, { body }: UpstreamCall) => {
      assert.ok(body && 'bytes' in body)
      return await receive(body.bytes)
    },
  } as unknown as Upstream
  const request = {
    name: 'uploadFile',
    operation: browserOperations.uploadFile,
    params: {},
    person: { univid: '10000001' },
    requestId: 'id',
    signal: new AbortController().signal,
  } as unknown as OperationRequest
  const posted = new Request('http://site/', { method: 'POST' })
  const outcome = await uploadFile(posted, connectionOf(posted), request, upstream, {
    read: async () => file,
    maxFileSize: 1000,
    extensions: null,
    maxExpiresIn: null,
    scan: undefined,
    scanTimeout: 30_000,
    log: (level, message) => void logged.push(`${level} ${message}`),
    ...options,
  }).catch((error: unknown) => error)
  return { outcome, discarded: () => discarded, logged }
}

/** Chunks that record whether their consumer has released them. */
function source(chunks: readonly string[], failure?: Error) {
  let returned = 0
  let next = 0
  const bytes: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({
      async next() {
        if (next < chunks.length) return { done: false, value: Buffer.from(chunks[next++] ?? '') }
        if (failure) throw failure
        return { done: true, value: undefined }
      },
      async return() {
        returned += 1
        return { done: true, value: undefined }
      },
    }),
  }
  return { bytes, returned: () => returned, read: () => next }
}

async function collect(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

describe('uploadFile()', () => {
  it('returns the result of the service and discards what is left', async () => {
    const { bytes } = source(['hello'])
    let sent = ''
    const { outcome, discarded } = await upload(bytes, async (body) => {
      sent = await collect(body)
      return { uuid: 'x' }
    })
    assert.deepEqual(outcome, { uuid: 'x' })
    assert.match(sent, /\r\n\r\nhello\r\n--/)
    assert.equal(discarded(), 1)
  })

  it('reports the error of the file, not the failed call that follows from it', async () => {
    const tooLarge = new ProxyError(413, 'too large')
    const { bytes } = source(['x'.repeat(5000)], tooLarge)
    const { outcome, discarded } = await upload(bytes, async (body) => {
      await collect(body).catch(() => {})
      throw new ProxyError(502, 'The connection was reset')
    })
    assert.equal(outcome, tooLarge)
    assert.equal(discarded(), 1)
  })

  it('reports the failed call if the file itself is fine', async () => {
    const failed = new ProxyError(502, 'The service failed')
    const { bytes } = source(['hello'])
    const { outcome } = await upload(bytes, async (body) => {
      await collect(body)
      throw failed
    })
    assert.equal(outcome, failed)
  })

  it('releases the file if the service stops reading', async () => {
    const { bytes, returned, read } = source(Array.from({ length: 10 }, () => 'x'.repeat(3000)))
    const { discarded } = await upload(bytes, async (body) => {
      const reader = body[Symbol.asyncIterator]()
      await reader.next()
      await reader.next()
      await reader.return?.()
      return null
    })
    assert.equal(returned(), 1)
    assert.ok(read() < 10)
    assert.equal(discarded(), 1)
  })

  it('sends nothing of a file that is refused, and logs why', async () => {
    const { bytes } = source(['MZ\x90\0\x03\0\0\0'])
    const { outcome, discarded, logged } = await upload(bytes, async () => assert.fail('it was sent'))
    assert.ok(outcome instanceof ProxyError && outcome.status === 415)
    assert.equal(discarded(), 1)
    assert.deepEqual(logged, ['warn uploadFile: the file was refused'])
  })
})

describe('peek()', () => {
  it('returns the head and all bytes, at every length', async () => {
    for (const length of [0, 1, 2, 3, 4, 5, 6, 7]) {
      const { bytes, returned } = source(['ab', 'cd', 'ef'])
      const peeked = await peek(bytes, length)
      assert.equal(Buffer.from(peeked.head).toString(), 'abcdef'.slice(0, length), String(length))
      assert.equal(await collect(peeked.bytes), 'abcdef', String(length))
      assert.equal(returned(), 1)
    }
  })

  it('releases the source if reading stops early', async () => {
    const { bytes, returned } = source(['ab', 'cd', 'ef'])
    const peeked = await peek(bytes, 1)
    const reader = peeked.bytes[Symbol.asyncIterator]()
    await reader.next()
    await reader.return?.()
    assert.equal(returned(), 1)
  })
})

describe('readUploadWhole()', () => {
  type Part = readonly [name: string, value: string | File]
  const file: Part = ['file', new File(['content'], 'a.txt', { type: 'text/plain' })]
  const meta: Part = ['meta', '{}']

  async function read(parts: readonly Part[], maxFileSize = 100, part: 'meta' | 'none' = 'meta') {
    const form = new FormData()
    for (const [name, value] of parts) form.append(name, value)
    // As a browser sends it. Node's own stream of a form fails if its reader stops early.
    const encoded = new Response(form)
    const headers = { 'content-type': encoded.headers.get('content-type') ?? '' }
    const request = new Request('http://site/', {
      method: 'POST',
      headers,
      body: await encoded.arrayBuffer(),
    })
    try {
      const { bytes, ...rest } = await readUploadWhole(
        request,
        {
          maxFileSize,
          part: part === 'none' ? undefined : part,
        },
        connectionOf(request),
      )
      return { filename: rest.filename, part: rest.part, content: await collect(bytes) }
    } catch (error) {
      assert.ok(error instanceof ProxyError, String(error))
      return error.status
    }
  }

  it('reads one file and the part before it', async () => {
    assert.deepEqual(await read([file]), { filename: 'a.txt', part: undefined, content: 'content' })
    assert.deepEqual(await read([meta, file]), { filename: 'a.txt', part: '{}', content: 'content' })
  })

  it('refuses every other shape (T21)', async () => {
    for (const parts of [
      [],
      [meta],
      [file, meta],
      [meta, meta, file],
      [file, file],
      [meta, file, file],
      [['other', 'x'], file],
      [['file', 'text']],
      [['meta', new File(['{}'], 'meta')], file],
    ] as const satisfies readonly (readonly Part[])[]) {
      assert.equal(await read(parts), 400, JSON.stringify(parts.map(([name]) => name)))
    }
    assert.equal(await read([meta, file], 100, 'none'), 400, 'no part is expected')
  })

  it('accepts a file of exactly the limit, and none that is larger (T23)', async () => {
    const sized = (size: number): Part => ['file', new File(['x'.repeat(size)], 'a.txt')]
    assert.deepEqual(await read([sized(100)]), {
      filename: 'a.txt',
      part: undefined,
      content: 'x'.repeat(100),
    })
    assert.equal(await read([sized(101)]), 413)
    assert.equal(await read([sized(200_000)]), 413)
  })
})
