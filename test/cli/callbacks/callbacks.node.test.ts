import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, renameSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, it } from 'node:test'
import { freePort } from '../../free-port.mjs'
import { openMountStorage } from '../../../src/cli/callbacks/callback-access.ts'
import { connectToProxy, type Control, serveControl } from '../../../src/cli/control.ts'
import { type CallbacksCommand, runCallbacks } from '../../../src/cli/callbacks/callbacks.ts'
import { createDeskAccess } from '../../../src/cli/desk/desk-access.ts'
import { ConfigError } from '../../../src/cli/config/config-error.ts'
import { serveEmulator } from '../../../src/cli/emulator/emulator.ts'
import { readProxyConfig } from '../../../src/cli/config/proxy-config.ts'
import { serveProxy } from '../../../src/cli/proxy.ts'
import { changeElsewhere } from '../../proxy/elsewhere.ts'
import { until } from '../../proxy/until.ts'
import { startServer, stopServer } from '../../proxy/node/redis/redis-server.ts'
import { exampleEnv } from '../proxy-command.ts'

const closes: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of closes.splice(0).reverse()) await close()
})

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'routeslip-'))
  closes.push(() => rmSync(folder, { recursive: true }))
  return folder
}

const mount = { env: 'test', basePath: '/api/wf' } as const
const day = 24 * 60 * 60_000
const start = Date.UTC(2026, 10, 16)
const ids = ['ab', 'ac', 'ba'].map((letters) => letters.repeat(32))

/** Fills the store of a directory with a dead letter, one that waits and a new one, which arrived on three days. */
async function fill(dataDirectory: string): Promise<void> {
  const { callbackStore: store, close } = await openMountStorage(dataDirectory, mount)
  for (const [day_, id] of ids.entries()) {
    const receivedAt = start + day_ * day
    const progress = [
      { attempts: 10, dueAt: null, lastError: 'Error: the database\nis full' },
      { attempts: 1, dueAt: start + 9 * day, lastError: 'Error: down' },
      { attempts: 0, dueAt: receivedAt, lastError: null },
    ][day_]
    assert.ok(progress)
    const body = new TextEncoder().encode(`{"entry":"secret ${day_}"}`)
    await store.add({ id, body, formId: 6025, packageId: 42 + day_, sequence: day_, receivedAt, progress })
  }
  await close()
}

const run = (dataDirectory: string, action?: string, values: Partial<CallbacksCommand> = {}) => {
  const command = { id: undefined, since: undefined, until: undefined, ...values, action }
  return runCallbacks({ dataDirectory, redisPrefix: 'routeslip:', mounts: [mount] as never }, command)
}

