import type { Log } from './log.ts'
import { problem, ProxyError } from './problem.ts'
import { createProxy, pathOf, type Proxy, type ProxyOptions } from './proxy.ts'

/** What tells whether two mounts may stand side by side. */
export type MountOptions = Pick<ProxyOptions, 'env' | 'basePath' | 'workflow' | 'storage'>

/** Mounts that must not stand side by side. */
export class MountsError extends RangeError {
  override readonly name = 'MountsError'
  /** The option that is wrong. */
  readonly option: 'basePath' | 'storage'

  constructor(option: MountsError['option'], message: string) {
    super(message)
    this.option = option
  }
}

/**
 * Creates several proxies in one: each request goes to the one below whose `basePath` it asks. They share nothing, and
 * `checkMounts` holds for them.
 */
export function createMounts(mounts: readonly ProxyOptions[], { log }: { readonly log?: Log } = {}): Proxy {
  checkMounts(mounts, log)
  const proxies = mounts.map((options) => ({ root: `${rootOf(options)}/`, proxy: createProxy(options) }))

  function answer(request: Request): Promise<Response> {
    const path = pathOf(request)
    const mount = proxies.find(({ root }) => path.startsWith(root))
    if (mount) return mount.proxy(request)
    return Promise.resolve(problem(new ProxyError(404, 'There is no such operation.'), crypto.randomUUID()))
  }
  return Object.assign(answer, {
    close: async () => void (await Promise.all(proxies.map(({ proxy }) => proxy.close()))),
  })
}

/**
 * Throws `MountsError` where two mounts answer below one path, and where one for test and one for prod use the same file
 * storage, so that each would serve the other's files. The routing service has one address for both: the environment is
 * in its path. Warns where test and prod share credentials.
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
        ? `Two mounts answer below ${a}. Give each a path of its own.`
        : `The mounts ${a} and ${b} lie in one another. Give each a path of its own.`,
    )
  }
  if (one.env === other.env) return

  if (addressOf(one.storage.baseUrl) === addressOf(other.storage.baseUrl)) {
    throw new MountsError(
      'storage',
      `The ${one.env} mount ${a} and the ${other.env} mount ${b} use the same file storage. Give each the address of its own environment.`,
    )
  }
  for (const service of ['workflow', 'storage'] as const) {
    const shared = [
      ...(one[service].clientId === other[service].clientId ? ['client id'] : []),
      ...(secretOf(one[service]) === secretOf(other[service]) ? ['client secret'] : []),
    ]
    if (shared.length > 0) {
      log('warn', `Test and prod share the ${shared.join(' and the ')} of the ${service} service`, {
        mounts: [a, b],
      })
    }
  }
}

function rootOf({ basePath = '/api/wf' }: Pick<MountOptions, 'basePath'>): string {
  return basePath
}

/** Host, port and path, each in the one way to write it. */
function addressOf(baseUrl: string): string {
  const { protocol, hostname, port, pathname } = new URL(baseUrl)
  const path = pathname.split('/').filter((part) => part !== '')
  return [`${hostname.replace(/\.$/, '')}:${port || (protocol === 'https:' ? 443 : 80)}`, ...path].join('/')
}

function secretOf({ clientSecret }: MountOptions['workflow']): string {
  const secret: string | (() => string) = clientSecret
  return typeof secret === 'function' ? secret() : secret
}
