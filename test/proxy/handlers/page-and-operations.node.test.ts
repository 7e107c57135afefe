import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { browserOperations } from '../../../src/contract/services/browser-operations.ts'
import type { BrowserOperation } from '../../../src/contract/routes/routes.ts'
import {
  createOperationHandlers,
  type OperationHandlersOptions,
} from '../../../src/proxy/handlers/operation-handlers.ts'
import { createSlots } from '../../../src/proxy/admission/slots.ts'
import { emptyReply, jsonReply, type Reply } from '../../../src/proxy/http/reply.ts'
import type { OperationContext } from '../../../src/proxy/rights/operation-handler.ts'

const person = { univid: '10000001' }
const signal = new AbortController().signal
const holding = { untilReply: () => {}, untilSent: () => {}, revoke: () => {} }

/** Handlers over a service that returns `result` to each call. */
function setUp(result: unknown, options: Partial<OperationHandlersOptions> = {}) {
  const calls: (readonly [string, object])[] = []
  const changes: unknown[] = []
  const call = (name: string, facts: object) => {
    calls.push([name, facts])
    return Promise.resolve(result)
  }
  const handlerOf = createOperationHandlers({
    upstream: { call, callForJson: call },
    authorizer: { allowedActions: () => Promise.resolve([{ packageId: 42 }]) },
    uploads: { maxExpiresIn: 3600 },
    presign: {},
    countCreation: () => Promise.resolve(0),
    entryTurns: createSlots({}),
    locks: { isOfOther: () => Promise.resolve(false) },
    onChange: (...change: unknown[]) => {
      changes.push(change)
      return Promise.resolve('e1')
    },
    log: () => {},
    ...options,
  } as unknown as OperationHandlersOptions)
  const run = async (
    name: BrowserOperation,
    facts: object = {},
    authorization: object = { query: { a: 'b' } },
  ) => {
    const operationRequest = {
      name,
      operation: browserOperations[name],
      params: { formId: 6025, packageId: 42 },
      version: '1.2',
      person,
      requestId: 'r1',
      signal,
      holding,
      body: undefined,
      ...facts,
    }
    const context = { operationRequest, authorization } as unknown as OperationContext
    return await handlerOf(name)(context)
  }
  return { run, calls, changes }
}

/** The call of a service that these requests lead to. */
const sent = (facts: object = {}) => ({
  params: { formId: 6025, packageId: 42 },
  query: { a: 'b' },
  version: '1.2',
  as: person,
  requestId: 'r1',
  signal,
  holding,
  bypassAuthorization: false,
  body: undefined,
  ...facts,
})
const announced = { 'x-routeslip-event': 'e1' }
const withEvent = (reply: Reply): Reply => ({ ...reply, headers: { ...reply.headers, ...announced } })

