import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Problem } from '../../src/contract/schemas/problem.ts'
import { createOutcomeStore, type OutcomeStore } from '../../src/proxy/idempotency/outcome-store.ts'
import { setUp } from './mount.ts'
import { until } from './until.ts'

const package42 = '/forms/6025/packages/42'
const key = (name: string) => ({ 'idempotency-key': `"${name.padEnd(16, '-')}"` })
const voiding = { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' }

describe('a change with an Idempotency-Key', () => {
  const voidIt = (mount: ReturnType<typeof setUp>, name = 'a', json: object = voiding) =>
    mount.request(`${package42}/void`, { as: 'initiator', method: 'PUT', json, headers: key(name) })

  it('runs once, and a repetition gets the same reply although the state has changed', async () => {
    const mount = setUp()
    const first = await voidIt(mount)
    const second = await voidIt(mount)
    assert.equal(first.status, 200)
    assert.equal(second.status, 200)
    assert.equal(await second.text(), await first.text())
    assert.equal(first.headers.get('idempotency-replayed'), null)
    assert.equal(second.headers.get('idempotency-replayed'), 'true')
    assert.equal(mount.mutations().length, 1)
    const another = await voidIt(mount, 'another key')
    assert.equal(another.status, 403, 'control: another key is another change')
  })

  it('runs once if the repetition arrives while the first is running', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const store = createOutcomeStore()
    let starts = 0
    const outcomeStore: OutcomeStore = {
      ...store,
      start(...args) {
        starts++
        return store.start(...args)
      },
    }
    const mount = setUp({
      storage: { outcomeStore },
      intercept: async (request, emulator) => {
        const response = await emulator.fetch(request)
        if (request.method === 'PUT') await held
        return response
      },
    })
    const first = voidIt(mount)
    const second = voidIt(mount)
    await until(() => starts >= 2)
    release()
    const texts = await Promise.all([first, second].map(async (response) => (await response).text()))
    assert.equal(texts[0], texts[1])
    assert.equal(mount.mutations().length, 1)
  })

  it('ends even if its client disconnects, and the repetition gets the reply', async () => {
    const client = new AbortController()
    const mount = setUp({
      intercept: async (request, emulator) => {
        const response = await emulator.fetch(request.clone())
        if (request.method === 'PUT') client.abort()
        request.signal.throwIfAborted()
        return response
      },
    })
    const options = { as: 'initiator', method: 'PUT', json: voiding, headers: key('a') } as const
    await mount.request(`${package42}/void`, { ...options, signal: client.signal }).catch(() => {})
    const response = await mount.request(`${package42}/void`, options)
    assert.equal(response.status, 200)
    assert.equal(mount.mutations().length, 1)
  })

  it('may run again if nothing was sent', async () => {
    const mount = setUp()
    const options = { as: 'initiator', method: 'PUT', headers: key('a') } as const
    const wrong = await mount.request(`${package42}/void`, { ...options, json: { ...voiding, id: 43 } })
    assert.equal(wrong.status, 400)
    assert.equal(((await wrong.json()) as Problem).outcome, 'none')
    const right = await mount.request(`${package42}/void`, { ...options, json: voiding })
    // The size differs only by chance: the key belongs to no request.
    assert.equal(right.status, 200)
  })

  it('does not read a body before the rights are known', async () => {
    const mount = setUp()
    let pulled = 0
    const body = new ReadableStream<Uint8Array>(
      { pull: (controller) => void (pulled++, controller.enqueue(new Uint8Array(10))) },
      { highWaterMark: 0 },
    )
    const headers = { ...key('a'), 'content-type': 'application/json' }
    const response = await mount.request(`${package42}/void`, {
      as: 'outsider',
      method: 'PUT',
      headers,
      body,
    })
    assert.equal(response.status, 403)
    assert.equal(pulled, 0)
  })

  it('stores one file, although each repetition has a boundary of its own, of another length', async () => {
    const mount = setUp()
    const send = (boundary: string) => {
      const body =
        `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n` +
        `Content-Type: text/plain\r\n\r\nhello\r\n--${boundary}--\r\n`
      const headers = {
        ...key('a'),
        'content-type': `multipart/form-data; boundary=${boundary}`,
        'content-length': String(body.length),
      }
      return mount.request('/files', { as: 'initiator', method: 'POST', body, headers })
    }
    const [first, second] = [await send('limit'), await send('longer-limit')]
    assert.equal(first.status, 200)
    assert.equal(await second.text(), await first.text())
    assert.equal(mount.emulator.files.test.size, 1)
  })
})

describe('an upload with an Idempotency-Key', () => {
  /** Sends a file, in a body whose boundary is new each time. */
  function send(mount: ReturnType<typeof setUp>, text: string, name = 'a.txt', note?: string) {
    const body = new FormData()
    if (note !== undefined) body.append('meta', JSON.stringify({ metadata: { note } }))
    body.append('file', new File([text], name, { type: 'text/plain' }))
    return mount.request('/files', { as: 'initiator', method: 'POST', body, headers: key('a') })
  }
  const uploads = (mount: ReturnType<typeof setUp>) =>
    mount.journal.filter(({ method, url }) => method === 'POST' && !url.includes('presign')).length

  it('stores the same file once, and refuses another one with the same key', async () => {
    const mount = setUp()
    const first = await send(mount, 'hello')
    assert.equal(first.status, 200)
    const again = await send(mount, 'hello')
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
    assert.equal(await again.text(), await first.text())
    for (const other of [
      await send(mount, 'jello'),
      await send(mount, 'hello', 'b.txt'),
      await send(mount, 'hello', 'a.txt', 'x'),
    ])
      assert.equal(other.status, 422)
    assert.equal(uploads(mount), 1)
    assert.equal((await send(mount, 'hello')).headers.get('idempotency-replayed'), 'true', 'still known')
  })

  it('repeats a refusal of the service that came before the end of the file', async () => {
    const mount = setUp({
      intercept: (request, emulator) =>
        request.method === 'POST' ? new Response('{}', { status: 409 }) : emulator.fetch(request),
    })
    assert.equal((await send(mount, 'hello')).status, 409)
    assert.equal((await send(mount, 'hello')).status, 409)
    assert.equal(uploads(mount), 1)
  })
})
