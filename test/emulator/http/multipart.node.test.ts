import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { readMultipart } from '../../../src/emulator/http/multipart.ts'
import { createMemoryStore, type ObjectStore } from '../../../src/emulator/state/object-store.ts'
import { ServiceError } from '../../../src/emulator/http/service-error.ts'
import { streamFromGenerator } from '../../../src/emulator/http/stream.ts'

const megabyte = 1024 * 1024

describe('readMultipart()', () => {
  it('reads a form as this runtime writes it', async () => {
    const form = new FormData()
    const content = crypto.getRandomValues(new Uint8Array(50_000))
    form.append('file', new File([content], 'Résumé “1” "q" 日本.pdf', { type: 'application/pdf' }))
    form.append('meta', new Blob(['{"filename":"é"}'], { type: 'application/json' }))
    const { file, value, bytes } = await read(new Request('http://e.test', { method: 'POST', body: form }))
    assert.deepEqual(file, {
      name: 'Résumé “1” "q" 日本.pdf',
      type: 'application/pdf',
      size: 50_000,
      object: file.object,
    })
    assert.match(file.object, /^[0-9a-f]{8}-[0-9a-f-]{27}$/)
    assert.equal(value, '{"filename":"é"}')
    assert.deepEqual(bytes, Buffer.from(content))
  })

  it('accepts the parts in either order, and a file alone', async () => {
    for (const parts of [
      [filePart(), metaPart()],
      [metaPart(), filePart()],
    ]) {
      const { file, value, bytes } = await read(post(parts))
      assert.deepEqual([file.name, value, bytes.toString()], ['a.txt', '{"a":1}', 'hello'])
    }
    assert.equal((await read(post([filePart()]))).value, undefined)
  })

  it('reads the description of an attachment by its name', async () => {
    const parts = [filePart(), 'Content-Disposition: form-data; name="description"\r\n\r\nKostenplan é']
    assert.equal((await read(post(parts), { part: 'description' })).value, 'Kostenplan é')
    await refused(post(parts))
    await refused(post([filePart(), metaPart()]), { part: 'description' })
  })

  it('reads the same form however the body is split into chunks', async () => {
    const content = '\r\n--limi\r\n\r\r\n-\r\n--limi\r'
    const body = multipart([metaPart(), filePart({ content })])
    const whole = await read(request([body]))
    assert.equal(whole.bytes.toString(), content)
    for (let at = 1; at < body.length; at += 1) {
      const { file, value, bytes } = await read(request([body.subarray(0, at), body.subarray(at)]))
      assert.deepEqual([file.name, file.size, value], ['a.txt', content.length, '{"a":1}'], `cut at ${at}`)
      assert.equal(bytes.toString(), content, `cut at ${at}`)
    }
    for (const size of [1, 2, 3, 7]) {
      const pieces = Array.from({ length: Math.ceil(body.length / size) }, (_, index) =>
        body.subarray(index * size, (index + 1) * size),
      )
      const { value, bytes } = await read(request(pieces))
      assert.deepEqual([value, bytes.toString()], ['{"a":1}', content], `pieces of ${size}`)
    }
  })

  it('accepts an empty file, a preamble, an epilogue and padding after boundaries', async () => {
    assert.equal((await read(post([filePart({ content: '' })]))).file.size, 0)
    const body = multipart([filePart()]).toString()
    for (const given of [
      `preamble\r\n${body}`,
      `${body}epilogue`,
      body.trimEnd(),
      body.replace('--limit', '--limit \t'),
    ]) {
      assert.equal((await read(request([Buffer.from(given)]))).bytes.toString(), 'hello')
    }
  })

  it('reads boundaries in all notations of Content-Type', async () => {
    for (const [type, boundary] of [
      ['multipart/form-data; boundary=----WebKitFormBoundaryAb3', '----WebKitFormBoundaryAb3'],
      ['Multipart/Form-Data;charset=utf-8;Boundary="a b:c"', 'a b:c'],
      ['multipart/form-data; boundary=x;', 'x'],
    ] as const) {
      const body = multipart([filePart()], boundary)
      assert.equal((await read(request([body], type))).bytes.toString(), 'hello', type)
    }
  })

  it('reads file names in the notations of browsers and other clients, without paths', async () => {
    for (const [written, name] of [
      ['filename="a.txt"', 'a.txt'],
      ['filename=a.txt', 'a.txt'],
      ['filename="日本 é “x”.txt"', '日本 é “x”.txt'],
      ['filename="say %22hi%22%0D%0A.txt"', 'say "hi".txt'],
      ['filename="say \\"hi\\".txt"', 'say "hi".txt'],
      ['filename="100%25.txt"', '100%25.txt'],
      ['filename="C:\\docs\\a.txt"', 'a.txt'],
      ['filename="../../etc/passwd"', 'passwd'],
      ['filename="a; filename=b.txt"', 'a; filename=b.txt'],
      ['filename="x.txt"; filename*=UTF-8\'\'%E2%82%AC%20rates.txt', '€ rates.txt'],
      ["filename*=utf-8'en'..%2Fa.txt", 'a.txt'],
      ['FileName="a.txt"', 'a.txt'],
    ] as const) {
      assert.equal((await read(post([filePart({ filename: written })]))).file.name, name, written)
    }
  })

  it('keeps the declared type, or uses application/octet-stream if it is not valid', async () => {
    for (const [declared, type] of [
      ['Content-Type: image/png\r\n', 'image/png'],
      ['content-type:text/csv; charset=utf-8\r\n', 'text/csv; charset=utf-8'],
      ['', 'application/octet-stream'],
      ['Content-Type: \r\n', 'application/octet-stream'],
      ['Content-Type: nonsense\r\n', 'application/octet-stream'],
      ['Content-Type: text/pläin\r\n', 'application/octet-stream'],
    ] as const) {
      assert.equal((await read(post([filePart({ type: declared })]))).file.type, type, declared)
    }
  })

  it('rejects other content types and missing or invalid boundaries', async () => {
    const body = multipart([filePart()])
    for (const type of [
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'multipart/form-data; boundary=""',
      `multipart/form-data; boundary=${'x'.repeat(71)}`,
      'multipart/form-data; boundary=limit; boundary=limit',
      'multipart/form-data; boundary=other',
      'multipart/mixed; boundary=limit',
      'application/json',
      '',
    ]) {
      await refused(request([body], type))
    }
    await refused(
      new Request('http://e.test', {
        method: 'POST',
        headers: { 'content-type': 'multipart/form-data; boundary=limit' },
      }),
    )
    assert.equal((await read(request([body]))).bytes.toString(), 'hello')
  })

  it('rejects all bodies but those with exactly one file and at most one text part', async () => {
    await refused(post([]), { detail: /part "file" is missing/ })
    await refused(post([metaPart()]), { detail: /part "file" is missing/ })
    await refused(post([filePart(), filePart()]), { detail: /only one part "file"/ })
    await refused(post([metaPart(), metaPart(), filePart()]), { detail: /only one part "meta"/ })
    await refused(post([filePart(), metaPart(), metaPart()]), { detail: /only one part "meta"/ })
    await refused(post([metaPart(), filePart(), metaPart()]), { detail: /only one part "meta"/ })
    for (const name of ['other', 'File', 'meta ', '__proto__', '']) {
      const unknown = `Content-Disposition: form-data; name="${name}"\r\n\r\nx`
      await refused(post([filePart(), unknown]), { detail: /is not allowed[.] Send only/ })
      await refused(post([unknown, filePart()]), { detail: /is not allowed[.] Send only/ })
    }
  })

  it('rejects a file without a name', async () => {
    for (const filename of ['', 'filename=""', 'filename="dir/"']) {
      await refused(post([filePart({ filename, content: '' })]), { detail: /no file name/ })
    }
  })

  it('rejects a text part that is over 64 kB, of another type, or not UTF-8', async () => {
    const part = (content: string | Buffer, type = '') =>
      Buffer.concat([
        Buffer.from(`Content-Disposition: form-data; name="meta"\r\n${type}\r\n`),
        Buffer.from(content),
      ])
    assert.equal((await read(post([filePart(), part('x'.repeat(65_536))]))).value?.length, 65_536)
    assert.equal(
      (await read(post([part('é', 'Content-Type: text/plain;charset=utf-8\r\n'), filePart()]))).value,
      'é',
    )
    await refused(post([filePart(), part('x'.repeat(65_537))]), { detail: /64 kB/ })
    await refused(post([part('x'.repeat(65_537)), filePart()]), { detail: /64 kB/ })
    await refused(post([filePart(), part('x', 'Content-Type: image/png\r\n')]), { detail: /must be text/ })
    await refused(post([filePart(), part(Buffer.from([0xc3, 0x28]))]), { detail: /UTF-8/ })
  })

  it('rejects invalid part headers', async () => {
    for (const headers of [
      '',
      'Content-Type: text/plain',
      'Content-Disposition: attachment; name="file"; filename="a"',
      'Content-Disposition: form-data; filename="a"',
      'Content-Disposition: form-data; name="file"; name="file"; filename="a"',
      'Content-Disposition: form-data; name="file"; filename="a"; filename="b"',
      'Content-Disposition: form-data; name="file"; filename="a" b',
      'Content-Disposition: form-data; name="file"; filename="a',
      'Content-Disposition: form-data; name="file"; filename*=UTF-8\'\'%E2%28',
      'Content-Disposition: form-data; name="file"; filename*=latin1\'\'a',
      'Content-Disposition: form-data; name="file";\r\n filename="a"',
      'Content-Disposition: form-data; name="file"; filename="a\nb"',
      'Content-Disposition: form-data; name="file"; filename="a"\r\nContent-Disposition: form-data; name="meta"',
      'Content-Disposition: form-data; name="file"; filename="a"\r\nno header',
      'Content-Disposition: form-data; name="file"; filename="a"\r\nContent-Transfer-Encoding: base64',
      `Content-Disposition: form-data; name="file"; filename="a"\r\nX: ${'x'.repeat(16_384)}`,
    ]) {
      await refused(post([`${headers}\r\n\r\nhello`]))
    }
    const plain =
      'Content-Disposition: form-data; name="file"; filename="a"\r\nContent-Transfer-Encoding: binary'
    assert.equal((await read(post([`${plain}\r\n\r\nhello`]))).bytes.toString(), 'hello')
  })

  it('rejects a body that is cut off anywhere, and keeps nothing of it', async () => {
    const body = multipart([filePart(), metaPart()])
    const end = body.lastIndexOf('--limit--') + '--limit--'.length
    for (let length = 0; length < end; length += 1) await refused(request([body.subarray(0, length)]))
    assert.equal((await read(request([body.subarray(0, end)]))).value, '{"a":1}')
    await refused(request([Buffer.from(body.toString().replaceAll('\r\n', '\n'))]))
    await refused(request([Buffer.from(body.toString().replaceAll('--limit--', '--limitX'))]))
  })

  it('rejects a body whose stream fails, and keeps nothing of it', async () => {
    const body = multipart([filePart({ content: 'x'.repeat(1000) })])
    await refused(
      request(
        (async function* () {
          yield body.subarray(0, 500)
          throw new Error('connection lost')
        })(),
      ),
    )
  })

  it('reads a rejected body to its end', async () => {
    let left = 50
    let finish = () => {}
    const ended = new Promise<void>((resolve) => (finish = resolve))
    async function* long() {
      yield multipart([filePart(), metaPart()]).subarray(0, 30)
      while (left-- > 0) yield Buffer.alloc(1000, 'x')
      finish()
    }
    await refused(request(long(), 'application/json'))
    await ended
  })

  it('rejects with the error of the object store', async () => {
    const store = createMemoryStore()
    const full: ObjectStore = {
      ...store,
      put: async (_key, content) => {
        await content.cancel()
        throw new Error('disk full')
      },
    }
    await assert.rejects(() => readMultipart(post([filePart()]), full, 'meta'), /disk full/)
  })

  it('reports the problem of the body even if the object store replaces the error', async () => {
    const store = createMemoryStore()
    const terse: ObjectStore = {
      ...store,
      put: (key, content) =>
        store.put(key, content).catch(() => {
          throw new TypeError('Failed to fetch')
        }),
    }
    const { file } = await readMultipart(post([filePart()]), terse, 'meta')
    assert.equal(file.size, 5)
    await assert.rejects(() => readMultipart(post([filePart(), filePart()]), terse, 'meta'), ServiceError)
  })

  it('reads no faster than the object store writes', async () => {
    let sent = 0
    let taken = 0
    let ahead = 0
    const store = createMemoryStore()
    const slow: ObjectStore = {
      ...store,
      put: async (_key, content) => {
        for await (const chunk of content) {
          taken += chunk.length
          await new Promise((resolve) => setImmediate(resolve))
          ahead = Math.max(ahead, sent - taken)
        }
        return taken
      },
    }
    const { file } = await readMultipart(
      request(uploadOf(4 * megabyte, (bytes) => (sent += bytes))),
      slow,
      'meta',
    )
    assert.equal(file.size, 4 * megabyte)
    assert.ok(ahead <= 4 * 65_536, `${ahead} bytes were read ahead`)
  })

  it('keeps only a small part of a 300 MB upload in memory', async () => {
    const discarding: ObjectStore = {
      ...createMemoryStore(),
      put: async (_key, content) => {
        let size = 0
        for await (const chunk of content) size += chunk.length
        return size
      },
    }
    const { peak, file } = await measure(discarding)
    assert.equal(file.size, 300 * megabyte)
    assert.ok(peak < 16 * megabyte, `${peak} bytes held`)

    const held: Uint8Array[] = []
    const hoarding: ObjectStore = {
      ...createMemoryStore(),
      put: async (_key, content) => {
        for await (const chunk of content) held.push(chunk.slice())
        return 0
      },
    }
    const control = await measure(hoarding)
    assert.ok(control.peak > 250 * megabyte, `the control shows only ${control.peak} bytes held`)
  })

  it('leaves nothing of a rejected upload in the object store', async () => {
    const store = createMemoryStore()
    const body = multipart([filePart({ content: 'x'.repeat(200_000) })])
    await assert.rejects(() => readMultipart(request([body.subarray(0, -6)]), store, 'meta'), ServiceError)
    assert.deepEqual(await store.keys(), [])
    await readMultipart(request([body]), store, 'meta')
    assert.equal((await store.keys()).length, 1)
  })
})

