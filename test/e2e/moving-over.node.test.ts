import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { listen, type LocalServer } from '../../src/cli/listen.ts'
import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts'
import { createListener, nodeRuntime } from '../../src/proxy/node/index.ts'
import { createProxy, type Proxy } from '../../src/proxy/mount/proxy.ts'
import { overEmulator, people } from '../proxy/mount.ts'
import { launchBrowser } from '../browser.ts'

// Runs every example of docs/moving-over.md in an otherwise empty page.

const dist = new URL('../../dist/', import.meta.url)
const docs = readFileSync(new URL('../../docs/moving-over.md', import.meta.url), 'utf8')

/** The examples that tests have run. */
const run = new Set<string>()

const examples = docs.split(/^## /m).flatMap((section) => {
  const heading = section.slice(0, section.indexOf('\n'))
  return [...section.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', text = ''], index) => ({
    name: `${heading} ${index}`,
    language,
    text,
  }))
})

/** Returns an example for insertion into a page. */
function example(name: string): string {
  const found = examples.find((candidate) => candidate.name === name)
  if (!found) throw new Error(`docs/moving-over.md has no such example: ${name}`)
  run.add(name)
  if (found.language === 'js') return `<script type="module">${found.text}</script>`
  return found.language === 'css' ? `<style>${found.text}</style>` : found.text
}

const everywhere = () => example('Configuration 0') + example('Script 0')

