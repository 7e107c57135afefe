// A site on plain Node: the pages in the folder of its argument, and below /api/wf the proxy, here in front of the emulator.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createEmulator } from 'routeslip-server/emulator'
import { createProxy } from 'routeslip-server/proxy'
import { createListener, nodeRuntime } from 'routeslip-server/proxy/node'

const types = { html: 'text/html', js: 'text/javascript', css: 'text/css' }
const credentials = { clientId: 'demo-app', clientSecret: 'demo-secret' }
const proxy = createProxy({
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
  identity: { identify: () => ({ univid: '10000001' }) },
  runtime: nodeRuntime({ fetch: createEmulator().fetch }),
})

const api = createListener(proxy)
const server = createServer(async (request, response) => {
  if (request.url.startsWith('/api/wf/')) return api(request, response)
  const [, app, path] = /^\/(vite|react)\/([\w./-]*)$/.exec(request.url) ?? []
  const file = `${app}/dist/${path || 'index.html'}`
  const content = await readFile(join(process.argv[2], file)).catch(() => null)
  response.writeHead(content ? 200 : 404, { 'content-type': types[file.split('.').at(-1)] ?? 'text/plain' })
  response.end(content)
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/`))