function filePart({
  filename = 'filename="a.txt"',
  type = 'Content-Type: text/plain\r\n',
  content = 'hello',
} = {}): string {
  const disposition = ['form-data; name="file"', ...(filename ? [filename] : [])].join('; ')
  return `Content-Disposition: ${disposition}\r\n${type}\r\n${content}`
}

function metaPart(): string {
  return 'Content-Disposition: form-data; name="meta"\r\nContent-Type: application/json\r\n\r\n{"a":1}'
}

function multipart(parts: readonly (string | Buffer)[], boundary = 'limit'): Buffer {
  const line = (text: string) => Buffer.from(text)
  return Buffer.concat([
    ...parts.flatMap((part) => [line(`--${boundary}\r\n`), Buffer.from(part as string), line('\r\n')]),
    line(`--${boundary}--\r\n`),
  ])
}

function post(parts: readonly (string | Buffer)[]): Request {
  return request([multipart(parts)])
}

/** Creates a request whose body arrives in the given pieces. */
function request(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  type = 'multipart/form-data; boundary=limit',
): Request {
  const init = {
    method: 'POST',
    headers: { 'content-type': type },
    body: streamOfPieces(pieces),
    // Node requires this option, but the DOM types do not have it.
    duplex: 'half',
  }
  return new Request('http://e.test', init)
}

