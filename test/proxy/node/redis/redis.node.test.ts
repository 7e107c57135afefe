import assert from 'node:assert/strict'
import { type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import { createClient } from '@redis/client'
import type { LiveEvent } from '../../../../src/proxy/changes/bus.ts'
import { freePort } from '../../../free-port.mjs'
import { connectRedis } from '../../../../src/proxy/node/redis/redis-connection.ts'
import { createRedis, type Redis, type RedisOptions } from '../../../../src/proxy/node/redis/redis.ts'
import { storedCallback as callback } from '../../callbacks/store-contract.ts'
import { until } from '../../until.ts'
import { closed, patient, startServer, stopServer } from './redis-server.ts'

const password = 'pass/word+1'
const hint = { formId: 6025, packageId: 42 }
const key = 'routeslip:test:events'

describe('createRedis()', () => {
  let directory: string
  let port: number
  let server: ChildProcess
  const open: Redis[] = []
  const listeners: { readonly close: () => Promise<void> }[] = []
  const unhandled: unknown[] = []
  const note = (reason: unknown) => unhandled.push(reason)

  before(async () => {
    process.on('unhandledRejection', note)
    directory = await mkdtemp(join(tmpdir(), 'routeslip-redis-'))
    port = await freePort()
    server = await startServer(port, directory, { requirepass: password })
  })

  afterEach(async () => {
    // The clients come first: they reconnect to a listener for as long as they are open.
    for (const redis of open.splice(0)) await redis.close()
    for (const listener of listeners.splice(0)) await listener.close()
    await command(['FLUSHALL'])
  })

  after(async () => {
    await stopServer(server)
    await rm(directory, { recursive: true })
    process.off('unhandledRejection', note)
    assert.deepEqual(unhandled, [])
  })

  const url = (at = port) => `redis://:${encodeURIComponent(password)}@127.0.0.1:${at}/0`

  async function connectTo(address = url(), options: Partial<RedisOptions> = {}) {
    const logged: string[] = []
    const redis = await createRedis(address, {
      env: 'test',
      log: (level, message, facts) => logged.push(`${level} ${message} ${JSON.stringify(facts)}`),
      ...patient,
      ...options,
    })
    open.push(redis)
    const events: LiveEvent[] = []
    redis.bus.subscribe((event) => events.push(event))
    return { ...redis, events, logged }
  }

  /** Sends a command as another process would. */
  async function command(args: string[]) {
    const client = createClient({ url: url() })
    await client.connect()
    const reply = await client.sendCommand<string | number>(args)
    await client.close()
    return reply
  }

  it('shares nothing with proxies that have another prefix', async () => {
    const prefix = 'payroll:'
    const [one, same, other] = [
      await connectTo(url(), { prefix }),
      await connectTo(url(), { prefix }),
      await connectTo(),
    ]
    assert.equal(await one.callbackStore.add(callback('a')), true)
    assert.equal(await other.callbackStore.add(callback('a')), true)
    assert.equal(await same.callbackStore.add(callback('a')), false, 'the same prefix (control)')
    assert.equal(await one.outcomeStore.start('id', '1', 'head'), undefined)
    assert.equal(await other.outcomeStore.start('id', '1', 'head'), undefined)
    assert.notEqual(await same.outcomeStore.start('id', '1', 'head'), undefined, 'the same prefix (control)')
    await one.bus.publish(hint)
    await until(() => same.events.length >= 1)
    await other.bus.publish({ formId: 6025, packageId: 7 })
    await until(() => other.events.length >= 1)
    assert.deepEqual([one.events.length, other.events[0]?.packageId], [1, 7])
    const keys = (await command(['KEYS', '*'])) as unknown as string[]
    assert.deepEqual(
      keys
        .map((name) => name.split(':').slice(0, 2).join(':'))
        .filter((name) => !/^(payroll|routeslip):test$/.test(name)),
      [],
    )
  })

  it('refuses a Redis Cluster and a Sentinel, and no server that does not tell its mode', async () => {
    for (const [mode, kind] of [
      ['cluster', /Redis Cluster/],
      ['sentinel', /Redis Sentinel/],
      ['standalone', undefined],
    ] as const) {
      const { port: at } = await listen((socket) =>
        socket.on('data', (chunk) => {
          const commands = chunk.toString().match(/^\*\d+$/gm) ?? []
          const facts = `redis_mode:${mode}\r\n`
          const isInfo = chunk.toString().includes('INFO')
          for (const _ of commands) {
            socket.write(isInfo ? `$${facts.length}\r\n${facts}\r\n` : '-ERR unknown command\r\n')
          }
        }),
      )
      const connected = connectTo(`redis://127.0.0.1:${at}`)
      if (kind) await assert.rejects(connected, { name: 'RedisModeError', message: kind })
      else await connected
    }
    for (const address of [
      'redis://one:26379,two:26379',
      'redis+sentinel://one/main',
      'redis-cluster://one',
    ]) {
      await assert.rejects(connectTo(address), /must have the form/)
    }
  })

  it('delivers the events of every process to every process, in one order and with the same ids', async () => {
    const [one, other] = [await connectTo(), await connectTo()]
    await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        (index % 3 ? one : other).bus.publish({ formId: 6025, packageId: index + 1 }),
      ),
    )
    await until(() => one.events.length >= 100 && other.events.length >= 100)
    assert.deepEqual(one.events, other.events)
    assert.equal(one.events.length, 100)
    assert.deepEqual(
      one.events.map(({ packageId }) => packageId).sort((a, b) => a - b),
      Array.from({ length: 100 }, (_, index) => index + 1),
    )
    assert.equal(one.bus.last(), other.bus.last())
    const id = one.events[49]?.id ?? ''
    assert.deepEqual(other.bus.since(id), one.events.slice(50))
    assert.deepEqual(one.logged, [])
  })

  it('separates environments', async () => {
    const [test, prod] = [await connectTo(), await connectTo(url(), { env: 'prod' })]
    await prod.bus.publish({ formId: 1, packageId: 1 })
    await until(() => prod.events.length >= 1)
    await test.bus.publish(hint)
    await until(() => test.events.length >= 1)
    assert.deepEqual(
      test.events.map(({ packageId }) => packageId),
      [42],
    )
    assert.equal(prod.events.length, 1)
    const elsewhere = await connectTo(url(), { basePath: '/api/other' })
    for (const { callbackStore } of [test, prod, elsewhere])
      assert.equal(await callbackStore.add(callback('a')), true)
    assert.equal(await test.callbackStore.add(callback('a')), false, 'control')
  })

  it('knows the events of an earlier process after a restart (F53, F55)', async () => {
    const first = await connectTo()
    for (const packageId of [1, 2, 3]) await first.bus.publish({ formId: 6025, packageId })
    await until(() => first.events.length >= 3)
    await first.close()

    const second = await connectTo()
    assert.equal(second.events.length, 0, 'old events are not delivered again')
    assert.equal(second.bus.last(), first.events[2]?.id)
    assert.deepEqual(second.bus.since(first.events[0]?.id ?? ''), first.events.slice(1))
    assert.equal(second.bus.since('1-1'), undefined)

    await second.bus.publish({ formId: 6025, packageId: 4 })
    await until(() => second.events.length >= 1)
    const small = await connectTo(url(), { size: 2 })
    assert.equal(small.bus.since(first.events[0]?.id ?? ''), undefined)
    assert.deepEqual(
      small.bus.since(first.events[2]?.id ?? '')?.map(({ packageId }) => packageId),
      [4],
    )
    const later = await connectTo(url(), { now: () => Date.now() + 11 * 60_000 })
    assert.equal(later.bus.since(first.events[2]?.id ?? ''), undefined)
    assert.deepEqual(later.bus.since(second.events[0]?.id ?? ''), [])
  })

  it('keeps about 10,000 events', async () => {
    const { bus, events } = await connectTo()
    await fill(10_500)
    await bus.publish(hint)
    await until(() => events.at(-1)?.packageId === 42)
    const length = Number(await command(['XLEN', key]))
    assert.ok(length >= 10_000 && length < 10_300, `${length}`)
  })

  it('ignores entries that are not events', async () => {
    const first = String(await command(['XADD', key, '*', 'f', '6025', 'p', '42']))
    for (const fields of [
      ['x', '1'],
      ['f', '6025'],
      ['f', '6025', 'p', ''],
      ['f', '6025', 'p', '-42'],
      ['f', '6025', 'p', '42\n\ndata: evil'],
      ['f', '1e3', 'p', '42'],
      ['f', '06025', 'p', '42'],
      ['f', '6025', 'p', '9007199254740992'],
      ['f', '__proto__', 'p', '42'],
    ]) {
      await command(['XADD', key, '*', ...fields])
    }
    const { bus, events } = await connectTo()
    assert.deepEqual(bus.since(first), [])
    await command(['XADD', key, '*', 'f', '6025', 'p', 'evil'])
    await command(['XADD', key, '*', 'f', '6025', 'p', '43', 'more', 'x'])
    await until(() => events.length >= 1)
    assert.deepEqual(bus.since(first), events)
    assert.deepEqual(Object.keys(events[0] ?? {}).sort(), ['formId', 'id', 'packageId'])
    assert.equal(events[0]?.packageId, 43)
  })

  it('lets only one of several processes run a request, and shares its outcome', async () => {
    const [one, two] = [await connectTo(), await connectTo()]
    const starts = await Promise.all(
      [one, two, one, two].map(({ outcomeStore }) => outcomeStore.start('id', '1', 'head')),
    )
    assert.equal(starts.filter((known) => known === undefined).length, 1)
    assert.equal((await two.outcomeStore.read('id'))?.state, 'running')
    const done = {
      head: 'head',
      state: 'done',
      body: 'b',
      reply: { status: 204, headers: {}, body: null },
    } as const
    await one.outcomeStore.finish('id', done)
    assert.deepEqual(await two.outcomeStore.start('id', '1', 'head'), done)
    assert.ok(Number(await command(['TTL', 'routeslip:test:once:id'])) > 86_000)

    await one.outcomeStore.start('refused', '1', 'head')
    await one.outcomeStore.forget('refused')
    assert.equal(await two.outcomeStore.start('refused', '1', 'head'), undefined)
    await two.outcomeStore.forget('refused')
  })

  it('reports a request of a process that has died as unknown, and never as new', async () => {
    const one = await connectTo()
    await one.outcomeStore.start('id', '1', 'head')
    // The lease of a dead process expires.
    await command(['DEL', 'routeslip:test:once:id:lease'])
    const two = await connectTo()
    assert.equal((await two.outcomeStore.read('id'))?.state, 'unknown')
    assert.equal((await two.outcomeStore.start('id', '1', 'head'))?.state, 'unknown')
    await one.outcomeStore.forget('id')
  })

  it('continues after lost connections and misses no event', async () => {
    const wire = await createWire()
    // More events are missed than the buffer keeps for browsers that reconnect.
    const { bus, events } = await connectTo(url(wire.port), { size: 5 })
    await bus.publish(hint)
    await until(() => events.length >= 1)
    assert.equal(bus.isConnected?.(), true)
    wire.cut()
    await until(() => bus.isConnected?.() === false)
    await fill(20)
    wire.restore()
    await until(() => events.length >= 21)
    await until(() => bus.isConnected?.() === true)
    assert.deepEqual(
      events.map(({ packageId }) => packageId),
      [42, ...Array.from({ length: 20 }, (_, index) => index + 1)],
    )
    assert.equal(bus.since(events[0]?.id ?? ''), undefined)
    assert.deepEqual(bus.since(events[15]?.id ?? ''), events.slice(16))
  })

  it('serves its own process while Redis is down, and all processes afterwards', async () => {
    const [one, other] = [await connectTo(), await connectTo()]
    await one.bus.publish({ formId: 6025, packageId: 1 })
    await until(() => other.events.length === 1 && one.events.length === 1)
    await stopServer(server)

    for (const packageId of [2, 3, 4]) await one.bus.publish({ formId: 6025, packageId })
    assert.deepEqual(
      one.events.map(({ packageId }) => packageId),
      [1, 2, 3, 4],
    )
    assert.deepEqual(one.bus.since(one.events[1]?.id ?? ''), one.events.slice(2))
    assert.equal(other.bus.since(one.events[3]?.id ?? ''), undefined)
    assert.equal(new Set(one.events.map(({ id }) => id)).size, 4)
    for (const { id } of one.events) assert.match(id, /^\d+-\d+$/)
    await assert.rejects(one.callbackStore.add(callback('a')))
    await assert.rejects(async () => await one.callbackStore.check?.())
    assert.equal(other.events.length, 1)
    assert.equal(one.logged.filter((line) => line.startsWith('error')).length, 1, 'once a minute')

    // The new server has none of the old data.
    server = await startServer(port, directory, { requirepass: password })
    await until(() => [one, other].every(({ logged }) => logged.some((line) => line.includes('again'))))
    for (const { callbackStore } of [other, one])
      await until(() => callbackStore.add(callback(crypto.randomUUID())).catch(() => false))
    await other.bus.publish({ formId: 6025, packageId: 5 })
    await until(() => one.events.length === 5 && other.events.length === 2)
    assert.deepEqual(one.events.at(-1), other.events.at(-1))
    assert.deepEqual(one.bus.since(one.events[3]?.id ?? ''), one.events.slice(4))
  })

  it('reads a stream that starts again with smaller ids', async () => {
    const wire = await createWire()
    const { events, logged } = await connectTo(url(wire.port), { now: () => 0 })
    await command(['XADD', key, '9000000000000-0', 'f', '6025', 'p', '1'])
    await until(() => events.length >= 1)
    wire.cut()
    await command(['DEL', key])
    await command(['XADD', key, '1000-0', 'f', '6025', 'p', '2'])
    await command(['XADD', key, '1001-0', 'f', '6025', 'p', '3'])
    wire.restore()
    await until(() => events.length >= 3)
    // A replica that takes over may lack the newest event. Earlier events are not delivered again.
    wire.cut()
    await command(['XDEL', key, '1001-0'])
    wire.restore()
    await until(() => logged.filter((line) => line.includes('again')).length === 2)
    await command(['XADD', key, '1002-0', 'f', '6025', 'p', '4'])
    await until(() => events.some(({ packageId }) => packageId === 4))
    assert.deepEqual(
      events.map(({ packageId }) => packageId),
      [1, 2, 3, 4],
    )
  })

  it('does not wait for a connection that delivers nothing', async () => {
    const wire = await createWire()
    const { bus, callbackStore, events } = await connectTo(url(wire.port), { timeout: 2_000 })
    await bus.publish({ formId: 1, packageId: 1 })
    await until(() => events.length >= 1)
    wire.hold()
    await Promise.all([bus.publish(hint), assert.rejects(callbackStore.add(callback('a')), /too long/)])
    assert.equal(events.length, 2)
  })

  it('starts without Redis and connects once it is available', async () => {
    const wire = await createWire()
    wire.cut()
    const { bus, events, logged } = await connectTo(url(wire.port))
    await bus.publish(hint)
    assert.equal(events.length, 1)
    wire.restore()
    await until(() => logged.some((line) => line.includes('again')))
    await command(['XADD', key, '*', 'f', '6025', 'p', '43'])
    await until(() => events.length >= 2)
  })

  it('reveals neither the address nor the password', async () => {
    const wire = await createWire()
    await wire.close()
    const wrong = await connectTo(`redis://routeslip:s3cret@127.0.0.1:${port}`)
    const gone = await connectTo(`redis://routeslip:s3cret@127.0.0.1:${wire.port}`)
    const plain = await connectTo(`rediss://routeslip:s3cret@127.0.0.1:${port}`, { timeout: 100 })
    for (const { bus, logged, events } of [wrong, gone, plain]) {
      await bus.publish(hint)
      assert.equal(events.length, 1)
      assert.equal(logged.length, 1)
      assert.doesNotMatch(logged.join(), /s3cret|127\.0\.0\.1|rediss?:/)
    }
    for (const address of [
      '',
      'x',
      'http://routeslip:s3cret@127.0.0.1/',
      'redis://routeslip:s3cret@127.0.0.1:99999',
      'redis://routeslip:s3cret@127.0.0.1/x',
      'redis:routeslip:s3cret@127.0.0.1',
      'xredis://routeslip:s3cret@127.0.0.1',
      'redis://routeslip:s3cret@127.0.0.1,127.0.0.2',
    ]) {
      await assert.rejects(connectTo(address), (error: Error) => {
        assert.match(error.message, /^The Redis address must have the form /)
        assert.equal(error.cause, undefined)
        assert.doesNotMatch(JSON.stringify({ ...error }) + String(error.stack), /s3cret/)
        return true
      })
    }
  })

  it('uses TLS if the address begins with rediss:', async () => {
    const firstByte = async (scheme: string) => {
      // Each scheme has its own listener, because the clients of the other scheme reconnect to theirs.
      const received: Buffer[] = []
      const { port: at } = await listen((socket) => {
        socket.once('data', (chunk: Buffer) => {
          received.push(chunk)
          socket.destroy()
        })
      })
      await connectTo(`${scheme}://:s3cret@127.0.0.1:${at}`)
      await until(() => received.length > 0)
      return received[0]?.[0]
    }
    assert.equal(await firstByte('rediss'), 0x16, 'a TLS handshake')
    assert.equal(await firstByte('redis'), '*'.charCodeAt(0), 'a plain command (control)')
  })

  it('moves to another password while commands run, and loses none of them', async () => {
    const { bus, outcomeStore, moveTo, events, logged } = await connectTo()
    await command(['ACL', 'SETUSER', 'second', 'on', '>second-password', '~*', '&*', '+@all'])
    const address = `redis://second:second-password@127.0.0.1:${port}/0`
    let isDone = false
    let count = 0
    const working = (async () => {
      while (!isDone) {
        await outcomeStore.start(`id ${count}`, '1', 'head')
        await bus.publish({ formId: 6025, packageId: ++count })
      }
    })()
    await until(() => count > 20)
    assert.equal(await moveTo(`redis://second:wrong@127.0.0.1:${port}/0`), false)
    assert.equal(await moveTo(address), true)
    const movedAt = count
    // The previous user may be removed now.
    await until(() => count > movedAt + 20)
    isDone = true
    await working
    await until(() => events.length === count)
    assert.deepEqual(
      events.map(({ packageId }) => packageId),
      Array.from({ length: count }, (_, index) => index + 1),
    )
    const users = String(await command(['CLIENT', 'LIST']))
    await until(async () => !String(await command(['CLIENT', 'LIST'])).includes('cmd=xadd user=default'))
    assert.match(users, /user=second/)
    assert.doesNotMatch(logged.join(), /second-password|again/)
    await command(['ACL', 'DELUSER', 'second'])
  })

  it('closes while an event is being published', async () => {
    const { bus, close } = await connectTo()
    const published = bus.publish(hint)
    await Promise.all([close(), bus.close()])
    await published
    await bus.publish(hint)
  })

  it('leaves no connection behind if it is closed while it reconnects', async () => {
    const wire = await createWire()
    const connection = await connectRedis(url(wire.port), {
      timeout: 30_000,
      onError: () => {},
    })
    const client = connection.client()
    assert.equal(client.isReady, true)
    client.once('reconnecting', () => process.nextTick(connection.close))
    for (const socket of wire.sockets) socket.destroy()
    await until(() => wire.accepted() === 2 && wire.sockets.size === 0)
    assert.equal(client.isReady, false)
  })

  /** Listens for connections until the test ends. */
  async function listen(onConnection: (socket: Socket) => void) {
    const sockets = new Set<Socket>()
    const listener = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
      onConnection(socket)
    })
    await once(listener.listen(0, '127.0.0.1'), 'listening')
    const close = () => {
      const isClosed = closed(listener)
      for (const socket of sockets) socket.destroy()
      return isClosed
    }
    listeners.push({ close })
    return { port: (listener.address() as AddressInfo).port, sockets, close }
  }

  /** A connection to the server that a test can cut, restore, and hold without closing it. */
  async function createWire() {
    const remotes = new Set<Socket>()
    let isCut = false
    let accepted = 0
    const {
      port: at,
      sockets,
      close,
    } = await listen((socket) => {
      accepted++
      if (isCut) return void socket.destroy()
      const remote = connect(port, '127.0.0.1')
      remotes.add(remote)
      remote.on('error', () => {})
      remote.on('close', () => {
        remotes.delete(remote)
        socket.destroy()
      })
      socket.on('close', () => remote.destroy())
      socket.pipe(remote)
      remote.pipe(socket)
    })
    return {
      port: at,
      sockets,
      accepted: () => accepted,
      close,
      cut() {
        isCut = true
        for (const socket of [...sockets, ...remotes]) socket.destroy()
      },
      restore() {
        isCut = false
      },
      hold() {
        for (const socket of [...sockets, ...remotes]) socket.unpipe().pause()
      },
    }
  }

  /** Adds events, numbered from 1, as another process would. */
  async function fill(count: number): Promise<void> {
    const script =
      "for i = 1, ARGV[1] do redis.call('XADD', KEYS[1], '*', 'f', '6025', 'p', i) end return redis.status_reply('OK')"
    await command(['EVAL', script, '1', key, String(count)])
  }
})
