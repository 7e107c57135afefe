import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, it } from 'node:test'
import { freePort } from '../../free-port.mjs'
import { openMountStorage } from '../../../src/cli/callbacks/callback-access.ts'
import { ConfigError } from '../../../src/cli/config/config-error.ts'
import { type ProxyConfig, readProxyConfig } from '../../../src/cli/config/proxy-config.ts'
import { type DeskCommand, runDesk } from '../../../src/cli/desk/desk.ts'
import { serveEmulator } from '../../../src/cli/emulator/emulator.ts'
import { serveProxy } from '../../../src/cli/proxy.ts'
import { createRedis } from '../../../src/proxy/node/index.ts'
import { stopNote } from '../../../src/proxy/desk/reminder-limits.ts'
import { startServer, stopServer } from '../../proxy/node/redis/redis-server.ts'
import { until } from '../../proxy/until.ts'
import { as, exampleEnv } from '../proxy-command.ts'

const closes: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of closes.splice(0).reverse()) await close()
})

const initiator = '10000001'

/** The configuration of a proxy that keeps lists, in front of an emulator. */
async function configure(changes: Readonly<Record<string, string>> = {}): Promise<ProxyConfig> {
  const emulator = await serveEmulator({ port: 0 })
  closes.push(emulator.close)
  const folder = mkdtempSync(join(tmpdir(), 'routeslip-'))
  closes.push(() => rmSync(folder, { recursive: true }))
  return readProxyConfig({
    ...exampleEnv(emulator.services.url),
    ROUTESLIP_LOG_LEVEL: 'error',
    ROUTESLIP_DATA: folder,
    ROUTESLIP_LISTS: 'true',
    ...changes,
  })
}

function createFile(config: ProxyConfig, text: string): string {
  const file = join(config.dataDirectory ?? '', 'requests.csv')
  writeFileSync(file, text)
  return file
}

const mount = { env: 'test', basePath: '/api/wf' } as const

async function rejects(config: ProxyConfig, command: DeskCommand, message: RegExp): Promise<void> {
  await assert.rejects(runDesk(config, command), (error) => {
    assert.ok(error instanceof ConfigError)
    assert.match(error.message, message)
    return true
  })
}

