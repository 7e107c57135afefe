import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLocalJWKSet, type JSONWebKeySet } from 'jose'
import { operations } from '../contract/services/operations.ts'
import { checkMode, connectRedis } from '../proxy/node/redis/redis-connection.ts'
import type { ProxyConfig, ServiceConfig } from './config/proxy-config.ts'
import { makeFolder } from '../proxy/node/storage/make-folder.ts'

/** The result of one question to a part of the system. */
interface CheckResult {
  readonly name: string
  readonly ok: boolean
  /** The finding, or the next step. Contains no secret. */
  readonly detail: string
}

interface CheckOptions {
  readonly fetch?: typeof globalThis.fetch
  /** Timeout of a question, in ms. Default 10 seconds. */
  readonly timeout?: number
}

/** Asks everything that the proxy needs once: each service, Redis, the key set and the data folder. */
export async function* checkProxy(
  config: ProxyConfig,
  { fetch = globalThis.fetch, timeout = 10_000 }: CheckOptions = {},
): AsyncGenerator<CheckResult> {
  const { mounts, dataDirectory, redisUrl } = config
  for (const mount of mounts) {
    const { env, basePath, workflow, storage, identity } = mount
    const place = mounts.length > 1 ? ` (${basePath})` : ''
    const forms = mount.forms.join(', ')
    yield { name: `configuration${place}`, ok: true, detail: `${env} at ${basePath}, forms ${forms}` }
    const { getPublicKey, getShares } = operations
    const paths = { workflow: getPublicKey.upstream, storage: `${getShares.upstream}?size=1` }
    yield await ask(`workflow service${place}`, 'ROUTESLIP_WORKFLOW_URL', () =>
      askService('WORKFLOW', workflow, paths.workflow),
    )
    yield await ask(`storage service${place}`, 'ROUTESLIP_STORAGE_URL', () =>
      askService('STORAGE', storage, paths.storage),
    )
    if (identity.kind === 'jwt') {
      yield await ask(`key set${place}`, 'ROUTESLIP_IDENTITY_JWKS_URL', () => askKeySet(identity.jwksUrl))
    }
  }
  if (redisUrl !== undefined) yield await ask('Redis', 'REDIS_URL', () => askRedis(redisUrl))
  if (dataDirectory !== undefined) {
    yield await ask('data folder', 'ROUTESLIP_DATA', () => Promise.resolve(askFolder(dataDirectory)))
  }

  async function askService(name: string, service: ServiceConfig, path: string): Promise<string> {
    const { baseUrl, clientId, clientSecret } = service
    const secret = typeof clientSecret === 'string' ? clientSecret : clientSecret()
    const authorization = `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`
    const { status, body } = await get(baseUrl + path, {
      authorization,
      // The routing service requires a user; this is the application itself.
      ...(name === 'WORKFLOW' && { 'x-workflow-request-user': clientId }),
      accept: 'application/json, text/plain, */*',
    })
    await body?.cancel()
    if (status >= 200 && status < 300) return `responds with ${status} and accepts the credentials`
    throw new Problem(
      status === 401 || status === 403
        ? `refuses the credentials with ${status}. Check ROUTESLIP_${name}_CLIENT_ID and its secret.`
        : `responds with ${status}. Check ROUTESLIP_${name}_URL.`,
    )
  }

  async function askKeySet(url: string): Promise<string> {
    const response = await get(url, { accept: 'application/json' })
    const text = await response.text()
    if (!response.ok) {
      throw new Problem(`responds with ${response.status}. Check ROUTESLIP_IDENTITY_JWKS_URL.`)
    }
    try {
      const set = JSON.parse(text) as JSONWebKeySet
      createLocalJWKSet(set)
      return `contains ${count(set.keys.length, 'key')}`
    } catch {
      throw new Problem('is not a JSON Web Key Set. Check ROUTESLIP_IDENTITY_JWKS_URL.')
    }
  }

  /** Connects without the lease of a proxy, so that no running one loses a callback. */
  async function askRedis(url: string): Promise<string> {
    const connection = await connectRedis(url, { timeout, onError: () => {} })
    try {
      if (!connection.client().isReady) {
        throw new Problem(
          'does not accept a connection. Check REDIS_URL, and the user name and password in it.',
        )
      }
      await checkMode(connection.client(), timeout).catch((error: unknown) => {
        throw error instanceof Error ? new Problem(`REDIS_URL ${error.message}`) : error
      })
      return 'accepts a connection'
    } finally {
      connection.close()
    }
  }

  async function get(url: string, headers: Record<string, string>): Promise<Response> {
    // A redirect could lead the credentials elsewhere.
    return await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(timeout) })
  }
}

/** A problem whose message is for the operator. */
class Problem extends Error {
  override readonly name = 'Problem'
}

async function ask(name: string, variable: string, question: () => Promise<string>): Promise<CheckResult> {
  try {
    return { name, ok: true, detail: await question() }
  } catch (error) {
    const silence = `does not respond (${codeOf(error)}). Check ${variable}.`
    return { name, ok: false, detail: error instanceof Problem ? error.message : silence }
  }
}

/** Creates the folder, and writes and removes a file. It does not open what lies there: a proxy may be running. */
function askFolder(path: string): string {
  const probe = join(path, `.check-${randomUUID()}`)
  try {
    makeFolder(path)
    writeFileSync(probe, 'check')
    rmSync(probe)
    return 'can be written'
  } catch (error) {
    throw new Problem(`cannot be written (${codeOf(error)}). Check ROUTESLIP_DATA and its permissions.`)
  }
}

/** Returns the code of an error or of its innermost cause. A message may contain an address. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no reason'
  if (error.cause !== undefined) return codeOf(error.cause)
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

function count(number: number, name: string): string {
  return `${number} ${name}${number === 1 ? '' : 's'}`
}
