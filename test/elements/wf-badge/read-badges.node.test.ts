import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  NotFoundError,
  type PageClient,
  RefusedError,
  SignedOutError,
  UnavailableError,
} from '../../../src/client/index.ts'
import { maxIds } from '../../../src/contract/values/values.ts'
import { peekBadge, readBadges } from '../../../src/elements/wf-badge/read-badges.ts'

const holder = { approver: 'Ana', permission: 'SIGNATURE_REQUIRED' }
const viewer = { approver: 'Ben', permission: 'VIEW_ONLY' }
const status = (id: number) => ({ id, state: 'ROUTING', inboxSignatures: [viewer, holder] })

/** Reads badges with a client that answers each request so. Returns the ids of each request, and what was reported. */
async function read(ids: readonly number[], respond: (ids: readonly number[]) => unknown) {
  const requests: (readonly number[])[] = []
  const reported = new Map<number, unknown>()
  const getStatus = async (
    input: { readonly query: { readonly id: readonly number[] } },
    options: object,
  ) => {
    const { id } = input.query
    assert.deepEqual([input, options], [{ params: { formId: 6025 }, query: { id } }, { version: '1.2' }])
    requests.push(id)
    const response = respond(id)
    return await (response instanceof Error ? Promise.reject(response) : Promise.resolve(response))
  }
  const client = { getStatus } as unknown as PageClient
  await readBadges(client, 6025, ids, (id, content, error) => {
    assert.equal(reported.has(id), false, 'once')
    reported.set(id, error ?? content)
  })
  return { requests, reported }
}

describe('readBadges()', () => {
  it('asks for as many packages at a time as the service allows', async () => {
    const ids = Array.from({ length: maxIds + 1 }, (_, index) => index + 1)
    const { requests, reported } = await read(ids, (some) => some.map(status))
    assert.deepEqual(requests, [ids.slice(0, maxIds), [maxIds + 1]])
    assert.equal(reported.size, ids.length)
    assert.deepEqual((await read(ids.slice(1), (some) => some.map(status))).requests, [ids.slice(1)])
  })

  it('reports each package with the people who have to act, in whatever order it comes', async () => {
    const { reported } = await read([1, 2, 3], () => [
      null,
      { ...status(2), inboxSignatures: null },
      status(1),
    ])
    assert.deepEqual(reported.get(1), { found: status(1), approvers: [holder] })
    assert.deepEqual(reported.get(2), { found: { ...status(2), inboxSignatures: null }, approvers: [] })
    const missing = reported.get(3)
    assert.ok(missing instanceof NotFoundError)
    assert.equal(missing.message, 'getStatus found nothing')
  })

  it('asks for each package by itself if the service refuses one of several', async () => {
    const refused = new RefusedError('getStatus', 400)
    const { requests, reported } = await read([1, 2], (ids) => (ids.includes(2) ? refused : ids.map(status)))
    assert.deepEqual(requests, [[1, 2], [1], [2]])
    assert.deepEqual(reported.get(1), { found: status(1), approvers: [holder] })
    assert.equal(reported.get(2), refused)
  })

  it('does not if the reason is the person, the service or the page', async () => {
    for (const error of [
      new SignedOutError('getStatus', 'needs a session'),
      new UnavailableError('getStatus', 'got no response'),
      new TypeError('x is not a function'),
    ]) {
      const { requests, reported } = await read([1, 2], () => error)
      assert.deepEqual(requests, [[1, 2]])
      assert.deepEqual([...reported.values()], [error, error])
    }
  })
})

describe('peekBadge()', () => {
  it('returns what the cache has', () => {
    const client = (rows: unknown) =>
      ({
        getCached: (...args: unknown[]) => {
          assert.deepEqual(args, ['getStatus', { params: { formId: 6025 }, query: { id: [42] } }, '1.2'])
          return rows
        },
      }) as unknown as PageClient
    assert.deepEqual(peekBadge(client([status(42)]), 6025, 42), { found: status(42), approvers: [holder] })
    for (const rows of [undefined, [], [null]]) assert.equal(peekBadge(client(rows), 6025, 42), undefined)
  })
})
