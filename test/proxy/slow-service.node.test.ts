import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Emulator } from '../../src/emulator/emulator.ts'
import { people, type Role, setUp } from './mount.ts'
import { until } from './until.ts'

const package42 = '/forms/6025/packages/42'
const roles = Object.keys(people) as Role[]

describe('a slow service (F03)', () => {
  /** Holds the responses of a service. `held` are the calls that it has received and not answered. */
  function holdCalls() {
    const held = new Set<() => void>()
    let received = 0
    let most = 0
    const intercept = async (request: Request, emulator: Emulator) => {
      received += 1
      await new Promise<void>((resolve, reject) => {
        const respond = () => {
          held.delete(respond)
          resolve()
        }
        held.add(respond)
        most = Math.max(most, held.size)
        request.signal.addEventListener('abort', () => {
          held.delete(respond)
          reject(request.signal.reason as Error)
        })
      })
      return await emulator.fetch(request)
    }
    return { held, intercept, most: () => most, received: () => received }
  }

  it('never has more calls open than the limit, and all of them get their response in the end', async () => {
    const { held, intercept, most } = holdCalls()
    const { request } = setUp({ intercept, limits: { calls: 5, callsPerPerson: 3, timeout: 60_000 } })
    // Different addresses, because identical reads share one call.
    const paths = ['', '/history', '/future_history', '/comments', '/attachments', '/entry']
    const all = roles.flatMap((as) => paths.map((path) => request(package42 + path, { as })))
    let open = all.length
    for (const response of all) void response.finally(() => (open -= 1))
    while (open > 0) {
      await until(() => held.size > 0 || open === 0)
      const [respond] = [...held].slice(-1)
      respond?.()
    }
    assert.equal(most(), 5)
    const statuses = (await Promise.all(all)).map(({ status }) => status)
    assert.deepEqual(new Set(statuses), new Set([200, 403]), 'outsiders may view nothing')
  })

  it('ends the call of each request that times out or whose browser disconnects', async () => {
    const { held, intercept, received } = holdCalls()
    const { request } = setUp({ intercept, limits: { calls: 2, callsPerPerson: 2, timeout: 300 } })
    const gone = new AbortController()
    const left = request(package42, { as: 'initiator', signal: gone.signal }).catch(() => {})
    await until(() => held.size === 1)
    gone.abort()
    await until(() => held.size === 0)
    await left
    const before = received()
    const replies = await Promise.all([
      request(package42, { as: 'firstApprover' }),
      request(`${package42}/history`, { as: 'firstApprover' }),
    ])
    assert.deepEqual(
      replies.map(({ status }) => status),
      [502, 502],
    )
    assert.equal(received(), before + 2, 'the proxy does not repeat calls')
    assert.equal(held.size, 0, 'nothing piles up in the service')
  })
})
