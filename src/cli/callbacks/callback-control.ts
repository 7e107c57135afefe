import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Log } from '../../proxy/observe/log.ts'
import type { CallbackAccess, ListedCallback } from './callback-access.ts'

// `routeslip callbacks` reaches a running proxy through a socket in ROUTESLIP_DATA, because only one process can open the
// store. The socket belongs to the user of the proxy; nothing of this is served over the network.

/** Serves access to callbacks on the socket of a directory, which this process has locked. Never rejects. */
export async function serveCallbacks(
  dataDirectory: string,
  access: CallbackAccess,
  log: Log,
): Promise<{ readonly close: () => void }> {
  const server = createServer((incoming, response) => {
    respond(access, incoming, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  })
  const path = socketOf(dataDirectory)
  if (path === undefined) {
    log(
      'warn',
      'routeslip callbacks works only while the proxy is stopped: the path of ROUTESLIP_DATA is too long',
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
    log('warn', 'routeslip callbacks works only while the proxy is stopped: its socket could not be opened', {
      error: String(error),
    })
  } finally {
    process.umask(mask)
  }
  return { close: () => void server.close().closeAllConnections() }
}

async function respond(
  access: CallbackAccess,
  { method, url = '' }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [, id, action] = /^\/callbacks(?:\/([0-9a-f]{64}))?(\/replay)?$/.exec(url) ?? []
  let result: unknown
  if (method === 'GET' && url === '/callbacks') result = await access.list()
  else if (method === 'GET' && id && !action) result = await access.read(id)
  else if (method === 'POST' && id && action) result = await access.replay(id)
  if (result === undefined) response.writeHead(404).end()
  else response.setHeader('content-type', 'application/json').end(JSON.stringify(result))
}

/** Connects to the proxy that uses a directory. Resolves to undefined if none is running. */
export async function connectToProxy(dataDirectory: string): Promise<CallbackAccess | undefined> {
  const socketPath = socketOf(dataDirectory)
  if (socketPath === undefined) return undefined

  async function call(method: string, path: string): Promise<unknown> {
    const [response] = (await once(
      request({ socketPath, method, path, agent: false }).end(),
      'response',
    )) as [IncomingMessage]
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
    list: async () => (await call('GET', '/callbacks')) as readonly ListedCallback[],
    read: async (id) => (await call('GET', `/callbacks/${id}`)) as string | undefined,
    replay: async (id) => (await call('POST', `/callbacks/${id}/replay`)) === true,
  }
}

/** Returns the path of the socket; undefined if a system would truncate it. */
function socketOf(dataDirectory: string): string | undefined {
  const path = join(resolve(dataDirectory), 'callbacks.sock')
  return Buffer.byteLength(path) <= maxPathLength ? path : undefined
}

/** In bytes. Linux allows 107, macOS 103. */
const maxPathLength = 103
