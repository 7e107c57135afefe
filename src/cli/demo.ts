import { readFile } from 'node:fs/promises'
import { createProxyServer } from 'httpxy'
import { createProxy } from '../proxy/proxy.ts'
import { personaCookie } from '../proxy/identity.ts'
import { createListener, createSend, onSent, readUpload, respond } from '../proxy/node/index.ts'
import { createPage, personas } from './demo-page.ts'
import { superviseEmulator } from './demo-emulator.ts'
import { listen, ListenError, type Listening, serveWith } from './listen.ts'

export interface DemoOptions {
  /** Port of the page. 0: any free one. */
  readonly port: number
  /** How long a download link lives, in seconds, 1 to 60. */
  readonly linkSeconds: number
}

export interface Demo {
  /** Address of the page. */
  readonly url: string
  readonly close: () => Promise<void>
}

/**
 * Serves the whole system as in production: the site with its page in front; behind it, with servers of their own, the
 * proxy and the emulator. Browsers talk to the site, which hands everything below `/api/wf` to the proxy.
 */
export async function serveDemo({ port, linkSeconds }: DemoOptions): Promise<Demo> {
  const script = await readScript()
  const forwarder = createProxyServer({ proxyTimeout: 0 })
  const page = serveWith(createPage(script))
  let target = ''

  // First, because its port is the one that may be taken.
  const site = await listen(
    (request, response) => {
      if (!request.url?.startsWith('/api/wf/')) return page(request, response)
      forwarder.web(request, response, { target }).catch(() => {
        if (!response.headersSent) response.writeHead(502)
        response.end()
      })
    },
    port,
    'Choose another, for instance: PORT=8081 npm start',
  )

  const emulator = await superviseEmulator()
  const { send, close } = createSend()
  const credentials = { clientId: 'demo-app', clientSecret: 'demo-secret' }
  const proxy: Listening = await listen(
    createListener(
      createProxy({
        env: 'test',
        forms: [6025],
        limits: { linkSeconds },
        workflow: { baseUrl: `${emulator.servicesUrl}wf`, ...credentials },
        storage: {
          baseUrl: `${emulator.servicesUrl}fs/test`,
          objectOrigins: [new URL(emulator.objectsUrl).origin],
          ...credentials,
        },
        identify: personaCookie(personas.map(({ univid }) => univid)),
        send,
        readUpload,
        respond,
        onSent,
        log: (level, message, facts) => console.error(JSON.stringify({ level, message, ...facts })),
      }),
    ),
    0,
    '',
  )
  target = proxy.url

  return {
    url: site.url,
    close: async () => {
      emulator.close()
      await Promise.all([site.close(), proxy.close(), close()])
    },
  }
}

async function readScript(): Promise<string> {
  try {
    return await readFile(new URL('../../dist/routeslip.js', import.meta.url), 'utf8')
  } catch (cause) {
    throw new ListenError('The elements are not built yet. Run "npm run build" first.', { cause })
  }
}
