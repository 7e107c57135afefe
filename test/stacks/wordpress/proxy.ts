import { jwtIdentity } from '../../../src/proxy/identity/jwt-identity.ts'
import { nodeRuntime } from '../../../src/proxy/node/index.ts'
import { createProxy, type Proxy } from '../../../src/proxy/proxy.ts'

/** Creates the proxy of a site. `services` is the address of the emulator. */
export function proxyOf(site: string, uploads: string, services: string): Proxy {
  const credentials = { clientId: 'demo-app', clientSecret: 'demo-secret' }
  return createProxy({
    env: 'test',
    forms: [6025],
    workflow: { baseUrl: `${services}/wf`, ...credentials },
    storage: { baseUrl: `${services}/fs/test`, objectOrigins: [services], ...credentials },
    identify: jwtIdentity({
      jwksUrl: `${uploads}/routeslip/jwks.json`,
      issuer: site,
      audience: 'routeslip',
      groupsClaim: 'groups',
    }),
    limits: { maxFileSize: 60_000_000 },
    runtime: nodeRuntime({ fetch }),
  })
}
