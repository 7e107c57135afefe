// Processes of a proxy with a store, which are killed while requests arrive.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../test/free-port.mjs'
import { createRedis, openStorage, type Redis } from '../../src/proxy/node/index.ts'
import { bundleProgram } from '../../test/bundled-program.ts'
import { createKey, type Key } from '../../test/proxy/callbacks/callback-app.ts'
import { patient, startServer, stopServer } from '../../test/proxy/node/redis/redis-server.ts'

/** The stores, by their names in results. `embedded`: one process with a store on its disk. `redis`: two processes that share one. */
export const stores = [
  ['one process with a store on its disk', 'embedded'],
  ['two processes with Redis', 'redis'],
] as const
export type StoreKind = (typeof stores)[number][1]

/** A process of the proxy. */
export interface Host {
  /** Undefined while the process does not run. */
  readonly url: () => string | undefined
  /** Starts the process, and waits until it responds. */
  readonly start: () => Promise<void>
  /** Kills the process without notice. */
  readonly kill: () => Promise<void>
  /** Sends a request. Resolves to the status of the response; undefined if there is none. */
  readonly post: (
    path: string,
    body: BodyInit,
    headers: Readonly<Record<string, string>>,
  ) => Promise<number | undefined>
}

export interface Proxy {
  readonly hosts: readonly [Host, ...Host[]]
  readonly key: Key
  /** Opens the stores while no process runs, or another one with Redis. */
  readonly open: () => Promise<Pick<Redis, 'packageIndex' | 'callbackStore' | 'close'>>
}

interface ProxyOptions {
  readonly store: StoreKind
  /** The variables of the processes. `folder` is there until the end. */
  readonly env: (folder: string) => Readonly<Record<string, string>>
  /** Returns the JSON with which the routing service replies; undefined if it is not found. */
  readonly reply: (request: IncomingMessage, address: URL) => Promise<string | undefined>
}

/** Creates the processes of a proxy, which are not running yet. Kills all of them in the end. */
export async function withProxy<T>(
  { store, env, reply }: ProxyOptions,
  use: (proxy: Proxy) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'routeslip-kills-'))
  const key = await createKey()
  const service = createServer((request, response) => {
    const address = new URL(request.url ?? '', 'http://service.test')
    if (address.pathname.endsWith('/public-key')) return void response.end(key.raw)
    reply(request, address)
      .then((body) =>
        response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' }).end(body),
      )
      .catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  await once(service.listen(0, '127.0.0.1'), 'listening')
  const port = await freePort()
  const redis = store === 'redis' ? await startServer(port, folder, { appendonly: 'yes' }) : undefined
  const data = join(folder, 'data')
  const url = `redis://127.0.0.1:${port}`
  const create = () =>
    createHost({
      SERVICE: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
      ...(redis ? { REDIS: url } : { DATA: data }),
      ...env(folder),
    })
  const hosts: Proxy['hosts'] = redis ? [create(), create()] : [create()]
  const open = () =>
    redis ? createRedis(url, { env: 'test', log: () => {}, ...patient }) : openStorage(data)
  try {
    return await use({ hosts, key, open })
  } finally {
    for (const host of hosts) await host.kill()
    if (redis) await stopServer(redis)
    service.close()
    service.closeAllConnections()
    rmSync(folder, { recursive: true })
  }
}

const hostApp = await bundleProgram('test/proxy/callbacks/host-app.ts')

function createHost(env: Readonly<Record<string, string>>): Host {
  let child: ChildProcess | undefined
  let url: string | undefined
  return {
    url: () => url,
    async start() {
      const started = spawn(process.execPath, [hostApp], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { PATH: process.env['PATH'], ...env },
      })
      child = started
      const [line] = (await once(started.stdout, 'data')) as [Buffer]
      url = line.toString().trim()
    },
    async kill() {
      url = undefined
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
    async post(path, body, headers) {
      if (url === undefined) return undefined
      try {
        const response = await fetch(`${url}/api/wf${path}`, { method: 'POST', headers, body })
        await response.arrayBuffer()
        return response.status
      } catch {
        return undefined
      }
    },
  }
}

/** Sends a callback. Resolves to the status of the response; undefined if there is none. */
export async function sendCallback(
  host: Host,
  { body, signature }: Awaited<ReturnType<Key['callback']>>,
): Promise<number | undefined> {
  const headers = { 'content-type': 'application/json', 'x-workflow-verification': signature }
  return await host.post('/callbacks', body, headers)
}
