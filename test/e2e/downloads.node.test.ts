import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { listen, type LocalServer } from '../../src/cli/listen.ts'
import { createListener } from '../../src/proxy/node/index.ts'
import { createProxy, type Proxy } from '../../src/proxy/mount/proxy.ts'
import { fetchRuntime } from '../../src/proxy/mount/runtime.ts'
import { launchBrowser } from '../browser.ts'
import { until } from '../proxy/until.ts'

/** A file that runs a script if a browser opens it as a document. */
interface Hostile {
  readonly name: string
  /** The content type that the service sends. */
  readonly type: string
  readonly content: (id: number) => string
}

const html = (id: number) => `<!doctype html><script>fetch('/ran/${id}')</script><p>Hello`
const svg = (id: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg" onload="fetch('/ran/${id}')"><script>fetch('/ran/${id}')</script></svg>`
const xhtml = (id: number) =>
  `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><script>fetch('/ran/${id}')</script></html>`
const polyglot = (id: number) => `%PDF-1.7\n<html><script>fetch('/ran/${id}')</script>`

const files: readonly Hostile[] = [
  ...[html, svg, xhtml, polyglot].flatMap((content) =>
    ['text/html', 'image/svg+xml', 'application/xhtml+xml', 'text/xml', 'text/html; charset=utf-7'].flatMap(
      (type) => ['page.html', 'picture.png', 'letter.pdf'].map((name) => ({ name, type, content })),
    ),
  ),
]

describe('a hostile attachment', () => {
  let proxy: Proxy
  let server: LocalServer
  let browser: Browser
  let page: Page
  const ran = new Set<string>()

  before(async () => {
    proxy = createProxy({
      env: 'test',
      forms: [6025],
      services: {
        workflow: { baseUrl: 'http://service.test', clientId: 'demo-app', clientSecret: 'demo-secret' },
        storage: {
          baseUrl: 'http://service.test',
          clientId: 'demo-app',
          clientSecret: 'demo-secret',
          objectOrigins: [],
        },
      },
      identity: { identify: () => ({ univid: '10000001' }) },
      limits: { requestsPerPerson: 1000 },
      // Like the service: inline, with the name and the type of the uploader.
      runtime: fetchRuntime(async (input) => {
        const id = Number(/attachments\/(\d+)$/.exec(input as string)?.[1])
        if (!id) return Response.json(files.map(({ name }, index) => ({ id: index + 1, fileName: name })))
        return new Response(...bare(id))
      }),
    })
    const listener = createListener(proxy)
    server = await listen(
      (request: IncomingMessage, response: ServerResponse) => {
        const path = request.url ?? ''
        const [, kind, id = ''] = path.split('/')
        if (kind === 'ran') ran.add(id)
        if (kind === 'api') return listener(request, response)
        if (kind === 'bare') {
          const [body, { headers }] = bare(Number(id))
          return response.writeHead(200, headers).end(body)
        }
        response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>A page</title><body>')
      },
      0,
      '',
    )
    browser = await launchBrowser()
    page = await (await browser.newContext()).newPage()
  })

  after(async () => {
    await browser?.close()
    await proxy?.close()
    await server?.close()
  })

  function bare(id: number): [string, { headers: Record<string, string> }] {
    const { name, type, content } = files[id - 1]!
    return [
      content(id),
      { headers: { 'content-type': type, 'content-disposition': `inline; filename=${name}` } },
    ]
  }

  /** Embeds every file in a page in every possible way. Returns how many of them ran a script; waits until these are so many. */
  async function show(addressOf: (id: number) => string, expected = 0): Promise<number> {
    ran.clear()
    await page.goto(server.url)
    const addresses = files.map((_, index) => addressOf(index + 1))
    await page.evaluate(
      `(async (addresses) => {
        const ways = { iframe: 'src', embed: 'src', img: 'src', object: 'data', script: 'src' }
        const loads = addresses.flatMap((address) => Object.entries(ways).map(([tag, attribute]) => {
          const element = document.createElement(tag)
          element[attribute] = address
          const done = new Promise((resolve) => { element.onload = element.onerror = resolve; setTimeout(resolve, 1500) })
          document.body.append(element)
          return done
        }))
        await Promise.all(loads)
      })(${JSON.stringify(addresses)})`,
    )
    await until(() => ran.size >= expected)
    for (const address of addresses.filter((_, index) => index % 5 === 0)) {
      // If a navigation becomes a download, it ends with an error.
      await page.goto(new URL(address, server.url).href).catch(() => {})
    }
    return ran.size
  }

  it('runs no script behind the proxy, however a page embeds it (T16)', async () => {
    assert.ok(files.length >= 60)
    assert.equal(await show((id) => `/api/wf/forms/6025/packages/42/attachments/${id}`), 0)
  })

  it('runs scripts with the headers of the service (control of T16)', async () => {
    assert.ok((await show((id) => `/bare/${id}`, 6)) >= 6)
  })

  it('is saved under its name (T20)', async () => {
    await page.goto(server.url)
    const download = page.waitForEvent('download')
    await page.evaluate(`location.href = '/api/wf/forms/6025/packages/42/attachments/1'`)
    assert.equal((await download).suggestedFilename(), 'page.html')
  })
})
