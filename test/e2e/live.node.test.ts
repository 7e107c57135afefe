import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page, Request as PageRequest } from 'playwright-core'
import { createEmulator } from '../../src/emulator/emulator.ts'
import { listen, type LocalServer } from '../../src/cli/listen.ts'
import { personaCookie, personaCookieName } from '../../src/proxy/identity/identity.ts'
import { createListener, nodeRuntime } from '../../src/proxy/node/index.ts'
import type { ProxyOptions } from '../../src/proxy/mount/options.ts'
import { createProxy, type Proxy } from '../../src/proxy/mount/proxy.ts'
import { changeElsewhere } from '../proxy/elsewhere.ts'
import { overEmulator, people, type Role } from '../proxy/mount.ts'
import { until } from '../proxy/until.ts'
import { launchBrowser } from '../browser.ts'
import { builtScript } from './site.ts'

// Two people view the same package while it changes. Nothing but live events can show the changes: the proxy searches
// for none, and pages poll every five minutes. LIVE_TRIES sets how often the measured change is made; default 2.

const tries = Number(process.env['LIVE_TRIES'] ?? 2)

const page = (endpoint: string) => `<!doctype html><html lang="en"><title>A page</title>
<script type="module" src="/dist/routeslip.js"></script>
<wf-context endpoint="${endpoint}" form-id="6025" package-id="42">
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
  let watchingProxy: Proxy
  let site: LocalServer
  let browser: Browser

  before(async () => {
    const options: ProxyOptions = {
      ...overEmulator(emulator),
      identity: {
        identify: personaCookie(Object.values(people)),
        policy: ({ person }) => person.univid === people.administrator,
      },
      runtime: nodeRuntime({ fetch: emulator.fetch }),
    }
    proxy = createProxy({ ...options, limits: { watchInterval: 2 ** 30 } })
    watchingProxy = createProxy({ ...options, basePath: '/api/watching', limits: { watchInterval: 200 } })
    const api = createListener(proxy)
    const watchingApi = createListener(watchingProxy)
    site = await listen(
      (request, response) => {
        const path = request.url ?? ''
        if (path.startsWith('/api/wf/')) return api(request, response)
        if (path.startsWith('/api/watching/')) return watchingApi(request, response)
        const file = /^[/]dist[/]([\w./-]+[.]js)$/.exec(path)?.[1]
        const [type, content] =
          (file
            ? builtScript(file)
            : ['text/html', page(path === '/watching' ? '/api/watching' : '/api/wf')]) ?? []
        if (type) response.setHeader('Content-Type', type).end(content)
        else response.writeHead(404).end()
      },
      0,
      '',
    )
    browser = await launchBrowser()
    await outside.registerCallbacks()
  })

  after(async () => {
    await browser?.close()
    await proxy?.close()
    await watchingProxy?.close()
    await site?.close()
  })

  const outside = changeElsewhere(emulator)
  /** Changes the package as another application does, and delivers the callback. */
  async function elsewhere(tool: string, body?: object): Promise<void> {
    await outside.change(tool, body)
    await outside.deliver()
  }

  async function visit(role: Role, path = '/'): Promise<Visit> {
    const context = await browser.newContext({ locale: 'en-US' })
    await context.addCookies([{ name: personaCookieName, value: people[role], url: site.url }])
    const opened = await context.newPage()
    const requests: string[] = []
    const complaints: string[] = []
    /** Requests without a complete response. The stream of events never completes. */
    const open = new Set<PageRequest>()
    let isFollowing = false
    opened.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (!pathname.startsWith('/api/')) return
      requests.push(`${request.method()} ${pathname}`)
      if (!pathname.endsWith('/events')) open.add(request)
    })
    opened.on('requestfinished', (request) => open.delete(request))
    opened.on('requestfailed', (request) => open.delete(request))
    opened.on('response', (response) => {
      if (response.ok() && response.url().includes('/events?')) isFollowing = true
    })
    opened.on('console', (message) => {
      const isFavicon = message.location().url.endsWith('/favicon.ico')
      if (message.type() === 'error' && !isFavicon) complaints.push(message.text())
    })
    await opened.goto(new URL(path, site.url).href)
    await state(opened).waitFor()
    await until(() => isFollowing && open.size === 0)
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

  it('request nothing while they are hidden, and show at once what has changed when they are shown (F40)', async () => {
    const [away, watching] = [await visit('initiator'), await visit('firstApprover')]
    const setVisibility = (state: DocumentVisibilityState) =>
      away.page.evaluate((value) => {
        Object.defineProperty(document, 'visibilityState', { value, configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))
      }, state)
    await setVisibility('hidden')
    away.requests.length = 0
    await elsewhere('', { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' })
    await shows(watching.page, 'Void')
    assert.deepEqual(away.requests, [])
    await shows(away.page, 'In routing')

    await setVisibility('visible')
    await shows(away.page, 'Void')
    await until(() => away.requests.some((line) => line.endsWith('/events')))
    await elsewhere('/unvoid')
    for (const { page: shown } of [away, watching]) await shows(shown, 'In routing')
    for (const { complaints, page: shown } of [away, watching]) {
      assert.deepEqual(complaints, [])
      await shown.context().close()
    }
  })

  it('cost three requests for five elements, none while nothing changes, and two reads after a change', async () => {
    const { page: shown, requests, complaints } = await visit('initiator')
    await until(() => requests.some((line) => line.endsWith('/events')))
    assert.ok(requests.length <= 3, requests.join('\n'))
    assert.deepEqual(requests, [...new Set(requests)], 'each once')

    requests.length = 0
    await shown.locator('[data-action=voidPackage]').click()
    await shown.getByRole('dialog').waitFor()
    // The first reason has the focus.
    await shown.keyboard.press('ArrowDown')
    await shown.keyboard.press('Enter')
    await shows(shown, 'Void')
    await until(() => requests.some((line) => line.endsWith('/page')))
    // The event about this change and the callback arrive now; the next change shows that they have.
    await outside.deliver()
    const reads = () => requests.filter((line) => line.startsWith('GET'))
    const before = reads().length
    await elsewhere('/unvoid')
    await shows(shown, 'In routing')
    assert.ok(reads().length > before, 'a change by somebody else is read (control)')
    assert.ok(reads().length <= 4, requests.join('\n'))
    for (const read of reads()) assert.ok(reads().filter((other) => other === read).length <= 2, read)
    assert.deepEqual(complaints, [])
    await shown.context().close()
  })

  it('show a comment that was written elsewhere, which has no callback', async () => {
    const [watching, other] = [await visit('initiator', '/watching'), await visit('initiator')]
    const comment = { univid: people.firstApprover, comment: 'Which budget pays for this?' }
    const thread = ({ page: shown }: Visit) => shown.locator('wf-comments [part=text]')
    await outside.control('POST', 'test/forms/6025/packages/42/comments', comment)
    await thread(watching).filter({ hasText: comment.comment }).waitFor()
    assert.equal(await thread(other).filter({ hasText: comment.comment }).count(), 0, 'control')
    await other.page.reload()
    await thread(other).filter({ hasText: comment.comment }).waitFor()
    for (const { complaints, page: shown } of [watching, other]) {
      assert.deepEqual(complaints, [])
      await shown.context().close()
    }
  })

  it('take the buttons from a person who loses access, without an error on the console', async () => {
    const { page: shown, complaints } = await visit('firstApprover')
    await elsewhere('/remove')
    await shown.locator('wf-package-status [part=forbidden]').waitFor()
    assert.equal(await shown.locator('[data-action]').count(), 0)
    // One element says it for all.
    const comments = shown.locator('wf-comments [part=forbidden]')
    await comments.waitFor({ state: 'attached' })
    assert.equal(await comments.isVisible(), false)
    assert.deepEqual(complaints, [])
    await shown.context().close()
  })
})
