import type { IncomingMessage, RequestListener } from 'node:http'
import { type BrowserOperation, routes } from '../contract/routes/routes.ts'
import { adminsPolicy } from '../proxy/rights/admins-policy.ts'
import { rulesPolicy } from '../proxy/rights/rules-policy.ts'
import type { Identify } from '../proxy/identity/identity.ts'
import { devPersona } from '../proxy/identity/dev-persona.ts'
import { jwtIdentity } from '../proxy/identity/jwt-identity.ts'
import type { Log } from '../proxy/observe/log.ts'
import { createMounts } from '../proxy/mount/mounts.ts'
import {
  clamdScan,
  createHttpServer,
  createListener,
  createLog,
  createMetrics,
  forwardCallbacks,
  nodeRuntime,
  openTelemetrySpans,
} from '../proxy/node/index.ts'
import { standardOutput } from '../proxy/node/observe/standard-output.ts'
import type { ProxyOptions } from '../proxy/mount/options.ts'
import { problemReply } from '../proxy/http/problem.ts'
import type { Proxy } from '../proxy/mount/proxy.ts'
import { refusals } from '../proxy/http/refusals.ts'
import { pathOf } from '../proxy/http/request-url.ts'
import { trustedHeader } from '../proxy/identity/trusted-header.ts'
import { createGracefulShutdown } from './graceful-shutdown.ts'
import { startServer } from './listen.ts'
import { createCallbackAccess, type MountStore, openMountStorage } from './callbacks/callback-access.ts'
import { serveControl } from './control.ts'
import { connectRedis } from './config/connect-redis.ts'
import { moveCallbacks } from './callbacks/move-callbacks.ts'
import { createDeskAccess, type MountIndex } from './desk/desk-access.ts'
import { followRedisUrl } from './config/redis-url-file.ts'
import { followSecret } from './config/secret-file.ts'
import { followPolicy, type PolicyFile } from './config/policy-file.ts'
import type { IdentityConfig, MountConfig, ProxyConfig } from './config/proxy-config.ts'

interface ProxyServer {
  /** Address with a trailing slash. Mounts add their base paths. */
  readonly url: string
  /** The same for the metrics, if they have a port of their own. */
  readonly metricsUrl: string | undefined
  /**
   * Waits for open requests, but ends live streams. Resolves when all connections are closed. A second call closes all
   * connections at once.
   */
  readonly close: () => Promise<void>
  /** Reads the policy files and the files of secrets again. `undefined` if the configuration names none. */
  readonly reload: (() => void) | undefined
}

/**
 * Serves a proxy over HTTP. `pages` handles requests to paths outside of the proxy. Without it, they get 404.
 */
export async function serveProxy(config: ProxyConfig, pages?: RequestListener): Promise<ProxyServer> {
  const { proxy, log, followed, release } = await compose(config)
  const { metricsPort } = config
  const served =
    metricsPort === undefined ? proxy : only(proxy, (path) => !/\/(?:metrics|readyz)$/.test(path))
  const listener = createListener(served, config)
  const isOurs = ({ url = '' }: IncomingMessage) => proxy.basePaths.some((path) => url.startsWith(`${path}/`))
  const server = createHttpServer(
    pages
      ? (incoming, outgoing) => (isOurs(incoming) ? listener : pages)(incoming, outgoing)
      : (incoming, outgoing) => listener(incoming, outgoing),
    config,
  )
  const shutdown = createGracefulShutdown(server)
  const probes = createHttpServer(
    createListener(only(proxy, (path) => /\/(?:metrics|readyz|healthz)$/.test(path))),
  )
  let ending: Promise<void> | undefined
  try {
    const { host } = config
    const port = await startServer(server, {
      ...config,
      hint: 'Choose another with ROUTESLIP_HOST and ROUTESLIP_PORT.',
    })
    const metricsAt =
      metricsPort === undefined
        ? undefined
        : await startServer(probes, {
            host,
            port: metricsPort,
            hint: 'Choose another with ROUTESLIP_METRICS_PORT.',
          })
    log('info', 'The proxy is ready', {
      mounts: config.mounts.map(({ basePath, env }) => ({ basePath, env })),
    })
    return {
      url: addressOf(host, port),
      metricsUrl: metricsAt === undefined ? undefined : addressOf(host, metricsAt),
      close: () => {
        if (ending) shutdown.closeNow()
        return (ending ??= end())
      },
      reload: followed.length === 0 ? undefined : () => followed.forEach(({ reload }) => reload()),
    }
  } catch (error) {
    server.close()
    await proxy.close()
    await release()
    throw error
  }

  async function end(): Promise<void> {
    log('info', 'Stopping the proxy', { seconds: config.shutdownSeconds })
    const stopped = shutdown.shutDown(config.shutdownSeconds * 1000)
    await proxy.close()
    await stopped
    // For callbacks that arrived while the open requests finished.
    await proxy.close()
    probes.close()
    probes.closeAllConnections()
    await release()
    await standardOutput().drain(1000)
  }
}

/** A handler of those requests of a proxy whose path is served. The others get 404. */
function only({ handle }: Proxy, isServed: (path: string) => boolean): Proxy['handle'] {
  return async (request, connection) =>
    isServed(pathOf(request)) ? await handle(request, connection) : problemReply(refusals.unknownOperation())
}

function addressOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}/`
}

/** Creates the proxy of all mounts. Call `release` after the last request. */
async function compose({
  mounts,
  logLevel,
  requestIdHeader,
  shutdownSeconds,
  dataDirectory,
  lockAlarmAge,
  redisUrl,
  redisUrlFile,
  redisPrefix,
  minRate,
  stallSeconds,
  services,
}: ProxyConfig): Promise<{
  readonly proxy: Proxy
  readonly log: Log
  readonly followed: readonly Pick<PolicyFile, 'reload'>[]
  readonly release: () => Promise<void>
}> {
  const log = createLog({ level: logLevel })
  const resources: { readonly close: () => Promise<void> | void }[] = []
  const followed: Pick<PolicyFile, 'reload'>[] = []
  const stores: MountStore[] = []
  const indexes: MountIndex[] = []
  const startSpan = await openTelemetrySpans()
  const release = async () => {
    for (const resource of resources) await resource.close()
  }

  // Mounts share no resources, so that no environment reveals anything about the other.
  async function optionsOf(mount: MountConfig): Promise<ProxyOptions> {
    const { env, forms, workflow, storage, basePath, origins, limits, clamd, resubmit, lists } = mount
    const logOfMount: Log = (level, message, facts) => log(level, message, { env, ...facts })
    const connections = Math.max(limits.calls, limits.files)
    const runtime = nodeRuntime({ ...services, log: logOfMount, connections, minRate, stallSeconds })
    resources.push(runtime)
    const redis =
      redisUrl === undefined
        ? undefined
        : await connectRedis(redisUrl, { env, basePath, prefix: redisPrefix, log: logOfMount })
    if (redis) resources.push(redis)
    if (redis && redisUrl !== undefined && redisUrlFile !== undefined) {
      const { moveTo } = redis
      const file = followRedisUrl({ path: redisUrlFile, url: redisUrl, moveTo, log: logOfMount })
      followed.push(file)
      resources.unshift(file)
    }
    const secretFiles = [workflow.clientSecret, storage.clientSecret, mount.forward?.secrets]
    // They are read every second while they are in use. A signal must not end the process all the same.
    if (secretFiles.some((secret) => typeof secret === 'function')) followed.push({ reload: () => {} })
    const policy = mount.policy && followPolicy({ ...mount.policy, log: logOfMount })
    if (policy) {
      followed.push(policy)
      resources.push(policy)
    }
    const { identity } = mount
    const secret =
      identity.kind === 'header' && identity.secretFile !== undefined
        ? followSecret({ path: identity.secretFile, secret: identity.secret, log: logOfMount })
        : undefined
    if (secret) {
      followed.push(secret)
      resources.push(secret)
    }
    const embedded =
      dataDirectory === undefined || redis ? undefined : await openMountStorage(dataDirectory, mount)
    if (embedded) {
      resources.push(embedded)
      stores.push({ env, basePath, store: embedded.callbackStore })
      if (lists) indexes.push({ env, basePath, forms, index: embedded.packageIndex })
    }
    if (redis && dataDirectory !== undefined)
      await moveCallbacks({ dataDirectory, mount, to: redis.callbackStore, log: logOfMount })
    const forwarder = mount.forward && forwardCallbacks({ env, ...mount.forward })
    if (forwarder) resources.push(forwarder)
    return {
      ...{ env, forms, basePath, limits, runtime },
      services: { workflow, storage },
      identity: {
        identify: identityOf(mount.identity, secret && secret.current),
        policy: policy ? rulesPolicy(policy.current) : adminsPolicy(mount.admins),
        origins,
      },
      observe: {
        log: logOfMount,
        metrics: createMetrics(),
        ...(startSpan && { startSpan }),
        ...(requestIdHeader !== undefined && { requestIdHeader }),
        explainRefusals: mount.identity.kind === 'persona',
      },
      ...(policy && { operations: Object.keys(routes) as BrowserOperation[] }),
      callbacks: {
        encoding: mount.callbackEncoding,
        closeTimeout: shutdownSeconds * 1000,
        lockAlarmAge,
        ...(forwarder && { onCallback: forwarder.onCallback }),
      },
      ...(clamd && { scan: clamdScan(clamd) }),
      resubmit,
      ...(lists && { lists }),
      storage: redis ?? embedded ?? {},
    }
  }

  if (dataDirectory === undefined && redisUrl === undefined) {
    log(
      'warn',
      'Callbacks are kept in memory, so a crash loses them, and each restart loses the open locks. Set ROUTESLIP_DATA to a directory, or REDIS_URL.',
      {},
    )
  }
  try {
    const options: ProxyOptions[] = []
    for (const mount of mounts) options.push(await optionsOf(mount))
    const proxy = createMounts(options, { log })
    if (dataDirectory !== undefined && redisUrl === undefined) {
      const control = {
        callbacks: createCallbackAccess(stores, proxy.replayCallback),
        desk: createDeskAccess(indexes),
      }
      resources.unshift(await serveControl(dataDirectory, control, log))
    }
    return { proxy, log, followed, release }
  } catch (error) {
    await release()
    throw error
  }
}

function identityOf(identity: IdentityConfig, secrets: (() => readonly string[]) | undefined): Identify {
  if (identity.kind === 'persona') return devPersona(identity.univid)
  if (identity.kind === 'jwt') return jwtIdentity(identity)
  return trustedHeader({ ...identity, secret: secrets ?? identity.secret })
}
