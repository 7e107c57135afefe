import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { OfficeRouteSummary } from '../../../src/contract/schemas/offices.ts'
import { Disconnect } from '../../../src/proxy/http/disconnect.ts'
import { servedLockOperations } from '../../../src/proxy/handlers/lock-handlers.ts'
import { summaryForBrowser } from '../../../src/proxy/handlers/office-reads.ts'
import { redirectToLink } from '../../../src/proxy/handlers/presign.ts'
import { createChangeRecorder } from '../../../src/proxy/handlers/record-change.ts'
import type { OperationRequest } from '../../../src/proxy/operation/operation-request.ts'
import { ProxyError } from '../../../src/proxy/http/problem.ts'
import { emptyReply } from '../../../src/proxy/http/reply.ts'
import type { Upstream, UpstreamCall } from '../../../src/proxy/upstream/upstream.ts'

describe('createChangeRecorder()', () => {
  function setUp(params: OperationRequest['params'] = { formId: '6025', packageId: 42 }) {
    const lines: unknown[] = []
    const changes: unknown[] = []
    const record = createChangeRecorder({
      log: (...line) => void lines.push(line),
      onChange: (...change) => {
        changes.push(change)
        return Promise.resolve('e1')
      },
    })
    const signal = new Disconnect()
    const request = {
      name: 'voidPackage',
      params,
      person: { univid: '10000001', groups: ['dean'] },
      requestId: 'r1',
      signal,
    } as unknown as OperationRequest
    return { lines, changes, record, request, signal }
  }
  const facts = { formId: '6025', packageId: 42, univid: '10000001', requestId: 'r1' }
  const unknown = 'voidPackage: it is not known whether the service made the change'

  it('logs a change, and announces it with its new state', async () => {
    const { lines, changes, record, request } = setUp()
    const result = { state: 'VOID' }
    const change = () => Promise.resolve(result)
    assert.deepEqual(await record(request, change, { reason: 'x' }), { result, eventId: 'e1' })
    assert.deepEqual(lines, [['info', 'voidPackage', { ...facts, reason: 'x' }]])
    assert.deepEqual(changes, [[{ formId: 6025, packageId: 42 }, 'VOID']])
  })

  it('announces no state if the result has none', async () => {
    for (const result of [undefined, null, 'VOID', [], { state: 3 }, {}]) {
      const { lines, changes, record, request } = setUp()
      assert.deepEqual(await record(request, () => Promise.resolve(result)), { result, eventId: 'e1' })
      assert.deepEqual(lines, [['info', 'voidPackage', facts]])
      assert.deepEqual(changes, [[{ formId: 6025, packageId: 42 }, undefined]])
    }
  })

  it('announces nothing if the change is not about one package', async () => {
    for (const params of [{}, { formId: 6025 }, { packageId: 42 }]) {
      const { lines, changes, record, request } = setUp(params)
      assert.deepEqual(await record(request, () => Promise.resolve(1)), { result: 1, eventId: undefined })
      assert.deepEqual(lines, [['info', 'voidPackage', { ...params, univid: '10000001', requestId: 'r1' }]])
      assert.deepEqual(changes, [])
    }
  })

  it('records nothing that the service refused', async () => {
    const { lines, changes, record, request } = setUp()
    const error = new ProxyError(499, 'no')
    await assert.rejects(
      record(request, () => Promise.reject(error)),
      error,
    )
    assert.deepEqual([lines, changes], [[], []])
  })

  it('records a change that the service may have made', async () => {
    for (const error of [new ProxyError(500, 'no'), new TypeError('reset')]) {
      const { lines, changes, record, request } = setUp()
      await assert.rejects(
        record(request, () => Promise.reject(error)),
        error,
      )
      assert.deepEqual(lines, [['warn', unknown, facts]])
      assert.deepEqual(changes, [[{ formId: 6025, packageId: 42 }, undefined]])
    }
    const { lines, record, request, signal } = setUp()
    signal.abort('gone')
    await assert.rejects(record(request, () => Promise.reject(new ProxyError(400, 'interrupted'))))
    assert.deepEqual(lines, [['warn', unknown, facts]])
  })
})

