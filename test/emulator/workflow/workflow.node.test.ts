import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createEmulator, type Emulator } from '../../../src/emulator/emulator.ts'

const inForm = '/wf/workflow/test/api/developer/forms/6025/packages'

describe('the handlers of packages', () => {
  it('returns one row of actions and status per package, even if an id is repeated', async () => {
    const emulator = createEmulator()
    const created = (await send(emulator, 'POST', inForm, { state: 'DRAFT', entry: entryOf(emulator) })) as {
      id: number
    }
    const ids = `id=42&id=${created.id}&id=42`
    const actions = (await send(emulator, 'GET', `${inForm}/actions?${ids}`)) as { packageId: number }[]
    assert.deepEqual(
      actions.map(({ packageId }) => packageId),
      [42, created.id],
    )
    assert.deepEqual(await send(emulator, 'GET', `${inForm}/status?${ids}`), [
      { id: 42, state: 'ROUTING' },
      { id: created.id, state: 'DRAFT' },
    ])
  })
})

function entryOf(emulator: Emulator) {
  return emulator.packages.test.get(42)?.entry
}

async function send(emulator: Emulator, method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await emulator.fetch(`http://emulator.test${path}`, {
    method,
    headers: {
      Authorization: `Basic ${btoa('demo-app:demo-secret')}`,
      'x-workflow-request-user': '10000001',
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  assert.equal(response.status, 200, text)
  return JSON.parse(text) as unknown
}