describe('the handlers of operations', () => {
  it('pass on a read as JSON text', async () => {
    const { run, calls, changes } = setUp('{"id":42}')
    assert.deepEqual(await run('getPackage'), jsonReply({ id: 42 }, '10000001'))
    assert.deepEqual(calls, [['getPackage', sent()]])
    assert.deepEqual(changes, [])
  })

  it('announce a change, and name its event', async () => {
    const { run, calls, changes } = setUp({ id: 42, state: 'VOID' })
    const body = { json: '{"id":42}', value: { id: 42 } }
    assert.deepEqual(
      await run('voidPackage', { body }),
      withEvent(jsonReply({ id: 42, state: 'VOID' }, '10000001')),
    )
    assert.deepEqual(calls, [['voidPackage', sent({ body: { jsonText: '{"id":42}' } })]])
    assert.deepEqual(changes, [[{ formId: 6025, packageId: 42 }, 'VOID']])
  })

  it('have an event only if the bus names one, and no body if there is none', async () => {
    const { run } = setUp(undefined, { onChange: () => Promise.resolve(undefined) })
    const nothing = Object.entries(browserOperations).find(
      ([, { method, response }]) => method !== 'GET' && response === 'nothing',
    )
    assert.ok(nothing)
    assert.deepEqual(await run(nothing[0] as BrowserOperation), emptyReply(204))
  })

  it('use the bypass only for the operations that need it', async () => {
    for (const [name, { bypass, method, response, requestBody }] of Object.entries<{
      readonly bypass?: boolean
      readonly method: string
      readonly response: string
      readonly requestBody?: string
    }>(browserOperations)) {
      if (method === 'GET' || requestBody === 'multipart' || name === 'updateFileMeta') continue
      const { run, calls } = setUp(response === 'nothing' ? undefined : {})
      await run(name as BrowserOperation)
      assert.deepEqual(calls, [[name, sent({ bypassAuthorization: bypass === true })]], name)
    }
  })

  it('read the states of only the packages that the person may view', async () => {
    const rows = [{ id: 42 }, null, { id: 43 }, {}]
    const { run, calls } = setUp(rows)
    const query = { id: [42, 44] }
    assert.deepEqual(await run('getStatus', {}, { query }), jsonReply([{ id: 42 }, null], '10000001'))
    assert.deepEqual(calls, [['getStatus', sent({ query })]])
    for (const none of [{ query: { id: [] } }, { query: {} }, {}])
      assert.deepEqual(await run('getStatus', {}, none), jsonReply([], '10000001'))
    assert.equal(calls.length, 1, 'without ids, no service is called')
    assert.deepEqual(await setUp({}).run('getStatus', {}, { query }), jsonReply([], '10000001'))
  })

  it('return the actions that the authorizer allows', async () => {
    const { run, calls } = setUp(null)
    assert.deepEqual(await run('getActions'), jsonReply([{ packageId: 42 }], '10000001'))
    assert.deepEqual(calls, [])
  })

  it('create no package if the person has created too many', async () => {
    const counted: string[] = []
    const { run, calls } = setUp(
      {},
      {
        countCreation: (univid) => {
          counted.push(univid)
          return Promise.resolve(7)
        },
      },
    )
    await assert.rejects(run('createPackage'), { status: 429, retryAfter: 7 })
    assert.deepEqual([counted, calls], [['10000001'], []])
  })

  it('keep the metadata of the proxy out of files, and check each change of them', async () => {
    const file = { uuid: 'u', filename: 'a.txt', metadata: { 'routeslip-owner': '1', note: 'x' } }
    const seen = { ...file, metadata: { note: 'x' } }
    const { run, calls } = setUp(file)
    assert.deepEqual(await run('getFileMeta', {}, { file }), jsonReply(seen, '10000001'))
    const body = { json: 'unchecked', value: { filename: 'b<.txt', expiresIn: '1h' } }
    const params = { uuid: 'u' }
    assert.deepEqual(await run('updateFileMeta', { body, params }, { file }), jsonReply(seen, '10000001'))
    const change = { filename: 'b_.txt', expiresIn: '1h' }
    assert.deepEqual(calls, [['updateFileMeta', sent({ params, query: undefined, body: { json: change } })]])
    await assert.rejects(run('getFileMeta', {}, {}), {
      name: 'TypeError',
      message: 'The authorizer decides about a file without reading it',
    })
  })

  it('share the reads of offices, and hide the ids of approvers', async () => {
    const offices = setUp([{ key: '20' }])
    const as = { params: {} }
    for (const name of ['searchOffices', 'findOffices', 'getOfficeRoute'] as const)
      for (let time = 0; time < 2; time++)
        assert.deepEqual(await offices.run(name, as), jsonReply([{ key: '20' }], '10000001'))
    assert.deepEqual(
      offices.calls.map(([name]) => name),
      ['searchOffices', 'findOffices', 'getOfficeRoute'],
    )
    const stops = [{ destinations: [{ approverUnivid: '10000001' }, { approverUnivid: '2' }] }]
    const { run } = setUp([{ id: 1, stops }])
    const shown = [
      {
        destinations: [
          { approver: 1, isSelf: true },
          { approver: 2, isSelf: false },
        ],
      },
    ]
    assert.deepEqual(await run('getRouteSummary', as), jsonReply([{ id: 1, stops: shown }], '10000001'))
  })
})
