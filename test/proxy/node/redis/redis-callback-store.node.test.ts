import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { parseCallbackBody } from './callback-body.ts'
import { CallbackError } from '../../../../src/proxy/callbacks/callback-error.ts'
import {
  type CallbackInbox,
  type CallbackInboxOptions,
  createCallbackInbox,
} from '../../../../src/proxy/callbacks/callback-inbox.ts'
import { freePort } from '../../../free-port.mjs'
import { createRedis, type Redis, type RedisOptions } from '../../../../src/proxy/node/redis/redis.ts'
import { storedCallback, testStore } from '../../callbacks/store-contract.ts'
import { until } from '../../until.ts'
import { patient, sendCommand, startServer, stopServer } from './redis-server.ts'

let directory: string
let port: number
let server: ChildProcess
const closes: (() => Promise<void> | void)[] = []

/** Waits for work of other processes: each poll gives them a millisecond. */
const wait = (condition: () => boolean | Promise<boolean>) => until(condition, () => pause(1))
/** With `everysec`, Redis replies before it writes while its disk is slow, and loses that if it is killed. */
const durable = { appendonly: 'yes', appendfsync: 'always' }

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'routeslip-inbox-'))
  port = await freePort()
  server = await startServer(port, directory, durable)
})
afterEach(async () => {
  for (const close of closes.splice(0).reverse()) await close()
  await command(['FLUSHALL'])
})
after(async () => {
  await stopServer(server)
  await rm(directory, { recursive: true })
})

const command = (args: string[]) => sendCommand(`redis://127.0.0.1:${port}`, args)

async function open(
  options: Partial<RedisOptions> = {},
  at = port,
): Promise<Redis & { readonly logs: string[] }> {
  const logs: string[] = []
  const redis = await createRedis(`redis://127.0.0.1:${at}`, {
    env: 'test',
    log: (level, message) => logs.push(`${level} ${message}`),
    ...patient,
    ...options,
  })
  closes.push(redis.close)
  return { ...redis, logs }
}

interface Effect {
  readonly process: string
  readonly id: string
  readonly packageId: number
  readonly state: string
}

interface TestProcess {
  readonly redis: Redis
  readonly inbox: CallbackInbox
  readonly arrivals: string[]
  /** Adds a callback as the receiver does, and returns its body. */
  readonly send: (packageId: number, state: string) => Promise<void>
}

/** Starts the part of a proxy that handles callbacks, and records its effects. */
async function startProcess(
  name: string,
  effects: Effect[],
  handle: (effect: Effect) => void | Promise<void> = () => {},
  {
    at = port,
    inbox: options,
    ...redisOptions
  }: Partial<RedisOptions> & {
    readonly at?: number
    readonly inbox?: Partial<CallbackInboxOptions>
  } = {},
): Promise<TestProcess> {
  const redis = await open(redisOptions, at)
  const arrivals: string[] = []
  const inbox = createCallbackInbox({
    store: redis.callbackStore,
    log: () => {},
    onArrival: (hint, state) => void arrivals.push(`${hint.packageId} ${state}`),
    async onCallback({ packageId, state }, { id }) {
      const effect = { process: name, id, packageId, state }
      await handle(effect)
      effects.push(effect)
    },
    ...options,
  })
  closes.push(() => inbox.close(0))
  return {
    redis,
    inbox,
    arrivals,
    async send(packageId, state) {
      const { body, callback } = parseCallbackBody(packageId, state)
      await inbox.add(body, callback)
    },
  }
}

/** Returns the states of the effects of a package, each once. */
function statesOf(effects: readonly Effect[], packageId: number): readonly string[] {
  return [...new Set(effects.filter((effect) => effect.packageId === packageId).map(({ state }) => state))]
}

/** Waits until some processes wait for callbacks: Redis then hands them out in turns. */
async function waitForReaders(count: number): Promise<void> {
  await wait(async () => {
    const clients = String(await command(['CLIENT', 'LIST', 'TYPE', 'normal']))
    return clients.match(/flags=b.*cmd=xreadgroup/g)?.length === count
  })
}

/** Returns the keys of the leases of all processes. */
async function leases(): Promise<readonly string[]> {
  return (await command(['KEYS', 'routeslip:test:process:*'])) as string[]
}

async function isEmpty(redis: Redis): Promise<boolean> {
  return (await redis.callbackStore.list()).length === 0
}

testStore('callbackStore of createRedis()', async () => {
  const { callbackStore } = await open()
  return callbackStore
})

