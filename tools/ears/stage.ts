import type { ServerResponse } from 'node:http'
import { createListener, nodeRuntime } from '../../src/proxy/node/index.ts'
import { createPage } from '../../src/cli/demo-page.ts'
import { listen, toNodeListener } from '../../src/cli/listen.ts'
import { type BrowserOperation, routes } from '../../src/contract/routes/routes.ts'
import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts'
import { demo } from '../../src/emulator/scenarios/demo.ts'
import { personaCookieName } from '../../src/proxy/identity/identity.ts'
import { createProxy } from '../../src/proxy/mount/proxy.ts'
import { distFile } from '../../test/docs/site.ts'
import { type SampleFile, storeFiles } from '../../stories/stored-files.ts'
import { changeElsewhere, type Elsewhere } from '../../test/proxy/elsewhere.ts'
import { overEmulator, people, type Role } from '../../test/proxy/mount.ts'

/** The time at which each moment begins, in ms since 1970, for the page and for the services: 2026-11-23 10:00 UTC. */
export const startTime = Date.UTC(2026, 10, 23, 10)

/** The pages of the demo, the proxy and an emulator, all in this process. Each moment has a stage of its own. */
export interface Stage {
  /** Without a trailing slash. */
  readonly url: string
  readonly emulator: Emulator
  /** Changes package 42 from outside the page. */
  readonly outside: Elsewhere
  /** Whether uploads wait from now on. */
  holdUploads: (isHeld: boolean) => void
  /** Whether all reads and writes of the page fail from now on. Live events still arrive. */
  setFailing: (isFailing: boolean) => void
  /** Whether the person is signed in from now on. */
  setSignedIn: (isSignedIn: boolean) => void
  /** Stores a file that the page of the administrator lists. */
  storeFile: (file: SampleFile) => Promise<void>
  /** Whether the page has a stream of live events. */
  readonly isFollowed: () => boolean
  readonly close: () => Promise<void>
}

/** Opens the pages of the demo for a person on a free port of this machine. */
export async function openStage(role: Role): Promise<Stage> {
  const opened = Date.now()
  const now = () => startTime + Date.now() - opened
  const univid = people[role]
  const emulator = createEmulator({
    seed: demo(),
    now,
    control: true,
    // Callbacks go to the proxy.
    fetch: (input, init) => proxy(new Request(input, init)),
  })
  const proxy = createProxy({
    ...overEmulator(emulator),
    identity: {
      identify: () => (isSignedIn ? { univid } : null),
      policy: ({ person }) => person.univid === people.administrator,
    },
    operations: Object.keys(routes) as BrowserOperation[],
    // A short interval, because the service sends no callback for comments.
    limits: { watchInterval: 200 },
    runtime: nodeRuntime({ fetch: emulator.fetch }),
  })
  const outside = changeElsewhere(emulator)
  await outside.registerCallbacks()
  const api = createListener(proxy)
  const page = toNodeListener(
    createPage(new Map(), () => Promise.resolve(new Response(null, { status: 404 }))),
  )
  let isFailing = false
  let isSignedIn = true
  let isHeld = false
  const held: (() => void)[] = []
  const streams: ServerResponse[] = []
  const server = await listen(
    (request, response) => {
      const path = (request.url ?? '').replace(/\?.*/, '')
      if (path.startsWith('/api/wf/')) {
        const isStream = path.endsWith('/events')
        if (isStream) streams.push(response)
        // The clock of the page is corrected by that of the proxy.
        response.setHeader('Date', new Date(now()).toUTCString())
        if (isHeld && request.method === 'POST' && path.endsWith('/files'))
          return void held.push(() => api(request, response))
        if (isFailing && !isStream) return void response.writeHead(503).end()
        return api(request, response)
      }
      const script = path.endsWith('.js') ? distFile(path) : undefined
      if (script) return void response.setHeader('Content-Type', 'text/javascript').end(script)
      // The page signs in the person of its cookie.
      request.rawHeaders.push('Cookie', `${personaCookieName}=${univid}`)
      page(request, response)
    },
    0,
    '',
  )
  const url = server.url.replace(/\/$/, '')
  return {
    url,
    emulator,
    outside,
    holdUploads: (value) => {
      isHeld = value
      if (!value) for (const proceed of held.splice(0)) proceed()
    },
    setFailing: (value) => {
      isFailing = value
    },
    setSignedIn: (value) => {
      isSignedIn = value
    },
    async storeFile(file) {
      const [uuid = ''] = storeFiles({ emulator }, [file], now())
      const response = await fetch(`${url}/working-files`, {
        method: 'POST',
        headers: { 'Sec-Fetch-Site': 'same-origin' },
        body: new URLSearchParams({ uuid }),
      })
      if (!response.ok) throw new Error(`The page returned ${response.status}.`)
    },
    isFollowed: () => streams.some(({ headersSent }) => headersSent),
    close: async () => {
      await proxy.close()
      await server.close()
    },
  }
}
