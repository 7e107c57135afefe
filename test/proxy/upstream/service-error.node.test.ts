import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ProxyError } from '../../../src/proxy/http/problem.ts'
import { refusals } from '../../../src/proxy/http/refusals.ts'
import { type SendResponse, ServicePausedError } from '../../../src/proxy/upstream/send.ts'
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

/** The facts of an error, without its cause. */
const plain = ({ message, status, retryAfter, errors, refusedBy, reason }: ProxyError) => ({
  ...{ message, status, retryAfter, errors, refusedBy, reason },
})

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
      ['7.5', 5],
      ['x7', 5],
      ['7x', 5],
    ] as const) {
      assert.equal(outcomeOf(503, 'routing', '', header).error.retryAfter, seconds, header)
      assert.equal(outcomeOf(429, 'routing', '', header).error.retryAfter, seconds, header)
    }
  })

  it('reads when to try again from a date', (t) => {
    const now = Date.parse('2026-11-16T10:00:00Z')
    t.mock.timers.enable({ apis: ['Date'], now })
    for (const [header, seconds] of [
      ['Mon, 16 Nov 2026 10:00:09 GMT', 9],
      ['Mon, 16 Nov 2026 09:00:00 GMT', 1],
      ['Mon, 16 Nov 2026 11:00:00 GMT', 60],
      ['2026-11-16T10:00:09Z', 5],
      ['Mon, 99 Nov 2026 10:00:09 GMT', 5],
    ] as const)
      assert.equal(outcomeOf(503, 'routing', '', header).error.retryAfter, seconds, header)
  })

  it('returns an error that depends on the status, with the fields of an entry that are not valid', () => {
    const errors = { "entry['budget']": ['required'] }
    const body = JSON.stringify({ detail: 'Check it' })
    for (const [status, expected] of [
      [400, refusals.invalidEntry(undefined, 'Check it')],
      [401, refusals.credentialsRefused()],
      [403, refusals.notAllowed()],
      [404, refusals.notFound()],
      [409, refusals.wrongStateAtService('Check it')],
      [422, refusals.invalidEntry(undefined, 'Check it')],
      [429, refusals.serviceBusy(5)],
      [499, refusals.invalidEntry(undefined, 'Check it')],
      [500, refusals.serviceFailed()],
      [503, refusals.serviceBusy(5)],
      [399, refusals.serviceFailed()],
    ] as const)
      assert.deepEqual(plain(outcomeOf(status, 'routing', body).error), plain(expected), `${status}`)
    assert.deepEqual(plain(outcomeOf(403, 'storage').error), plain(refusals.credentialsRefused()))
    assert.deepEqual(
      plain(outcomeOf(422, 'routing', JSON.stringify(errors)).error),
      plain(refusals.invalidEntry(errors, undefined)),
    )
    assert.deepEqual(
      plain(outcomeOf(422, 'routing', 'nonsense').error),
      plain(refusals.invalidEntry(undefined, undefined)),
    )
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
    const cause = new Error('reset')
    const error = callError(cause, false, facts)
    assert.deepEqual(plain(error), plain(refusals.noResponse(cause)))
    assert.equal(error.cause, cause)
    assert.deepEqual(logged, [
      ['error', 'getPackage: no response', { requestId: 'r1', cause: 'Error: reset' }],
    ])
    const refusal = refusals.interrupted()
    assert.equal(callError(refusal, false, facts), refusal)
    const paused = callError(new ServicePausedError(7), false, facts)
    assert.deepEqual(plain(paused), plain(refusals.servicePaused({ retryAfter: 7 })))
    assert.ok(paused.cause instanceof ServicePausedError)
    assert.equal(logged.length, 1)
  })
})
