import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { listen, type Listening } from '../../src/cli/listen.ts'
import { createEmulator } from '../../src/emulator/emulator.ts'
import { createListener, readUpload } from '../../src/proxy/node/index.ts'
import { createProxy, type Proxy } from '../../src/proxy/proxy.ts'
import { people } from '../proxy/mount.ts'

// The built scripts in pages as sites write them, each served with a policy of its own, in front of the proxy.

const dist = new URL('../../dist/', import.meta.url)

const strict = [
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'",
  "require-trusted-types-for 'script'; trusted-types lit-html",
].join('; ')

const tag =
  '<wf-package-status endpoint="/api/wf" form-id="6025" package-id="42"><p>Fallback</p></wf-package-status>'
const script = (path = 'dist/routeslip.js', attributes = '') =>
  `<script type="module" src="/${path}" ${attributes}></script>`

/** Pages by path: what stands in their body, and their Content-Security-Policy. */
const pages: Readonly<Record<string, readonly [body: string, policy?: string]>> = {
  '/strict': [script() + tag, strict],
  '/spanish': [`<div lang="es">${tag}</div>${script()}`, strict],
  '/twice': [`${script()}${script('copy/routeslip.js')}${script()}${tag}`, `${strict} 'allow-duplicates'`],
  '/twice-refused': [script() + script('copy/routeslip.js') + tag, strict],
  '/async': [script('dist/routeslip.js', 'async') + tag],
  '/autoload': [script('dist/routeslip-autoload.js') + tag, strict],
  '/placeholder': [
    `${script('dist/routeslip-autoload.js')}<div data-wf="package-status" data-endpoint="/api/wf" data-form-id="6025" data-package-id="42"><p>Fallback</p></div>`,
    strict,
  ],
  '/badges': [
    `${script()}<table>${Array.from(
      { length: 200 },
      (_, index) =>
        `<tr><td><wf-package-status variant="badge" endpoint="/api/wf" form-id="6025" package-id="${index + 1}"></wf-package-status>`,
    ).join('')}</table>`,
    strict,
  ],
  '/missing': [script('dist/gone.js') + tag, strict],
  '/no-script': [tag, "default-src 'none'"],
  '/unset': [
    `<style>* { all: unset !important } html { font-size: 62.5% !important }</style>${script()}${tag}`,
  ],
  '/clobbered': [
    `<form id="customElements" name="fetch"><input name="document" id="location"></form>
     <script>
       window.name = 'x'
       Array.prototype.extra = () => 'patched'
       Object.prototype.inherited = 'patched'
     </script>${script()}${tag}`,
  ],
}

