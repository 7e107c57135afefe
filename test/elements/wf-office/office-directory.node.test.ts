import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  NotFoundError,
  type PageClient,
  RefusedError,
  SignedOutError,
  UnavailableError,
} from '../../../src/client/index.ts'
import { directoryOf } from '../../../src/elements/wf-office/office-directory.ts'

const { signal } = new AbortController()
const down = new UnavailableError('searchOffices', 'got no response')

/** A client whose two forms of the search return an office or throw. Returns the calls too. */
function clientOf(first: () => unknown, second: () => unknown = () => []) {
  const calls: string[] = []
  const answer = async (name: string, input: unknown, options: unknown, respond: () => unknown) => {
    calls.push(`${name} ${JSON.stringify(input)}`)
    assert.deepEqual(options, { signal })
    return await Promise.resolve(respond())
  }
  const full = {
    searchOffices: (input: unknown, options: unknown) => answer('first', input, options, first),
    findOffices: (input: unknown, options: unknown) => answer('second', input, options, second),
  }
  return { client: { extend: () => full } as unknown as PageClient, calls }
}

const fail = (error: Error) => () => {
  throw error
}

describe('OfficeDirectory', () => {
  it('is the same for all elements with one client', () => {
    const { client } = clientOf(() => [])
    assert.equal(directoryOf(client), directoryOf(client))
    assert.notEqual(directoryOf(client), directoryOf(clientOf(() => []).client))
  })

  it('keeps the offices of each search, without rows that could not be read', async () => {
    const { client, calls } = clientOf(() => [{ naturalKey: '11', name: 'Life' }, null])
    const directory = directoryOf(client)
    await directory.search('11', signal)
    assert.deepEqual([...directory.offices], [['11', { naturalKey: '11', name: 'Life' }]])
    assert.deepEqual([...directory.searched], ['11'])
    assert.deepEqual(calls, ['first {"query":{"searchTerm":"11"}}'])
  })

  it('uses the second form of the search from then on if the service does not know the first', async () => {
    for (const error of [new NotFoundError('searchOffices', 'found nothing'), new RefusedError('a', 400)]) {
      const { client, calls } = clientOf(fail(error), () => [{ naturalKey: '11' }])
      const directory = directoryOf(client)
      await directory.search('11', signal)
      await directory.search('05', signal)
      assert.deepEqual(calls, [
        'first {"query":{"searchTerm":"11"}}',
        'second {"query":{"key":"11"}}',
        'second {"query":{"key":"05"}}',
      ])
      assert.deepEqual([...directory.offices.keys()], ['11'])
    }
  })

  it('does not if there was no answer, or if the second form fails too', async () => {
    for (const error of [down, new SignedOutError('searchOffices', 'needs a session')]) {
      const { client, calls } = clientOf(fail(error))
      await assert.rejects(directoryOf(client).search('11', signal), error)
      assert.equal(calls.length, 1)
      assert.equal(directoryOf(client).searched.size, 0, 'it can be repeated')
    }
    const { client, calls } = clientOf(fail(new NotFoundError('a', 'b')), fail(down))
    for (let attempt = 0; attempt < 2; attempt++)
      await assert.rejects(directoryOf(client).search('11', signal), down)
    assert.deepEqual(
      calls.map((call) => call.split(' ')[0]),
      ['first', 'second', 'first', 'second'],
    )
  })
})
