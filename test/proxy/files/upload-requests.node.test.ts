import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { browserOperations } from '../../../src/contract/services/browser-operations.ts'
import { connectionOf } from '../../../src/proxy/http/connection.ts'
import type { UploadedFile, UploadLimits } from '../../../src/proxy/files/read-upload.ts'
import { readUploadWhole } from '../../../src/proxy/files/read-upload.ts'
import { uploadFile, type UploadPolicy } from '../../../src/proxy/files/upload.ts'
import type { OperationRequest } from '../../../src/proxy/operation/operation-request.ts'
import { ProxyError } from '../../../src/proxy/http/problem.ts'
import type { Upstream, UpstreamCall } from '../../../src/proxy/upstream/upstream.ts'

type Name = 'uploadFile' | 'uploadAttachment'

interface Given {
  readonly file?: Partial<UploadedFile>
  readonly policy?: Partial<UploadPolicy>
  readonly headers?: Record<string, string>
  readonly types?: readonly unknown[]
}

/** Uploads the text `hello`, and returns the calls, with the body that the service gets without its boundary. */
async function upload(name: Name, { file, policy, headers = {}, types = [{ id: 3 }] }: Given = {}) {
  const calls: unknown[] = []
  const limits: UploadLimits[] = []
  const lines: unknown[] = []
  let discarded = 0
  const signal = new AbortController().signal
  const upstream = {
    call: async (operation: string, { body, ...call }: UpstreamCall) => {
      assert.deepEqual(call, {
        params: { attachmentTypeId: '3' },
        as: { univid: '10000001' },
        requestId: 'r1',
        signal,
      })
      if (operation === 'getAttachmentTypes') {
        calls.push(operation)
        return types
      }
      assert.ok(body && 'bytes' in body)
      const boundary = body.type.replace('multipart/form-data; boundary=', '')
      const chunks: Uint8Array[] = []
      for await (const chunk of body.bytes) chunks.push(chunk)
      calls.push([operation, Buffer.concat(chunks).toString().replaceAll(boundary, 'X')])
      return { uuid: 'u' }
    },
  } as unknown as Upstream
  const request = new Request('http://site/', { method: 'POST', headers })
  const operationRequest = {
    name,
    operation: browserOperations[name],
    params: { attachmentTypeId: '3' },
    person: { univid: '10000001' },
    requestId: 'r1',
    signal,
  } as unknown as OperationRequest
  const outcome: unknown = await uploadFile(request, connectionOf(request), operationRequest, upstream, {
    async read(_request, given) {
      limits.push(given)
      return {
        filename: 'a.txt',
        contentType: 'text/plain',
        part: undefined,
        bytes: (async function* () {
          yield new TextEncoder().encode('hello')
        })(),
        discard: () => void (discarded += 1),
        ...file,
      }
    },
    maxFileSize: 1000,
    extensions: null,
    maxExpiresIn: null,
    scan: undefined,
    scanTimeout: 30_000,
    log: (...line) => void lines.push(line),
    ...policy,
  }).catch((error: unknown) => (error instanceof ProxyError ? `${error.status} ${error.message}` : error))
  return { outcome, calls, limits, lines, discarded: () => discarded }
}

const filePart = (name = 'a.txt', type = 'text/plain') =>
  `--X\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\nhello\r\n--X--\r\n`
const part = (name: string, type: string, text: string) =>
  `--X\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: ${type}\r\n\r\n${text}\r\n`