describe('pages as sites write them', () => {
  let proxy: Proxy
  let server: Listening
  let browser: Browser
  let context: BrowserContext
  /** Addresses that were asked for, and those of streams that are open. */
  const asked: string[] = []
  const streams = new Set<ServerResponse>()

  before(async () => {
    const emulator = createEmulator()
    const credentials = { clientId: 'demo-app', clientSecret: 'demo-secret' }
    proxy = createProxy({
      env: 'test',
      forms: [6025],
      workflow: { baseUrl: 'http://emulator.test/wf', ...credentials },
      storage: {
        baseUrl: 'http://emulator.test/fs/test',
        objectOrigins: ['http://emulator.test'],
        ...credentials,
      },
      identify: () => ({ univid: people.initiator }),
      fetch: emulator.fetch,
      readUpload,
    })
    const api = createListener(proxy)
    server = await listen(
      (request: IncomingMessage, response: ServerResponse) => {
        const path = request.url ?? ''
        asked.push(path)
        if (path.startsWith('/api/wf/events')) {
          streams.add(response)
          response.on('close', () => streams.delete(response))
        }
        if (path.startsWith('/api/wf/')) return api(request, response)
        serve(path, response)
      },
      0,
      '',
    )
    browser = await chromium.launch({
      ...(process.env['CHROME_PATH'] && { executablePath: process.env['CHROME_PATH'] }),
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync'],
    })
    context = await browser.newContext({ locale: 'en-US' })
  })

  after(async () => {
    await browser?.close()
    await proxy?.close()
    await server?.close()
  })

  function serve(path: string, response: ServerResponse): void {
    const file = /^[/](?:dist|copy)[/]([\w./-]+[.]js)$/.exec(path)?.[1]
    const [body, policy] = pages[path] ?? []
    try {
      if (file) {
        const text = readFileSync(new URL(file, dist))
        response.setHeader('Content-Type', 'text/javascript').end(text)
      } else if (body) {
        if (policy) response.setHeader('Content-Security-Policy', policy)
        response.setHeader('Content-Type', 'text/html')
        response.end(`<!doctype html><html lang="en"><title>A page</title><body>${body}`)
      } else {
        response.writeHead(404).end()
      }
    } catch {
      response.writeHead(404).end()
    }
  }

  /** Opens a page, with what it complains of. */
  async function open(path: string): Promise<{ page: Page; complaints: string[]; warnings: string[] }> {
    const page = await context.newPage()
    const complaints: string[] = []
    const warnings: string[] = []
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('console', (message) => {
      const isFavicon = message.location().url.endsWith('/favicon.ico')
      if (message.type() === 'error' && !isFavicon) complaints.push(message.text())
      if (message.type() === 'warning') warnings.push(message.text())
    })
    await page.goto(`http://127.0.0.1:${server.port}${path}`)
    return { page, complaints, warnings }
  }

  const shows = async (page: Page, text: string) => {
    await page.locator('wf-package-status [part=state]', { hasText: text }).waitFor({ timeout: 20_000 })
  }

  it('work under a policy as strict as it can be, with Trusted Types (F42)', async () => {
    const { page, complaints } = await open('/strict')
    await shows(page, 'In routing')
    assert.deepEqual(complaints, [])
    await page.close()
  })

  it('fetch a language beside the script, and only where it is needed', async () => {
    assert.equal(asked.includes('/dist/locales/es.js'), false)
    const { page, complaints } = await open('/spanish')
    await shows(page, 'En trámite')
    assert.equal(asked.includes('/dist/locales/es.js'), true)
    assert.deepEqual(complaints, [])
    await page.close()
  })

  it('may bring the script twice, and a second copy of it (F43)', async () => {
    const { page, complaints, warnings } = await open('/twice')
    await shows(page, 'In routing')
    await page.waitForLoadState('load')
    assert.deepEqual(complaints, [])
    assert.equal(warnings.filter((text) => text.includes('<wf-package-status>')).length, 1)
    await page.close()
  })

  it('go on with the first copy where the policy refuses a second one (F42)', async () => {
    const { page } = await open('/twice-refused')
    await shows(page, 'In routing')
    await page.close()
  })

  it('may bring the script whenever they like', async () => {
    const { page, complaints } = await open('/async')
    await shows(page, 'In routing')
    await page.evaluate(() => {
      const late = document.createElement('wf-package-status')
      for (const [name, value] of [
        ['endpoint', '/api/wf'],
        ['form-id', '6025'],
        ['package-id', '42'],
      ] as const)
        late.setAttribute(name, value)
      document.querySelector('wf-package-status')?.replaceWith(late)
    })
    await shows(page, 'In routing')
    assert.deepEqual(complaints, [])
    await page.close()
  })

  it('fetch only the elements that they use', async () => {
    asked.length = 0
    const { page, complaints } = await open('/autoload')
    await shows(page, 'In routing')
    assert.deepEqual(complaints, [])
    assert.equal(
      asked.some((path) => path.includes('wf-package-status')),
      true,
      asked.join('\n'),
    )
    assert.equal(
      asked.some((path) => path.includes('fs-uploader')),
      false,
      asked.join('\n'),
    )

    await page.evaluate(() => document.body.append(document.createElement('fs-uploader')))
    await page.waitForFunction(() => customElements.get('fs-uploader'))
    await page.close()
  })

  it('may use placeholders, where their editor strips tags', async () => {
    const { page, complaints } = await open('/placeholder')
    await shows(page, 'In routing')
    assert.deepEqual(complaints, [])
    await page.close()
  })

  it('show 200 badges for two requests', async () => {
    asked.length = 0
    const { page, complaints } = await open('/badges')
    const badge = (id: number) => page.locator(`[package-id="${id}"]`)
    await badge(42).getByText('In routing').waitFor()
    await badge(199).getByText('Not available').waitFor()
    const calls = asked.filter((path) => path.startsWith('/api/wf/') && !path.includes('/events'))
    assert.equal(calls.length, 2, calls.join('\n'))
    assert.deepEqual(complaints, [])
    await page.close()
  })

  for (const path of ['/missing', '/no-script']) {
    it(`show what stands inside the tag where the script never comes (F47): ${path}`, async () => {
      const { page } = await open(path)
      assert.equal(await page.getByText('Fallback').isVisible(), true)
      await page.close()
    })
  }

  it('may reset every style there is (F44)', async () => {
    const { page } = await open('/unset')
    await shows(page, 'In routing')
    const box = await page.locator('wf-package-status [part=state]').boundingBox()
    assert.ok(box && box.height > 10 && box.width > 60, 'the state is to be seen')
    await page.close()
  })

  it('may have patched prototypes and clobbered names (F45)', async () => {
    const { page, complaints } = await open('/clobbered')
    await shows(page, 'In routing')
    assert.deepEqual(complaints, [])
    await page.close()
  })

  it('share one stream of events, and hand it on when the page that has it is closed (F52, F54)', async () => {
    const opened = []
    for (let tab = 0; tab < 4; tab++) opened.push(await open('/strict'))
    for (const { page } of opened) await shows(page, 'In routing')
    await until(() => streams.size === 1)
    await new Promise((resolve) => setTimeout(resolve, 500))
    assert.equal(streams.size, 1)

    const [first] = streams
    const [leader] = opened
    await leader?.page.close()
    await until(() => streams.size === 1 && !streams.has(first as ServerResponse))
    for (const { page } of opened) await page.close()
    await until(() => streams.size === 0)
  })
})

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 20_000
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('It did not come to that')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
