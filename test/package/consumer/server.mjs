// A site on plain Node: its pages, and below /api/wf the proxy, here in front of the emulator.
import { readFile } from 'node:fs/promises'
import { createEmulator } from 'routeslip/emulator'
import { createProxy } from 'routeslip/proxy'
import { createHttpServer, createListener, onSent, readUpload, respond } from 'routeslip/proxy/node'

const types = { html: 'text/html', js: 'text/javascript', css: 'text/css' }
const credentials = { clientId: 'demo-app', clientSecret: 'demo-secret' }
const proxy = createProxy({
  env: 'test',
  forms: [6025],
  workflow: { baseUrl: 'http://emulator.test/wf', ...credentials },
  storage: {
    baseUrl: 'http://emulator.test/fs/test',
    objectOrigins: ['http://emulator.test'],
    ...credentials,
  },
  identify: () => ({ univid: '10000001' }),
  fetch: createEmulator().fetch,
  readUpload,
  respond,
  onSent,
})

const server = createHttpServer(
  createListener(async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith('/api/wf/')) return await proxy(request)
    const [, app, path] = /^\/(vite|react)\/([\w./-]*)$/.exec(pathname) ?? []
    const file = `${app}/dist/${path || 'index.html'}`
    const content = await readFile(new URL(file, import.meta.url)).catch(() => null)
    return new Response(content, {
      status: content ? 200 : 404,
      headers: { 'content-type': types[file.split('.').at(-1)] ?? 'text/plain' },
    })
  }),
)
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/`))