describe('routeslip desk', () => {
  it('imports requests into a running proxy, which lists them when the service has confirmed them', async () => {
    const config = await configure()
    const proxy = await serveProxy(config)
    closes.push(proxy.close)
    async function list(): Promise<readonly number[]> {
      const response = await fetch(`${proxy.url}api/wf/list?view=mine`, { headers: as(initiator) })
      assert.equal(response.status, 200)
      const { rows } = (await response.json()) as { readonly rows: readonly { readonly packageId: number }[] }
      return rows.map(({ packageId }) => packageId)
    }
    assert.deepEqual(await list(), [], 'control')

    const file = createFile(config, '\uFEFFform,package\r\n6025,42\r\n\r\n"6025","999999"\r\n')
    const [imported = ''] = await runDesk(config, { action: 'import', file })
    assert.match(imported, /^Requests that the proxy will look for: 2\./)
    await until(async () => (await list()).join() === '42')
    const [first = '', ran = ''] = await runDesk(config, { action: 'status' })
    assert.match(first, /^test \/api\/wf: 2 requests, known since \d{4}-\d\d-\d\dT\d\d:\d\dZ$/)
    assert.match(ran, /^ {2}last run: \d{4}-/)

    const [forgotten = ''] = await runDesk(config, { action: 'forget', univid: `00${initiator}` })
    assert.match(forgotten, /is no longer in the lists/)
    assert.deepEqual(await list(), [])
  })

  it('shows and ends the stop of reminders, while the proxy is stopped and while it runs', async () => {
    const config = await configure()
    const stop = async () => {
      const { packageIndex, close } = await openMountStorage(config.dataDirectory ?? '', mount)
      await packageIndex.writeNote(stopNote(6025), 'now')
      await close()
    }
    const status = async () => (await runDesk(config, { action: 'status' })).join('\n')
    const resume = () => runDesk(config, { action: 'resume', form: '6025' })
    assert.match(await status(), /0 requests\n {2}last run: never\n {2}checks: none is due$/)
    await stop()
    assert.match(await status(), /no reminders for form 6025.*routeslip desk resume 6025$/)
    assert.deepEqual(await resume(), ['Reminders of form 6025 are sent again.'])
    assert.doesNotMatch(await status(), /reminders/)

    await stop()
    const proxy = await serveProxy(config)
    closes.push(proxy.close)
    assert.match(await status(), /no reminders for form 6025/)
    assert.deepEqual(await resume(), ['Reminders of form 6025 are sent again.'])
    assert.deepEqual(await resume(), ['Reminders of form 6025 were not stopped.'])
  })

  it('removes the times that an import covers from the gaps, in a running proxy too', async () => {
    const config = await configure()
    const minute = 60_000
    const start = Date.UTC(2026, 10, 16, 9, 31, 20)
    const { packageIndex, close } = await openMountStorage(config.dataDirectory ?? '', mount)
    await packageIndex.writeNote('since', String(start - minute))
    await packageIndex.writeNote(
      'gaps',
      JSON.stringify([
        [start, start + 68 * minute],
        [start + 100 * minute, start + 110 * minute],
      ]),
    )
    await close()
    const file = createFile(config, '6025,42')
    const gaps = async () =>
      (await runDesk(config, { action: 'status' })).filter((line) => /no proxy/.test(line))
    const importing = (covers: string): DeskCommand => ({ action: 'import', file, covers })
    assert.equal((await gaps()).length, 2)
    await rejects(config, importing('yesterday'), /"yesterday" is not a time\. Copy both ends/)
    await rejects(config, importing('2026-11-16T10:39Z/2026-11-16T09:31Z'), /is not a time/)
    await runDesk(config, importing('2026-11-16T11:15Z/2026-11-16T11:18Z'))
    assert.deepEqual(
      (await gaps()).map((line) => line.match(/\d\d:\d\dZ/g)),
      [
        ['09:31Z', '10:39Z'],
        ['11:11Z', '11:15Z'],
        ['11:19Z', '11:21Z'],
      ],
    )
    const proxy = await serveProxy(config)
    closes.push(proxy.close)
    async function listed(): Promise<number> {
      const response = await fetch(`${proxy.url}api/wf/list?view=mine`, { headers: as(initiator) })
      return ((await response.json()) as { known: { gaps: unknown[] } }).known.gaps.length
    }
    assert.equal(await listed(), 3, 'control')
    await runDesk(config, importing('2026-11-16T09:31Z/2026-11-16T10:39Z'))
    assert.equal(await listed(), 2)
  })

  it('shows and changes the lists that several proxies keep in Redis, also while none is running', async () => {
    const port = await freePort()
    const folder = mkdtempSync(join(tmpdir(), 'routeslip-'))
    closes.push(() => rmSync(folder, { recursive: true }))
    const server = await startServer(port, folder)
    closes.push(() => stopServer(server))
    const redisUrl = `redis://127.0.0.1:${port}`
    const config = await configure({ REDIS_URL: redisUrl })
    const status = async () => (await runDesk(config, { action: 'status' })).join('\n')
    assert.match(await status(), /^test \/api\/wf: 0 requests\n {2}last run: never\n {2}checks: none is due$/)
    const redis = await createRedis(redisUrl, { env: 'test', log: () => {} })
    await redis.packageIndex.writeNote(stopNote(6025), 'now')
    const start = Date.UTC(2026, 10, 16, 9, 31)
    await redis.packageIndex.writeNote('gaps', JSON.stringify([[start, start + 60_000]]))
    await redis.close()
    const file = createFile(config, '6025,42\n6025,999999\n')
    const covers = '2026-11-16T09:31Z/2026-11-16T09:32Z'
    assert.match(await status(), /no proxy ran from 2026-11-16T09:31Z/, 'control')
    await runDesk(config, { action: 'import', file, covers })
    assert.match(await status(), /: 2 requests\n.*\n {2}checks: due\n {2}no reminders for form 6025/)

    const proxies = [await serveProxy(config), await serveProxy(config)]
    for (const { close } of proxies) closes.push(close)
    async function lists(): Promise<string> {
      const found = proxies.map(async ({ url }) => {
        const response = await fetch(`${url}api/wf/list?view=mine`, { headers: as(initiator) })
        const { rows } = (await response.json()) as { readonly rows: readonly { packageId: number }[] }
        return rows.map(({ packageId }) => packageId)
      })
      return JSON.stringify(await Promise.all(found))
    }
    await until(async () => (await lists()) === '[[42],[42]]')
    assert.deepEqual(await runDesk(config, { action: 'resume', form: '6025' }), [
      'Reminders of form 6025 are sent again.',
    ])
    await runDesk(config, { action: 'forget', univid: initiator })
    assert.equal(await lists(), '[[],[]]')
    assert.doesNotMatch(await status(), /reminders|no proxy/)
    await stopServer(server)
    await rejects(config, { action: 'status' }, /^REDIS_URL: Redis does not reply/)
  })

  it('rejects what is not clear, with the next step, and imports nothing of such a file', async () => {
    const config = await configure()
    const lines = (text: string): DeskCommand => ({ action: 'import', file: createFile(config, text) })
    await rejects(config, lines('6025,42\nform,package\n'), /line 2: "form,package"\. Each line needs/)
    await rejects(config, lines('6025,42,1\n'), /line 1: .* such as 6025,42\.$/)
    await rejects(config, lines('6025,42\n1,42\n'), /line 2: form 1 is not one of this proxy/)
    await rejects(
      config,
      { action: 'import', file: '/nowhere.csv' },
      /^\/nowhere\.csv cannot be read: ENOENT/,
    )
    await rejects(config, { ...lines('6025,42'), env: 'prod' } as DeskCommand, /--env test\.$/)
    await rejects(config, { action: 'forget', univid: 'amara' }, /"amara" is not a university id/)
    await rejects(config, { action: 'resume', form: 'travel' }, /"travel" is not the id of a form/)
    assert.match((await runDesk(config, { action: 'status' })).join(), /test \/api\/wf: 0 requests,/)
    await rejects(
      await configure({ ROUTESLIP_LISTS: 'false' }),
      { action: 'status' },
      /keeps no lists\. Set ROUTESLIP_LISTS=true/,
    )
    await rejects(
      { ...config, dataDirectory: undefined } as never,
      { action: 'status' },
      /^ROUTESLIP_DATA or REDIS_URL is missing/,
    )
  })
})
