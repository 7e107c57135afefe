import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { readMultipart } from '../../../src/emulator/http/multipart.ts'
import { createMemoryStore } from '../../../src/emulator/state/object-store.ts'
import { cleanFilename } from '../../../src/proxy/files/filename.ts'
import { connectionOf } from '../../../src/proxy/http/connection.ts'
import { createReadUpload } from '../../../src/proxy/node/upload.ts'
import { ProxyError } from '../../../src/proxy/http/problem.ts'
import { streamOf } from '../../../src/proxy/upstream/send.ts'
import { encodeMultipart } from '../../../src/proxy/files/multipart.ts'
import type { UploadedFile } from '../../../src/proxy/files/read-upload.ts'

/** The result of parsing a form. */
interface Form {
  readonly filename: string
  readonly part: string | undefined
  readonly hash: string
}

const boundary = 'limit'
const formData = `multipart/form-data; boundary=${boundary}`
const named = 'Content-Disposition: form-data; '
const fileHead = `${named}name="file"; filename="a.pdf"`
const good = part(`${fileHead}\r\nContent-Type: application/pdf`, 'content')
const meta = part(`${named}name="meta"`, '{"a":1}')

/** Bodies that every parser reads the same way: name, body, and the result if it is not `a.pdf` and `content`. */
const plain: readonly (readonly [
  string,
  Buffer,
  Partial<Record<'filename' | 'part' | 'content', string>>?,
])[] = [
  ['one file', form(good)],
  ['meta and a file', form(meta, good), { part: '{"a":1}' }],
  ['nothing after the last boundary', form(good).subarray(0, -2)],
  ['a preamble', join('something\r\n', form(good))],
  ['a preamble that looks like a part', join(part(fileHead, 'other'), '\r\n', form(good))],
  ['a preamble that nearly is a boundary', join('--limi\r\n-limit\r\n--Limit\r\n', form(good))],
  ['an epilogue', join(form(good), 'something')],
  [
    'an epilogue that looks like a part',
    join(form(good), '--limit\r\n', part(fileHead, 'other'), '\r\n--limit--\r\n'),
  ],
  ['other cases', form(part('CONTENT-disposition: FORM-data; NAME="file"; FileName="a.pdf"', 'content'))],
  ['no quotes', form(part(`${named}name=file; filename=a.pdf`, 'content'))],
  ['no spaces', form(part('Content-Disposition:form-data;name="file";filename="a.pdf"', 'content'))],
  [
    'many spaces',
    form(part(`Content-Disposition:  form-data \t;  name="file" ;\tfilename="a.pdf"  `, 'content')),
  ],
  ['the name behind the filename', form(part(`${named}filename="a.pdf"; name="file"`, 'content'))],
  ['an unknown parameter', form(part(`${fileHead}; size=7`, 'content'))],
  ['an unknown header', form(part(`X-Other: a\r\n${fileHead}`, 'content'))],
  ['a folded header', form(part(`${named}name="file";\r\n filename="a.pdf"`, 'content'))],
  ['a header folded by a tab', form(part(`${named}\r\n\tname="file"; filename="a.pdf"`, 'content'))],
  ['no type', form(part(fileHead, 'content'))],
  ['a broken type', form(part(`${fileHead}\r\nContent-Type: ;;;"`, 'content'))],
  ['a type with line ends', form(part(`${fileHead}\r\nContent-Type: text/plain\r\n\t; a=b`, 'content'))],
  ['a type of parts', form(part(`${fileHead}\r\nContent-Type: multipart/mixed; boundary=inner`, 'content'))],
  [
    'parts within a part',
    form(
      part(
        `${fileHead}\r\nContent-Type: multipart/mixed; boundary=inner`,
        '--inner\r\nContent-Disposition: file; filename="b.exe"\r\n\r\nother\r\n--inner--',
      ),
    ),
    { content: '--inner\r\nContent-Disposition: file; filename="b.exe"\r\n\r\nother\r\n--inner--' },
  ],
  ...['7bit', '8bit', 'binary', 'BINARY'].map(
    (encoding) =>
      [
        `the encoding ${encoding}, which is none`,
        form(part(`${fileHead}\r\nContent-Transfer-Encoding: ${encoding}`, 'content')),
      ] as const,
  ),
  [
    'text declared as text',
    form(part(`${named}name="meta"\r\nContent-Type: text/plain; charset=utf-8`, 'é'), good),
    { part: 'é' },
  ],
  [
    'text declared as JSON',
    form(part(`${named}name="meta"\r\nContent-Type: application/json`, '1'), good),
    { part: '1' },
  ],
  ['an empty text', form(part(`${named}name="meta"`, ''), good), { part: '' }],
  ['a text of two lines', form(part(`${named}name="meta"`, 'a\r\nb\nc\r'), good), { part: 'a\r\nb\nc\r' }],
  ['a text with NUL', form(part(`${named}name="meta"`, 'a\0b'), good), { part: 'a\0b' }],
  ['a text with byte order marks', form(part(`${named}name="meta"`, '\uFEFF\uFEFFa'), good), { part: 'a' }],
  [
    'a text as long as may be',
    form(part(`${named}name="meta"`, 'a'.repeat(65_534)), good),
    { part: 'a'.repeat(65_534) },
  ],
  ...names([
    ['résumé “1” 😀.pdf', 'résumé “1” 😀.pdf'],
    ['a%22b.pdf', 'a_b.pdf'],
    ['a\\"b.pdf', 'a_b.pdf'],
    ['a%0d%0aX-Y: z.pdf', 'aX-Y_ z.pdf'],
    ['a%2%0a2b.pdf', 'a%_22b.pdf'],
    ['a%0%0aab.pdf', 'a%_0ab.pdf'],
    ['a%2\u202e2b.pdf', 'a%_22b.pdf'],
    ['100%.pdf', '100%.pdf'],
    ['a%2522.pdf', 'a%2522.pdf'],
    ['..', 'file'],
    ['.', 'file'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\temp\\a.pdf', 'a.pdf'],
    ['a\\', 'file'],
    ['a/', 'file'],
    ['\u202e\u0007', 'file'],
    ['_=cmd_x', '_=cmd_x'],
    ["a'b;c=d,e.pdf", "a'b;c=d,e.pdf"],
    ['a.pdf\t', 'a.pdf'],
    [`${'a'.repeat(10_000)}.pdf`, `${'a'.repeat(196)}.pdf`],
    [`${'é'.repeat(5000)}`, 'é'.repeat(100)],
    ['\uFEFFa.pdf', 'a.pdf'],
    ['CON', '_CON'],
  ]),
  ...[
    '',
    '\r',
    '\n',
    '\r\n',
    '\r\n\r\n',
    '\r\n-',
    '\r\n--',
    '\r\n--limi',
    '\r\n--Limit',
    '\n--limit\n',
    '\r\n--limi\r\n--limi',
    '\r\r\n--limi',
    'Content-Disposition: form-data; name="file"; filename="b"\r\n\r\n',
    String.fromCharCode(...Array.from({ length: 256 }, (_, code) => code)),
  ].map(
    (content) =>
      [
        `the content ${JSON.stringify(content.slice(0, 30))}`,
        form(part(fileHead, content)),
        { content },
      ] as const,
  ),
]

/** Bodies that readers could take in more than one way, or that break off. */
const broken: readonly (readonly [string, Buffer, string?])[] = [
  ['nothing', Buffer.alloc(0)],
  ['no part', form()],
  ['only a preamble', join('something')],
  ['two files', form(good, good)],
  ['two files around meta', form(good, meta, good)],
  ['meta behind the file', form(good, meta)],
  ['two metas', form(meta, meta, good)],
  ['only meta', form(meta)],
  ['three parts', form(meta, good, part(`${named}name="x"`, 'y'))],
  ['a hundred parts', form(...Array.from({ length: 100 }, () => meta), good)],
  ['an unknown part', form(part(`${named}name="env"`, 'prod'), good)],
  ['a part of the other operation', form(part(`${named}name="description"`, 'x'), good)],
  ['a file of another name', form(part(`${named}name="File"; filename="a.pdf"`, 'content'))],
  ['a file whose name has a line end', form(part(`${named}name="fi%0ale"; filename="a.pdf"`, 'content'))],
  ['a part without a name', form(part(`${named}filename="a.pdf"`, 'content'))],
  ['a part of an empty name', form(part(`${named}name=""; filename="a.pdf"`, 'content'))],
  ['a file without a filename', form(part(`${named}name="file"`, 'content'))],
  ['a file of an empty filename', form(part(`${named}name="file"; filename=""`, 'content'))],
  ['a filename of line ends', form(part(`${named}name="file"; filename="%0d%0a"`, 'content'))],
  ['meta as a file', form(part(`${named}name="meta"; filename="meta.json"`, '{}'), good)],
  ['meta as a file without a name', form(part(`${named}name="meta"; filename=""`, '{}'), good)],
  ['an extended filename', form(part(`${named}name="file"; filename*=UTF-8''b.exe`, 'content'))],
  ['an extended filename behind another', form(part(`${fileHead}; filename*=UTF-8''b.exe`, 'content'))],
  [
    'an extended filename before another',
    form(part(`${named}name="file"; filename*="b.exe"; filename="a.pdf"`, 'content')),
  ],
  ['an extended filename in capitals', form(part(`${fileHead}; FILENAME*=UTF-8''b.exe`, 'content'))],
  ['a filename in pieces', form(part(`${named}name="file"; filename*0="a"; filename*1=".exe"`, 'content'))],
  ['two filenames', form(part(`${fileHead}; filename="b.exe"`, 'content'))],
  ['two filenames of different cases', form(part(`${fileHead}; FileName="b.exe"`, 'content'))],
  ['two names', form(part(`${named}name="meta"; name="file"; filename="a.pdf"`, 'content'))],
  [
    'two names, the other way round',
    form(part(`${named}name="file"; name="meta"; filename="a.pdf"`, 'content')),
  ],
  ['two dispositions', form(part(`${named}name="meta"\r\n${fileHead}`, 'content'))],
  [
    'two types',
    form(part(`${fileHead}\r\nContent-Type: text/html\r\nContent-Type: application/pdf`, 'content')),
  ],
  ['no disposition', form(part('Content-Type: application/pdf', 'content'))],
  [
    'a disposition for mail',
    form(part('Content-Disposition: attachment; name="file"; filename="a.pdf"', 'content')),
  ],
  [
    'a disposition of more than one word',
    form(part('Content-Disposition: form-data x; name="file"; filename="a"', 'content')),
  ],
  ['no headers', form(Buffer.from('\r\ncontent'))],
  ['no end of headers', form(Buffer.from(fileHead))],
  ['a name that does not end', form(part(`${named}name="file; filename="a.pdf"`, 'content'))],
  ['a filename that does not end', form(part(`${named}name="file"; filename="a.pdf`, 'content'))],
  ['something behind a quote', form(part(`${named}name="file"x; filename="a.pdf"`, 'content'))],
  ['no semicolon', form(part(`${named}name="file" filename="a.pdf"`, 'content'))],
  ['two semicolons', form(part(`${named}name="file";; filename="a.pdf"`, 'content'))],
  ['a comma', form(part(`${named}name="file", filename="a.pdf"`, 'content'))],
  ['a space before the equals sign', form(part(`${named}name ="file"; filename="a.pdf"`, 'content'))],
  ['a space behind the equals sign', form(part(`${named}name= "file"; filename="a.pdf"`, 'content'))],
  ['other quotes', form(part(`${named}name='file'; filename='a.pdf'`, 'content'))],
  [
    'a space before the colon',
    form(part('Content-Disposition : form-data; name="file"; filename="a.pdf"', 'content')),
  ],
  ['a line without a colon first', form(part(`something\r\n${fileHead}`, 'content'))],
  ['a header without a name first', form(part(`: a\r\n${fileHead}`, 'content'))],
  ['a bare line feed in a header', form(part(`${named}name="file"; filename="a\nb"`, 'content'))],
  ['a bare carriage return in a header', form(part(`${named}name="file"; filename="a\rb"`, 'content'))],
  ['NUL in a filename', form(part(`${named}name="file"; filename="a.exe\0.pdf"`, 'content'))],
  ['NUL in a name', form(part(`${named}name="file\0"; filename="a.pdf"`, 'content'))],
  [
    'a filename that is not UTF-8',
    form(join(`${named}name="file"; filename="`, Buffer.of(0xe9), '"\r\n\r\ncontent')),
  ],
  [
    'a filename of overlong UTF-8',
    form(join(`${named}name="file"; filename="`, Buffer.of(0xc0, 0xaf), '"\r\n\r\ncontent')),
  ],
  ['a filename of 20 kB', form(part(`${named}name="file"; filename="${'a'.repeat(20_000)}"`, 'content'))],
  ['a disposition behind 100 headers', form(part(`${'A: b\r\n'.repeat(100)}${fileHead}`, 'content'))],
  ...['base64', 'BASE64', ' base64 ', 'quoted-printable', 'x-uuencode', 'gzip'].map(
    (encoding) =>
      [
        `the encoding ${encoding}`,
        form(part(`${fileHead}\r\nContent-Transfer-Encoding: ${encoding}`, 'Y29udGVudA==')),
      ] as const,
  ),
  [
    'an encoding of meta',
    form(part(`${named}name="meta"\r\nContent-Transfer-Encoding: base64`, 'e30='), good),
  ],
  [
    'two encodings',
    form(
      part(
        `${fileHead}\r\nContent-Transfer-Encoding: binary\r\nContent-Transfer-Encoding: base64`,
        'content',
      ),
    ),
  ],
  [
    'meta in another charset',
    form(part(`${named}name="meta"\r\nContent-Type: text/plain; charset=utf-16le`, '{\0}\0'), good),
  ],
  [
    'meta in base64 by its charset',
    form(part(`${named}name="meta"\r\nContent-Type: text/plain; charset=base64`, '{}'), good),
  ],
  ['meta of bytes', form(part(`${named}name="meta"\r\nContent-Type: application/octet-stream`, '{}'), good)],
  ['meta of HTML', form(part(`${named}name="meta"\r\nContent-Type: text/html`, '{}'), good)],
  ['meta that is not UTF-8', form(join(`${named}name="meta"\r\n\r\n`, Buffer.of(0xff, 0xfe)), good)],
  ['meta that is too long', form(part(`${named}name="meta"`, 'a'.repeat(65_537)), good)],
  ['only line feeds', Buffer.from(form(good).toString().replaceAll('\r\n', '\n'))],
  ['only carriage returns', Buffer.from(form(good).toString().replaceAll('\r\n', '\r'))],
  ['line feeds at boundaries', Buffer.from(form(good).toString().replaceAll('\r\n--', '\n--'))],
  ['no last boundary', form(good).subarray(0, -11)],
  ['a last boundary without dashes', join('--limit\r\n', good, '\r\n--limit\r\n')],
  ['a last boundary with one dash', join('--limit\r\n', good, '\r\n--limit-\r\n')],
  ['a last boundary of another', join('--limit\r\n', good, '\r\n--other--\r\n')],
  ['a last boundary first', join('--limit--\r\n', form(good))],
  ['a boundary in other cases', Buffer.from(form(good).toString().replaceAll('limit', 'LIMIT'))],
  ['a boundary with more behind it', join('--limitX\r\n', good, '\r\n--limit--\r\n')],
  ['a boundary with more behind it in the content', form(part(fileHead, 'a\r\n--limitX\r\n\r\nb'))],
  [
    'a boundary that begins another part in the content',
    form(part(fileHead, `a\r\n--limitX\r\n${fileHead}\r\n\r\nb`)),
  ],
  [
    'an outer boundary in parts within a part',
    form(part(fileHead, `--inner\r\n\r\n\r\n--limit\r\n${fileHead}\r\n\r\nb`)),
  ],
  ['spaces behind a boundary', join('--limit \t\r\n', good, '\r\n--limit--  \r\n')],
  ['a content that begins with a boundary', form(part(fileHead, '--limit--'))],
  ['a part of nothing', join('--limit\r\n--limit\r\n', good, '\r\n--limit--\r\n')],
  [
    'half a header before the last boundary',
    join('--limit\r\n', good, '\r\n--limit\r\nContent-Dispo\r\n--limit--\r\n'),
  ],
  ['half a header at the end', join(form(good).subarray(0, -4), '\r\nContent-Dispo')],
  ['half a part at the end', join(form(good).subarray(0, -4), `\r\n${fileHead}\r\n\r\nhal`)],
  ...[
    'text/plain',
    'multipart/form-data',
    'multipart/form-data; charset=utf-8',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=""',
    'multipart/form-data; boundary="limit',
    'multipart/form-data; boundary=limit"',
    'multipart/form-data; boundary=limit; boundary=other',
    'multipart/form-data; boundary=other; boundary=limit',
    'multipart/form-data; boundary=limit; charset=utf-8',
    'multipart/form-data; boundary=limit;',
    'multipart/form-data; boundary=limit, multipart/form-data; boundary=other',
    'multipart/form-data; boundary*=limit',
    'multipart/form-data; boundary=li mit',
    'multipart/form-data; boundary="limit "',
    'multipart/form-data; boundary="li\\mit"',
    'multipart/form-data; boundary=limi',
    'multipart/form-data; boundary=LIMIT',
    `multipart/form-data; boundary=${'a'.repeat(71)}`,
    'multipart/form-data boundary=limit',
    'multipart/form-dataX; boundary=limit',
    'multipart/mixed; boundary=limit',
    'application/x-www-form-urlencoded; boundary=limit',
    '',
  ].map((type) => [`the type ${type || '(none)'}`, form(good), type] as const),
]

describe('multipart bodies (T21)', () => {
  const unhandled: unknown[] = []
  const note = (error: unknown) => unhandled.push(error)
  before(() => process.on('unhandledRejection', note).on('uncaughtException', note))
  after(() => {
    process.off('unhandledRejection', note).off('uncaughtException', note)
    assert.deepEqual(unhandled, [])
  })

  it('are tested in large number', () => {
    assert.ok(plain.length + broken.length >= 120, String(plain.length + broken.length))
  })

  it('are accepted unchanged if every parser reads them the same way', async () => {
    for (const [name, body, { filename = 'a.pdf', part: text, content = 'content' } = {}] of plain) {
      for (const size of [body.length, 1, 7]) {
        if (size < 10 && body.length > 3000) continue
        const form = await relay(body, formData, size)
        const expected = { filename, part: text, hash: hashOf(Buffer.from(content)) }
        assert.deepEqual(form, expected, `${name}, in pieces of ${size}`)
      }
    }
  })

  it('are refused if parsers could disagree or the body is cut off', async () => {
    for (const [name, body, type = formData] of broken) {
      for (const size of [body.length || 1, 1, 7]) {
        if (size < 10 && body.length > 3000) continue
        assert.equal(await relay(body, type, size), 400, `${name}, in pieces of ${size}`)
      }
    }
  })

  it('are refused wherever they are cut off', async () => {
    const body = form(meta, good)
    for (let end = 0; end < body.length - 2; end++) {
      assert.equal(await relay(body.subarray(0, end)), 400, `after ${end} bytes`)
    }
    assert.equal(typeof (await relay(body.subarray(0, -2))), 'object', 'the control')
  })

  it('may declare their boundary in different notations', async () => {
    for (const type of [
      'multipart/form-data;boundary=limit',
      'multipart/form-data; boundary="limit"',
      'Multipart/Form-Data; Boundary=limit ',
      'multipart/form-data ;\tBOUNDARY="limit"',
    ]) {
      assert.equal(typeof (await relay(form(good), type)), 'object', type)
    }
    for (const odd of ["a'()+_,-./:=?b", '-', '--', '----WebKitFormBoundaryaB3', 'a'.repeat(70)]) {
      const body = Buffer.from(form(good).toString().replaceAll('limit', odd))
      const form2 = await relay(body, `multipart/form-data; boundary="${odd}"`)
      assert.equal(typeof form2, 'object', odd)
    }
  })

  it('may contain the text part of the requested operation only', async () => {
    const description = form(part(`${named}name="description"`, 'words'), good)
    assert.equal(((await relay(description, formData, 100, 'description')) as Form).part, 'words')
    assert.equal(await relay(description, formData, 100, 'none'), 400)
    assert.equal(await relay(form(meta, good), formData, 100, 'description'), 400)
    assert.equal(await relay(form(meta, good), formData, 100, 'none'), 400)
    assert.equal(typeof (await relay(form(good), formData, 100, 'none')), 'object')
  })

  it('are refused or forwarded as they were read, after any mutation', async () => {
    const bodies = [...plain, ...broken].map(([, body]) => body).filter(({ length }) => length < 2000)
    const pieces = [
      '\r\n',
      '\r',
      '\n',
      '--',
      '--limit',
      '\r\n--limit\r\n',
      '"',
      ';',
      '\\',
      '\0',
      '%',
      '*',
      '=',
      fileHead,
    ]
    const change = fc.record({
      at: fc.nat(2000),
      cut: fc.oneof(fc.constant(0), fc.nat(8), fc.nat(200)),
      put: fc.oneof(
        fc.constantFrom(...pieces).map((piece) => Buffer.from(piece)),
        fc.uint8Array({ maxLength: 4 }).map((bytes) => Buffer.from(bytes)),
      ),
    })
    let arrived = 0
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...bodies),
        fc.array(change, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 1, max: 300 }),
        async (original, changes, size) => {
          let body = original
          for (const { at, cut, put } of changes) {
            const start = at % (body.length + 1)
            body = join(body.subarray(0, start), put, body.subarray(start + cut))
          }
          const form = await relay(body, formData, size)
          if (typeof form === 'number') assert.equal(form, 400)
          else arrived += 1
        },
      ),
      { numRuns: 600 },
    )
    assert.ok(arrived > 10, `${arrived} arrived`)
  })
})

