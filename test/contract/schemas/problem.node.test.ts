import assert from 'node:assert/strict'
import { STATUS_CODES } from 'node:http'
import { describe, it } from 'node:test'
import { Problem, problemTitles, problemType } from '../../../src/contract/schemas/problem.ts'

describe('problemTitles', () => {
  it('are the reason phrases of RFC 9110', () => {
    // Node has the phrases of RFC 7231 for these two.
    const renamed = { 413: 'Content Too Large', 422: 'Unprocessable Content' }
    const phrases: Readonly<Record<string, string | undefined>> = { ...STATUS_CODES, ...renamed }
    for (const [status, title] of Object.entries(problemTitles)) assert.equal(title, phrases[status], status)
    assert.equal(Object.keys(problemTitles).length, 17)
  })
})

describe('Problem', () => {
  const problem = {
    status: 400,
    title: 'Bad Request',
    detail: 'Some fields are not valid.',
    instance: '/forms/6025/packages',
    type: 'about:blank',
    requestId: 'a1',
    errors: { "entry['purpose']": ['validation.required'] },
  }

  it('has the media type of RFC 9457', () => {
    assert.equal(problemType, 'application/problem+json')
  })

  it('reads a problem with and without its optional members, and drops all others', () => {
    assert.deepEqual(Problem.parse({ ...problem, stack: 'at …' }), problem)
    assert.deepEqual(Problem.parse({ status: 502, title: 'x' }), { status: 502, title: 'x' })
  })

  it('names only the service as the one that refused', () => {
    const refused = { ...problem, refusedBy: 'service' }
    assert.deepEqual(Problem.parse(refused), refused)
    assert.throws(() => Problem.parse({ ...problem, refusedBy: '' }))
  })

  it('rejects everything that is not a problem', () => {
    for (const other of [
      null,
      [],
      'Bad Request',
      {},
      { status: 400 },
      { title: 'Bad Request' },
      { ...problem, status: '400' },
      { ...problem, status: 400.5 },
      { ...problem, errors: { purpose: ['validation.required'] } },
    ]) {
      assert.ok(!Problem.safeParse(other).success, JSON.stringify(other))
    }
  })
})
