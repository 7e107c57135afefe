import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Log } from '../proxy/observe/log.ts'
import type { CallbackAccess, ListedCallback } from './callbacks/callback-access.ts'
import type { DeskAccess, DeskStatus, ImportedPackages } from './desk/desk-access.ts'

// `routeslip callbacks` and `routeslip desk` reach a running proxy through a socket in ROUTESLIP_DATA, because only one process
// can open the store. The socket belongs to the user of the proxy; nothing of this is served over the network.

/** Access of the commands to the callbacks and lists that a proxy keeps. */
export interface Control {
  readonly callbacks: CallbackAccess
  readonly desk: DeskAccess
}

/** Serves access to what a proxy keeps on the socket of a directory, which this process has locked. Never rejects. */
export async function serveControl(
  dataDirectory: string,
  control: Control,
  log: Log,
): Promise<{ readonly close: () => void }> {
  const server = createServer((incoming, response) => {
    respond(control, incoming, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  })
  const path = socketOf(dataDirectory)
  if (path === undefined) {
    log(
      'warn',
      'routeslip callbacks and desk work only while the proxy is stopped: the path of ROUTESLIP_DATA is too long',
      {
        path: dataDirectory,
      },
    )
    return { close: () => {} }
  }
  // A process that was killed has left it.
  await rm(path, { force: true })
  const mask = process.umask(0o177)
  try {
    await once(server.listen(path), 'listening')
  } catch (error) {
    log(
      'warn',
      'routeslip callbacks and desk work only while the proxy is stopped: its socket could not be opened',
      {
        error: String(error),
      },
    )
  } finally {
    process.umask(mask)
  }
  return { close: () => void server.close().closeAllConnections() }
}

async function respond(
  { callbacks, desk }: Control,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method, url = '' } = incoming
  const [, id, action] = /^\/callbacks(?:\/([0-9a-f]{64}))?(\/replay)?$/.exec(url) ?? []
  const body = async () => JSON.parse(await text(incoming)) as unknown
  let result: unknown
  if (method === 'GET' && url === '/callbacks') result = await callbacks.list()
  else if (method === 'GET' && id && !action) result = await callbacks.read(id)
  else if (method === 'POST' && id && action) result = await callbacks.replay(id)
  else if (method === 'GET' && url === '/desk') result = await desk.status()
  else if (method === 'POST' && url === '/desk/learn')
    result = (await desk.learn((await body()) as ImportedPackages)) ?? null
  else if (method === 'POST' && url === '/desk/forget')
    result = (await desk.forget((await body()) as string)) ?? null
  else if (method === 'POST' && url === '/desk/resume') result = await desk.resume((await body()) as number)
  if (result === undefined) response.writeHead(404).end()
  else response.setHeader('content-type', 'application/json').end(JSON.stringify(result))
}

/** Connects to the proxy that uses a directory. Resolves to undefined if none is running. */
export async function connectToProxy(dataDirectory: string): Promise<Control | undefined> {
  const socketPath = socketOf(dataDirectory)
  if (socketPath === undefined) return undefined

  async function call(method: string, path: string, value?: unknown): Promise<unknown> {
    const sent = request({ socketPath, method, path, agent: false }).end(value && JSON.stringify(value))
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const body = await text(response)
    if (response.statusCode === 404) return undefined
    if (response.statusCode !== 200) throw new Error(body)
    return JSON.parse(body)
  }

  try {
    await call('GET', '/')
  } catch (error) {
    if (['ENOENT', 'ECONNREFUSED'].includes(String((error as NodeJS.ErrnoException).code))) return undefined
    throw error
  }
  return {
    callbacks: {
      list: async () => (await call('GET', '/callbacks')) as readonly ListedCallback[],
      read: async (id) => (await call('GET', `/callbacks/${id}`)) as string | undefined,
      replay: async (id) => (await call('POST', `/callbacks/${id}/replay`)) === true,
    },
    desk: {
      status: async () => (await call('GET', '/desk')) as readonly DeskStatus[],
      learn: async (packages) => void (await call('POST', '/desk/learn', packages)),
      forget: async (univid) => void (await call('POST', '/desk/forget', univid)),
      resume: async (formId) => (await call('POST', '/desk/resume', formId)) === true,
    },
  }
}

/** Returns the path of the socket; undefined if a system would truncate it. */
function socketOf(dataDirectory: string): string | undefined {
  const path = join(resolve(dataDirectory), 'callbacks.sock')
  return Buffer.byteLength(path) <= maxPathLength ? path : undefined
}

/** In bytes. Linux allows 107, macOS 103. */
const maxPathLength = 103