/**
 * Gives a body to the proxy's reader, writes what that made of it as the proxy does, and gives that to two other readers.
 * Returns the form that all of them read, or the status of the refusal.
 */
async function relay(
  body: Buffer,
  type = formData,
  size = 64,
  name: 'meta' | 'description' | 'none' = 'meta',
): Promise<Form | number> {
  let read: UploadedFile
  let sent: { readonly type: string; readonly bytes: Buffer<ArrayBuffer> }
  const hash = createHash('sha256')
  try {
    const request = requestOf(body, type, size)
    const limits = { maxFileSize: 1_000_000, part: name === 'none' ? undefined : name }
    read = await createReadUpload()(request, limits, connectionOf(request))
    async function* bytes() {
      for await (const chunk of read.bytes) {
        hash.update(chunk)
        yield chunk
      }
    }
    const written = encodeMultipart(
      { filename: cleanFilename(read.filename), contentType: read.contentType, bytes: bytes() },
      read.part === undefined
        ? undefined
        : { name: 'meta', type: 'application/json', text: JSON.stringify(read.part) },
    )
    const chunks: Uint8Array[] = []
    for await (const chunk of written.bytes) chunks.push(chunk)
    sent = { type: written.type, bytes: Buffer.concat(chunks) }
  } catch (error) {
    if (error instanceof ProxyError) return error.status
    throw error
  }

  const form = { filename: cleanFilename(read.filename), part: read.part, hash: hash.digest('hex') }
  assert.deepEqual(await readByEmulator(sent), form, 'the emulator sees another form')
  assert.deepEqual(await readByNode(sent), form, "Node's reader sees another form")
  return form
}

