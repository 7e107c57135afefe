// Measures when the demo page shows the status of its request, with a slow processor and a distant server. The floor is the
// same page with one request whose response it inserts as markup.
import { spawnSync } from 'node:child_process'
import { createServer, request as requestUpstream } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { BrowserContext } from 'playwright-core'
import { serveDemo } from '../../src/cli/demo.ts'
import { callHeader } from '../../src/contract/values/headers.ts'
import { root } from './builds.ts'
import { median, type Options, type Report, spread } from './report.ts'
import { withBrowser } from './site.ts'

/** The slowdown factor of the processor, and the latency of each response in milliseconds. */
const slowness = 4
const latency = 50

const pages = ['demo', 'floor'] as const
type Name = (typeof pages)[number]

/** One request, and its response as markup. */
const floor = `
const response = await fetch('/api/wf/forms/6025/packages/42', { headers: { '${callHeader}': '1' } })
const { state, initiator } = await response.json()
document.querySelector('wf-package-status').innerHTML =
  '<p class="done">' + state + '</p><p>' + initiator.displayName + '</p>'`

/** Resolves to the time at which the frame that begins now has been drawn. */
const afterFrame = `
globalThis.__name = (value) => value
globalThis.drawn = () =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => resolve(performance.now())
    port2.postMessage(null)
  })`

/** Work before the elements are defined, in milliseconds. The budgets must detect it. */
const delay = 4000
const slowDown = `for (const end = performance.now() + ${delay}; performance.now() < end; );\n`

export async function measure({ rounds, isSlowed = false }: Options): Promise<Report> {
  const { status } = spawnSync(process.execPath, ['scripts/build.mjs', '--drop-in'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0) throw new Error('The build failed. Its output is above.')
  const demo = await serveDemo({ port: 0, linkSeconds: 60 })
  const front = await serveAsSitesDo(demo.url, isSlowed ? slowDown : '')
  const times = new Map<string, number[]>()
  try {
    await withBrowser(async (browser) => {
      for (let round = 0; round < rounds; round++) {
        for (const name of pages) {
          const context = await browser.newContext({ viewport: { width: 1200, height: 900 } })
          for (const state of ['cold', 'warm']) {
            const key = `${name}, ${state}`
            times.set(key, [...(times.get(key) ?? []), await sample(context, front.url, name)])
          }
          await context.close()
        }
      }
    })
  } finally {
    front.close()
    await demo.close()
  }
  const of = (key: string) => times.get(key) ?? []
  const ratio = (state: string) => median(of(`demo, ${state}`)) / median(of(`floor, ${state}`))
  return {
    title: `Milliseconds from navigation until it shows the state of the request; ${slowness} × slower processor, ${latency} ms latency`,
    rows: ['cold', 'warm'].map((state) => ({
      what: state,
      'demo page': spread(of(`demo, ${state}`)),
      floor: spread(of(`floor, ${state}`)),
      'demo ÷ floor': ratio(state).toFixed(2),
    })),
    budgets: // The script has to start before it renders.
      (
        [
          ['cold', 1.3, 1.9],
          ['warm', 1.35, 2],
        ] as const
      ).map(([state, wanted, admitted]) => ({
        what: `first useful paint, ${state} ÷ floor`,
        found: ratio(state),
        wanted,
        admitted,
        unit: 'times',
      })),
  }
}

async function sample(context: BrowserContext, url: string, name: Name): Promise<number> {
  const page = await context.newPage()
  try {
    await page.addInitScript({ content: afterFrame })
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency,
      downloadThroughput: -1,
      uploadThroughput: -1,
    })
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowness })
    await page.goto(url + (name === 'floor' ? 'floor' : ''), { waitUntil: 'commit' })
    const found = await page.waitForFunction(
      () => {
        const place = document.querySelector('wf-package-status')
        const shown = place?.shadowRoot?.querySelector('[part~=state]') ?? place?.querySelector('.done')
        // This runs just before a frame is drawn. The message arrives after that.
        return shown ? (globalThis as unknown as { drawn: () => Promise<number> }).drawn() : 0
      },
      undefined,
      { polling: 'raf', timeout: 60_000 },
    )
    return await found.jsonValue()
  } finally {
    await page.close()
  }
}

/**
 * Serves the demo like a site: browsers get compressed files and cache them. `/floor` is the same page with the script of
 * the floor. `first` runs at the beginning of our script.
 */
async function serveAsSitesDo(
  target: string,
  first: string,
): Promise<{ readonly url: string; readonly close: () => void }> {
  const kept = { 'Cache-Control': 'public, max-age=31536000, immutable' }
  const server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? ''
    if (path === '/floor.js') {
      outgoing.writeHead(200, { ...kept, 'Content-Type': 'text/javascript', 'Content-Encoding': 'gzip' })
      return outgoing.end(gzipSync(floor))
    }
    const isFloor = path === '/floor'
    const headers = { ...incoming.headers, host: new URL(target).host }
    const upstream = requestUpstream(
      new URL(isFloor ? '/' : path, target),
      { method: incoming.method ?? 'GET', headers },
      (upstreamResponse) => {
        const isFile = /[.](?:js|css|svg)$/.test(path)
        if (!isFile && !isFloor) {
          outgoing.writeHead(upstreamResponse.statusCode ?? 502, upstreamResponse.headers)
          return upstreamResponse.pipe(outgoing)
        }
        const parts: Buffer[] = []
        upstreamResponse.on('data', (part: Buffer) => parts.push(part))
        upstreamResponse.on('end', () => {
          const dropped = ['content-length', 'transfer-encoding', 'content-security-policy']
          const others = Object.fromEntries(
            Object.entries(upstreamResponse.headers).filter(([name]) => !dropped.includes(name)),
          )
          const text = (path === '/routeslip.js' ? first : '') + Buffer.concat(parts).toString()
          outgoing.writeHead(200, { ...others, ...(isFile && kept), 'content-encoding': 'gzip' })
          outgoing.end(gzipSync(isFloor ? text.replace('/routeslip.js', '/floor.js') : text))
        })
        return undefined
      },
    )
    upstream.on('error', () => outgoing.destroy())
    outgoing.on('close', () => upstream.destroy())
    return incoming.pipe(upstream)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