describe('callbackStore of createRedis()', () => {
  it('remembers for seven days what has taken effect (T28)', async () => {
    const { callbackStore } = await open()
    await callbackStore.add(storedCallback('a'))
    await callbackStore.finish('a')
    const ttl = Number(await command(['TTL', 'routeslip:test:callbacks/api/wf:done:a']))
    assert.ok(ttl > 7 * 86_400 - 100 && ttl <= 7 * 86_400, `${ttl}`)
    await command(['DEL', 'routeslip:test:callbacks/api/wf:done:a'])
    assert.equal(await callbackStore.add(storedCallback('a')), true, 'control')
  })

  it('knows when the oldest callback arrived, and the number of dead letters', async () => {
    const { callbackStore } = await open()
    assert.deepEqual(await callbackStore.waiting?.(), { oldest: undefined, dead: 0 })
    for (const [index, id] of ['a', 'b', 'c'].entries())
      await callbackStore.add({ ...storedCallback(id), receivedAt: 100 + index })
    await callbackStore.update('a', { attempts: 1, dueAt: null, lastError: 'x' })
    assert.deepEqual(await callbackStore.waiting?.(), { oldest: 101, dead: 1 })
    await callbackStore.finish('b')
    assert.deepEqual(await callbackStore.waiting?.(), { oldest: 102, dead: 1 })
  })

  it('shares locks: another process may release what this one got', async () => {
    const [one, other] = [await open(), await open()]
    const lock = { formId: 6025, packageId: 42, lockId: 3, stop: null, createdAt: null, receivedAt: 5 }
    await one.callbackStore.locks?.put(lock)
    assert.deepEqual(await other.callbackStore.locks?.get(lock), lock)
    await other.callbackStore.locks?.remove(lock)
    assert.deepEqual(await one.callbackStore.locks?.list(), [])
  })

  it('stores callbacks with and without WAITAOF, and logs once that the server does not know it', async () => {
    const { callbackStore, logs } = await open()
    for (const id of ['a', 'b']) assert.equal(await callbackStore.add(storedCallback(id)), true)
    assert.equal(await callbackStore.add(storedCallback('a')), false)
    // Redis knows it since 7.2.
    const [known] = (await command(['COMMAND', 'INFO', 'WAITAOF'])) as readonly unknown[]
    const text =
      'Redis does not know WAITAOF: a crash of it may lose the callbacks of the last two seconds, unless appendfsync is always.'
    assert.deepEqual(logs, known ? [] : [`info ${text}`])
  })

  it('warns of a Redis that keeps nothing on its disk, or evicts callbacks', async () => {
    const { callbackStore, logs } = await open()
    await callbackStore.add(storedCallback('a'))
    assert.doesNotMatch(logs.join(), /^warn /m, 'control')
    await command(['CONFIG', 'SET', 'appendonly', 'no'])
    await command(['CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru'])
    try {
      const second = await open()
      await second.callbackStore.add(storedCallback('b'))
      assert.equal(second.logs.length, 2)
      assert.match(second.logs.join(), /warn Redis keeps no log on its disk.*warn Redis may evict callbacks/)
    } finally {
      await command(['CONFIG', 'SET', 'appendonly', 'yes'])
      // Until Redis has begun a new log, a kill would lose what the next tests store.
      await wait(
        async () =>
          !/aof_rewrite_(?:in_progress|scheduled):1/.test(String(await command(['INFO', 'persistence']))),
      )
      await command(['CONFIG', 'SET', 'maxmemory-policy', 'noeviction'])
    }
  })
})

