import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '../../src/contract/services/operations.ts'
import { fillPath } from '../../src/contract/values/path.ts'
import type { FileAsset } from '../../src/contract/schemas/storage.ts'
import type { Package } from '../../src/contract/schemas/workflow.ts'
import { createEmulator, type Emulator, type EmulatorOptions } from '../../src/emulator/emulator.ts'
import { maxJournalEntries } from '../../src/emulator/control/journal.ts'
import { scenarios } from '../../src/emulator/scenarios/index.ts'
import { until } from '../proxy/until.ts'

const forms = '/wf/workflow/test/api/developer/forms/6025'

describe('createEmulator()', () => {
  it('creates a state of its own each time, in Maps that tests may read and change', async () => {
    const [one, other] = [createEmulator(), createEmulator()]
    one.packages.test.get(42)!.state = 'COMPLETE'
    assert.equal((await json<Package>(send(one, `${forms}/packages/42`))).state, 'COMPLETE')
    assert.equal((await json<Package>(send(other, `${forms}/packages/42`))).state, 'ROUTING')
  })

  it('shares nothing of a scenario with other emulators, not even people', async () => {
    const [one, other] = [createEmulator({ control: true }), createEmulator()]
    one.people.get('10000001')!.displayName = 'Someone else'
    assert.equal(other.people.get('10000001')?.displayName, 'Amara Okafor')
    await one.fetch('http://emulator.test/_emulator/reset', { method: 'POST' })
    assert.equal(one.people.get('10000001')?.displayName, 'Amara Okafor')
  })

  it('starts with the given seed', async () => {
    const seed = scenarios.small()
    seed.packages.test.delete(42)
    assert.equal((await send(createEmulator({ seed }), `${forms}/packages/42`)).status, 404)
  })

  it('writes the time of its clock in its time zone', async () => {
    const now = Date.UTC(2026, 10, 20, 12)
    for (const [timeZone, uploadDate] of [
      ['UTC', '2026-11-20T12:00:00.000000'],
      ['America/Chicago', '2026-11-20T06:00:00.000000'],
    ] as const) {
      const emulator = createEmulator({ now: () => now, timeZone })
      assert.equal((await upload(emulator)).uploadDate, uploadDate)
    }
  })

  it('creates links below the URL of its object store', async () => {
    const emulator = createEmulator({ objectsUrl: 'https://objects.example/objects' })
    const { uuid } = await upload(emulator)
    const link = await (await send(emulator, `/fs/test/api/v1/files/${uuid}/presign`)).text()
    assert.match(link, /^https:\/\/objects[.]example\/objects\/[0-9a-f-]+$/)
    assert.equal(await (await emulator.fetch(link)).text(), 'hello')
  })

  it('stores contents in the given object store', async () => {
    const emulator = createEmulator()
    const { uuid } = await upload(emulator)
    const { object } = emulator.files.test.get(uuid)!
    assert.equal(await new Response(await emulator.objects.get(object)).text(), 'hello')
  })

  it('responds to a change only after it was saved', async () => {
    const order: string[] = []
    const save = async () => {
      await new Promise((resolve) => setImmediate(resolve))
      order.push('saved')
    }
    const emulator = createEmulator({ save, control: true })
    const { uuid } = await upload(emulator)
    order.push('uploaded')
    await send(emulator, `/fs/test/api/v1/files/${uuid}/presign`)
    order.push('linked')
    await send(emulator, `${forms}/packages/42`)
    order.push('read')
    await emulator.fetch('http://emulator.test/_emulator/rotate-key', { method: 'POST' })
    order.push('rotated')
    assert.deepEqual(order, ['saved', 'uploaded', 'saved', 'linked', 'read', 'saved', 'rotated'])
  })

  it('keeps uploads that are acknowledged while a reset is being saved', async () => {
    let finish = () => {}
    let isSlow = false
    let isSaving = false
    const save = async () => {
      if (!isSlow) return
      isSaving = true
      await new Promise<void>((resolve) => (finish = resolve))
    }
    const emulator = createEmulator({ save, control: true })
    await upload(emulator)
    const [old] = await emulator.objects.keys()
    isSlow = true
    const reset = emulator.fetch('http://emulator.test/_emulator/reset', { method: 'POST' })
    await until(() => isSaving)
    isSlow = false
    const { uuid } = await upload(emulator)
    finish()
    assert.equal((await reset).status, 200)
    const { object } = emulator.files.test.get(uuid)!
    assert.deepEqual(await emulator.objects.keys(), [object], 'and what was before is gone')
    assert.notEqual(object, old)
  })

  it('returns an error if the state could not be saved', async () => {
    const emulator = createEmulator({ save: () => Promise.reject(new Error('The disk is full')) })
    const response = await uploadText(emulator)
    assert.equal(response.status, 500)
    assert.match(await response.text(), /The disk is full/)
    assert.equal((await send(emulator, `${forms}/packages/42`)).status, 200, 'reading goes on')
  })

  it('records each request to the services, decoded, in the journal', async () => {
    const emulator = createEmulator()
    await send(emulator, `${forms}/packages/status?id=42&id=43`)
    await upload(emulator)
    await emulator.fetch('http://emulator.test/nowhere')
    assert.deepEqual(
      emulator.journal.map(({ method, url, operation, params, query, status }) => ({
        method,
        url,
        operation,
        params,
        query,
        status,
      })),
      [
        {
          method: 'GET',
          url: `${forms}/packages/status?id=42&id=43`,
          operation: 'getStatus',
          params: { env: 'test', formId: 6025 },
          query: { id: ['42', '43'] },
          status: 200,
        },
        {
          method: 'POST',
          url: '/fs/test/api/v1/files/upload',
          operation: 'uploadFile',
          params: {},
          query: {},
          status: 200,
        },
        { method: 'GET', url: '/nowhere', operation: null, params: null, query: {}, status: 404 },
      ],
    )
    assert.equal(emulator.journal[0]?.headers['x-workflow-request-user'], '10000001')
    assert.deepEqual(
      (emulator.journal[1]?.body as { file: { name: string; size: number } }).file.name,
      'a.txt',
    )
  })

  it('records the parameters of rejected requests too', async () => {
    const emulator = createEmulator()
    await emulator.fetch(`http://emulator.test${forms}/packages/status?id=42`)
    emulator.faults.add([{ operation: 'getStatus', times: 1, status: 503 }])
    await send(emulator, `${forms}/packages/status?id=42`)
    assert.deepEqual(
      emulator.journal.map(({ status, query }) => [status, query]),
      [
        [401, { id: ['42'] }],
        [503, { id: ['42'] }],
      ],
    )
  })

  it('keeps the latest requests, and only the length of large bodies', async () => {
    const emulator = createEmulator()
    for (let count = 0; count < maxJournalEntries + 5; count++)
      await emulator.fetch(`http://emulator.test/${count}`)
    assert.equal(emulator.journal.length, maxJournalEntries)
    assert.equal(emulator.journal[0]?.url, '/5')

    for (const length of [10, 20_000]) {
      await send(emulator, `${forms}/packages`, { method: 'POST', body: JSON.stringify('x'.repeat(length)) })
    }
    assert.deepEqual(
      emulator.journal.slice(-2).map(({ body }) => body),
      ['xxxxxxxxxx', 'left out: 20002 characters'],
    )
  })

  it('rejects JSON over one megabyte, but reads it to its end', async () => {
    const emulator = createEmulator()
    const create = (length: number) =>
      send(emulator, `${forms}/packages`, { method: 'POST', body: `"${'x'.repeat(length - 2)}"` })
    assert.equal((await create(1024 * 1024)).status, 400, 'no object, but read')
    assert.equal((await create(1024 * 1024 + 1)).status, 413)
  })

  it('lists the allowed methods of a path', async () => {
    for (const operation of Object.values(operations)) {
      const root = operation.service === 'workflow' ? '/wf' : '/fs/test'
      const path = root + fillPath(operation.upstream, sample)
      const response = await send(createEmulator(), path, { method: 'PATCH' })
      assert.equal(response.status, 405)
      assert.match(response.headers.get('allow') ?? '', new RegExp(operation.method))
    }
    assert.equal((await send(createEmulator(), `${forms}/nothing`)).status, 404)
  })

  it('disables the control API by default', async () => {
    const request = (options: EmulatorOptions) =>
      createEmulator(options).fetch('http://emulator.test/_emulator/reset', { method: 'POST' })
    assert.equal((await request({})).status, 403)
    assert.equal((await request({ control: true })).status, 200)
  })
})

/** A value for each placeholder of a path. */
const sample = {
  env: 'test',
  formId: 6025,
  packageId: 42,
  attachmentTypeId: 1,
  attachmentId: 1,
  lockId: 1,
  routeId: 701,
  univid: '10000001',
  officeKey: '05-0333',
  granteeClientId: 'partner-app',
  uuid: '00000000-0000-4000-8000-000000000000',
}

function send({ fetch }: Emulator, path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`http://emulator.test${path}`, {
    ...init,
    headers: {
      Authorization: `Basic ${btoa('demo-app:demo-secret')}`,
      'x-workflow-request-user': '10000001',
    },
  })
}

function uploadText(emulator: Emulator): Promise<Response> {
  const body = new FormData()
  body.append('file', new File(['hello'], 'a.txt', { type: 'text/plain' }))
  return send(emulator, '/fs/test/api/v1/files/upload', { method: 'POST', body })
}

function upload(emulator: Emulator): Promise<FileAsset> {
  return json<FileAsset>(uploadText(emulator))
}

async function json<T = unknown>(response: Promise<Response>): Promise<T> {
  const settled = await response
  assert.equal(settled.status, 200)
  return (await settled.json()) as T
}
