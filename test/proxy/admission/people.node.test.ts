import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { connectionOf } from '../../../src/proxy/http/connection.ts'
import { requestOf, setUp } from '../mount.ts'

describe('the limits per person', () => {
  const path = '/forms/6025/packages/42'

  const ways = {
    'a response': {},
    'an unknown form': { path: '/forms/1/packages/42' },
    'parameters that are not allowed': { path: `${path}?env=prod` },
    'a right that is missing': { path: `${path}/restart`, method: 'PUT' },
    'a body that is not valid': { path: `${path}/void`, method: 'PUT', json: { id: 'x' } },
    'an upload that is malformed': { path: '/files', method: 'POST', body: 'nonsense' },
    'a service that fails': { intercept: () => Promise.reject(new TypeError('connect ECONNREFUSED')) },
    'a client that disconnects': { signal: AbortSignal.abort() },
  } as const

  for (const [name, way] of Object.entries(ways)) {
    it(`give a place back after ${name}, every time`, async () => {
      const { intercept, ...options } = { intercept: undefined, path, ...way }
      const { request } = setUp({
        limits: { requestsPerPerson: 1, filesPerPerson: 1 },
        ...(intercept && { intercept }),
      })
      for (let time = 0; time < 3; time++) {
        const { status } = await request(options.path, { ...options, as: 'initiator' })
        assert.notEqual(status, 429, `request ${time + 1}`)
      }
    })
  }

  it('are given back if the client disconnects before it has the whole response', async () => {
    const { proxy } = setUp({ limits: { requestsPerPerson: 1 } })
    const ends: (() => void)[] = []
    const send = async () => {
      const request = requestOf(path, { as: 'initiator' })
      const connection = { ...connectionOf(request), onEnd: (end: () => void) => void ends.push(end) }
      return (await proxy.handle(request, connection)).status
    }
    assert.deepEqual([await send(), await send()], [200, 429])
    ends[0]?.()
    ends[0]?.()
    assert.deepEqual([await send(), await send()], [200, 429])
    assert.equal(ends.length, 2)
  })
})
