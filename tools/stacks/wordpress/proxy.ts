import { jwtIdentity } from '../../../src/proxy/identity/jwt-identity.ts'
import { nodeRuntime } from '../../../src/proxy/node/index.ts'
import { createProxy, type Proxy } from '../../../src/proxy/mount/proxy.ts'
import { readPolicy } from '../../../src/proxy/rights/policy-rules.ts'
import { rulesPolicy } from '../../../src/proxy/rights/rules-policy.ts'

/** A policy file that knows people by their roles in WordPress. */
const policy = readPolicy({
  groups: { editors: { identity: ['editor'] } },
  rules: [{ name: 'Editors restart requests', groups: ['editors'], operations: ['restartPackage'] }],
})

/** Creates the proxy of a site. `services` is the address of the emulator. */
export function proxyOf(site: string, uploads: string, services: string): Proxy {
  const credentials = { clientId: 'demo-app', clientSecret: 'demo-secret' }
  return createProxy({
    env: 'test',
    forms: [6025],
    services: {
      workflow: { baseUrl: `${services}/wf`, ...credentials },
      storage: { baseUrl: `${services}/fs/test`, objectOrigins: [services], ...credentials },
    },
    identity: {
      identify: jwtIdentity({
        jwksUrl: `${uploads}/routeslip/jwks.json`,
        issuer: site,
        audience: 'routeslip',
        groupsClaim: 'groups',
      }),
      policy: rulesPolicy(() => policy),
    },
    limits: { maxFileSize: 60_000_000 },
    runtime: nodeRuntime({ fetch }),
  })
}
