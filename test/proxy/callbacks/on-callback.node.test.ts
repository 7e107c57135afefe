import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setUp as mount } from '../mount.ts'
import { until } from '../until.ts'
import { createKey, type Sent } from './callback-app.ts'

/** Creates a proxy that calls its host for each callback. `respond` may respond to a request instead of the service. */
async function setUp(t: TestContext, respond: (url: URL) => Response | undefined = () => undefined) {
  const key = await createKey()
  const calls: (readonly unknown[])[] = []
  const { proxy, log } = mount({
    callbacks: {
      onCallback: (callback, state, { attempt, signal }) =>
        void calls.push([callback.packageId, callback.state, state, attempt, signal.aborted]),
    },
    intercept: (request, emulator) => {
      const url = new URL(request.url)
      if (url.pathname.endsWith('/public-key')) return new Response(Buffer.from(key.raw).toString('base64'))
      return respond(url) ?? emulator.fetch(request)
    },
  })
  t.after(() => proxy.close())
  const send = ({ body, signature }: Sent) => {
    const headers = { 'X-Workflow-Verification': signature, 'content-type': 'application/json' }
    return proxy(new Request('https://northfield.test/api/wf/callbacks', { method: 'POST', body, headers }))
  }
  return { key, calls, log, send }
}

describe('onCallback', () => {
  it('gets the state that the package has now, not that of the callback', async (t) => {
    const { key, calls, send } = await setUp(t)
    assert.equal((await send(await key.callback({ state: 'COMPLETE' }))).status, 200)
    await until(() => calls.length > 0)
    assert.deepEqual(calls, [[42, 'COMPLETE', 'ROUTING', 1, false]])
  })

  it('is not called for a package that does not exist here, because the callback is of the other environment', async (t) => {
    const { key, calls, send } = await setUp(t)
    await send(await key.callback({ packageId: 999_999 }))
    await send(await key.callback({ packageId: 42 }))
    await until(() => calls.length > 0)
    assert.deepEqual(
      calls.map(([packageId]) => packageId),
      [42],
    )
  })

  it('is not called, and tried again later, if the state cannot be read', async (t) => {
    let reads = 0
    const { key, calls, log, send } = await setUp(t, (url) => {
      if (!url.pathname.includes('/packages')) return undefined
      reads++
      return new Response(null, { status: 500 })
    })
    await send(await key.callback())
    await until(() => log.some((line) => line.includes('could not be processed and is tried again')))
    assert.ok(reads > 0)
    assert.deepEqual(calls, [])
  })

  for (const [what, rows] of Object.entries({
    'is missing': [],
    'has no state': [{ id: 42, inboxSignatures: [] }],
    'is null': [null],
    'has an id that is a text': [{ id: '42', state: 'ROUTING', inboxSignatures: [] }],
  })) {
    it(`is not called, and tried again later, if the row of the package ${what}`, async (t) => {
      const { key, calls, log, send } = await setUp(t, (url) =>
        url.pathname.endsWith('/packages/status') ? Response.json(rows) : undefined,
      )
      assert.equal((await send(await key.callback())).status, 200)
      await until(() => log.some((line) => line.includes('could not be processed and is tried again')))
      assert.deepEqual(calls, [])
    })
  }

  it('is not called for a callback that the service has not signed', async (t) => {
    const { calls, send, key, log } = await setUp(t)
    const forged = await (await createKey()).callback({ state: 'VOID' })
    await send(forged)
    await send(await key.callback({ state: 'COMPLETE' }))
    await until(() => calls.length > 0)
    assert.deepEqual(
      calls.map(([, state]) => state),
      ['COMPLETE'],
    )
    assert.ok(log.some((line) => line.includes('"state":"COMPLETE"')))
    assert.ok(!log.some((line) => line.includes('"state":"VOID"')))
  })
})
