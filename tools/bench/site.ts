// A site for measured pages: a blank page with a script, and the proxy in front of the emulator, all in this process.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, chromium, type Page } from 'playwright-core'
import { createEmulator } from '../../src/emulator/emulator.ts'
import { callHeader, personHeader } from '../../src/contract/values/headers.ts'
import { createProxy } from '../../src/proxy/mount/proxy.ts'
import { fetchRuntime } from '../../src/proxy/mount/runtime.ts'

export interface Site {
  readonly url: string
  /** Requests to the proxy, except for live events. */
  readonly requested: string[]
  readonly close: () => void
}

export interface SiteOptions {
  /** The files that the page loads. */
  readonly script: string
  /** Latency of each response in milliseconds. */
  readonly latency?: number
}

/** Id of the first of 2,000 packages that the site knows besides those of the scenario. */
export const firstPackage = 10_001

/** Package ids by the number of comments. */
export const commented = { 20: 20_020, 200: 20_200, 2000: 22_000 } as const

/** Starts a site on a free port. It computes each response once and caches it, so that only pages are measured. */
export async function openSite({ script, latency = 0 }: SiteOptions): Promise<Site> {
  const proxy = createBackend()
  const remembered = new Map<
    string,
    Promise<{ readonly status: number; readonly body: string; readonly person: string }>
  >()
  const requested: string[] = []
  const page = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Bench</title><body>'

  const respond = (path: string, accept: string) => {
    const key = `${path} ${accept}`
    const known =
      remembered.get(key) ??
      proxy(
        new Request(`http://site.test${path}`, {
          headers: { Accept: accept, [callHeader]: '1', 'Sec-Fetch-Site': 'same-origin' },
        }),
      ).then(async (response) => ({
        status: response.status,
        body: await response.text(),
        person: response.headers.get(personHeader) ?? '',
      }))
    remembered.set(key, known)
    return known
  }
  const send = (response: ServerResponse, status: number, type: string, body: string) =>
    response.writeHead(status, { 'Content-Type': `${type}; charset=utf-8` }).end(body)

  const server = createServer((request, response) => {
    const path = request.url ?? ''
    if (path === '/')
      return send(response, 200, 'text/html', `${page}<script type="module" src="/main.js"></script>`)
    if (path === '/main.js') return send(response, 200, 'text/javascript', script)
    if (path.startsWith('/api/wf/events')) {
      // The stream stays open and sends nothing.
      return response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(':\n\n')
    }
    if (!path.startsWith('/api/wf/')) return send(response, 404, 'text/plain', 'Not found')
    requested.push(path)
    setTimeout(() => {
      respond(path, request.headers.accept ?? '*/*').then(
        ({ status, body, person }) => {
          response.setHeader(personHeader, person)
          send(response, status, 'application/json', body)
        },
        () => response.writeHead(500).end(),
      )
    }, latency)
    return undefined
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    requested,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

function createBackend(): (request: Request) => Promise<Response> {
  const emulator = createEmulator()
  const packages = emulator.packages.test
  const model = packages.get(42)
  if (!model) throw new Error('the scenario has no package 42')
  for (let id = firstPackage; id < firstPackage + 2000; id++) packages.set(id, { ...model, id })
  for (const [count, id] of Object.entries(commented)) {
    packages.set(id, {
      ...model,
      id,
      comments: Array.from({ length: Number(count) }, (_, index) => ({
        id: index + 1,
        comment: `${index + 1}. The hotel is the one of the conference; it was the only one left near the station.`,
        approversOnly: false,
        createdAt: new Date(Date.UTC(2026, 0, 1) + index * 600_000).toISOString().slice(0, 19),
        person: index % 3 === 0 ? '10000001' : '10000002',
        state: 'ACTIVE' as const,
      })),
    })
  }
  const credentials = { clientId: 'demo-app', clientSecret: 'demo-secret' }
  return createProxy({
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
    identity: { identify: () => ({ univid: '10000001' }), site: () => 'same-origin' },
    runtime: fetchRuntime(emulator.fetch),
  })
}

/** Runs a function with Chromium, and then closes it. */
export async function withBrowser<T>(use: (browser: Browser) => Promise<T>): Promise<T> {
  const browser = await chromium.launch({
    executablePath: process.env['CHROME_PATH'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic'],
  })
  try {
    return await use(browser)
  } finally {
    await browser.close()
  }
}

/** The global object of the page. */
export interface InPage {
  /** Resolves with the time at which the next frame was rendered. */
  readonly drawn: () => Promise<number>
  readonly __name: (value: unknown) => unknown
}

/** Opens a page with `drawn()` in a new browser context. */
export async function openPage(browser: Browser, url: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 900, height: 800 }, locale: 'en-US' })
  const page = await context.newPage()
  await page.addInitScript({ content: inPage })
  await page.goto(url)
  await page.waitForFunction(() => document.readyState === 'complete')
  return page
}

/** Defines `__name`, which tsx calls in functions that run in a page. */
export const inPage = `
globalThis.__name = (value) => value
globalThis.drawn = () =>
  new Promise((resolve) =>
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => resolve(performance.now())
      port2.postMessage(null)
    }),
  )`

/** Measures the memory of a page after garbage collection. */
export interface Held {
  readonly heap: number
  readonly nodes: number
  readonly listeners: number
}

export async function heldBy(page: Page): Promise<Held> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  for (let time = 0; time < 3; time++) {
    await session.send('HeapProfiler.collectGarbage')
    await page.waitForTimeout(100)
  }
  const { metrics } = await session.send('Performance.getMetrics')
  await session.detach()
  const of = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? NaN
  return { heap: of('JSHeapUsedSize'), nodes: of('Nodes'), listeners: of('JSEventListeners') }
}
