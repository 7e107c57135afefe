import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { refusals } from '../../../src/proxy/http/refusals.ts'
import type { SendRequest, SendResponse } from '../../../src/proxy/upstream/send.ts'
import { createUpstream, type UpstreamOptions } from '../../../src/proxy/upstream/upstream.ts'
import { jsonResponse } from '../oracle.ts'

const uuid = '00000000-0000-4000-8000-000000000000'
const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const row = { id: 42, state: 'ROUTING' }
const call = {
  as: { univid: '10000001' },
  requestId: 'r1',
  signal: new AbortController().signal,
}

/** Calls services that give one response. Returns the requests that they receive, and what is logged and measured. */
function over(respond: () => SendResponse, options: Partial<UpstreamOptions> = {}) {
  const sent: Omit<SendRequest, 'signal' | 'onAbort'>[] = []
  const logged: unknown[] = []
  const measured: unknown[] = []
  const upstream = createUpstream({
    env: 'test',
    services: {
      workflow: { baseUrl: 'http://wf.test', clientId: 'demo-app', clientSecret: 'one' },
      storage: { baseUrl: 'http://fs.test/root', clientId: 'demo-app', clientSecret: 'two' },
    },
    async send({ service, method, url, headers, body, isFile }) {
      sent.push({ service, method, url, headers, body, isFile: isFile === true })
      return respond()
    },
    log: (...entry) => logged.push(entry),
    metrics: {
      call: (...facts: unknown[]) => measured.push(facts.slice(0, 3)),
    } as unknown as UpstreamOptions['metrics'],
    timeouts: { timeout: 8000, uploadTimeout: 8000, downloadTimeout: 8000 },
    maxResponseSize: 1000,
    ...options,
  })
  return { ...upstream, sent, logged, measured }
}

const basic = (secret: string) => `Basic ${btoa(`demo-app:${secret}`)}`
const workflowHeaders = {
  authorization: basic('one'),
  accept: 'application/json',
  'accept-encoding': 'identity',
  'x-request-id': 'r1',
  'x-workflow-request-user': '10000001',
}
const storageHeaders = {
  authorization: basic('two'),
  accept: 'application/json',
  'accept-encoding': 'identity',
  'x-request-id': 'r1',
}

describe('createUpstream() sends', () => {
  it('a read for a person, with its query', async () => {
    const { call: read, sent, measured, logged } = over(() => jsonResponse([row]))
    const params = { formId: 6025 }
    assert.deepEqual(await read('getStatus', { ...call, params, query: { id: [42, 43] } }), [row])
    const request = {
      service: 'workflow',
      method: 'GET',
      url: 'http://wf.test/workflow/test/api/developer/forms/6025/packages/status?id=42&id=43',
      headers: workflowHeaders,
      body: undefined,
      isFile: false,
    }
    assert.deepEqual(sent, [request])
    assert.deepEqual(measured, [['workflow', 'getStatus', 200]])
    assert.deepEqual(logged, [])
  })

  it('a version, a trace and the application instead of a person', async () => {
    const spans: unknown[] = []
    const { call: read, sent } = over(() => jsonResponse([row]), {
      env: 'prod',
      startCall: (...facts) => {
        spans.push(facts)
        return { traceparent, end: (status) => spans.push(status) }
      },
    })
    const options = { ...call, as: 'application', bypassAuthorization: true, version: '1.2' } as const
    await read('getStatus', { ...options, params: { formId: 1 }, query: { id: [42] } })
    assert.equal(sent[0]?.url, 'http://wf.test/workflow/prod/api/developer/forms/1/packages/status?id=42')
    assert.deepEqual(sent[0]?.headers, {
      ...workflowHeaders,
      accept: 'application/vnd.workflow+json;version=1.2',
      traceparent,
      'x-workflow-request-user': 'demo-app',
      'x-workflow-bypass-authorization': 'true',
    })
    assert.deepEqual(spans, [['r1', 'getStatus'], 200])
  })

  it('each kind of body with its type', async () => {
    async function* bytes() {
      yield new Uint8Array([1, 2])
    }
    const type = 'multipart/form-data; boundary=a'
    const bodies = [
      ['updateFileMeta', { json: { filename: 'a' } }, 'application/json', '{"filename":"a"}', false],
      ['updateFileMeta', { jsonText: '{"a":1}' }, 'application/json', '{"a":1}', false],
      ['uploadFile', { type, bytes: bytes() }, type, [1, 2], true],
    ] as const
    for (const [name, body, expectedType, expected, isFile] of bodies) {
      const { call: send, sent } = over(() => jsonResponse({ uuid }))
      await send(name, { ...call, params: { uuid }, body })
      const [{ headers, body: written, ...facts } = {} as SendRequest] = sent
      assert.deepEqual(headers, { ...storageHeaders, 'content-type': expectedType })
      const chunks: number[] = []
      if (typeof written === 'object')
        for await (const chunk of written) chunks.push(...(chunk as Uint8Array))
      assert.deepEqual(typeof written === 'object' ? chunks : written, expected)
      assert.deepEqual([facts.service, facts.isFile], ['storage', isFile])
    }
  })

  it('requests for texts and files with the types that they accept', async () => {
    const { call: read, download, sent } = over(() => jsonResponse('key'))
    assert.equal(await read('getPublicKey', { ...call, as: 'application' }), 'key')
    await download('getPdf', { ...call, params: { formId: 1, packageId: 2 } })
    assert.deepEqual(
      sent.map(({ url, headers, isFile }) => [url, headers['accept'], isFile]),
      [
        ['http://wf.test/api/v2/public-key', 'text/plain, application/json', false],
        ['http://wf.test/workflow/test/api/developer/forms/1/packages/2/pdf', '*/*', true],
      ],
    )
  })

  it('no allowed actions with bypass authorization', async () => {
    const { call: read, sent } = over(() => jsonResponse([]))
    const asked = read('getActions', { ...call, params: { formId: 1 }, bypassAuthorization: true })
    await assert.rejects(asked, (error: Error) => {
      assert.deepEqual(error.cause, new TypeError('Allowed actions are never read with bypass authorization'))
      return true
    })
    assert.deepEqual(sent, [])
  })
})

