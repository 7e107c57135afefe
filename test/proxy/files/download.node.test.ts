import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { downloadFile } from '../../../src/proxy/files/download.ts'
import { ProxyError } from '../../../src/proxy/problem.ts'
import type { OperationRequest } from '../../../src/proxy/operation-request.ts'
import type { Upstream } from '../../../src/proxy/upstream/upstream.ts'

/** Downloads from a service that sends these headers, without the decompression that `fetch` does. */
async function download(headers: HeadersInit, name: 'getPdf' | 'getAttachment' = 'getAttachment') {
  const found = new Headers(headers)
  const cancelled: unknown[] = []
  let opened = 0
  const upstream = {
    call: async () => [null, { id: 7, fileName: 'plan.pdf' }],
    download: async () => ({
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
    }),
  } as unknown as Upstream
  const request = {
    name,
    params: { packageId: 42, attachmentId: 7 },
    person: { univid: '10000001' },
    requestId: 'id',
    signal: new AbortController().signal,
  } as unknown as OperationRequest
  const outcome = await downloadFile(request, upstream).then(
    ({ body, ...init }) => new Response(body, init),
    (error: unknown) => error,
  )
  return { outcome, cancelled, opened: () => opened }
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
})
