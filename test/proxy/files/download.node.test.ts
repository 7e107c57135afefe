import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { downloadFile } from '../../../src/proxy/files/download.ts'
import { ProxyError } from '../../../src/proxy/http/problem.ts'
import type { OperationRequest } from '../../../src/proxy/operation/operation-request.ts'
import type { Upstream, UpstreamCall } from '../../../src/proxy/upstream/upstream.ts'

/** The facts about a call that a test compares. */
const factsOf = ({ params, as, requestId, query }: UpstreamCall) => ({
  params,
  as,
  requestId,
  ...(query && { query }),
})

/** Downloads from a service that sends these headers, without the decompression that `fetch` does. */
async function download(
  headers: HeadersInit,
  name: 'getPdf' | 'getAttachment' = 'getAttachment',
  fileName: string | null = 'plan.pdf',
  attachmentId = 7,
) {
  const found = new Headers(headers)
  const cancelled: unknown[] = []
  const calls: (readonly [operation: string, call: object])[] = []
  let opened = 0
  const upstream = {
    call: async (operation: string, call: UpstreamCall) => {
      calls.push([operation, factsOf(call)])
      return [null, { id: 6, fileName: 'other.txt' }, { id: 7, fileName }]
    },
    download: async (operation: string, call: UpstreamCall) => {
      calls.push([operation, factsOf(call)])
      return {
        status: 200,
        header: (field: string) => found.get(field),
        text: async () => assert.fail('a download is not read as text'),
        stream: () => {
          opened += 1
          return new ReadableStream<Uint8Array>(
            {
              pull(controller) {
                controller.enqueue(Buffer.from('hello'))
                controller.close()
              },
              cancel: (reason) => void cancelled.push(reason),
            },
            { highWaterMark: 0 },
          )
        },
      }
    },
  } as unknown as Upstream
  const request = {
    name,
    params: { packageId: 42, attachmentId },
    query: { a: 'b' },
    person: { univid: '10000001' },
    requestId: 'id',
    signal: new AbortController().signal,
  } as unknown as OperationRequest
  const outcome = await downloadFile(request, upstream).then(
    ({ body, ...init }) => new Response(body, init),
    (error: unknown) => error,
  )
  return { outcome, cancelled, calls, opened: () => opened }
}

describe('downloadFile()', () => {
  it('sends the bytes with headers of its own', async () => {
    const { outcome, cancelled } = await download({ 'content-type': 'text/html', 'content-length': '5' })
    assert.ok(outcome instanceof Response)
    assert.equal(outcome.headers.get('content-type'), 'application/pdf')
    assert.equal(outcome.headers.get('content-length'), '5')
    assert.match(outcome.headers.get('content-disposition') ?? '', /^attachment; filename="plan\.pdf"/)
    assert.equal(await outcome.text(), 'hello')
    assert.deepEqual(cancelled, [])
  })

  for (const [name, headers] of [
    ['getPdf', { 'content-type': 'application/pdf', 'content-encoding': 'gzip' }],
    ['getPdf', { 'content-type': 'application/pdf', 'content-encoding': 'br' }],
    ['getAttachment', { 'content-encoding': 'gzip' }],
    ['getAttachment', { 'content-encoding': 'x' }],
    ['getPdf', { 'content-type': 'text/html' }],
    ['getPdf', { 'content-type': 'application/pdfx' }],
    ['getPdf', {}],
  ] as const) {
    it(`refuses ${name} with ${JSON.stringify(headers)} and cancels the body (T24)`, async () => {
      const { outcome, cancelled, opened } = await download(headers, name)
      assert.ok(outcome instanceof ProxyError)
      assert.equal(outcome.status, 502)
      assert.equal(opened(), 1)
      assert.equal(cancelled.length, 1)
    })
  }

  it('accepts identity encoding, which changes nothing', async () => {
    const { outcome } = await download({ 'content-encoding': 'identity' })
    assert.ok(outcome instanceof Response)
    assert.equal(outcome.headers.get('content-encoding'), null)
  })

  it('forwards a Content-Length only if it is a plain number of bytes (T24)', async () => {
    for (const [length, expected] of [
      ['0', '0'],
      ['5', '5'],
      ['123456789012345', '123456789012345'],
      ['1234567890123456', null],
      ['', null],
      ['x', null],
      ['-1', null],
      ['+5', null],
      ['5.0', null],
      ['5e3', null],
      ['0x5', null],
      ['5, 5', null],
    ] as const) {
      const { outcome } = await download({ 'content-length': length })
      assert.ok(outcome instanceof Response)
      assert.equal(outcome.headers.get('content-length'), expected, JSON.stringify(length))
    }
  })

  it('has the type of the extension, and is saved under the cleaned name', async () => {
    for (const [fileName, type, saved] of [
      ['a.PDF', 'application/pdf', 'a.PDF'],
      ['a.png', 'image/png', 'a.png'],
      ['a.jpg', 'image/jpeg', 'a.jpg'],
      ['a.jpeg', 'image/jpeg', 'a.jpeg'],
      ['a.gif', 'image/gif', 'a.gif'],
      ['a.webp', 'image/webp', 'a.webp'],
      ['a.txt', 'text/plain; charset=utf-8', 'a.txt'],
      ['a.csv', 'text/csv; charset=utf-8', 'a.csv'],
      ['a.html', 'application/octet-stream', 'a.html'],
      ['../constructor', 'application/octet-stream', 'constructor'],
      [null, 'application/octet-stream', 'file'],
    ] as const) {
      const { outcome, calls } = await download({}, 'getAttachment', fileName)
      assert.ok(outcome instanceof Response)
      assert.deepEqual(Object.fromEntries(outcome.headers), {
        'cache-control': 'no-store',
        'content-disposition': `attachment; filename="${saved}"; filename*=UTF-8''${saved}`,
        'content-security-policy': "sandbox; default-src 'none'",
        'content-type': type,
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        vary: 'Cookie, Authorization, Origin',
        'x-content-type-options': 'nosniff',
        'x-routeslip': '1',
      })
      assert.deepEqual(
        calls.map(([name]) => name),
        ['getAttachments', 'downloadAttachment'],
      )
    }
  })

  it('sends the PDF of a package without asking for its attachments', async () => {
    const { outcome, calls } = await download({ 'content-type': 'Application/PDF;v=1' }, 'getPdf')
    assert.ok(outcome instanceof Response)
    const saved = 'package-42.pdf'
    assert.equal(
      outcome.headers.get('content-disposition'),
      `attachment; filename="${saved}"; filename*=UTF-8''${saved}`,
    )
    assert.equal(outcome.headers.get('content-type'), 'application/pdf')
    const call = { params: { packageId: 42, attachmentId: 7 }, as: { univid: '10000001' }, requestId: 'id' }
    assert.deepEqual(calls, [['getPdf', { ...call, query: { a: 'b' } }]])
    const { calls: others } = await download({})
    assert.deepEqual(others, [
      ['getAttachments', call],
      ['downloadAttachment', { ...call, query: { a: 'b' } }],
    ])
  })

  it('does not exist if the package has no such attachment, and is not requested then', async () => {
    const { outcome, calls } = await download({}, 'getAttachment', 'plan.pdf', 8)
    assert.ok(outcome instanceof ProxyError)
    assert.equal(outcome.status, 404)
    assert.equal(calls.length, 1)
  })
})
