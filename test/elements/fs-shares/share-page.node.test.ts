import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NotFoundError, type PageClient, SignedOutError } from '../../../src/client/index.ts'
import { readShares, type ShareKey } from '../../../src/elements/fs-shares/share-page.ts'

const share = (id: number, fileAssetUuid: string | null) => ({
  id,
  fileAssetUuid,
  granteeClientId: 'archive',
})

interface Responses {
  readonly operations?: readonly string[]
  readonly page?: unknown
  readonly content?: readonly unknown[]
  /** The name of a file, or why it cannot be read. */
  readonly nameOf?: (uuid: string) => string | null | Error
}

/** Reads a page of shares with these responses. Returns the queries too. */
function read(
  { operations = ['getShares'], page = null, content = [], nameOf = (uuid) => `${uuid}.pdf` }: Responses,
  key: Partial<Record<'file' | 'grantee' | 'files', string>> = {},
  { signal } = new AbortController(),
) {
  const queries: unknown[] = []
  const names: string[] = []
  const client = {
    getSession: () => Promise.resolve({ allows: { operations } }),
    getShares: (input: unknown) => Promise.resolve(queries.push(input) && { content, page }),
    getFileMeta: async ({ params: { uuid } }: { readonly params: { readonly uuid: string } }) => {
      names.push(uuid)
      const filename = nameOf(uuid)
      return await (filename instanceof Error ? Promise.reject(filename) : Promise.resolve({ filename }))
    },
    extend: () => client,
  }
  const { file = '', grantee = '', files = '' } = key
  const all: ShareKey = [client as unknown as PageClient, file, grantee, 'createdAt,asc', 2, 20, files]
  return { result: readShares(all, signal), queries, names }
}

describe('readShares()', () => {
  it('asks for the page, and only for the filters that are set', async () => {
    const query = { page: '2', size: '20', sort: 'createdAt,asc' }
    const plain = read({})
    await plain.result
    assert.deepEqual(plain.queries, [{ query }])
    const filtered = read({}, { file: 'a', grantee: 'archive' })
    await filtered.result
    assert.deepEqual(filtered.queries, [
      { query: { ...query, fileAssetUuid: 'a', granteeClientId: 'archive' } },
    ])
  })

  it('separates the shares of all files, and counts the rows that could not be read', async () => {
    const content = [share(1, null), null, share(2, 'a'), share(3, 'b'), null]
    const { ofAll, single, leftOut, page, isServed } = await read({ content }).result
    assert.deepEqual(ofAll, [share(1, null)])
    assert.deepEqual(single, [share(2, 'a'), share(3, 'b')])
    assert.equal(leftOut, 2)
    assert.deepEqual(page, { totalElements: 3, totalPages: null, number: 2, size: 20 })
    assert.equal(isServed, true)
    const known = { totalElements: 50, totalPages: 3, number: 2, size: 20 }
    assert.deepEqual((await read({ content, page: known }).result).page, known)
  })

  it('reads the name of each file once, also of those that people can choose', async () => {
    const content = [share(1, null), share(2, 'a'), share(3, 'a')]
    const { result, names } = read({ content }, { file: 'c', files: 'a b' })
    const found = await result
    assert.deepEqual(names.sort(), ['a', 'b', 'c'])
    assert.deepEqual([...found.names].sort(), [
      ['a', 'a.pdf'],
      ['b', 'b.pdf'],
      ['c', 'c.pdf'],
    ])
  })

  it('goes on without a name that is empty or cannot be read, unless the session has ended', async () => {
    const lost = new NotFoundError('getFileMeta', 'found nothing')
    const nameOf = (uuid: string) => (uuid === 'a' ? lost : uuid === 'b' ? null : 'c.pdf')
    assert.deepEqual([...(await read({ nameOf }, { files: 'a b c' }).result).names], [['c', 'c.pdf']])
    const signedOut = new SignedOutError('getFileMeta', 'needs a session')
    await assert.rejects(read({ nameOf: () => signedOut }, { files: 'a' }).result, signedOut)
    const stopped = new AbortController()
    stopped.abort()
    await assert.rejects(read({ nameOf }, { files: 'a' }, stopped).result, lost)
  })

  it('asks for no shares if the site serves none', async () => {
    const { result, queries } = read({ operations: ['getFileMeta'] }, { files: 'a' })
    const { isServed, ofAll, single, leftOut, names } = await result
    assert.deepEqual([isServed, ofAll, single, leftOut], [false, [], [], 0])
    assert.deepEqual(queries, [])
    assert.equal(names.get('a'), 'a.pdf')
  })
})