describe('routeslip callbacks', () => {
  it('lists callbacks without entry data, and shows one with its body and its last error', async () => {
    const folder = createFolder()
    assert.deepEqual(await run(folder, 'list'), ['No callbacks are waiting, and there are no dead letters.'])
    await fill(folder)
    const lines = await run(folder, 'list')
    assert.deepEqual(
      lines.map((line) => line.split(/ {2,}/)),
      [
        ['ID', 'ENV', 'PACKAGE', 'RECEIVED', 'FAILED', 'NEXT ATTEMPT', 'LAST ERROR'],
        [
          'abababababab',
          'test',
          '6025/42',
          '2026-11-16T00:00:00.000Z',
          '10',
          'dead letter',
          'Error: the database is full',
        ],
        [
          'acacacacacac',
          'test',
          '6025/43',
          '2026-11-17T00:00:00.000Z',
          '1',
          '2026-11-25T00:00:00.000Z',
          'Error: down',
        ],
        ['babababababa', 'test', '6025/44', '2026-11-18T00:00:00.000Z', '0', '2026-11-18T00:00:00.000Z'],
      ],
    )
    const shown = await run(folder, 'show', { id: 'AB' })
    assert.deepEqual(shown.slice(2), [
      `id: ${ids[0]}`,
      'error: Error: the database\nis full',
      '{"entry":"secret 0"}',
    ])
  })

  it('makes one callback due, or all that arrived in a time, while the proxy is stopped', async () => {
    const folder = createFolder()
    await fill(folder)
    const attempts = async () => {
      const { callbackStore: store, close } = await openMountStorage(folder, mount)
      const rows = (await store.list()).map(
        ({ progress }) => progress.dueAt !== null && progress.attempts === 0,
      )
      await close()
      return rows
    }
    assert.deepEqual(await run(folder, 'replay', { since: '2026-11-17', until: '2026-11-18T00:00Z' }), [
      'Callbacks that are processed when the proxy starts: 1',
    ])
    assert.deepEqual(await attempts(), [false, true, true])
    await run(folder, 'replay', { id: ids[0] })
    assert.deepEqual(await attempts(), [true, true, true])
  })

  it('rejects a command that is not clear, with the next step', async () => {
    const folder = createFolder()
    await fill(folder)
    const rejects = (action: string | undefined, values: Partial<CallbacksCommand>, message: RegExp) =>
      assert.rejects(run(folder, action, values), (error) => {
        assert.ok(error instanceof ConfigError)
        assert.match(error.message, message)
        return true
      })
    for (const action of [undefined, 'lost', 'show', 'replay'])
      await rejects(action, {}, /^Use: routeslip callbacks list/)
    await rejects('replay', { id: 'ab', since: '2026-11-16' }, /^Use: /)
    await rejects('show', { id: 'a' }, /^2 callbacks have ids that begin with a\. Add more/)
    await rejects('show', { id: 'ff' }, /^No stored callback .* that have taken effect are not stored/)
    for (const since of ['yesterday', '2026-13-01', '2026-11-16T08:30:00'])
      await rejects('list', { since }, /^--since is ".*"\. Use a date such as 2026-11-16/)
    await assert.rejects(
      runCallbacks(
        { redisPrefix: 'routeslip:', mounts: [] },
        { action: 'list', id: undefined, since: undefined, until: undefined },
      ),
      /^ConfigError: ROUTESLIP_DATA or REDIS_URL is missing/,
    )
  })

  it('reaches a running proxy, which sends a dead letter again with the same id', async () => {
    const emulator = await serveEmulator({ port: 0 })
    closes.push(emulator.close)
    let status = 410
    const received: (string | undefined)[] = []
    const application = createServer((request, response) => {
      received.push(request.headers['webhook-id'] as string)
      request.resume().on('end', () => response.writeHead(status).end())
    })
    await once(application.listen(0, '127.0.0.1'), 'listening')
    closes.push(() => void application.close().closeAllConnections())
    const folder = createFolder()
    const config = readProxyConfig({
      ...exampleEnv(emulator.services.url),
      ROUTESLIP_LOG_LEVEL: 'error',
      ROUTESLIP_DATA: folder,
      ROUTESLIP_FORWARD_URL: `http://127.0.0.1:${(application.address() as AddressInfo).port}/`,
      ROUTESLIP_FORWARD_SECRET: `whsec_${'a'.repeat(44)}`,
      ROUTESLIP_FORWARD_PRIVATE: 'true',
    })
    const proxy = await serveProxy(config)
    closes.push(proxy.close)
    const outside = changeElsewhere({
      fetch: (input, init) => {
        const path = (input as string).slice('http://emulator.test/'.length)
        return fetch(emulator.services.url + path, init)
      },
    })
    await outside.control('PUT', 'test/forms/6025/callback', { url: `${proxy.url}api/wf/callbacks` })
    await outside.change('', { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' })
    await outside.deliver()

    const command = { id: undefined, since: undefined, until: undefined }
    let [, line = ''] = await runCallbacks(config, { ...command, action: 'list' })
    await until(async () => {
      ;[, line = ''] = await runCallbacks(config, { ...command, action: 'list' })
      return line.includes('dead letter')
    })
    assert.match(line, /6025\/42 .* dead letter +CallbackError: The application returned 410$/)
    const id = line.slice(0, 12)
    const [, , , , body = ''] = await runCallbacks(config, { ...command, action: 'show', id })
    assert.equal(createHash('sha256').update(body).digest('hex'), received[0])
    assert.equal(
      statSync(join(folder, 'callbacks.sock')).mode & 0o777,
      0o600,
      'only for the user of the proxy',
    )

    status = 204
    assert.deepEqual(await runCallbacks(config, { ...command, action: 'replay', id }), [
      'Callbacks that are processed now: 1',
    ])
    await until(() => received.length >= 2)
    assert.equal(received[1], received[0])
    await until(async () => (await runCallbacks(config, { ...command, action: 'list' })).length === 1)
  })

  it('lists and replays what several proxies share in Redis, and moves there what one of them had on its disk', async () => {
    const emulator = await serveEmulator({ port: 0 })
    closes.push(emulator.close)
    const received: string[] = []
    let status = 410
    const application = createServer((request, response) => {
      received.push(request.headers['webhook-id'] as string)
      request.resume().on('end', () => response.writeHead(status).end())
    })
    await once(application.listen(0, '127.0.0.1'), 'listening')
    closes.push(() => void application.close().closeAllConnections())
    const folder = createFolder()
    const redisPort = await freePort()
    let server = await startServer(redisPort, folder)
    closes.push(() => stopServer(server))
    await fill(folder)
    const env = {
      ...exampleEnv(emulator.services.url),
      ROUTESLIP_LOG_LEVEL: 'error',
      REDIS_URL: `redis://127.0.0.1:${redisPort}`,
      ROUTESLIP_FORWARD_URL: `http://127.0.0.1:${(application.address() as AddressInfo).port}/`,
      ROUTESLIP_FORWARD_SECRET: `whsec_${'a'.repeat(44)}`,
      ROUTESLIP_FORWARD_PRIVATE: 'true',
    }
    const config = readProxyConfig(env)
    const command = { id: undefined, since: undefined, until: undefined }
    const list = () => runCallbacks(config, { ...command, action: 'list' })
    const first = await serveProxy(readProxyConfig({ ...env, ROUTESLIP_DATA: folder }))
    closes.push(first.close)
    const second = await serveProxy(config)
    closes.push(second.close)
    await until(async () => (await list()).filter((line) => line.includes('dead letter')).length === 1)
    assert.match((await list()).join('\n'), /abababababab .* dead letter +Error: the database is full/)
    const [, , , , body] = await runCallbacks(config, { ...command, action: 'show', id: 'ab' })
    assert.equal(body, '{"entry":"secret 0"}')

    const outside = changeElsewhere({
      fetch: (input, init) => {
        const path = (input as string).slice('http://emulator.test/'.length)
        return fetch(emulator.services.url + path, init)
      },
    })
    await outside.control('PUT', 'test/forms/6025/callback', { url: `${second.url}api/wf/callbacks` })
    await outside.change('', { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' })
    await outside.deliver()
    await until(async () => (await list()).join().includes('The application returned 410'))
    const id = received[0] ?? ''
    status = 204
    assert.deepEqual(await runCallbacks(config, { ...command, action: 'replay', id }), [
      'Callbacks that are processed when a proxy is running: 1',
    ])
    await until(async () => !(await list()).join().includes('The application returned 410'))
    assert.deepEqual(new Set(received), new Set([id]))

    const readiness = async () => (await fetch(`${first.url}api/wf/readyz`)).json() as Promise<object>
    assert.deepEqual(await readiness(), { status: 'ready' })
    await stopServer(server)
    await until(async () => /redis.*callbackStore/.test(JSON.stringify(await readiness())))
    assert.deepEqual(await readiness(), { status: 'not ready', lacks: ['redis', 'callbackStore'] })
    await assert.rejects(list(), /^ConfigError: REDIS_URL: Redis does not reply/)
    server = await startServer(redisPort, folder)
    await until(async () => JSON.stringify(await readiness()).includes('"ready"'))
  })

  it('works on the store after a proxy was killed, which leaves its socket', async () => {
    const folder = createFolder()
    await fill(folder)
    const [path, moved] = ['callbacks.sock', 'moved.sock'].map((name) => join(folder, name)) as [
      string,
      string,
    ]
    const { close } = await serveControl(folder, noAccess, () => {})
    assert.ok(await connectToProxy(folder), 'control')
    // A proxy that stops removes its socket.
    renameSync(path, moved)
    close()
    renameSync(moved, path)
    assert.equal((await run(folder, 'list')).length, 4)
    const next = await serveControl(folder, noAccess, () => {})
    assert.ok(await connectToProxy(folder), 'the next one replaces it')
    next.close()
  })

  it('works only while the proxy is stopped if the path of the socket is too long, and warns', async () => {
    const folder = join(createFolder(), 'x'.repeat(120))
    await fill(folder)
    const logged: string[] = []
    const { close } = await serveControl(folder, noAccess, (level, message) =>
      logged.push(`${level} ${message}`),
    )
    close()
    assert.match(logged.join(), /^warn routeslip callbacks and desk work only while the proxy is stopped/)
    assert.equal((await run(folder, 'list')).length, 4)
  })
})

const noAccess: Control = {
  callbacks: {
    list: () => Promise.resolve([]),
    read: () => Promise.resolve(undefined),
    replay: () => Promise.resolve(false),
  },
  desk: createDeskAccess([]),
}
