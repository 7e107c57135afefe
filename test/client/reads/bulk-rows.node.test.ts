import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createClient } from '../../../src/client/index.ts'

describe('a bulk read', () => {
  it('returns the rows that can be read, without those that are missing or cannot be read', async () => {
    const rows = [{ id: 44, state: 'ROUTING' }, null, { state: 'VOID' }, { id: 42, state: 'DRAFT' }]
    const client = createClient({
      endpoint: 'https://site.test/api/wf',
      live: false,
      retries: 0,
      fetch: async () => Response.json(rows, { headers: { 'x-routeslip': '1' } }),
    })
    const read = (id: number[]) => client.getStatus({ params: { formId: 6025 }, query: { id } })
    assert.deepEqual(await read([42, 43, 44]), [rows[3], rows[0]])
    assert.deepEqual(await read([43]), [])
  })
})
