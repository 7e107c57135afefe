import { readdir, readFile } from 'node:fs/promises'
import { createProxyServer } from 'httpxy'
import { type BrowserOperation, routes } from '../contract/routes/routes.ts'
import { createMemoryIndex } from '../proxy/desk/package-index.ts'
import { createProxy } from '../proxy/mount/proxy.ts'
import { personaCookie } from '../proxy/identity/identity.ts'
import { packageDetails, policyOperations, remind, remindNote } from '../proxy/rights/policy-operations.ts'
import { readPolicy } from '../proxy/rights/policy-rules.ts'
import { rulesPolicy } from '../proxy/rights/rules-policy.ts'
import { createListener, nodeRuntime } from '../proxy/node/index.ts'
import { createConsole } from './demo-console.ts'
import { administrator, createPage, personas } from './demo-page.ts'
import { superviseEmulator } from './demo-emulator.ts'
import { listen, ListenError, type LocalServer, toNodeListener } from './listen.ts'
import { WorkingFiles } from './working-files.ts'

interface DemoOptions {
  /** Port of the page. 0 uses any free port. */
  readonly port: number
  /** Number of seconds until a download link expires, 1 to 60. */
  readonly linkSeconds: number
}

export interface Demo {
  /** Address of the page. */
  readonly url: string
  readonly close: () => Promise<void>
}

/**
 * The administrator may use all tools, overrides, locks, files and shares, but may not add HTML to e-mails. Initiators may
 * have the approvers of their requests reminded, and withdraw a request until somebody else has signed it.
 */
const policy = readPolicy({
  rules: [
    {
      name: 'The administrator does everything',
      people: [administrator],
      operations: [...policyOperations.keys()].filter((name) => name !== packageDetails),
    },
    {
      name: 'Initiators remind approvers, and start again what they have withdrawn',
      everyone: true,
      operations: [remind, remindNote, 'reinitiatePackage'],
      if: ['initiator'],
    },
    {
      name: 'Initiators withdraw what nobody else has signed',
      everyone: true,
      operations: ['removePackage'],
      if: ['initiator'],
      unless: ['signed'],
    },
  ],
})

/**
 * Serves the whole system as in production: the site with its page in front, and the proxy and the emulator on their own
 * servers behind it. Browsers send requests only to the site, which forwards `/api/wf` to the proxy.
 */
export async function serveDemo({ port, linkSeconds }: DemoOptions): Promise<Demo> {
  const scripts = await readScripts()
  const forwarder = createProxyServer({ proxyTimeout: 0 })
  const credentials = { clientId: 'demo-app', clientSecret: 'demo-secret' }
  let services = ''
  let target = ''
  let failServices = () => Promise.resolve()
  const index = createMemoryIndex()
  const workingFiles = new WorkingFiles()

  /** Leaves the lists with the request of the demo. It was started before the proxy, which learns of it only from here. */
  async function forget(): Promise<void> {
    workingFiles.clear()
    await index.remove(await index.due(Infinity, Infinity))
    await index.request([{ formId: 6025, packageId: 42 }], Date.now())
  }

  const emulatorConsole = createConsole({
    addresses: () => ({ services, callbacks: `${target}api/wf/callbacks` }),
    failServices: () => failServices(),
    forget,
    ...credentials,
  })
  const page = toNodeListener(createPage(scripts, emulatorConsole.handle, workingFiles))

  // The site starts first, because its port may be taken.
  const site = await listen(
    (request, response) => {
      if (!request.url?.startsWith('/api/wf/')) return page(request, response)
      // Pages from an earlier run do not wait until the proxy has started.
      if (!target) return response.writeHead(503).end()
      forwarder.web(request, response, { target }).catch(() => {
        if (!response.headersSent) response.writeHead(502)
        response.end()
      })
    },
    port,
    'Choose another with PORT.',
  )

  const emulator = await superviseEmulator()
  const runtime = nodeRuntime()
  await forget()
  const proxy: LocalServer = await listen(
    createListener(
      createProxy({
        env: 'test',
        forms: [6025],
        // A short interval, so that pages notice a failure of 20 seconds, and new comments soon.
        limits: { linkSeconds, watchInterval: 5000 },
        services: {
          workflow: { baseUrl: `${emulator.servicesUrl}wf`, ...credentials },
          storage: {
            baseUrl: `${emulator.servicesUrl}fs/test`,
            objectOrigins: [new URL(emulator.objectsUrl).origin],
            ...credentials,
          },
        },
        operations: Object.keys(routes) as BrowserOperation[],
        storage: { packageIndex: index },
        // So that a signature in the console changes the lists within seconds.
        // People who try the demo do not wait three days to remind somebody.
        lists: { interval: 5000, reminders: { hours: 1 / 60 } },
        identity: {
          policy: rulesPolicy(() => policy),
          identify: personaCookie(personas.map(({ univid }) => univid)),
        },
        runtime,
        observe: {
          log: (level, message, facts) => console.error(JSON.stringify({ level, message, ...facts })),
        },
      }),
    ),
    0,
    '',
  )
  target = proxy.url
  services = emulator.servicesUrl
  failServices = emulator.fail
  await emulatorConsole.setUp()

  return {
    url: site.url,
    close: async () => {
      await Promise.all([site.close(), proxy.close(), runtime.close(), emulator.close()])
    },
  }
}

/** Reads the scripts of the elements, the files that these load, and their languages, by path. */
async function readScripts(): Promise<ReadonlyMap<string, string>> {
  const dist = new URL('../../dist/', import.meta.url)
  try {
    const folders = ['chunks', 'late', 'locales'].map(async (folder) =>
      (await readdir(new URL(`${folder}/`, dist))).map((file) => `${folder}/${file}`),
    )
    const paths = ['routeslip.js', 'routeslip-autoload.js', ...(await Promise.all(folders)).flat()]
    const texts = paths.map(
      async (path) => [`/${path}`, await readFile(new URL(path, dist), 'utf8')] as const,
    )
    return new Map(await Promise.all(texts))
  } catch (cause) {
    throw new ListenError(
      'The elements are not built yet. In a clone of the repository, run "npm run build" first.',
      { cause },
    )
  }
}
