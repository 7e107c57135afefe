import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { BrowserContext, Page } from 'playwright-core'
import { listen } from '../../src/cli/listen.ts'
import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts'
import { createListener, nodeRuntime } from '../../src/proxy/node/index.ts'
import { createProxy } from '../../src/proxy/mount/proxy.ts'
import { overEmulator, people } from '../proxy/mount.ts'

// A site with its own pages in front of a proxy and an emulator, all in this process.

/** The fault laboratory builds scripts without a defence into another folder. */
const dist = new URL(`../../${process.env.ROUTESLIP_DIST ?? 'dist'}/`, import.meta.url)

/** A file of the site: content type and content. */
export type Served = readonly [type: string, content: string | Buffer]

export interface Site {
  /** Address without a trailing slash. */
  readonly url: string
  readonly emulator: Emulator
  /** The requested paths. */
  readonly requested: string[]
  /** The open streams of live events. */
  readonly streams: ReadonlySet<ServerResponse>
  readonly close: () => Promise<void>
}

/**
 * Starts a site with the initiator of package 42 as the signed-in user. An approver has asked a question about the package.
 * `serve` returns the files of all paths except `/api/wf/`.
 */
export async function startSite(
  serve: (path: string, response: ServerResponse) => Served | undefined,
): Promise<Site> {
  const emulator = createEmulator({ control: true })
  await emulator.fetch('http://emulator.test/_emulator/test/forms/6025/packages/42/comments', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ univid: people.firstApprover, comment: 'Which budget pays for the train?' }),
  })
  const proxy = createProxy({
    ...overEmulator(emulator),
    identity: { identify: () => ({ univid: people.initiator }) },
    runtime: nodeRuntime({ fetch: emulator.fetch }),
  })
  const api = createListener(proxy)
  const requested: string[] = []
  const streams = new Set<ServerResponse>()
  const server = await listen(
    (request: IncomingMessage, response: ServerResponse) => {
      const path = request.url ?? ''
      requested.push(path)
      if (path.startsWith('/api/wf/events')) {
        streams.add(response)
        response.on('close', () => streams.delete(response))
      }
      if (path.startsWith('/api/wf/')) return api(request, response)
      const [type, content] = serve(path, response) ?? []
      if (type) response.setHeader('Content-Type', type).end(content)
      else response.writeHead(404).end()
    },
    0,
    '',
  )
  return {
    url: `http://127.0.0.1:${server.port}`,
    emulator,
    requested,
    streams,
    close: async () => {
      await proxy.close()
      await server.close()
    },
  }
}

/** Returns a script of the build, or `undefined` if it does not exist. */
export function builtScript(file: string): Served | undefined {
  try {
    return ['text/javascript', readFileSync(new URL(file, dist))]
  } catch {
    return undefined
  }
}

export interface Opened {
  readonly page: Page
  /** Errors on its console, including violations of its policy. */
  readonly complaints: string[]
  readonly warnings: string[]
}

/** Opens a page and records its errors and warnings. */
export async function openPage(context: BrowserContext, url: string): Promise<Opened> {
  const page = await context.newPage()
  const complaints: string[] = []
  const warnings: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    const isFavicon = message.location().url.endsWith('/favicon.ico')
    if (message.type() === 'error' && !isFavicon) complaints.push(message.text())
    if (message.type() === 'warning') warnings.push(message.text())
  })
  await page.goto(url)
  return { page, complaints, warnings }
}
