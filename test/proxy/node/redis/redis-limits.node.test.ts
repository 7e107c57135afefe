import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../../free-port.mjs'
import { createRedis, type Redis } from '../../../../src/proxy/node/redis/redis.ts'
import { doneWith, testOutcomes } from '../../idempotency/outcome-contract.ts'
import { testLimiter } from '../../limiter-contract.ts'
import { until } from '../../until.ts'
import { patient, sendCommand, startServer, stopServer } from './redis-server.ts'

let directory: string
let port: number
let server: ChildProcess
const opened: Redis[] = []

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'routeslip-limits-'))
  port = await freePort()
  server = await startServer(port, directory)
})
afterEach(async () => {
  for (const redis of opened.splice(0)) await redis.close()
  await command(['FLUSHALL'])
})
after(async () => {
  await stopServer(server)
  await rm(directory, { recursive: true })
})

const command = (args: string[]) => sendCommand(`redis://127.0.0.1:${port}`, args)

async function open(): Promise<Redis> {
  const redis = await createRedis(`redis://127.0.0.1:${port}`, { env: 'test', log: () => {}, ...patient })
  opened.push(redis)
  return redis
}

testLimiter('limiter of createRedis()', async () => (await open()).limiter)
testOutcomes('createRedis()', async () => (await open()).outcomeStore)

describe('outcomes of createRedis()', () => {
  it('are remembered for a day, and large replies for ten minutes', async () => {
    const { outcomeStore } = await open()
    for (const [id, size, seconds] of [
      ['small', 65_536, 86_400],
      ['large', 65_537, 600],
    ] as const) {
      await outcomeStore.start(id, '1', 'head')
      await outcomeStore.finish(id, doneWith('x'.repeat(size)))
      const left = Number(await command(['TTL', `routeslip:test:once:${id}`]))
      assert.ok(left > seconds - 60 && left <= seconds, `${id}: ${left}`)
    }
  })
})

describe('limiter of createRedis()', () => {
  it('counts what a person uses in all processes', async () => {
    const [one, other] = [await open(), await open()]
    const release = await one.limiter.hold('streams', '1', 2)
    assert.notEqual(await other.limiter.hold('streams', '1', 2), undefined)
    for (const { limiter } of [one, other]) assert.equal(await limiter.hold('streams', '1', 2), undefined)
    release?.()
    await until(
      async () => (await other.limiter.hold('streams', '1', 2)) !== undefined,
      () => pause(1),
    )
    assert.equal(await one.limiter.count('packages', '1', 1, 3_600_000), 0)
    assert.ok((await other.limiter.count('packages', '1', 1, 3_600_000)) > 3500)
    const prod = await createRedis(`redis://127.0.0.1:${port}`, { env: 'prod', log: () => {}, ...patient })
    opened.push(prod)
    assert.equal(await prod.limiter.count('packages', '1', 1, 3_600_000), 0, 'environments share nothing')
  })

  it('frees the places of a process that has died', async () => {
    const [one, other] = [await open(), await open()]
    await one.limiter.hold('files', '1', 1)
    assert.equal(await other.limiter.hold('files', '1', 1), undefined)
    const [place = ''] = (await command(['SMEMBERS', 'routeslip:test:limit:files:1'])) as string[]
    // The lease of a dead process expires.
    await command(['DEL', `routeslip:test:process:${place.split(' ')[0]}`])
    assert.notEqual(await other.limiter.hold('files', '1', 1), undefined)
  })

  it('leaves nothing behind that nobody uses', async () => {
    const { limiter } = await open()
    const release = await limiter.hold('files', '1', 1)
    await limiter.count('requests', '1', 10, 60_000)
    release?.()
    await until(
      async () => (await command(['EXISTS', 'routeslip:test:limit:files:1'])) === 0,
      () => pause(1),
    )
    const ttl = Number(await command(['PTTL', 'routeslip:test:limit:requests:1']))
    assert.ok(ttl > 0 && ttl <= 60_000, `${ttl}`)
  })

  it('counts by itself while Redis does not reply', async () => {
    const { limiter } = await open()
    const release = await limiter.hold('files', '1', 2)
    await stopServer(server)
    assert.notEqual(await limiter.hold('files', '1', 2), undefined)
    assert.equal(await limiter.hold('files', '1', 2), undefined)
    assert.equal(await limiter.count('packages', '1', 1, 3_600_000), 0)
    assert.ok((await limiter.count('packages', '1', 1, 3_600_000)) > 3500)
    release?.()
    assert.notEqual(await limiter.hold('files', '1', 2), undefined)
    server = await startServer(port, directory)
  })
})