describe('an upload of a file', () => {
  it('is sent with its owner, its cleaned name and the type of its extension', async () => {
    const { outcome, calls, limits, lines, discarded } = await upload('uploadFile', {
      file: { filename: '../a"b.csv', contentType: 'text/csv; x=y' },
    })
    const meta = '{"filename":"a_b.csv","metadata":{"routeslip-owner":"10000001"}}'
    assert.deepEqual(calls, [
      ['uploadFile', part('meta', 'application/json', meta) + filePart('a_b.csv', 'text/csv')],
    ])
    assert.deepEqual(
      [outcome, limits, lines, discarded()],
      [{ uuid: 'u' }, [{ maxFileSize: 1000, part: 'meta' }], [], 1],
    )
  })

  it('has the name and the lifetime that its meta requests', async () => {
    const { calls } = await upload('uploadFile', {
      file: { part: '{"filename":"b.txt","expiresIn":"60s","metadata":{"note":"x"}}' },
      policy: { maxExpiresIn: 60 },
    })
    const meta = '{"filename":"b.txt","expiresIn":"60s","metadata":{"note":"x","routeslip-owner":"10000001"}}'
    assert.deepEqual(calls, [['uploadFile', part('meta', 'application/json', meta) + filePart('b.txt')]])
  })

  it('is refused if its meta is not valid, or its extension is not allowed', async () => {
    for (const [given, outcome] of [
      [{ file: { part: '{"filename":3}' } }, /^400 filename: /],
      [{ file: { part: '{' } }, /^400 The body is not valid JSON/],
      [{ policy: { extensions: ['pdf'] } }, /^415 Files of this type cannot be uploaded here/],
      [
        { file: { part: '{"expiresIn":"61s"}' }, policy: { maxExpiresIn: 60 } },
        /^422 This site does not keep/,
      ],
    ] as const) {
      const refused = await upload('uploadFile', given)
      assert.match(String(refused.outcome), outcome)
      assert.deepEqual([refused.calls, refused.discarded()], [[], 1])
    }
  })

  it('is logged with the reason if its content or its meta is refused, and otherwise not', async () => {
    const { lines } = await upload('uploadFile', { policy: { extensions: ['pdf'] } })
    const reason = 'Files of this type cannot be uploaded here. Choose a file of one of these types: pdf.'
    const facts = { requestId: 'r1', univid: '10000001', reason }
    assert.deepEqual(lines, [['warn', 'uploadFile: the file was refused', facts]])
    const { lines: others } = await upload('uploadFile', { file: { part: '{' } })
    assert.deepEqual(others, [])
    const reserved = await upload('uploadFile', { file: { part: '{"metadata":{"routeslip-owner":"2"}}' } })
    assert.equal(reserved.lines.length, 1)
  })

  it('is not read if its headers show that it cannot be accepted', async () => {
    for (const [headers, outcome] of [
      [{ 'content-length': '101001' }, '413 The file is larger than 1000 bytes. Choose a smaller file.'],
      [
        { 'content-encoding': 'gzip' },
        '415 The body must not be compressed. Send it without Content-Encoding.',
      ],
    ] as const) {
      const refused = await upload('uploadFile', { headers })
      assert.deepEqual([refused.outcome, refused.limits], [outcome, []])
    }
    const largest = { 'content-length': '101000', 'content-encoding': 'Identity' }
    assert.deepEqual((await upload('uploadFile', { headers: largest })).outcome, { uuid: 'u' })
  })

  it('passes its facts to the scanner', async () => {
    let given: unknown
    const { outcome } = await upload('uploadFile', {
      policy: {
        scan: (facts) => {
          given = facts
          return Promise.resolve({ isClean: false, finding: 'Eicar' })
        },
      },
    })
    assert.deepEqual(given, { filename: 'a.txt', contentType: 'text/plain', univid: '10000001' })
    assert.equal(outcome, '422 The scanner found harmful content in the file. Choose another file.')
  })
})

describe('an upload of an attachment', () => {
  it('is sent with its description, if there is one', async () => {
    const { calls, limits } = await upload('uploadAttachment', { file: { part: ' My\r\nplan ' } })
    const description = part('description', 'text/plain; charset=utf-8', 'My\nplan')
    assert.deepEqual(calls, ['getAttachmentTypes', ['uploadAttachment', description + filePart()]])
    assert.deepEqual(limits, [{ maxFileSize: 1000, part: 'description' }])
    for (const text of [undefined, ' \n']) {
      const { calls: plain } = await upload('uploadAttachment', { file: { part: text } })
      assert.deepEqual(plain, ['getAttachmentTypes', ['uploadAttachment', filePart()]])
    }
  })

  it('has to be a PDF if its type requires that', async () => {
    const required = '415 This type of attachment has to be a PDF. Choose a PDF file.'
    const pdfOnly = { pdf: true }
    for (const [types, outcome] of [
      [[null, { id: 4, mimeTypeRestrictions: null }, { id: 3, mimeTypeRestrictions: pdfOnly }], required],
      [
        [
          { id: 4, mimeTypeRestrictions: pdfOnly },
          { id: 3, mimeTypeRestrictions: { pdf: false } },
        ],
        { uuid: 'u' },
      ],
      [[{ id: 3, mimeTypeRestrictions: null }], { uuid: 'u' }],
      [[{ id: 3, mimeTypeRestrictions: { pdf: null } }], { uuid: 'u' }],
    ] as const)
      assert.deepEqual((await upload('uploadAttachment', { types })).outcome, outcome)
  })

  it('must have a type of the form', async () => {
    for (const types of [[], [null, { id: 4 }]]) {
      const { outcome, limits } = await upload('uploadAttachment', { types })
      assert.deepEqual([outcome, limits], ['404 This package or file does not exist.', []])
    }
  })
})

describe('readUploadWhole()', () => {
  const read = async (body: BodyInit, headers: Record<string, string> = {}) => {
    const request = new Request('http://site/', { method: 'POST', body, headers })
    const limits = { maxFileSize: 100, part: 'meta' } as const
    return await readUploadWhole(request, limits, connectionOf(request))
  }

  it('returns the declared type of the file, or that of plain bytes', async () => {
    for (const [type, expected] of [
      ['text/csv', 'text/csv'],
      ['', 'application/octet-stream'],
    ] as const) {
      const form = new FormData()
      form.append('file', new File(['x'], 'a.csv', { type }))
      const { contentType, discard } = await read(form)
      assert.equal(contentType, expected)
      discard()
    }
  })

  it('refuses a body that is no form, and keeps the cause', async () => {
    const message =
      'Send multipart/form-data with one "file" part. A "meta" or "description" part, if any, comes before it.'
    for (const headers of [{}, { 'content-type': 'multipart/form-data; boundary=x' }])
      await assert.rejects(
        read('hello', headers),
        (error) =>
          error instanceof ProxyError && error.message === message && error.cause instanceof TypeError,
      )
    const empty = new FormData()
    await assert.rejects(read(empty), { status: 400, message, cause: undefined })
  })
})
