import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createIdentityTracker } from '../../../src/client/transport/identity-tracker.ts'
import { createClient, NoProxyError, UnavailableError } from '../../../src/client/index.ts'
import { operationsOf } from '../../../src/client/transport/operation-input.ts'
import { pageTable } from '../../../src/client/page-table.ts'
import { createProxyProbe } from '../../../src/client/transport/proxy-probe.ts'
import { readResponse } from '../../../src/client/transport/response.ts'

const params = { formId: 6025, packageId: 42 }
const voiding = { params, body: { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' } } as const
const found = { id: 42, state: 'ROUTING' }
const marked = { 'x-routeslip': '1' }

describe('the error of a response', () => {
  it('has the outcome of the change that the proxy reports, with any status', async () => {
    for (const status of [401, 403, 404, 409, 502]) {
      for (const [sent, outcome] of [
        ['none', 'none'],
        ['unknown', 'unknown'],
        [undefined, undefined],
        [5, undefined],
      ] as const) {
        const { client } = setUp(() => Response.json({ outcome: sent }, { status, headers: marked }))
        await assert.rejects(client.voidPackage(voiding), { outcome }, `${status} ${sent}`)
      }
    }
  })

  it('has the words of the service if the service has refused the change', async () => {
    const errors = { "entry['cost']": ['validation.required'] }
    const body = { refusedBy: 'service', reason: 'The route is frozen', detail: 'Refused', errors }
    const { client } = setUp(() => Response.json(body, { status: 409, headers: marked }))
    await assert.rejects(client.voidPackage(voiding), {
      name: 'RefusedError',
      refusedBy: 'service',
      detail: 'The route is frozen',
      errors,
    })
  })

  it('has the words of the proxy in all other cases', async () => {
    const body = {
      refusedBy: 'somebody',
      reason: 'The route is frozen',
      detail: 'Refused',
      code: 'x',
      types: 'pdf',
    }
    const { client } = setUp(() => Response.json(body, { status: 409, headers: marked }))
    await assert.rejects(client.voidPackage(voiding), {
      name: 'RefusedError',
      refusedBy: 'proxy',
      detail: 'Refused',
      code: 'x',
      types: 'pdf',
      errors: undefined,
    })
  })

  it('is that of a server in between after its 400, and no sign of a missing proxy', async (t) => {
    const log = t.mock.method(console, 'error', () => {})
    const isMissing = async (status: number) => {
      const { client } = setUp(() => new Response('<h1>No', { status }))
      const error: unknown = await client.getPackage({ params }).catch((reason: unknown) => reason)
      assert.ok(error instanceof UnavailableError)
      return error instanceof NoProxyError
    }
    assert.equal(await isMissing(400), false)
    assert.equal(log.mock.callCount(), 0)
    assert.equal(await isMissing(405), true, 'control')
    assert.equal(log.mock.callCount(), 1)
  })

  it('names the reason if the response is for another user', async () => {
    let univid = '10000001'
    const { client } = setUp(() =>
      Response.json(found, { headers: { ...marked, 'x-routeslip-person': univid } }),
    )
    await client.getPackage({ params })
    univid = '10000002'
    client.invalidate()
    await assert.rejects(client.getPackage({ params }), {
      name: 'UnavailableError',
      message: 'getPackage got a response for another user',
    })
  })
})

describe('readResponse()', () => {
  it('reports the id of the event of a change, if the response has one', async () => {
    const ids: string[] = []
    const operation = operationsOf(pageTable).find(({ name }) => name === 'getPackage')!
    const reader = {
      identity: createIdentityTracker({ onIdentity: () => {}, onSignIn: () => {} }),
      probe: createProxyProbe('/api/wf'),
      onOwnEvent: (id: string) => ids.push(id),
    }
    for (const headers of [marked, { ...marked, 'x-routeslip-event': '7-1' }, marked])
      await readResponse(reader, operation, Promise.resolve(Response.json(found, { headers })), {})
    assert.deepEqual(ids, ['7-1'])
  })
})

function setUp(respond: () => Response) {
  const client = createClient({
    endpoint: 'https://site.test/api/wf',
    live: false,
    retries: 0,
    fetch: async () => respond(),
  })
  return { client }
}
