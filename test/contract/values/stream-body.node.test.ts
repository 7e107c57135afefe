import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import { streamBody } from '../../../src/contract/values/stream-body.ts'

const headers = {
  Authorization: `Basic ${btoa('demo-app:demo-secret')}`,
  'x-workflow-request-user': '10000001',
}

describe('streamBody()', () => {
  it('returns the stream of the request itself outside pages', async () => {
    const request = new Request('http://emulator.test', { method: 'POST', body: 'hello' })
    assert.equal(await streamBody(request), request.body)
    assert.equal(await streamBody(new Request('http://emulator.test', { method: 'POST' })), null)
  })

  it('reads a blob if there is no Request.prototype.body', async () => {
    const stream = await streamBody(withoutBody({ method: 'POST', body: 'hello' }))
    assert.equal(await new Response(stream).text(), 'hello')
    assert.equal(await streamBody(withoutBody({ method: 'POST' })), null)
  })
})

describe('createEmulator() in a browser without Request.prototype.body', () => {
  it('receives JSON bodies', async () => {
    const emulator = createEmulator()
    const body = JSON.stringify({ id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' })
    const path = '/wf/workflow/test/api/developer/tools/forms/6025/packages/42'
    const response = await emulator.fetch(withoutBody({ method: 'PUT', body, headers }, path))
    assert.equal(response.status, 200, await response.text())
    assert.equal(emulator.packages.test.get(42)?.voidReason, 'INCORRECT_FORM')
  })

  it('receives uploads, and rejects an empty one', async () => {
    const emulator = createEmulator()
    const path = '/fs/test/api/v1/files/upload'
    const body = new FormData()
    body.append('file', new File(['hello'], 'a.txt', { type: 'text/plain' }))
    const response = await emulator.fetch(withoutBody({ method: 'POST', body, headers }, path))
    assert.equal(response.status, 200)
    const [file] = emulator.files.test.values()
    assert.equal(await new Response(await emulator.objects.get(file!.object)).text(), 'hello')

    const empty = await emulator.fetch(withoutBody({ method: 'POST', headers }, path))
    assert.equal(empty.status, 400)
    assert.match(((await empty.json()) as { detail: string }).detail, /empty/)
  })
})

/** Creates a request whose `body` is undefined, as in Firefox. */
function withoutBody(init: RequestInit, path = '/'): Request {
  return Object.defineProperty(new Request(new URL(path, 'http://emulator.test'), init), 'body', {
    value: undefined,
  })
}
