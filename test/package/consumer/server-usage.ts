// A strict server in TypeScript, without the types of pages. If the types allowed the wrong line, `@ts-expect-error` would be an
// error.
import { Package } from 'routeslip-server/contract'
import { createEmulator } from 'routeslip-server/emulator'
import { createProxy, type Policy, type Proxy } from 'routeslip-server/proxy'
import { createHttpServer, createListener, nodeRuntime } from 'routeslip-server/proxy/node'

const read: Package = Package.parse(JSON.parse('{}'))
console.log(read.state)

const emulator = createEmulator()
const credentials = { clientId: 'demo-app', clientSecret: 'demo-secret' }
const policy: Policy = ({ operation, person }) =>
  operation === 'restartPackage' && person.univid === '10000009'
const proxy: Proxy = createProxy({
  env: 'test',
  forms: [6025],
  services: {
    workflow: { baseUrl: 'http://emulator.test/wf', ...credentials },
    storage: {
      baseUrl: 'http://emulator.test/fs/test',
      objectOrigins: ['http://emulator.test'],
      ...credentials,
    },
  },
  identity: { identify: () => ({ univid: '10000001' }), policy },
  runtime: nodeRuntime({ fetch: emulator.fetch }),
})
createHttpServer(createListener(proxy)).listen(0)
// @ts-expect-error it needs `services` and `identity`
createProxy({ env: 'test', forms: [6025], runtime: nodeRuntime() })
