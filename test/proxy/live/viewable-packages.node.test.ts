import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { viewablePackages } from '../../../src/proxy/live/viewable-packages.ts'
import { ProxyError } from '../../../src/proxy/http/problem.ts'

const request = { person: { univid: '10000001' }, requestId: 'r', signal: new AbortController().signal }

/** Asks a service that refuses each request that names one of `refused`, with a status. Returns what it was asked, too. */
async function ask(ids: readonly number[], refused: readonly number[], status = 404) {
  const asked: string[] = []
  const viewable = (_: unknown, formId: number, part: readonly number[]) => {
    asked.push(`${formId}: ${part.join()}`)
    return part.some((id) => refused.includes(id))
      ? Promise.reject(new ProxyError(status, 'no'))
      : Promise.resolve(new Set(part.filter((id) => id % 2 === 0)))
  }
  const found = await viewablePackages({ viewable }, request, 6025, ids)
  return { found: [...found], asked }
}

describe('viewablePackages()', () => {
  it('asks once if nothing is refused', async () => {
    assert.deepEqual(await ask([1, 2, 3, 4], []), { found: [2, 4], asked: ['6025: 1,2,3,4'] })
  })

  for (const status of [403, 404, 422])
    it(`asks for each half if the service refuses all: ${status}`, async () => {
      const { found, asked } = await ask([2, 4, 6, 8, 10], [4], status)
      assert.deepEqual(found, [2, 6, 8, 10])
      assert.deepEqual(asked, [
        '6025: 2,4,6,8,10',
        '6025: 2,4,6',
        '6025: 8,10',
        '6025: 2,4',
        '6025: 6',
        '6025: 2',
        '6025: 4',
      ])
    })

  it('is empty if each is refused, and asks for none twice', async () => {
    assert.deepEqual(await ask([2], [2]), { found: [], asked: ['6025: 2'] })
    assert.deepEqual((await ask([2, 4], [2, 4])).found, [])
  })

  it('rejects if the service fails: nobody may conclude that the person has no rights', async () => {
    await assert.rejects(ask([2, 4], [4], 502), ProxyError)
    const viewable = () => Promise.reject(new TypeError('broken'))
    await assert.rejects(viewablePackages({ viewable }, request, 6025, [2, 4]), TypeError)
  })
})
