import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { after, before, describe, it } from 'node:test'
import type { CallbackBody } from '../../src/contract/schemas/callbacks.ts'
import { forwardCallbacks } from '../../src/proxy/node/index.ts'

const createSecret = () => `whsec_${randomBytes(32).toString('base64')}`
const [current, old] = [createSecret(), createSecret()]

/** Serves the application of the document with the server of Python's standard library, and prints its port. */
const program = `import sys
sys.path.insert(0, 'docs/stacks/python')
sys.dont_write_bytecode = True
from wsgiref.simple_server import make_server
from callbacks import application
server = make_server('127.0.0.1', 0, application)
print(server.server_port, flush=True)
server.serve_forever()
`

describe('docs/stacks/python/callbacks.py', () => {
  let url = ''
  const child = spawn('python3', ['-c', program], {
    env: { ...process.env, ROUTESLIP_FORWARD_SECRET: `${current},${old}` },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const hasFailed = once(child, 'error').then(() => true)

  before(async () => {
    const line = await Promise.race([once(child.stdout, 'data'), hasFailed])
    assert.ok(Array.isArray(line), 'This test requires python3.')
    url = `http://127.0.0.1:${String(line[0]).trim()}/`
  })
  after(() => child.kill())

  /** Forwards a callback, signed with secrets at a time. */
  async function send(secrets: string, now?: () => number): Promise<void> {
    const { onCallback, close } = forwardCallbacks({
      env: 'test',
      url,
      secrets,
      allowPrivate: true,
      ...(now && { now }),
    })
    const body = Buffer.from('{"packageId":42,"entry":"Größe"}')
    const id = createHash('sha256').update(body).digest('hex')
    const { signal } = new AbortController()
    try {
      await onCallback({} as CallbackBody, 'VOID', { id, attempt: 1, body, receivedAt: 0, signal })
    } finally {
      await close()
    }
  }

  it('accepts callbacks that are signed with either secret', async () => {
    await send(current)
    await send(old)
    await send(`${createSecret()},${current}`)
  })

  it('refuses other secrets, old timestamps and requests without a signature', async () => {
    await assert.rejects(send(createSecret()), /401/)
    await assert.rejects(
      send(current, () => Date.now() - 301_000),
      /401/,
    )
    await assert.rejects(
      send(current, () => Date.now() + 301_000),
      /401/,
    )
    assert.equal((await fetch(url, { method: 'POST', body: '{}' })).status, 401)
  })
})
