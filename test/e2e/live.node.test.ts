import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { createEmulator } from '../../src/emulator/emulator.ts'
import { listen, type LocalServer } from '../../src/cli/listen.ts'
import { personaCookie, personaCookieName } from '../../src/proxy/identity/identity.ts'
import { createListener, nodeRuntime } from '../../src/proxy/node/index.ts'
import { createProxy, type Proxy } from '../../src/proxy/proxy.ts'
import { overEmulator, people, type Role } from '../proxy/mount.ts'
import { until } from '../proxy/until.ts'
import { launchBrowser } from '../browser.ts'
import { builtScript } from './site.ts'

// Two people look at the same package while it changes. Nothing but live events can show the changes: the proxy searches
// for none, and pages poll every five minutes. LIVE_TRIES sets how often the measured change is made; default 2.

const tries = Number(process.env['LIVE_TRIES'] ?? 2)

const page = `<!doctype html><html lang="en"><title>A page</title>
<script type="module" src="/dist/routeslip.js"></script>
<wf-context endpoint="/api/wf" form-id="6025" package-id="42">
<wf-package-status></wf-package-status><wf-history></wf-history><wf-attachments></wf-attachments>
<wf-comments></wf-comments><fs-uploader></fs-uploader></wf-context>`

/** A page of one person, with what it has requested and what its console shows. */
interface Visit {
  readonly page: Page
  readonly requests: string[]
  readonly complaints: string[]
}

describe('live events in browsers', () => {
  const emulator = createEmulator({
    control: true,
    fetch: (input, init) => proxy(new Request(input, init)),
  })
  let proxy: Proxy
  let site: LocalServer
  let browser: Browser

  before(async () => {
    proxy = createProxy({
      ...overEmulator(emulator),
      identify: personaCookie(Object.values(people)),
      policy: ({ person }) => person.univid === people.administrator,
      runtime: nodeRuntime({ fetch: emulator.fetch }),
      limits: { watchInterval: 2 ** 30 },
    })
    const api = createListener(proxy)
    site = await listen(
      (request, response) => {
        const path = request.url ?? ''
        if (path.startsWith('/api/wf/')) return api(request, response)
        const file = /^[/]dist[/]([\w./-]+[.]js)$/.exec(path)?.[1]
        const [type, content] =
          (file ? builtScript(file) : path === '/' ? ['text/html', page] : undefined) ?? []
        if (type) response.setHeader('Content-Type', type).end(content)
        else response.writeHead(404).end()
      },
      0,
      '',
    )
    browser = await launchBrowser()
    const callback = { url: 'https://northfield.test/api/wf/callbacks' }
    await control('PUT', 'test/forms/6025/callback', callback)
    for (const stop of [1, 2]) await control('PUT', `test/forms/6025/stops/${stop}/callback`, callback)
  })

  after(async () => {
    await browser?.close()
    await proxy?.close()
    await site?.close()
  })

  async function control(method: string, path: string, body?: object): Promise<void> {
    const response = await emulator.fetch(`http://emulator.test/_emulator/${path}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    assert.ok(response.ok, `${path}: ${response.status}`)
  }

  /** Changes the package as another application does. */
  async function elsewhere(tool: string, body?: object): Promise<void> {
    const url = `http://emulator.test/wf/workflow/test/api/developer/tools/forms/6025/packages/42${tool}`
    const response = await emulator.fetch(url, {
      method: 'PUT',
      headers: {
        authorization: `Basic ${btoa('demo-app:demo-secret')}`,
        'x-workflow-request-user': people.administrator,
        'content-type': 'application/json',
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    assert.ok(response.ok, `${tool}: ${response.status}`)
    await control('POST', 'callbacks/deliver')
  }

  async function visit(role: Role): Promise<Visit> {
    const context = await browser.newContext({ locale: 'en-US' })
    await context.addCookies([{ name: personaCookieName, value: people[role], url: site.url }])
    const opened = await context.newPage()
    const requests: string[] = []
    const complaints: string[] = []
    opened.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/api/wf/')) requests.push(`${request.method()} ${pathname}`)
    })
    opened.on('console', (message) => {
      const isFavicon = message.location().url.endsWith('/favicon.ico')
      if (message.type() === 'error' && !isFavicon) complaints.push(message.text())
    })
    await opened.goto(site.url)
    await state(opened).waitFor()
    await opened.waitForLoadState('networkidle').catch(() => {})
    return { page: opened, requests, complaints }
  }
  const state = (shown: Page) => shown.locator('wf-package-status [part=state]')
  const shows = (shown: Page, text: string) => state(shown).filter({ hasText: text }).waitFor()

  it('show a change and its reverse to both people, although no page polls', async (t) => {
    const visits = [await visit('initiator'), await visit('firstApprover')]
    const times: number[] = []
    const measure = async (text: string, change: () => Promise<void>) => {
      const start = performance.now()
      await change()
      await Promise.all(visits.map(({ page: shown }) => shows(shown, text)))
      times.push(performance.now() - start)
    }
    for (let round = 0; round < tries; round++) {
      await measure('Void', () => elsewhere('', { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' }))
      await measure('In routing', () => elsewhere('/unvoid'))
    }
    t.diagnostic(`${times.length} changes, slowest after ${Math.round(Math.max(...times))} ms`)
    for (const { complaints, page: shown } of visits) {
      assert.deepEqual(complaints, [])
      await shown.context().close()
    }
  })

  it('cost nine requests for five elements, none while nothing changes, and six reads after a change', async () => {
    const { page: shown, requests, complaints } = await visit('initiator')
    await until(() => requests.some((line) => line.endsWith('/events')))
    assert.ok(requests.length <= 9, requests.join('\n'))
    assert.deepEqual(requests, [...new Set(requests)], 'each once')

    requests.length = 0
    await shown.locator('[data-action=voidPackage]').click()
    await shown.getByRole('dialog').waitFor()
    // The first reason has the focus.
    await shown.keyboard.press('ArrowDown')
    await shown.keyboard.press('Enter')
    await shows(shown, 'Void')
    await until(() => requests.some((line) => line.endsWith('/comments')))
    // The event about this change arrives now; the next change shows that it has.
    const reads = () => requests.filter((line) => line.startsWith('GET'))
    await shown.waitForTimeout(2000)
    assert.ok(reads().length <= 6, requests.join('\n'))
    assert.deepEqual(reads(), [...new Set(reads())], 'each once')

    requests.length = 0
    await elsewhere('/unvoid')
    await shows(shown, 'In routing')
    assert.ok(requests.length > 0, 'a change by somebody else is read (control)')
    assert.deepEqual(complaints, [])
    await shown.context().close()
  })

  it('take the buttons from a person who loses access, without an error on the console', async () => {
    const { page: shown, complaints } = await visit('firstApprover')
    await elsewhere('/remove')
    await shown.locator('wf-package-status [part=forbidden]').waitFor()
    assert.equal(await shown.locator('[data-action]').count(), 0)
    await shown.locator('wf-comments [part=forbidden]').waitFor()
    assert.deepEqual(complaints, [])
    await shown.context().close()
  })
})
