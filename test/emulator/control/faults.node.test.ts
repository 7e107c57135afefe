import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type EmulatorServer, serveEmulator } from '../../../src/cli/emulator/emulator.ts'
import type { FileAsset } from '../../../src/contract/schemas/storage.ts'
import type { Package, PackageStatus12 } from '../../../src/contract/schemas/workflow.ts'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import type { Fault } from '../../../src/emulator/control/faults.ts'

const forms = '/wf/workflow/test/api/developer/forms/6025'
const tools = '/wf/workflow/test/api/developer/tools/forms/6025'

/** How a request reaches the emulator. */
type Send = (path: string, init?: RequestInit) => Promise<Response>

describe('faults', () => {
  it('affect one call by default, or the given number of calls', async () => {
    const send = emulated()
    await fault(send, { operation: 'getPackage', status: 503 })
    assert.deepEqual(await statuses(send, `${forms}/packages/42`, 3), [503, 200, 200])
    await fault(send, { operation: 'getPackage', status: 503, times: 2 })
    assert.deepEqual(await statuses(send, `${forms}/packages/42`, 3), [503, 503, 200])
    assert.deepEqual(await control(send, 'GET', '/faults'), [])
  })

  it('affect only the named operation', async () => {
    const send = emulated()
    await fault(send, { operation: 'getComments', status: 503 })
    assert.deepEqual(await statuses(send, `${forms}/packages/42`, 1), [200])
    assert.deepEqual(await statuses(send, `${forms}/packages/42/comments`, 2), [503, 200])
  })

  it('affect all operations of both services if the operation is *', async () => {
    const send = emulated()
    const asset = await upload(send)
    await fault(send, { operation: '*', status: 500, times: 3 })
    assert.deepEqual(await statuses(send, `${forms}/packages/42`, 1), [500])
    assert.deepEqual(await statuses(send, `/fs/test/api/v1/files/${asset.uuid}/meta`, 1), [500])
    assert.deepEqual(await statuses(send, `${forms}/packages/42/comments`, 2), [500, 200])
  })

  it('affect the download of a link, not the presign call', async () => {
    const send = emulated()
    const { uuid } = await upload(send)
    await fault(send, { operation: 'download', status: 503 })
    const response = await get(send, `/fs/test/api/v1/files/${uuid}/presign?expiresIn=60s`)
    assert.equal(response.status, 200)
    const { pathname } = new URL(await response.text())
    assert.equal((await send(pathname)).status, 503)
    assert.equal(await (await send(pathname)).text(), 'hello')
  })

  it('apply in the order in which they were added', async () => {
    const send = emulated()
    await fault(send, [
      { operation: 'getPackage', status: 500 },
      { operation: '*', status: 502 },
      { operation: 'getPackage', status: 503 },
    ])
    await fault(send, { operation: 'getPackage', status: 504 })
    assert.deepEqual(await statuses(send, `${forms}/packages/42`, 5), [500, 502, 503, 504, 200])
  })

  it('are listed with the number of remaining calls, and can be removed', async () => {
    const send = emulated()
    await fault(send, { operation: '*', status: 503, times: 3 })
    await get(send, `${forms}/packages/42`)
    assert.deepEqual(await control(send, 'GET', '/faults'), [{ operation: '*', times: 2, status: 503 }])
    await control(send, 'DELETE', '/faults')
    assert.deepEqual(await control(send, 'GET', '/faults'), [])
    assert.deepEqual(await statuses(send, `${forms}/packages/42`, 1), [200])
  })

  it('are cleared by a reset', async () => {
    const send = emulated()
    await fault(send, { operation: '*', status: 503 })
    await control(send, 'POST', '/reset', {})
    assert.deepEqual(await statuses(send, `${forms}/packages/42`, 1), [200])
  })

  it('never affect the control API', async () => {
    const send = emulated()
    await fault(send, { operation: '*', status: 503 })
    await control(send, 'GET', '/outbox')
    assert.deepEqual(await statuses(send, `${forms}/packages/42`, 2), [503, 200])
  })

  it('have exactly one kind', async () => {
    const send = emulated()
    for (const body of [
      { operation: '*' },
      { operation: '*', status: 503, delay: 1 },
      { operation: '*', cut: true, garbage: true },
      { operation: '', status: 503 },
      { operation: 'getHistroy', status: 503 },
      { operation: '*', delay: 3_600_001 },
      { operation: '*', delay: '2h' },
      { status: 503 },
      { operation: '*', status: 200 },
      { operation: '*', status: 600 },
      { operation: '*', status: 503, times: 0 },
      { operation: '*', status: 503, times: 1.5 },
      { operation: '*', delay: -1 },
      { operation: '*', delay: 'soon' },
      { operation: '*', cut: -1 },
      { operation: '*', cut: false },
      { operation: '*', drift: 'sideways' },
      { operation: '*', explode: true },
      [{ operation: '*', status: 503 }, { operation: '*' }],
    ]) {
      const response = await send('/_emulator/faults', { method: 'POST', body: JSON.stringify(body) })
      assert.equal(response.status, 400, JSON.stringify(body))
    }
    assert.deepEqual(await control(send, 'GET', '/faults'), [])
    await fault(send, { operation: '*', status: 503 })
  })

  describe('status', () => {
    it('returns the error as problem details and does not perform the operation', async () => {
      const send = emulated()
      await fault(send, { operation: 'voidPackage', status: 503 })
      const response = await voidPackage(send)
      assert.equal(response.status, 503)
      assert.equal(response.headers.get('content-type'), 'application/problem+json')
      assert.equal(((await response.json()) as { status: number }).status, 503)
      assert.equal(await stateOf(send), 'ROUTING')
      assert.equal((await voidPackage(send)).status, 200)
      assert.equal(await stateOf(send), 'VOID')
    })
  })

  describe('delay', () => {
    for (const delay of [80, '80ms', 'PT0.08S'] as const) {
      it(`waits ${delay}, then performs the operation`, async () => {
        const send = emulated()
        await fault(send, { operation: 'voidPackage', delay })
        const start = performance.now()
        assert.equal((await voidPackage(send)).status, 200)
        assert.ok(performance.now() - start >= 75)
        assert.equal(await stateOf(send), 'VOID')
      })
    }
  })

  describe('cut', () => {
    it('performs the operation, then breaks off in the middle of the response', async () => {
      const send = emulated()
      const whole = await (await get(send, `${forms}/packages/42`)).text()
      await fault(send, { operation: 'getPackage', cut: true })
      const { status, received } = await broken(get(send, `${forms}/packages/42`))
      assert.equal(status, 200)
      assert.equal(received, whole.slice(0, Math.floor(whole.length / 2)))

      await fault(send, { operation: 'voidPackage', cut: true })
      await broken(voidPackage(send))
      assert.equal(await stateOf(send), 'VOID')
    })

    it('breaks off after the given number of bytes', async () => {
      const send = emulated()
      const whole = await (await get(send, `${forms}/packages/42`)).text()
      for (const cut of [0, 1, 20]) {
        await fault(send, { operation: 'getPackage', cut })
        const { received } = await broken(get(send, `${forms}/packages/42`))
        assert.equal(received, whole.slice(0, cut))
      }
    })

    it('breaks off a response without a body too', async () => {
      const send = emulated()
      const body = {
        subjectUnivid: '10000002',
        type: 'CHANGE',
        reason: 'CONFLICT_OF_INTEREST',
        replacementUnivid: '10000008',
      }
      const overrides = '/wf/test/api/developer/forms/6025/packages/42/routing/overrides'
      const init = { method: 'POST', headers, body: JSON.stringify(body) }
      assert.equal((await send(overrides, init)).status, 200)
      await fault(send, { operation: 'deactivateOverride', cut: true })
      await broken(send(`${overrides}/10000002`, { method: 'DELETE', headers }))
      assert.deepEqual(await (await get(send, overrides)).json(), [])
    })

    it('breaks off the download of a link', async () => {
      const send = emulated()
      const { uuid } = await upload(send)
      const link = await (await get(send, `/fs/test/api/v1/files/${uuid}/presign?expiresIn=60s`)).text()
      await fault(send, { operation: 'download', cut: 2 })
      const { received } = await broken(send(new URL(link).pathname))
      assert.equal(received, 'he')
    })
  })

  describe('garbage', () => {
    it('performs the operation, then returns a login page', async () => {
      const send = emulated()
      await fault(send, { operation: 'voidPackage', garbage: true })
      const response = await voidPackage(send)
      assert.equal(response.status, 200)
      assert.equal(response.headers.get('content-type'), 'text/html')
      assert.match(await response.text(), /<input type="password">/)
      assert.equal(await stateOf(send), 'VOID')
    })

    it('performs the operation, then returns the text as JSON', async () => {
      const send = emulated()
      await fault(send, { operation: 'voidPackage', garbage: '{"id":' })
      const response = await voidPackage(send)
      assert.equal(response.headers.get('content-type'), 'application/json')
      assert.equal(await response.text(), '{"id":')
      assert.equal(await stateOf(send), 'VOID')
    })
  })

  describe('drift', () => {
    it('performs the operation', async () => {
      const send = emulated()
      await fault(send, { operation: 'voidPackage', drift: 'nulls' })
      assert.equal((await voidPackage(send)).status, 200)
      assert.equal(await stateOf(send), 'VOID')
    })

    it('adds a field to each object (unknown_fields, also true)', async () => {
      for (const drift of ['unknown_fields', true] as const) {
        const { plain, drifted } = await drifting(drift)
        assert.deepEqual(Object.keys(drifted[0] ?? {}), [...Object.keys(plain[0] ?? {}), 'internalUrl'])
        assert.ok('internalUrl' in (drifted[0]?.inboxSignatures?.[1]?.responsibleOffice ?? {}))
      }
    })

    it('writes unknown states, types and permissions (unknown_values)', async () => {
      const { drifted } = await drifting('unknown_values')
      assert.equal(drifted[0]?.state, 'SOMETHING_NEW')
      assert.equal(drifted[0].id, 42)
      const [signature] = drifted[0].inboxSignatures ?? []
      assert.deepEqual(
        [signature?.state, signature?.permission, signature?.approver],
        ['SOMETHING_NEW', 'SOMETHING_NEW', 'Daniel Reyes'],
      )
    })

    it('keeps only identifying fields (missing_fields)', async () => {
      assert.deepEqual((await drifting('missing_fields')).drifted, [{ id: 42, state: 'ROUTING' }])
    })

    it('replaces all values by null (nulls)', async () => {
      assert.deepEqual((await drifting('nulls')).drifted, [{ id: null, state: null, inboxSignatures: null }])
    })

    it('writes numbers and booleans as text (retyped)', async () => {
      const { drifted } = await drifting('retyped')
      assert.deepEqual(drifted[0]?.id, '42')
      assert.deepEqual(drifted[0]?.inboxSignatures?.[0]?.id, '9001')

      const send = emulated()
      await fault(send, { operation: 'getPackage', drift: 'retyped' })
      const found = (await (await get(send, `${forms}/packages/42`)).json()) as Package
      assert.deepEqual(found.actions?.canView, 'true')
    })

    it('reverses lists, and the fields of single objects (reordered)', async () => {
      const send = emulated()
      const plain = (await (await get(send, `${forms}/packages/42/history`)).json()) as unknown[]
      await fault(send, { operation: 'getHistory', drift: 'reordered' })
      const turned: unknown = await (await get(send, `${forms}/packages/42/history`)).json()
      assert.deepEqual(turned, [...plain].reverse())

      const keys = async () =>
        Object.keys((await (await get(send, `${forms}/packages/42`)).json()) as Package)
      const before = await keys()
      await fault(send, { operation: 'getPackage', drift: 'reordered' })
      assert.deepEqual(await keys(), before.reverse())
    })

    it('does not change a response that is not JSON', async () => {
      const send = emulated()
      await fault(send, { operation: 'getPdf', drift: true })
      const response = await get(send, `${forms}/packages/42/pdf`)
      assert.equal(response.headers.get('content-type'), 'application/pdf')
      assert.match(await response.text(), /^%PDF-/)
    })

    it('keeps the status of the response', async () => {
      const send = emulated()
      await fault(send, { operation: 'createPackage', drift: true })
      const body = JSON.stringify({ entry: {} })
      assert.equal((await send(`${forms}/packages`, { method: 'POST', headers, body })).status, 400)
    })
  })

  describe('over HTTP', () => {
    let server: EmulatorServer
    before(async () => {
      server = await serveEmulator({ port: 0 })
    })
    after(() => server.close())
    const send: Send = (path, init) => fetch(new URL(path, server.services.url), init)

    for (const cut of [true, 0, 20, 1_000_000] as const) {
      it(`breaks the connection after performing the operation (cut ${cut})`, async () => {
        await control(send, 'POST', '/reset', {})
        const whole = await (await voidPackage(send)).text()
        await control(send, 'POST', '/reset', {})
        await fault(send, { operation: 'voidPackage', cut })
        const { status, received } = await broken(voidPackage(send))
        assert.equal(status, 200)
        assert.equal(received.length, Math.min(whole.length, cut === true ? whole.length >> 1 : cut))
        assert.equal(await stateOf(send), 'VOID')
      })
    }

    it('breaks the connection of a response without a body (cut)', async () => {
      await control(send, 'POST', '/reset', {})
      const lock = { method: 'DELETE', headers }
      assert.equal((await send(`${forms}/packages/42/notification_locks/1`, lock)).status, 404)
      const { uuid } = await upload(send)
      await fault(send, { operation: 'deleteFile', cut: true })
      await assert.rejects(async () => (await send(`/fs/test/api/v1/files/${uuid}`, lock)).text(), TypeError)
      assert.notEqual((await get(send, `/fs/test/api/v1/files/${uuid}/meta`)).status, 200)
    })

    it('gives the same responses as in a page (status, garbage, drift)', async () => {
      await control(send, 'POST', '/reset', {})
      await fault(send, [
        { operation: 'getPackage', status: 503 },
        { operation: 'getPackage', garbage: 'nothing' },
        { operation: 'getPackage', drift: 'nulls' },
      ])
      assert.equal((await get(send, `${forms}/packages/42`)).status, 503)
      assert.equal(await (await get(send, `${forms}/packages/42`)).text(), 'nothing')
      const drifted = (await (await get(send, `${forms}/packages/42`)).json()) as Package
      assert.equal(drifted.id, null)
    })
  })
})