describe('moving over', () => {
  let emulator: Emulator
  let proxy: Proxy | undefined
  let listener: ReturnType<typeof createListener>
  let server: LocalServer
  let browser: Browser
  let page: Page
  let body = ''
  let complaints: string[] = []
  let calls: string[] = []

  before(async () => {
    server = await listen(
      (request: IncomingMessage, response: ServerResponse) => {
        const path = request.url ?? ''
        if (path.startsWith('/api/wf/')) {
          calls.push(path)
          return listener(request, response)
        }
        const [, script] = /^[/]routeslip[/]0[.]1[.]0[/]((?:late[/])?[\w-]+[.]js)$/.exec(path) ?? []
        if (script) {
          response.setHeader('Content-Type', 'text/javascript').end(readFileSync(new URL(script, dist)))
          return
        }
        response.setHeader('Content-Type', 'text/html; charset=utf-8')
        response.end(`<!doctype html><html lang="en"><title>A page</title><h1>A request</h1>${body}`)
      },
      0,
      '',
    )
    browser = await launchBrowser()
    page = await browser.newPage({ locale: 'en-US' })
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
  })

  beforeEach(async () => {
    emulator = createEmulator({ control: true })
    const first = emulator.packages.test.get(42)
    assert.ok(first, 'there is a package 42')
    emulator.packages.test.set(43, { ...structuredClone(first), id: 43, state: 'COMPLETE' })
    await proxy?.close()
    proxy = createProxy({
      ...overEmulator(emulator),
      identity: { identify: () => ({ univid: people.firstApprover }) },
      runtime: nodeRuntime({ fetch: emulator.fetch }),
    })
    listener = createListener(proxy)
  })

  after(async () => {
    await browser?.close()
    await proxy?.close()
    await server?.close()
    assert.deepEqual(
      examples.map(({ name }) => name).filter((name) => !run.has(name)),
      [],
      'every example has run',
    )
  })

  async function open(content: string): Promise<void> {
    await page.goto('about:blank')
    body = content
    complaints = []
    calls = []
    await page.goto(`${server.url}travel/42`)
  }

  async function shows(selector: string, text: string): Promise<void> {
    await page.locator(selector, { hasText: text }).waitFor({ timeout: 60_000 })
  }

  /** Simulates the return of the user to the page. The elements ignore a second return within one second. */
  async function comeBackUntil(isDone: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + 60_000
    while (!(await isDone())) {
      if (Date.now() > deadline) throw new Error('It did not come to that')
      // The page may be unloading.
      await page.evaluate(`dispatchEvent(new Event('focus'))`).catch(() => {})
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }

  it('is configured by JSON in the page, and works everywhere in it', async () => {
    await open(everywhere() + example('Place 0'))
    await shows('[package-id="42"]', 'In routing')
    await shows('[package-id="43"]', 'Complete')
    assert.deepEqual(complaints, [])
  })

  it('is configured by a context', async () => {
    await open(example('Script 0') + example('Configuration 1'))
    await shows('wf-package-status', 'In routing')
    assert.deepEqual(complaints, [])
  })

  it('works in a container', async () => {
    await open(everywhere() + example('Place 1'))
    await shows('div[data-wf] > wf-package-status', 'In routing')
    assert.deepEqual(complaints, [])
  })

  it('shows another package without a reload', async () => {
    await open(everywhere() + '<wf-package-status package-id="42"></wf-package-status>')
    await shows('wf-package-status', 'In routing')
    await page.evaluate(`window.stays = true`)
    await page.evaluate(example('Another package 0').replace(/<[^>]*>/g, ''))
    await shows('wf-package-status', 'Complete')
    assert.equal(await page.evaluate('window.stays'), true)
    assert.deepEqual(complaints, [])
  })

  it('links to the page for signing', async () => {
    await open(everywhere() + example('Signing 0'))
    const link = page.locator('wf-package-status a[part=sign]')
    await link.waitFor({ timeout: 60_000 })
    assert.match(String(await link.getAttribute('href')), /^https:\/\/workflow\.example\.edu\/sign\/42\/\d+$/)
    assert.deepEqual(complaints, [])
  })

  it('continues after the user has signed in another tab', async () => {
    await open(
      everywhere() + example('Signing 0').replace('https://workflow.example.edu', '') + example('Signing 1'),
    )
    const link = page.locator('wf-package-status a[part=sign]')
    const [screens] = await Promise.all([page.waitForEvent('popup'), link.click({ timeout: 60_000 })])
    assert.match(screens.url(), /\/sign\/42\/\d+$/)
    await screens.close()
    const before = calls.length
    await comeBackUntil(async () => calls.length > before)
    await page.waitForLoadState()
    assert.equal(new URL(page.url()).pathname, '/travel/42', 'not before the person has signed')

    const signed = await emulator.fetch('http://emulator.test/_emulator/test/forms/6025/packages/42/sign', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ univid: people.firstApprover }),
    })
    assert.equal(signed.ok, true, await signed.text())
    await comeBackUntil(async () => new URL(page.url()).pathname === '/travel/42/signed')
    assert.deepEqual(complaints, [])
  })

  it('reports changes to the page', async () => {
    await open(`${everywhere()}<wf-package-status package-id="42"></wf-package-status>${example('Events 0')}`)
    await shows('wf-package-status', 'In routing')
    assert.equal(await page.locator('h1').textContent(), 'A request')
    const response = await emulator.fetch(
      'http://emulator.test/wf/workflow/test/api/developer/tools/forms/6025/packages/42',
      {
        method: 'PUT',
        headers: {
          authorization: `Basic ${btoa('demo-app:demo-secret')}`,
          'x-workflow-request-user': people.initiator,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ id: 42, state: 'VOID', voidReason: 'TRANSACTION_CANCELLED' }),
      },
    )
    assert.equal(response.status, 200)
    await comeBackUntil(async () => (await page.locator('h1').textContent()) === 'This request was voided')
    assert.deepEqual(complaints, [])
  })

  it('takes its style from the page', async () => {
    const card = `${everywhere()}<wf-package-status package-id="42" sign-url="/sign/{packageId}"></wf-package-status>`
    const colours = async () => {
      const link = page.locator('wf-package-status a[part=sign]')
      await link.waitFor({ timeout: 60_000 })
      return await link.evaluate((element) => getComputedStyle(element).backgroundColor)
    }
    await open(card)
    assert.notEqual(await colours(), 'rgb(0, 98, 122)')
    await open(card + example('Look 0'))
    assert.equal(await colours(), 'rgb(0, 98, 122)')
    assert.deepEqual(complaints, [])
  })

  it('shows the history in the tag of the service without a request', async () => {
    await open(example('The routing-history tag 0'))
    await shows('routing-history [part=list]', 'Amara Okafor')
    await shows('routing-history [part=package-id]', '42')
    assert.deepEqual(calls, [])
    assert.deepEqual(complaints, [])
  })

  it('shows a history that loads itself', async () => {
    await open(example('Script 0') + example('A history that loads itself 0'))
    await shows('wf-history .now', 'Daniel Reyes')
    assert.deepEqual(complaints, [])
  })
})