function streamOfPieces(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): ReadableStream<Uint8Array> {
  return streamFromGenerator(
    (async function* (): AsyncGenerator<Uint8Array, void, undefined> {
      yield* pieces
    })(),
  )
}

/** Creates the body of an upload of the given size, in pieces of 64 kB. */
function* uploadOf(size: number, onSend: (bytes: number) => void): Generator<Uint8Array> {
  const [head = '', tail = ''] = multipart([filePart({ content: '|' })])
    .toString()
    .split('|')
  const piece = crypto.getRandomValues(new Uint8Array(65_536))
  yield Buffer.from(head)
  for (let left = size; left > 0; left -= piece.length) {
    onSend(Math.min(left, piece.length))
    yield piece.subarray(0, left)
  }
  yield Buffer.from(tail)
}

/**
 * Uploads 300 MB. Returns the maximum number of bytes that the upload adds to the living buffers. Garbage is collected before each look,
 * so that the result does not depend on the machine.
 */
async function measure(store: ObjectStore) {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const alive = () => {
    // The first call hands dead buffers to a concurrent sweeper, and the second call waits for it.
    collect()
    collect()
    return process.memoryUsage().arrayBuffers
  }
  const before = alive()
  let sent = 0
  let peak = 0
  const body = uploadOf(300 * megabyte, (bytes) => {
    sent += bytes
    if (sent % (20 * megabyte) === 0) peak = Math.max(peak, alive() - before)
  })
  const { file } = await readMultipart(request(body), store, 'meta')
  return { peak, file }
}

async function read(request: Request, { part = 'meta' }: { part?: 'meta' | 'description' } = {}) {
  const objects = createMemoryStore()
  const { file, value } = await readMultipart(request, objects, part)
  const bytes = Buffer.from(await new Response(await objects.get(file.object)).arrayBuffer())
  assert.equal(file.size, bytes.length)
  return { file, value, bytes }
}

/** Expects an error 400 and an empty object store. */
async function refused(
  request: Request,
  { part = 'meta', detail = /./ }: { part?: 'meta' | 'description'; detail?: RegExp } = {},
) {
  const kept = new Set<string>()
  const store = createMemoryStore()
  const objects: ObjectStore = {
    ...store,
    put: async (key, content) => {
      const size = await store.put(key, content)
      kept.add(key)
      return size
    },
  }
  await assert.rejects(
    () => readMultipart(request, objects, part),
    (error: unknown) => {
      assert.ok(error instanceof ServiceError, String(error))
      assert.equal(error.status, 400)
      assert.match(error.message, detail)
      return true
    },
  )
  assert.deepEqual([...kept], [])
}
