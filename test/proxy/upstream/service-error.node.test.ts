import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SendResponse } from '../../../src/proxy/send.ts'
import { callError, serviceError } from '../../../src/proxy/upstream/service-error.ts'

type Entry = readonly [level: string, message: string, fields?: object]

/** Returns the error for a response of the service, and what was logged. */
function outcomeOf(status: number, service: 'routing' | 'storage' = 'routing', body = '', retryAfter = '') {
  const logged: Entry[] = []
  const log = (...entry: Entry) => void logged.push(entry)
  const response = { status, header: () => retryAfter || null } as unknown as SendResponse
  const facts = { name: 'getPackage', service, requestId: 'r1', log, secrets: [] } as const
  const error = serviceError(response, body, facts as unknown as Parameters<typeof serviceError>[2])
  return { error, logged }
}

describe('serviceError()', () => {
  it('logs each failure of the service once, with its level, and no refusal of a right', () => {
    const facts = (status: number) => ({ status, requestId: 'r1' })
    const expected: Readonly<Record<number, readonly Entry[]>> = {
      400: [['warn', 'getPackage: the service refused the request', facts(400)]],
      401: [['error', 'getPackage: the routing service refuses our client credentials', facts(401)]],
      403: [],
      404: [],
      409: [],
      422: [['warn', 'getPackage: the service refused the request', facts(422)]],
      429: [['warn', 'getPackage: the service is busy', facts(429)]],
      500: [['error', 'getPackage failed', facts(500)]],
      503: [['warn', 'getPackage: the service is busy', facts(503)]],
    }
    for (const [status, entries] of Object.entries(expected))
      assert.deepEqual(outcomeOf(Number(status)).logged, entries, status)
    // The storage service has no rights of a person, so it refuses the application.
    assert.deepEqual(outcomeOf(403, 'storage').logged, [
      ['error', 'getPackage: the storage service refuses our client credentials', facts(403)],
    ])
  })

  it('passes on the reason of a refusal, and when to try again', () => {
    assert.equal(outcomeOf(409, 'routing', '{"detail":"It is void"}').error.reason, 'It is void')
    assert.equal(outcomeOf(500, 'routing', '{"detail":"It is void"}').error.reason, undefined)
    for (const [header, seconds] of [
      ['7', 7],
      ['', 5],
      ['soon', 5],
      ['999', 60],
      ['0', 1],
    ] as const)
      assert.equal(outcomeOf(503, 'routing', '', header).error.retryAfter, seconds, header)
  })
})

describe('callError()', () => {
  it('logs that there was no response, unless the client has disconnected', () => {
    const logged: Entry[] = []
    const log = (...entry: Entry) => void logged.push(entry)
    const facts = { name: 'getPackage', service: 'routing', requestId: 'r1', log } as unknown as Parameters<
      typeof callError
    >[2]
    callError(new Error('reset'), true, facts)
    assert.deepEqual(logged, [])
    callError(new Error('reset'), false, facts)
    assert.deepEqual(logged, [
      ['error', 'getPackage: no response', { requestId: 'r1', cause: 'Error: reset' }],
    ])
  })
})