async function readByEmulator({ type, bytes }: { type: string; bytes: Buffer<ArrayBuffer> }): Promise<Form> {
  const objects = createMemoryStore()
  const request = new Request('http://service/', {
    method: 'POST',
    headers: { 'content-type': type },
    body: bytes,
  })
  const { file, value } = await readMultipart(request, objects, 'meta')
  const content = await new Response(await objects.get(file.object)).arrayBuffer()
  return { filename: file.name, part: textOf(value), hash: hashOf(Buffer.from(content)) }
}

async function readByNode({ type, bytes }: { type: string; bytes: Buffer<ArrayBuffer> }): Promise<Form> {
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData()
  const file = form.get('file')
  assert.ok(file instanceof File)
  assert.deepEqual([...form.keys()], form.has('meta') ? ['meta', 'file'] : ['file'])
  const content = Buffer.from(await file.arrayBuffer())
  return { filename: file.name, part: textOf(form.get('meta')), hash: hashOf(content) }
}

/** The text within what the proxy writes, which is JSON. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? (JSON.parse(value) as string) : undefined
}

function requestOf(body: Buffer, type: string, size: number): Request {
  async function* chunks() {
    for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size)
  }
  return new Request('http://site/', {
    method: 'POST',
    headers: type ? { 'content-type': type } : {},
    body: streamOf(chunks()),
    duplex: 'half',
  } as RequestInit)
}

function form(...parts: readonly Buffer[]): Buffer {
  return join(...parts.flatMap((one) => [`--${boundary}\r\n`, one, '\r\n']), `--${boundary}--\r\n`)
}

function part(head: string, content: string): Buffer {
  return Buffer.from(`${head}\r\n\r\n${content}`)
}

/** A file of each name, as it is sent and as it must arrive. */
function names(pairs: readonly (readonly [string, string])[]) {
  return pairs.map(([sent, filename]) => {
    const body = form(part(`${named}name="file"; filename="${sent}"`, 'content'))
    return [`the name ${sent.slice(0, 40)}`, body, { filename }] as const
  })
}

function join(...pieces: readonly (Buffer | string)[]): Buffer {
  return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)))
}

function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
