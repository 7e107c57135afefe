import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Emulator } from '../../../src/emulator/emulator.ts'
import { createBufferSpace } from '../../../src/proxy/admission/buffer-space.ts'
import { connectionOf } from '../../../src/proxy/http/connection.ts'
import type { Send } from '../../../src/proxy/upstream/send.ts'
import { requestOf, type Role, setUp } from '../mount.ts'
import { until } from '../until.ts'

describe('the memory for bodies and large responses', () => {
  const large = { entry: { notes: 'x'.repeat(100_000) } }

  it('is limited in total: further ones get 503 with Retry-After (T23)', async () => {
    const sent: (() => void)[] = []
    const intercept = async (request: Request, emulator: Emulator) => {
      if (request.method === 'POST') await new Promise<void>((resolve) => sent.push(resolve))
      return await emulator.fetch(request)
    }
    const limits = { maxBodySize: 200_000, maxResponseSize: 250_000, bufferSize: 250_000 }
    const { request } = setUp({ intercept, limits })
    const create = (as: Role) => request('/forms/6025/packages', { as, method: 'POST', json: large })
    const waiting = (['administrator', 'firstApprover'] as const).map(create)
    await until(() => sent.length >= 2)
    const refused = await create('initiator')
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '5'])
    // What has a reply takes no memory any more.
    for (const send of sent.splice(0)) send()
    await Promise.all(waiting)
    const next = create('initiator')
    await until(() => sent.length >= 1)
    sent[0]?.()
    assert.notEqual((await next).status, 503)
  })

  it('counts what a service sends while it arrives, and until it has been sent on (T23)', async () => {
    const part = new Uint8Array(100_000).fill(0x20)
    let accepted = 0
    const send: Send = async () => ({
      status: 200,
      header: () => null,
      bytes: async (_limit, permit) => {
        for (let size = part.length; size <= 300_000; size += part.length) {
          await permit?.(size)
          accepted = size
        }
        return new TextEncoder().encode('[]'.padEnd(300_000))
      },
      stream: () => new ReadableStream(),
    })
    const limits = { maxBodySize: 1000, maxResponseSize: 500_000, bufferSize: 500_000 }
    const { proxy } = setUp({ send, limits })
    const sent: (() => void)[] = []
    const read = (as: Role) => {
      const request = requestOf('/forms/6025/packages/42/history', { as })
      return proxy.handle(request, { ...connectionOf(request), onEnd: (end) => void sent.push(end) })
    }
    assert.equal((await read('initiator')).status, 200)
    const refused = await read('firstApprover')
    assert.deepEqual([refused.status, refused.headers['Retry-After'], accepted], [503, '5', 200_000])
    for (const end of sent.splice(0)) end()
    assert.equal((await read('firstApprover')).status, 200)
  })

  it('is shared: one person may use a quarter of it with several (T23)', () => {
    const { open } = createBufferSpace(1000)
    const first = open('a')
    first.resize(600)
    const second = open('a')
    assert.throws(() => second.resize(1), { status: 429, retryAfter: 1 })
    first.resize(200)
    second.resize(50)
    assert.throws(() => second.resize(51), { status: 429 })
    const other = open('b')
    other.resize(750)
    assert.throws(() => open('c').resize(1), { status: 503, retryAfter: 5 })
    for (const each of [first, second, other, other]) each.release()
    open('c').resize(1000)
  })
})
