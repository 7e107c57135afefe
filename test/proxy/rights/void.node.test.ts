import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Role, setUp } from '../mount.ts'

/** Voids package 42, of which the service sends these facts. Returns the status, and whether the service was asked to void. */
async function voided(as: Role, facts: object) {
  const { request, mutations } = setUp({
    intercept: async (asked, emulator) => {
      const response = await emulator.fetch(asked)
      const isRead = asked.method === 'GET' && new URL(asked.url).pathname.endsWith('/packages/42')
      if (!isRead || !response.ok) return response
      return Response.json({ ...((await response.json()) as object), ...facts })
    },
  })
  const json = { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' }
  const { status } = await request('/forms/6025/packages/42/void', { as, method: 'PUT', json })
  return { status, isSent: mutations().length === 1 }
}

describe('the right to void', () => {
  it('is that of the initiator', async () => {
    assert.deepEqual(await voided('initiator', {}), { status: 200, isSent: true })
    assert.deepEqual(await voided('outsider', {}), { status: 403, isSent: false })
  })

  it('is nobody’s if the service names no initiator', async () => {
    for (const as of ['initiator', 'outsider'] as const)
      assert.deepEqual(await voided(as, { initiator: null }), { status: 403, isSent: false }, as)
  })
})