const headers = {
  Authorization: `Basic ${btoa('demo-app:demo-secret')}`,
  'x-workflow-request-user': '10000001',
}

/** Creates an emulator. Returns a function that sends requests to it. */
function emulated(): Send {
  const emulator = createEmulator({ control: true })
  return (path, init) => emulator.fetch(new URL(path, 'http://emulator.test'), init)
}

function get(send: Send, path: string): Promise<Response> {
  return send(path, { headers })
}

async function statuses(send: Send, path: string, times: number): Promise<number[]> {
  const found: number[] = []
  for (let call = 0; call < times; call++) found.push((await get(send, path)).status)
  return found
}

function voidPackage(send: Send): Promise<Response> {
  const body = JSON.stringify({ id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' })
  return send(`${tools}/packages/42`, { method: 'PUT', headers, body })
}

async function stateOf(send: Send): Promise<string> {
  return ((await (await get(send, `${forms}/packages/42`)).json()) as Package).state
}

async function upload(send: Send): Promise<FileAsset> {
  const body = new FormData()
  body.append('file', new File(['hello'], 'a.txt', { type: 'text/plain' }))
  const response = await send('/fs/test/api/v1/files/upload', { method: 'POST', headers, body })
  assert.equal(response.status, 200)
  return (await response.json()) as FileAsset
}

async function control(send: Send, method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await send(`/_emulator${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  assert.equal(response.status, 200)
  return await response.json()
}

type Given = Partial<Fault> | readonly Partial<Fault>[]

async function fault(send: Send, given: Given): Promise<void> {
  await control(send, 'POST', '/faults', given)
}

/** Reads a response until it breaks off. Returns the part that arrived. */
async function broken(response: Promise<Response>): Promise<{ status: number; received: string }> {
  const { status, body } = await response
  assert.ok(body)
  const reader = body.getReader()
  let received = ''
  await assert.rejects(async () => {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      received += new TextDecoder().decode(value)
    }
  })
  return { status, received }
}

/** Returns the status of package 42, unchanged and after drift. */
async function drifting(drift: NonNullable<Fault['drift']>) {
  const send = emulated()
  const readStatus = async () => {
    const response = await send(`${forms}/packages/status?id=42`, {
      headers: { ...headers, Accept: 'application/vnd.workflow+json;version=1.2' },
    })
    assert.equal(response.status, 200)
    return (await response.json()) as PackageStatus12[]
  }
  const plain = await readStatus()
  await fault(send, { operation: 'getStatus', drift })
  return { plain, drifted: await readStatus() }
}
