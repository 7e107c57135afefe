import { connectionOf } from '../http/connection.ts'
import type { Log } from '../observe/log.ts'
import { defaultBasePath, type ProxyOptions } from './options.ts'
import { problemReply } from '../http/problem.ts'
import { createProxy, type Proxy } from './proxy.ts'
import type { Service } from '../upstream/credentials.ts'
import { refusals } from '../http/refusals.ts'
import { responseOf } from '../http/reply.ts'
import { pathOf } from '../http/request-url.ts'

/** The options that decide whether two mounts may run side by side. */
type MountOptions = Pick<ProxyOptions, 'env' | 'basePath' | 'services'>

/** Thrown if two mounts must not run side by side. */
export class MountsError extends RangeError {
  override readonly name = 'MountsError'
  /** The option that is not valid. */
  readonly option: 'basePath' | 'storage'

  constructor(option: MountsError['option'], message: string) {
    super(message)
    this.option = option
  }
}

/**
 * Creates one proxy from several. Each request goes to the mount with the `basePath` that the request is below. Mounts
 * share nothing. Throws `MountsError` as `checkMounts` does.
 */
export function createMounts(mounts: readonly ProxyOptions[], { log }: { readonly log?: Log } = {}): Proxy {
  checkMounts(mounts, log)
  const proxies = mounts.map((options) => ({ root: `${rootOf(options)}/`, proxy: createProxy(options) }))

  const handle: Proxy['handle'] = (request, connection) => {
    const path = pathOf(request)
    const mount = proxies.find(({ root }) => path.startsWith(root))
    return (
      mount?.proxy.handle(request, connection) ?? Promise.resolve(problemReply(refusals.unknownOperation()))
    )
  }
  return Object.assign(async (request: Request) => responseOf(await handle(request, connectionOf(request))), {
    handle,
    basePaths: proxies.flatMap(({ proxy }) => proxy.basePaths),
    close: async () => void (await Promise.all(proxies.map(({ proxy }) => proxy.close()))),
    replayCallback: async (id: string) =>
      (await Promise.all(proxies.map(({ proxy }) => proxy.replayCallback(id)))).includes(true),
  })
}

/**
 * Throws `MountsError` if two mounts overlap in their paths, or if a mount for test and one for prod use the same file
 * storage: each would serve the files of the other. The routing service has one address for both, with the environment
 * in its path. Logs a warning if test and prod share credentials.
 */
export function checkMounts(mounts: readonly MountOptions[], log: Log = () => {}): void {
  for (const [index, one] of mounts.entries()) {
    for (const other of mounts.slice(index + 1)) checkPair(one, other, log)
  }
}

function checkPair(one: MountOptions, other: MountOptions, log: Log): void {
  const [a, b] = [rootOf(one), rootOf(other)]
  if (`${a}/`.startsWith(`${b}/`) || `${b}/`.startsWith(`${a}/`)) {
    throw new MountsError(
      'basePath',
      a === b
        ? `Two mounts have the path ${a}. Give each its own path.`
        : `The paths ${a} and ${b} of two mounts overlap. Give each its own path.`,
    )
  }
  if (one.env === other.env) return

  if (addressOf(one.services.storage.baseUrl) === addressOf(other.services.storage.baseUrl)) {
    throw new MountsError(
      'storage',
      `The ${one.env} mount ${a} and the ${other.env} mount ${b} use the same file storage. Give each the address of its own environment.`,
    )
  }
  for (const service of ['workflow', 'storage'] as const) {
    const credentials = [one, other].map(({ services }) => services[service])
    const shared = [
      ...(areSame(credentials.map(({ clientId }) => clientId)) ? ['client id'] : []),
      ...(areSame(credentials.map(secretOf)) ? ['client secret'] : []),
    ]
    if (shared.length > 0) {
      log('warn', `Test and prod share the ${shared.join(' and the ')} of the ${service} service`, {
        mounts: [a, b],
      })
    }
  }
}

function rootOf({ basePath = defaultBasePath }: Pick<MountOptions, 'basePath'>): string {
  return basePath
}

/** Returns host, port and path in their normal form. */
function addressOf(baseUrl: string): string {
  const { protocol, hostname, port, pathname } = new URL(baseUrl)
  const path = pathname.split('/').filter((part) => part !== '')
  return [`${hostname.replace(/\.$/, '')}:${port || (protocol === 'https:' ? 443 : 80)}`, ...path].join('/')
}

function areSame(values: readonly string[]): boolean {
  return new Set(values).size === 1
}

function secretOf({ clientSecret }: Service): string {
  const secret: string | (() => string) = clientSecret
  return typeof secret === 'function' ? secret() : secret
}