describe('redirectToLink()', () => {
  async function redirect(link: unknown, inline?: string, contentType: string | null = 'application/pdf') {
    const calls: unknown[] = []
    const lines: unknown[] = []
    const upstream = {
      call(...call: unknown[]) {
        calls.push(call)
        return Promise.resolve(link)
      },
    } as unknown as Upstream
    const call = { requestId: 'r1', query: { inline, other: 'x' } } as unknown as UpstreamCall
    const options = {
      linkSeconds: 30,
      objectOrigins: ['https://objects.test'],
      log: (...line: unknown[]) => void lines.push(line),
    }
    const outcome: unknown = await redirectToLink(call, { contentType }, upstream, options).catch(
      (error: unknown) => error,
    )
    return { outcome, calls, lines }
  }
  const requested = (query: object) => [['presignFile', { requestId: 'r1', query }]]

  it('redirects to the link, which saves the file', async () => {
    for (const [inline, type] of [
      [undefined, 'application/pdf'],
      ['false', 'application/pdf'],
      ['true', 'text/html'],
      ['true', null],
    ] as const) {
      const { outcome, calls, lines } = await redirect('https://objects.test/1?a=b', inline, type)
      assert.deepEqual(outcome, emptyReply(303, { Location: 'https://objects.test/1?a=b' }))
      assert.deepEqual(calls, requested({ expiresIn: '30s' }))
      assert.deepEqual(lines, [])
    }
  })

  it('shows a file of a safe type if that is requested', async () => {
    const { outcome, calls } = await redirect('https://objects.test/1', 'true')
    assert.deepEqual(outcome, emptyReply(303, { Location: 'https://objects.test/1' }))
    assert.deepEqual(calls, requested({ expiresIn: '30s', inline: 'true' }))
  })

  it('refuses a link to another origin, with credentials or of another scheme, and logs its origin', async () => {
    for (const [link, origin] of [
      ['https://evil.example/1', 'https://evil.example'],
      ['http://objects.test/1', 'http://objects.test'],
      ['https://user@objects.test/1', 'https://objects.test'],
      ['https://:secret@objects.test/1', 'https://objects.test'],
      ['blob:https://objects.test/1', 'https://objects.test'],
    ]) {
      const { outcome, lines } = await redirect(link)
      assert.ok(outcome instanceof ProxyError, String(link))
      assert.equal(outcome.status, 502)
      const message = 'presignFile: the link leads to an origin that is not configured'
      assert.deepEqual(lines, [['error', message, { origin }]])
    }
    assert.ok((await redirect(null)).outcome instanceof TypeError)
  })
})

describe('summaryForBrowser()', () => {
  const summary = (stops: unknown) => ({ id: 7, stops }) as unknown as OfficeRouteSummary

  it('numbers the approvers, and marks the person', () => {
    const destination = (approverUnivid: string | null) => ({ approverUnivid, name: 'x' })
    const summaries = [
      summary([{ n: 1, destinations: [destination('5'), null, destination('6')] }, null]),
      null,
      summary([{ n: 2, destinations: [destination('6'), destination(null), destination('7')] }]),
      summary([{ n: 3, destinations: null }]),
      summary(null),
    ]
    const named = (approver: number | null, isSelf = false) => ({ name: 'x', approver, isSelf })
    assert.deepEqual(summaryForBrowser(summaries, '6'), [
      { id: 7, stops: [{ n: 1, destinations: [named(1), null, named(2, true)] }, null] },
      null,
      { id: 7, stops: [{ n: 2, destinations: [named(2, true), named(null), named(3)] }] },
      { id: 7, stops: [{ n: 3, destinations: null }] },
      { id: 7, stops: null },
    ])
  })
})

describe('servedLockOperations()', () => {
  it('contain the release only if the mount serves the operation of the service', () => {
    assert.deepEqual(servedLockOperations(['getPackage', 'deleteLock']), [
      'getLocks',
      'getFormLocks',
      'releaseLock',
    ])
    assert.deepEqual(servedLockOperations(['getPackage']), ['getLocks'])
  })
})
