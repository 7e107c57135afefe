import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readPublicKey, readSignature } from '../../../src/contract/values/public-key.ts'
import type { FileAsset } from '../../../src/contract/schemas/storage.ts'
import type { Package } from '../../../src/contract/schemas/workflow.ts'
import { createEmulator, type EmulatorOptions } from '../../../src/emulator/emulator.ts'
import { specOptionValues } from '../../../src/emulator/control/spec-options.ts'

const forms = '/wf/workflow/test/api/developer/forms/6025'
const tools = '/wf/workflow/test/api/developer/tools/forms/6025'

describe('spec options', () => {
  it('default to the first value of each list', async () => {
    const defaults = {
      deleteStatus: '204',
      validationStatus: '400',
      publicKey: 'pem',
      signature: 'base64',
      presign: 'text',
      callbackStop: 'object',
      personFields: 'common',
      resubmit: 'refuse',
      routeRemoved: 'accept',
    }
    assert.deepEqual(await emulated().control('GET', '/spec-options'), defaults)
    const { control } = emulated({ specOptions: { presign: 'json' } })
    assert.deepEqual(await control('GET', '/spec-options'), { ...defaults, presign: 'json' })
    assert.deepEqual(await control('PUT', '/spec-options', { signature: 'hex' }), {
      ...defaults,
      presign: 'json',
      signature: 'hex',
    })
  })

  it('return to their initial values on reset', async () => {
    const { control } = emulated({ specOptions: { presign: 'json' } })
    await control('PUT', '/spec-options', { presign: 'text', signature: 'hex' })
    await control('POST', '/reset', {})
    const chosen = (await control('GET', '/spec-options')) as typeof specOptionValues
    assert.deepEqual([chosen.presign, chosen.signature], ['json', 'base64'])
  })

  it('reject unknown names and values', async () => {
    const { send, control } = emulated()
    const before = await control('GET', '/spec-options')
    for (const body of [{ presign: 'xml' }, { deleteStatus: 204 }, { colour: 'red' }]) {
      const response = await send('/_emulator/spec-options', { method: 'PUT', body: JSON.stringify(body) })
      assert.equal(response.status, 400)
    }
    assert.deepEqual(await control('GET', '/spec-options'), before)
  })

  for (const deleteStatus of specOptionValues.deleteStatus) {
    it(`returns ${deleteStatus} without a body for a successful DELETE (deleteStatus)`, async () => {
      const { send } = emulated({ specOptions: { deleteStatus } })
      const overrides = '/wf/test/api/developer/forms/6025/packages/42/routing/overrides'
      const override = {
        subjectUnivid: '10000002',
        type: 'CHANGE',
        reason: 'CONFLICT_OF_INTEREST',
        replacementUnivid: '10000008',
      }
      await send(overrides, { method: 'POST', headers, body: JSON.stringify(override) })
      const remove = () => send(`${overrides}/10000002`, { method: 'DELETE', headers })
      const response = await remove()
      assert.equal(response.status, Number(deleteStatus))
      assert.equal(await response.text(), '')
      assert.equal((await remove()).status, 404)
    })
  }

  for (const validationStatus of specOptionValues.validationStatus) {
    it(`returns ${validationStatus} for a validation failure and nothing else (validationStatus)`, async () => {
      const { send } = emulated({ specOptions: { validationStatus } })
      const failed = await send(`${tools}/packages/42/entry`, { method: 'PUT', headers, body: '{}' })
      assert.equal(failed.status, Number(validationStatus))
      const codes = (await failed.json()) as Record<string, string[]>
      assert.deepEqual(codes["entry['purpose']"], ['validation.required'])
      const broken = await send(`${tools}/packages/42/entry`, { method: 'PUT', headers, body: '{' })
      assert.equal(broken.status, 400)
    })
  }

  for (const publicKey of specOptionValues.publicKey) {
    it(`publishes the same key in the format ${publicKey} (publicKey)`, async () => {
      const { send, control } = emulated()
      const bytes = async () => new Uint8Array(await (await get(send, '/wf/api/v2/public-key')).arrayBuffer())
      const pem = await bytes()
      await control('PUT', '/spec-options', { publicKey })
      const shaped = await bytes()
      assert.deepEqual(readPublicKey(shaped), readPublicKey(pem))
      assert.match(Buffer.from(shaped).toString('latin1'), keyShapes[publicKey])
    })
  }

  for (const signature of specOptionValues.signature) {
    it(`encodes signatures as ${signature} only (signature)`, async () => {
      const { headers: sent } = await callback({ specOptions: { signature } })
      const text = sent.get('x-workflow-verification') ?? ''
      const readable = specOptionValues.signature.filter(
        (encoding) => readSignature(text, encoding) !== undefined,
      )
      assert.deepEqual(readable, [signature])
    })
  }

  it('returns the URL of a link as plain text or as a JSON string (presign)', async () => {
    const { send, control } = emulated()
    const body = new FormData()
    body.append('file', new File(['hello'], 'a.txt', { type: 'text/plain' }))
    const response = await send('/fs/test/api/v1/files/upload', { method: 'POST', headers, body })
    const { uuid } = (await response.json()) as FileAsset
    const presign = async () =>
      (await get(send, `/fs/test/api/v1/files/${uuid}/presign?expiresIn=60s`)).text()
    assert.match(await presign(), /^http:\/\/emulator\.test\/objects\/[^"]+$/)
    await control('PUT', '/spec-options', { presign: 'json' })
    assert.match(String(JSON.parse(await presign())), /^http:\/\/emulator\.test\/objects\//)
  })

  for (const [callbackStop, stop] of [
    ['object', { name: 'Department', stopNumber: 1 }],
    ['number', 1],
    ['name', 'Department'],
  ] as const) {
    it(`sends the stop of a route-based callback as ${callbackStop} (callbackStop)`, async () => {
      const { body } = await callback({ specOptions: { callbackStop } })
      assert.deepEqual((JSON.parse(body) as { stop: unknown }).stop, stop)
    })
  }

  it('returns the fields that some responses add (personFields extended)', async () => {
    const common = [
      'id',
      'displayName',
      'hrdeptdesc',
      'collegeName',
      'personType',
      'title',
      'univid',
      'email',
      'campusPostalAddress',
      'officePhone',
    ]
    const { send, control } = emulated()
    const fields = async () => {
      const { initiator } = (await (await get(send, `${forms}/packages/42`)).json()) as Package
      return Object.keys(initiator ?? {})
    }
    assert.deepEqual(await fields(), common)
    await control('PUT', '/spec-options', { personFields: 'extended' })
    assert.deepEqual(await fields(), [
      ...common,
      'naturalKey',
      'type',
      'loginid',
      'jobCode',
      'directoryRestricted',
      'activeUser',
    ])
  })

  it('lets the initiator submit a draft with PUT (resubmit accept)', async () => {
    const { send, control } = emulated()
    const put = async (path: string, body: unknown) =>
      await send(path, {
        method: 'PUT',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
    const submit = async () => (await put(`${forms}/packages/42`, { state: 'ROUTING', subType: null })).status
    const state = async () => ((await (await get(send, `${forms}/packages/42`)).json()) as Package).state
    const starts = async () => {
      const history = await (await get(send, `${forms}/packages/42/history`)).text()
      return history.split('"initiation"').length - 1
    }
    const tools = forms.replace('/developer/', '/developer/tools/')
    await put(`${tools}/packages/42/returnToInitiator`, { comment: 'Please correct the date' })
    assert.equal(await submit(), 409)
    assert.deepEqual([await state(), await starts()], ['DRAFT', 1])
    await control('PUT', '/spec-options', { resubmit: 'accept' })
    assert.equal(await submit(), 200)
    assert.deepEqual([await state(), await starts()], ['ROUTING', 2])
    assert.equal(await submit(), 409, 'only once')
  })

  it('route a removed package with PUT, or only re-initiate it (routeRemoved)', async () => {
    const { send, control } = emulated()
    const put = async (path: string, body?: unknown) => {
      const init = { method: 'PUT', headers: { ...headers, 'Content-Type': 'application/json' } }
      return (await send(path, { ...init, ...(body !== undefined && { body: JSON.stringify(body) }) })).status
    }
    const tools = `${forms.replace('/developer/', '/developer/tools/')}/packages/42`
    const start = () => put(`${forms}/packages/42`, { state: 'ROUTING', subType: null })
    assert.deepEqual([await put(`${tools}/remove`), await start()], [200, 200])
    await control('PUT', '/spec-options', { routeRemoved: 'refuse' })
    assert.deepEqual([await put(`${tools}/remove`), await start()], [200, 409])
    assert.equal(await put(`${tools}/re_initiate`), 200)
  })
})

/** Pattern of the public key in each shape. */
const keyShapes = {
  pem: /^-----BEGIN PUBLIC KEY-----\n[A-Za-z0-9+/=]{60}\n-----END PUBLIC KEY-----\n$/,
  raw: /^[^]{32}$/,
  base64: /^[A-Za-z0-9+/]{43}=$/,
  base64url: /^[\w-]{43}$/,
  hex: /^[0-9a-f]{64}$/,
  spki: /^[A-Za-z0-9+/=]{60}$/,
  jwk: /^\{.*"kty":"OKP".*\}$/,
  json: /^\{"publicKey":"-----BEGIN PUBLIC KEY-----.*"\}$/,
} as const satisfies Readonly<Record<(typeof specOptionValues.publicKey)[number], RegExp>>

const headers = {
  Authorization: `Basic ${btoa('demo-app:demo-secret')}`,
  'x-workflow-request-user': '10000001',
}

type Send = (path: string, init?: RequestInit) => Promise<Response>

function emulated(options: EmulatorOptions = {}) {
  const emulator = createEmulator({ control: true, ...options })
  const send: Send = (path, init) => emulator.fetch(new URL(path, 'http://emulator.test'), init)
  const control = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await send(`/_emulator${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    assert.equal(response.status, 200)
    return await response.json()
  }
  return { send, control }
}

function get(send: Send, path: string): Promise<Response> {
  return send(path, { headers })
}

/** Returns the callback of package 42 when it arrives at its first stop. */
async function callback(options: EmulatorOptions): Promise<{ headers: Headers; body: string }> {
  const received: { headers: Headers; body: string }[] = []
  const { send, control } = emulated({
    ...options,
    fetch: (_, init) => {
      received.push({ headers: new Headers(init?.headers), body: init?.body as string })
      return Promise.resolve(new Response())
    },
  })
  await control('PUT', '/test/forms/6025/stops/1/callback', { url: 'https://app.example/callbacks' })
  await send(`${tools}/packages/42/restart`, { method: 'PUT', headers })
  await control('POST', '/clock', { advance: '1m' })
  const [first] = received
  assert.ok(first)
  return first
}