describe('several processes with one inbox', () => {
  it('process each callback once, those of a package in order, and share the work', async () => {
    const effects: Effect[] = []
    const handle = () => pause(1)
    const [one, other] = [
      await startProcess('one', effects, handle),
      await startProcess('other', effects, handle),
    ]
    await waitForReaders(2)
    const states = Array.from({ length: 10 }, (_, index) => `STATE_${index}`)
    for (const state of states) {
      // Each of them arrives at both processes.
      const sends = Array.from({ length: 30 }, (_, index) => index + 1)
      await Promise.all(
        sends.flatMap((packageId) => [one.send(packageId, state), other.send(packageId, state)]),
      )
    }
    await wait(() => isEmpty(one.redis))
    assert.equal(effects.length, 300)
    for (let packageId = 1; packageId <= 30; packageId++) {
      assert.deepEqual(
        effects.filter((effect) => effect.packageId === packageId).map(({ state }) => state),
        states,
      )
    }
    assert.equal(new Set(effects.map(({ process }) => process)).size, 2)
    // One process may still be reading a callback that the other has finished by now.
    await wait(() => one.arrivals.length + other.arrivals.length >= 300)
    assert.equal(one.arrivals.length + other.arrivals.length, 300, 'each is announced once')
    assert.deepEqual(await command(['HLEN', 'routeslip:test:callbacks/api/wf:owners']), 0)
    assert.deepEqual(await command(['XLEN', 'routeslip:test:callbacks/api/wf:stream']), 0)
  })

  it('announce a callback although another process has handled it before it could be read', async () => {
    const effects: Effect[] = []
    const owner = await startProcess('owner', effects)
    const wire = await createWire()
    const late = await startProcess('late', effects, () => {}, { at: wire.port, lease: 60_000 })
    await waitForReaders(2)
    // It still receives what it has asked for, but can ask for nothing more.
    wire.hold()
    // Redis hands them out in turns, so one of the first two goes to the other process.
    const states = ['ROUTING', 'VOID', 'COMPLETE']
    for (const state of states) await owner.send(1, state)
    await wait(() => owner.arrivals.length === 2)
    await wait(() => effects.length === 3)
    assert.deepEqual(late.arrivals, [], 'control')
    wire.release()
    await wait(() => late.arrivals.length > 0)
    assert.deepEqual(late.arrivals, ['1 undefined'])
    assert.deepEqual(statesOf(effects, 1), states)
  })

  it('hold up only the package whose callback waits, whichever process handles it', async () => {
    const effects: Effect[] = []
    let isDown = true
    const handle = ({ packageId }: Effect) => {
      if (isDown && packageId === 1) throw new Error('down')
    }
    const [one, other] = [
      await startProcess('one', effects, handle, { lease: 300 }),
      await startProcess('other', effects, handle, { lease: 300 }),
    ]
    await one.send(1, 'ROUTING')
    await wait(async () => (await one.redis.callbackStore.list())[0]?.progress.attempts === 1)
    await other.send(1, 'VOID')
    await other.send(2, 'VOID')
    await wait(() => effects.length > 0)
    assert.deepEqual(statesOf(effects, 1), [])
    assert.deepEqual(statesOf(effects, 2), ['VOID'])
    const [waiting] = await one.redis.callbackStore.list()
    assert.match(waiting?.progress.lastError ?? '', /down/)
    isDown = false
    // One of them waits five seconds for the next attempt. Either may be asked to make it now.
    for (const { inbox } of [one, other]) assert.equal(await inbox.replay(waiting?.id ?? ''), true)
    await wait(() => isEmpty(one.redis))
    assert.deepEqual(statesOf(effects, 1), ['ROUTING', 'VOID'])
  })

  it('keep a dead letter with its last error until somebody replays it, and continue with the next', async () => {
    const effects: Effect[] = []
    let isGone = true
    const handle = ({ state }: Effect) => {
      if (isGone && state === 'ROUTING') throw new CallbackError('410', { isFinal: true })
    }
    const [one, other] = [
      await startProcess('one', effects, handle),
      await startProcess('other', effects, handle),
    ]
    await one.send(1, 'ROUTING')
    await one.send(1, 'VOID')
    await wait(() => effects.length === 1)
    assert.deepEqual(statesOf(effects, 1), ['VOID'])
    // The effect comes before its record.
    await wait(async () => (await other.redis.callbackStore.list()).length === 1)
    const [dead] = await other.redis.callbackStore.list()
    assert.deepEqual(dead?.progress, { attempts: 1, dueAt: null, lastError: 'CallbackError: 410' })
    isGone = false
    assert.equal(await other.inbox.replay(dead?.id ?? ''), true)
    await wait(() => effects.length === 2)
    assert.equal(effects[1]?.id, dead?.id)
    await wait(() => isEmpty(one.redis))
    assert.equal(await other.inbox.replay(dead?.id ?? ''), false, 'it has taken effect')
  })

  it('take over from a process that has lost its connection, in order, and announce again (F57)', async () => {
    const effects: Effect[] = []
    const wire = await createWire()
    const stuck = await startProcess('stuck', effects, () => new Promise(() => {}), {
      at: wire.port,
      lease: 60_000,
    })
    const [lease = '', ...otherLeases] = await leases()
    assert.deepEqual(otherLeases, [])
    for (const state of ['ROUTING', 'VOID', 'COMPLETE']) {
      await stuck.send(1, state)
      await stuck.send(2, state)
    }
    await wait(() => stuck.arrivals.length >= 6)
    const next = await startProcess('next', effects, () => {}, { lease: 300 })
    await next.send(1, 'LAST')
    // Redis hands them out in turns, so `next` handles one of these, after it has seen whether it may handle LAST.
    for (const packageId of [3, 4]) await next.send(packageId, 'ROUTING')
    await wait(() => effects.length > 0)
    assert.deepEqual([...statesOf(effects, 1), ...statesOf(effects, 2)], [], 'the other process still lives')
    wire.cut()
    // It can no longer renew its lease, which expires.
    await command(['DEL', lease])
    await wait(() => isEmpty(next.redis))
    assert.deepEqual(statesOf(effects, 1), ['ROUTING', 'VOID', 'COMPLETE', 'LAST'])
    assert.deepEqual(statesOf(effects, 2), ['ROUTING', 'VOID', 'COMPLETE'])
    await wait(() => next.arrivals.includes('2 COMPLETE'))
    // The dead process is forgotten.
    await wait(async () => (await command(['SCARD', 'routeslip:test:callbacks/api/wf:processes'])) === 1)
    wire.restore()
    await stuck.inbox.close(0)
  })

  it('hand over what waits when one of them stops', async () => {
    const effects: Effect[] = []
    let isDown = true
    const handle = () => {
      if (isDown) throw new CallbackError('full', { retryAfter: 3_600_000 })
    }
    const first = await startProcess('first', effects, handle, { lease: 300 })
    await first.send(1, 'ROUTING')
    await first.send(1, 'VOID')
    await wait(async () => (await first.redis.callbackStore.list())[0]?.progress.attempts === 1)
    await first.inbox.close(1000)
    await first.redis.close()
    isDown = false
    const second = await startProcess('second', effects, handle, { lease: 300 })
    // The next attempt is due in an hour, in whichever process.
    const [waiting] = await second.redis.callbackStore.list()
    assert.equal(waiting?.progress.attempts, 1)
    await wait(async () => {
      await second.inbox.replay(waiting?.id ?? '')
      return isEmpty(second.redis)
    })
    assert.deepEqual(statesOf(effects, 1), ['ROUTING', 'VOID'])
  })

  it('refuse callbacks while Redis is gone, and lose none that they had accepted', async (t) => {
    const warnings: string[] = []
    const onWarning = ({ name }: Error) => void warnings.push(name)
    process.on('warning', onWarning)
    t.after(() => process.off('warning', onWarning))
    const effects: Effect[] = []
    const started = new Set<number>()
    let finish = () => {}
    const isHeld = new Promise<void>((resolve) => (finish = resolve))
    const handle = ({ packageId }: Effect) => {
      started.add(packageId)
      return isHeld
    }
    const [one, other] = [
      await startProcess('one', effects, handle, { lease: 1000 }),
      await startProcess('other', effects, handle, { lease: 1000 }),
    ]
    for (let packageId = 1; packageId <= 20; packageId++) {
      await one.send(packageId, 'ROUTING')
      await other.send(packageId, 'VOID')
    }
    await wait(() => started.size === 20)
    await stopServer(server)
    await assert.rejects(one.send(21, 'ROUTING'))
    await assert.rejects(async () => await one.redis.callbackStore.check?.())
    // These succeed while it cannot be recorded.
    finish()
    await wait(() => effects.length > 0)
    server = await startServer(port, directory, durable)
    await wait(() => isEmpty(one.redis).catch(() => false))
    for (let packageId = 1; packageId <= 20; packageId++)
      assert.deepEqual(statesOf(effects, packageId), ['ROUTING', 'VOID'])
    await wait(() =>
      one.send(21, 'ROUTING').then(
        () => true,
        () => false,
      ),
    )
    await wait(() => effects.some(({ packageId }) => packageId === 21))
    assert.deepEqual(warnings, [], 'more than ten callbacks wait for Redis')
  })

  it('verify later what another process could not, after a restart', async () => {
    const unverified = { body: new Uint8Array([1]), signature: new Uint8Array([2]) }
    const first = await open()
    await first.callbackStore.unverified?.add(unverified)
    await first.close()
    const second = await open()
    assert.deepEqual(await second.callbackStore.unverified?.list(), [unverified])
  })
})

/** A connection to the server that a test can cut, or hold up in one direction. */
async function createWire() {
  const sockets = new Set<Socket>()
  /** What clients send, by client. */
  const sending = new Map<Socket, Socket>()
  let isCut = false
  const listener = createServer((socket) => {
    if (isCut) return void socket.destroy()
    const remote = connect(port, '127.0.0.1')
    for (const end of [socket, remote]) {
      sockets.add(end)
      end.on('error', () => {})
      end.on('close', () => {
        sockets.delete(end)
        sending.delete(socket)
        socket.destroy()
        remote.destroy()
      })
    }
    sending.set(socket, remote)
    socket.pipe(remote)
    remote.pipe(socket)
  })
  await once(listener.listen(0, '127.0.0.1'), 'listening')
  closes.unshift(() => void listener.close())
  return {
    port: (listener.address() as AddressInfo).port,
    cut() {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    restore() {
      isCut = false
    },
    /** Holds back what the clients send from now on. */
    hold() {
      for (const [socket, remote] of sending) socket.unpipe(remote)
    },
    release() {
      for (const [socket, remote] of sending) socket.pipe(remote)
    },
  }
}
