import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FileAsset } from '../../../src/contract/schemas/storage.ts'
import { createClock } from '../../../src/emulator/clock.ts'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import { createMemoryStore } from '../../../src/emulator/state/object-store.ts'
import { ServiceError } from '../../../src/emulator/http/service-error.ts'
import { emptyState } from '../../../src/emulator/state/state.ts'
import { fileHandlers } from '../../../src/emulator/storage/file-handlers.ts'
import { createSigning } from '../../../src/emulator/workflow/signing.ts'
import { defaultSpecOptions } from '../../../src/emulator/control/spec-options.ts'

// Behaviour that requests can show is tested in test/spec.

const noon = Date.UTC(2026, 10, 20, 12, 0, 0, 250)

describe('the handlers of files', () => {
  it('expires files and links to the millisecond', async () => {
    const { send, upload, advance } = createService()
    const { uuid, uploadDate, expirationDate } = await upload({ expiresIn: '10m' })
    assert.equal(uploadDate, '2026-11-20T12:00:00.250000')
    assert.equal(expirationDate, '2026-11-20T12:10:00.250000')
    assert.equal((await upload({ expiresIn: '1ns' })).expirationDate, '2026-11-20T12:00:00.251000')
    const link = await (await send('GET', `/files/${uuid}/presign?expiresIn=600001ms`)).text()

    advance(599_999)
    assert.equal((await send('GET', `/files/${uuid}/meta`)).status, 200)
    assert.equal((await send('GET', `/files/${uuid}/presign`)).status, 200)
    advance(1)
    assert.equal((await send('GET', `/files/${uuid}/meta`)).status, 404)
    assert.equal((await send('GET', `/files/${uuid}/presign`)).status, 400)
    assert.equal((await send('GET', link)).status, 200)
    advance(1)
    assert.equal((await send('GET', link)).status, 403)
  })

  it('deletes expired links when it creates another', async () => {
    const { send, upload, advance, emulator } = createService()
    const { uuid } = await upload()
    await send('GET', `/files/${uuid}/presign?expiresIn=1m`)
    await send('GET', `/files/${uuid}/presign`)
    assert.equal(emulator.links.size, 2)
    advance(60_000)
    await send('GET', `/files/${uuid}/presign`)
    assert.equal(emulator.links.size, 2)
  })

  it('returns 404 if the object store has lost the content', async () => {
    const { send, upload, emulator } = createService()
    const { uuid } = await upload()
    const link = await (await send('GET', `/files/${uuid}/presign`)).text()
    assert.equal((await send('GET', link)).status, 200)
    await emulator.objects.delete(emulator.files.prod.get(uuid)!.object)
    assert.equal((await send('GET', link)).status, 404)
    assert.equal((await send('GET', link, undefined, { range: 'bytes=0-1' })).status, 404)
  })

  it('keeps nothing of a rejected upload', async () => {
    const { emulator, tryUpload } = createService()
    const kept = new Set<string>()
    const { put, delete: remove } = emulator.objects
    Object.assign(emulator.objects, {
      put: (...[key, content]: Parameters<typeof put>) => {
        kept.add(key)
        return put(key, content)
      },
      delete: (key: string) => {
        kept.delete(key)
        return remove(key)
      },
    })
    assert.equal((await tryUpload({ expiresIn: '1' })).status, 200)
    assert.equal(kept.size, 1)
    for (const meta of [{ expiresIn: '-1' }, { expiresIn: '9999999d' }, { unknown: 1 }]) {
      assert.equal((await tryUpload(meta)).status, 400)
    }
    assert.equal(kept.size, 1)
  })

  it('rejects metadata with the key __proto__ instead of losing it', async () => {
    const { send, upload, tryUpload, emulator } = createService()
    const metadata = JSON.parse('{"__proto__":"p","a":"b"}') as object
    assert.equal((await tryUpload({ metadata })).status, 400)
    const { uuid } = await upload({ metadata: { a: 'b' } })
    assert.equal((await send('PUT', `/files/${uuid}/meta`, { metadata })).status, 400)
    assert.deepEqual(emulator.files.prod.get(uuid)?.asset.metadata, { a: 'b' })
  })

  it('follows its rules without a schema in front of it', async () => {
    const { context, input } = createHandlers()
    const { uuid } = fileHandlers.uploadFile(context, input({})) as FileAsset
    const upload = async (body: object) => fileHandlers.uploadFile(context, input({ body }))
    const update = async (body: object) =>
      fileHandlers.updateFileMeta(context, input({ params: { uuid }, body }))
    for (const expiresIn of ['-1', 'soon']) {
      await assert.rejects(() => upload({ expiresIn }), ServiceError)
      await assert.rejects(() => update({ expiresIn }), ServiceError)
    }
    await assert.rejects(() => upload({ expiresIn: '0' }), ServiceError)
    await update({ expiresIn: '0' })
    await upload({ expiresIn: '1' })

    const changes = JSON.parse('{"__proto__":"p","constructor":"","toString":"t"}') as object
    const { metadata } = await update({ metadata: changes })
    assert.deepEqual(Object.entries(metadata ?? {}), [
      ['__proto__', 'p'],
      ['toString', 't'],
    ])
  })
})

/** Creates an emulator whose clock moves only when the test moves it. */
function createService() {
  let now = noon
  const emulator = createEmulator({ now: () => now })
  const service = {
    emulator,
    advance(milliseconds: number) {
      now += milliseconds
    },
    /** `path` is below /api/v1, or a whole URL. */
    send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
      const url = path.startsWith('/') ? `http://emulator.test/fs/prod/api/v1${path}` : path
      return emulator.fetch(url, {
        method,
        headers: { Authorization: `Basic ${btoa('demo-app:demo-secret')}`, ...headers },
        ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
      })
    },
    tryUpload(meta: object = {}) {
      const form = new FormData()
      form.append('file', new File(['hello'], 'hello.txt', { type: 'text/plain' }))
      form.append('meta', JSON.stringify(meta))
      return service.send('POST', '/files/upload', form)
    },
    async upload(meta?: object) {
      const response = await service.tryUpload(meta)
      assert.equal(response.status, 200)
      return (await response.json()) as FileAsset
    },
  }
  return service
}

/** Creates what the handlers need without an emulator. */
function createHandlers() {
  const state = emptyState()
  const specOptions = defaultSpecOptions()
  const context = {
    state,
    clock: createClock(() => noon, 'UTC', state.clock),
    objects: createMemoryStore(),
    objectsUrl: 'https://objects.test/o',
    specOptions,
    signing: createSigning(state.signingKeys, specOptions),
  }
  const file = { name: 'a', type: '', size: 0, object: crypto.randomUUID() }
  const input = (rest: object) => ({ env: 'prod', client: 'app', file, ...rest }) as never
  return { context, input }
}
