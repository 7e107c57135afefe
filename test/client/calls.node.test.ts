import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { type Client, createClient, type ClientOptions } from '../../src/client/index.ts'
import type { UploadRequest } from '../../src/client/uploads/xhr-upload.ts'

const params = { formId: 6025, packageId: 42 }
const root = 'https://site.test/api/wf'
const session = {
  univid: '10000001',
  env: 'test',
  forms: [6025],
  allows: { operations: [], maxFileSize: 1, extensions: null, resubmit: null },
}
const file = {
  uuid: '00000000-0000-4000-8000-000000000000',
  filename: 'a.txt',
  fileSize: 3,
  contentType: 'text/plain',
  uploadDate: '2026-11-16T09:42:10',
  expirationDate: null,
  metadata: null,
}

describe('a call of the client', () => {
  it('is a request to the proxy with the session, the header of the client and no body', async () => {
    const { client, sent } = setUp(() => proxyResponse(session))
    assert.deepEqual(await client.getSession(), session)
    const [[url, { signal, headers, ...init }] = assert.fail()] = sent
    assert.equal(url, `${root}/session`)
    assert.deepEqual(init, {
      method: 'GET',
      credentials: 'include',
      redirect: 'manual',
      keepalive: false,
      body: undefined,
    })
    assert.deepEqual(headers, { 'x-routeslip': '1', Accept: 'application/json' })
    assert.equal(signal?.aborted, false)
  })

  it('writes its body as JSON, and asks for the version that it reads', async () => {
    const { client, sent } = setUp(() => proxyResponse([]))
    await client
      .voidPackage({ params, body: { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' } })
      .catch(() => {})
    await client
      .getStatus({ params: { formId: 6025 }, query: { id: [42] } }, { version: '1.2' })
      .catch(() => {})
    const [[, write] = assert.fail(), [url, read] = assert.fail()] = sent
    assert.equal(write.method, 'PUT')
    assert.equal(write.body, '{"id":42,"state":"VOID","voidReason":"INCORRECT_FORM"}')
    const { 'idempotency-key': key = '', ...headers } = write.headers as Record<string, string>
    assert.match(key, /^"[\d-]{7,}"$/)
    assert.deepEqual(headers, {
      'x-routeslip': '1',
      Accept: 'application/json',
      'Content-Type': 'application/json',
    })
    assert.equal(url, `${root}/forms/6025/packages/status?id=42`)
    assert.deepEqual(read.headers, {
      'x-routeslip': '1',
      Accept: 'application/vnd.workflow+json;version=1.2',
    })
  })

  it('returns nothing if the operation has no result, with or without a body', async () => {
    for (const response of [
      new Response(null, { status: 204, headers: marked }),
      proxyResponse({ any: 1 }),
    ]) {
      const { client } = setUp(() => response)
      assert.equal(await client.deleteFile({ params: { uuid: file.uuid } }), undefined)
    }
  })

  for (const [status, expected] of [
    [400, { name: 'RefusedError', message: 'getPackage was refused with status 400', status: 400 }],
    [401, { name: 'SignedOutError', message: 'getPackage needs a sign-in' }],
    [403, { name: 'ForbiddenError', message: 'getPackage is not allowed' }],
    [404, { name: 'NotFoundError', message: 'getPackage found nothing' }],
    [410, { name: 'NotFoundError', message: 'getPackage found nothing' }],
    [409, { name: 'RefusedError', message: 'getPackage was refused with status 409', status: 409 }],
    [429, unavailable(429, true)],
    [500, unavailable(500, false)],
    [502, unavailable(502, true)],
    [503, unavailable(503, true)],
  ] as const) {
    it(`rejects with ${expected.name} after status ${status}, and names the request in the log`, async () => {
      for (const requestId of ['a1', undefined]) {
        const { client } = setUp(() => proxyResponse({ detail: 'Why', requestId }, status))
        await assert.rejects(client.getPackage({ params }), {
          operation: 'getPackage',
          requestId,
          ...expected,
        })
      }
    })
  }

  it('takes the reason of a refusal only if it is text', async () => {
    for (const [body, detail] of [
      [{ detail: 'Why', requestId: 5 }, 'Why'],
      [{ detail: 5 }, undefined],
      [null, undefined],
      ['Why', undefined],
    ]) {
      const { client } = setUp(() => proxyResponse(body, 409))
      await assert.rejects(client.getPackage({ params }), { detail, requestId: undefined })
    }
    const { client } = setUp(() => new Response('<h1>Refused</h1>', { status: 409, headers: marked }))
    await assert.rejects(client.getPackage({ params }), { name: 'RefusedError', detail: undefined })
  })

  it('rejects by the status alone if the proxy sends HTML', async () => {
    for (const [status, name] of [
      [401, 'SignedOutError'],
      [404, 'NotFoundError'],
      [413, 'RefusedError'],
    ] as const) {
      const { client } = setUp(() => new Response('<h1>No</h1>', { status, headers: marked }))
      await assert.rejects(client.getPackage({ params }), { name })
    }
  })

  it('rejects with UnavailableError if the response cannot be used (F22, F23)', async () => {
    const down = new TypeError('down')
    const unusable = { name: 'UnavailableError', message: 'getPackage got no valid response' }
    const lost = setUp(() => Promise.reject(down))
    await assert.rejects(lost.client.getPackage({ params }), { ...unusable, isTransient: true, cause: down })
    for (const body of ['', '{"id":42', '<h1>Login</h1>', 'null', '[]', '{"id":42}']) {
      const { client } = setUp(() => new Response(body, { headers: marked }))
      await assert.rejects(client.getPackage({ params }), { ...unusable, isTransient: false })
    }
  })

  it('waits for the headers until the timeout, and twelve times as long for the body', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const isTimeout = (error: Error) => {
      assert.equal(error.message, 'getPackage got no valid response')
      assert.equal((error.cause as Error).name, 'TimeoutError')
      assert.equal((error as Error & { isTransient: boolean }).isTransient, false)
      return true
    }
    const { client } = setUp((signal) => hang(signal), { timeout: 1000 })
    const hanging = settlesOf(client)
    await passTime(t, 999)
    assert.equal(hanging.isSettled(), false)
    await passTime(t, 1)
    await assert.rejects(hanging.call, isTimeout)

    const slow = setUp((signal) => slowBody(signal), { timeout: 1000 })
    const reading = settlesOf(slow.client)
    await passTime(t, 11_999)
    assert.equal(reading.isSettled(), false)
    await passTime(t, 1)
    await assert.rejects(reading.call, isTimeout)
  })

  it('rejects with the reason of its signal, and ends its request', async () => {
    let received: AbortSignal | null | undefined
    const { client } = setUp((signal) => hang((received = signal)))
    const abort = new AbortController()
    const call = client.getPackage({ params }, { signal: abort.signal })
    await new Promise(setImmediate)
    const reason = new Error('not needed')
    abort.abort(reason)
    await assert.rejects(call, reason)
    assert.equal(received?.aborted, true)
  })
})

describe('an upload of the client', () => {
  for (const [name, call, url, parts] of [
    [
      'a file with metadata',
      (client: Client) => client.uploadFile({ file: textFile(), body: { metadata: { a: 'b' } } }),
      `${root}/files`,
      [['meta', '{"metadata":{"a":"b"}}'], ['file']],
    ],
    [
      'a file alone',
      (client: Client) => client.uploadFile({ file: textFile() }),
      `${root}/files`,
      [['file']],
    ],
    [
      'an attachment with a description',
      (client: Client) =>
        client.uploadAttachment({
          file: textFile(),
          params: { ...params, attachmentTypeId: 11 },
          body: 'The "plan"',
        }),
      `${root}/forms/6025/packages/42/attachments/types/11`,
      [['description', 'The "plan"'], ['file']],
    ],
  ] as const) {
    it(`sends ${name}, the file last`, async () => {
      const uploads: UploadRequest[] = []
      const { client } = setUp(() => proxyResponse(null), {
        upload: (request) => {
          uploads.push(request)
          return Promise.resolve(proxyResponse(file))
        },
      })
      await call(client).catch(() => {})
      const [{ url: sentTo, headers, body } = assert.fail()] = uploads
      assert.equal(sentTo, url)
      const { 'idempotency-key': key = '', ...others } = headers as Record<string, string>
      assert.match(key, /^"[\d-]{7,}"$/)
      assert.deepEqual(others, { 'x-routeslip': '1', Accept: 'application/json' })
      assert.deepEqual(
        [...body].map(([part, value]) => (value instanceof File ? [part] : [part, value])),
        parts,
      )
    })
  }
})

const marked = { 'x-routeslip': '1', 'content-type': 'application/json' }

function proxyResponse(body: unknown, status = 200): Response {
  return new Response(JSON.stringify(body), { status, headers: marked })
}

function unavailable(status: number, isTransient: boolean) {
  const message = `getPackage failed with status ${status}`
  return { name: 'UnavailableError', message, isTransient, retryAfter: undefined }
}

function setUp(
  respond: (signal: AbortSignal | null | undefined) => Response | Promise<Response>,
  options: Partial<ClientOptions> = {},
) {
  const sent: (readonly [url: string, init: RequestInit])[] = []
  const client = createClient({
    endpoint: `${root}//`,
    live: false,
    retries: 0,
    fetch: async (input, init = {}) => {
      sent.push([input as string, init])
      return await respond(init.signal)
    },
    ...options,
  })
  return { client, sent }
}

function hang(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error))
  })
}

/** Headers at once, and a body that never ends. */
function slowBody(signal: AbortSignal | null | undefined): Response {
  const body = new ReadableStream({
    start: (controller) => signal?.addEventListener('abort', () => controller.error(signal.reason)),
  })
  return new Response(body, { headers: marked })
}

function settlesOf(client: Client) {
  let isSettled = false
  const call = client.getPackage({ params })
  void call.then(
    () => (isSettled = true),
    () => (isSettled = true),
  )
  return { call, isSettled: () => isSettled }
}

/** Lets fake time pass, with room for promises before and after. */
async function passTime(t: TestContext, milliseconds: number): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
  t.mock.timers.tick(milliseconds)
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
}

function textFile(): File {
  return new File(['abc'], 'a.txt', { type: 'text/plain' })
}
