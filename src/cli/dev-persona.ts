import { randomBytes } from 'node:crypto'
import { isUnivid } from '../contract/values/patterns.ts'
import { isThisMachine } from '../proxy/identity/dev-persona.ts'
import { ConfigError } from './config/config-error.ts'
import { type ProxyConfig, readProxyConfig } from './config/proxy-config.ts'

/** Leads to the services of `routeslip emulator`. */
const emulator = {
  ROUTESLIP_ENV: 'test',
  ROUTESLIP_FORMS: '6025',
  ROUTESLIP_WORKFLOW_URL: 'http://127.0.0.1:8081/wf',
  ROUTESLIP_WORKFLOW_CLIENT_ID: 'demo-app',
  ROUTESLIP_WORKFLOW_CLIENT_SECRET: 'demo-secret',
  ROUTESLIP_STORAGE_URL: 'http://127.0.0.1:8081/fs/test',
  ROUTESLIP_STORAGE_CLIENT_ID: 'demo-app',
  ROUTESLIP_STORAGE_CLIENT_SECRET: 'demo-secret',
  ROUTESLIP_STORAGE_OBJECT_ORIGINS: 'http://127.0.0.1:8081',
}

/**
 * Reads the configuration of a proxy in which everyone is one person, for development. Without a configuration file, variables
 * that are not set lead to the emulator. Throws `ConfigError` if others could reach the proxy, or if it serves prod.
 */
export function readDevConfig(
  univid: string,
  env: Readonly<Record<string, string | undefined>>,
): ProxyConfig {
  const isValid: boolean = isUnivid(univid)
  if (!isValid) {
    throw new ConfigError(`--dev-persona is "${univid}". Use a university id, such as 10000001.`)
  }
  // Nobody knows this secret, and nothing checks it, because the persona replaces the front server.
  const unset = { ...emulator, ROUTESLIP_IDENTITY_SECRET: randomBytes(32).toString('hex') }
  const config = readProxyConfig(env['ROUTESLIP_CONFIG'] === undefined ? { ...unset, ...env } : env)
  const problems = [
    ...(isThisMachine(config.host)
      ? []
      : [
          `ROUTESLIP_HOST is "${config.host}". With --dev-persona, everyone who reaches the proxy is ${univid}. Use 127.0.0.1.`,
        ]),
    ...config.mounts.flatMap((mount) =>
      mount.env === 'prod' ? [`ROUTESLIP_ENV is "prod". --dev-persona works only with test.`] : [],
    ),
  ]
  if (problems.length > 0) throw new ConfigError(problems.join('\n'))
  return {
    ...config,
    mounts: config.mounts.map((mount) => ({ ...mount, identity: { kind: 'persona', univid } })),
  }
}

/** Returns the next step if a service on this machine, such as the emulator, does not respond. */
export async function explainMissingEmulator({ mounts }: ProxyConfig): Promise<string | undefined> {
  for (const { workflow } of mounts) {
    const { hostname, origin, port } = new URL(workflow.baseUrl)
    if (!isThisMachine(hostname)) continue
    try {
      await fetch(origin, { signal: AbortSignal.timeout(2000) })
    } catch {
      return `Nothing responds on ${origin}. In another terminal, start: npx routeslip emulator --port ${port || 80}`
    }
  }
  return undefined
}