describe('createUpstream() reads', () => {
  const params = { formId: 1, packageId: 42 }
  const detailsOf = (error: unknown) => {
    const { status, message } = error as { status: number; message: string }
    return { status, message }
  }
  const unexpected = detailsOf(refusals.unexpectedResponse())

  it('JSON for the browser', async () => {
    const { callForJson } = over(() => jsonResponse([row]))
    const query = { id: [42] }
    assert.equal(await callForJson('getStatus', { ...call, params, query }), JSON.stringify([row]))
  })

  it('any successful status but that of a part', async () => {
    for (const status of [200, 201, 299]) {
      const { call: read, measured } = over(() => jsonResponse(row, status))
      assert.equal(((await read('getPackage', { ...call, params })) as { id: number }).id, 42)
      assert.deepEqual(measured, [['workflow', 'getPackage', status]])
    }
    const { call: read, logged } = over(() => jsonResponse(row, 206))
    await assert.rejects(read('getPackage', { ...call, params }), unexpected)
    assert.deepEqual(logged, [
      ['error', 'getPackage: the response is empty or a part', { status: 206, requestId: 'r1' }],
    ])
  })

  it('a file only with the status 200, and cancels the body of another response', async () => {
    for (const status of [201, 204, 206]) {
      let isCancelled = false
      const cancel = () => void (isCancelled = true)
      const { download, logged } = over(() => ({
        ...jsonResponse('', status),
        stream: () => new ReadableStream({ cancel }),
      }))
      await assert.rejects(download('getPdf', { ...call, params }), unexpected)
      assert.equal(isCancelled, true)
      assert.deepEqual(logged, [
        ['error', 'getPdf: the response is empty or a part', { status, requestId: 'r1' }],
      ])
    }
  })

  it('the reason of a refusal, but none with one of the secrets', async () => {
    for (const [detail, reason] of [
      ['It is void', 'It is void'],
      ['The secret one is wrong', undefined],
      ['The secret two is wrong', 'The secret two is wrong'],
      [`Got ${btoa('demo-app:one')}`, undefined],
    ] as const) {
      const { call: read } = over(() => jsonResponse({ detail }, 409))
      await assert.rejects(read('getPackage', { ...call, params }), { status: 409, reason }, detail)
    }
  })

  it('the body of a refusal up to a limit, and reports the refusal if that fails', async () => {
    const limits: number[] = []
    const respond = () => ({
      ...jsonResponse('', 404),
      bytes: (limit: number) => {
        limits.push(limit)
        return Promise.reject(new Error('too large'))
      },
    })
    const small = over(respond)
    await assert.rejects(small.call('getPackage', { ...call, params }), { status: 404 })
    const large = over(respond, { maxResponseSize: 2 ** 30 })
    await assert.rejects(large.download('getPdf', { ...call, params }), { status: 404 })
    assert.deepEqual(limits, [1000, 256 * 1024])
  })

  it('no response if none comes, and measures and logs that', async () => {
    const failing = () => {
      throw new Error('down')
    }
    for (const name of ['getPackage', 'getPdf'] as const) {
      const ends: unknown[] = []
      const {
        call: read,
        download,
        measured,
        logged,
      } = over(failing, {
        startCall: () => ({ traceparent, end: (status) => ends.push(status) }),
      })
      const asked = (name === 'getPdf' ? download : read)(name, { ...call, params })
      await assert.rejects(asked, detailsOf(refusals.noResponse(undefined)))
      assert.deepEqual(measured, [['workflow', name, 'none']])
      assert.deepEqual(ends, [undefined])
      assert.deepEqual(logged, [['error', `${name}: no response`, { requestId: 'r1', cause: 'Error: down' }]])
    }
  })

  it('no response for a client that has gone, and logs nothing', async () => {
    for (const name of ['getPackage', 'getPdf'] as const) {
      const {
        call: read,
        download,
        logged,
      } = over(() => {
        throw new Error('aborted')
      })
      const gone = { ...call, params, signal: AbortSignal.abort() }
      await assert.rejects((name === 'getPdf' ? download : read)(name, gone))
      assert.deepEqual(logged, [])
    }
  })

  it('the last response to a secret that was refused, and frees the first one', async () => {
    let secret = 'one'
    const limits: number[] = []
    const { call: read, sent } = over(
      () => ({
        ...jsonResponse('', 401),
        bytes: (limit: number) => {
          limits.push(limit)
          return Promise.reject(new Error('broken'))
        },
      }),
      {
        services: {
          workflow: { baseUrl: 'http://wf.test', clientId: 'demo-app', clientSecret: () => secret },
          storage: { baseUrl: '', clientId: '', clientSecret: '' },
        },
      },
    )
    secret = 'three'
    await assert.rejects(read('getPackage', { ...call, params }), detailsOf(refusals.credentialsRefused()))
    assert.deepEqual(
      sent.map(({ headers }) => headers['authorization']),
      [basic('one'), basic('three')],
    )
    assert.deepEqual(limits, [256 * 1024, 1000])
  })
})
