import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { listen, type LocalServer } from '../../src/cli/listen.ts'
import type { Route } from '../../src/contract/routes/route.ts'
import { routes } from '../../src/contract/routes/routes.ts'
import { fillPath } from '../../src/contract/values/path.ts'
import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts'
import { createListener, nodeRuntime } from '../../src/proxy/node/index.ts'
import { createProxy, type Proxy } from '../../src/proxy/mount/proxy.ts'
import { everyOperation, overEmulator, people, sampleParams } from '../proxy/mount.ts'
import { launchBrowser } from '../browser.ts'

// Host names below localhost behave as on the web: the second is another host of the first one's site, and the third is
// another site. The proxy identifies everyone as the administrator, whatever cookies a browser sends or stores.
const hosts = {
  own: 'app.uni.localhost',
  sibling: 'dept.uni.localhost',
  foreign: 'evil.other.localhost',
} as const
type Initiator = keyof typeof hosts

describe('pages on other hosts', () => {
  let emulator: Emulator
  let proxy: Proxy
  let server: LocalServer
  let browser: Browser
  let pages: Readonly<Record<Initiator, Page>>
  const dialogs: string[] = []

  before(async () => {
    emulator = createEmulator()
    proxy = createProxy({
      ...overEmulator(emulator),
      identity: { identify: () => ({ univid: people.administrator }), policy: () => true },
      operations: everyOperation,
      runtime: nodeRuntime({ fetch: emulator.fetch }),
    })
    const listener = createListener(proxy)
    server = await listen(
      (request: IncomingMessage, response: ServerResponse) => {
        if (request.url?.startsWith('/api/wf/')) return listener(request, response)
        response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>A page</title><body>')
      },
      0,
      '',
    )
    browser = await launchBrowser()
    const open = async (host: string) => {
      const page = await (await browser.newContext()).newPage()
      page.on('dialog', (dialog) => {
        dialogs.push(dialog.message())
        void dialog.dismiss()
      })
      await page.goto(`http://${host}:${server.port}/`)
      return page
    }
    pages = {
      own: await open(hosts.own),
      sibling: await open(hosts.sibling),
      foreign: await open(hosts.foreign),
    }
  })

  after(async () => {
    await browser?.close()
    await proxy?.close()
    await server?.close()
  })

  const root = () => `http://${hosts.own}:${server.port}/api/wf`
  const state = () => emulator.packages.test.get(42)?.state
  /** Requests that reach the services. */
  const reached = () => emulator.journal.length

  /** Runs an attack in a page. Returns the text that it read, or `null`. */
  function attack(initiator: Initiator, script: string): Promise<string | null> {
    return pages[initiator].evaluate(`(async (root) => { ${script} })(${JSON.stringify(root())})`)
  }

  const voiding = `{ id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' }`
  const read = `const response = await fetch(root + '/forms/6025/packages/42', init); return await response.text() || null`

  /** Attacks that a page may try. Each returns the text that it reads. */
  const vectors: Readonly<Record<string, string>> = {
    'a plain fetch': `const init = { credentials: 'include' }; ${read}`,
    'a fetch with our header': `const init = { credentials: 'include', headers: { 'x-routeslip': '1' } }; ${read}`,
    'a fetch without CORS': `const init = { mode: 'no-cors', credentials: 'include' }; ${read}`,
    'a call that voids': `
      const response = await fetch(root + '/forms/6025/packages/42/void', { method: 'PUT', credentials: 'include',
        headers: { 'x-routeslip': '1', 'content-type': 'application/json' }, body: JSON.stringify(${voiding}) })
      return await response.text() || null`,
    'text that is JSON': `
      const response = await fetch(root + '/forms/6025/packages/42/void', { method: 'POST', mode: 'no-cors',
        headers: { 'content-type': 'text/plain' }, body: JSON.stringify(${voiding}) })
      return await response.text() || null`,
    'an upload by fetch': `
      const body = new FormData(); body.append('file', new File(['x'], 'x.txt', { type: 'text/plain' }))
      const response = await fetch(root + '/files', { method: 'POST', mode: 'no-cors', credentials: 'include', body })
      return await response.text() || null`,
    'a beacon': `navigator.sendBeacon(root + '/files', new FormData()); return null`,
    'an XMLHttpRequest': `
      return await new Promise((resolve) => {
        const xhr = new XMLHttpRequest(); xhr.open('GET', root + '/session'); xhr.withCredentials = true
        xhr.onload = () => resolve(xhr.responseText); xhr.onerror = () => resolve(null); xhr.send()
      })`,
    'an event stream': `
      return await new Promise((resolve) => {
        const source = new EventSource(root + '/events?package=6025-42', { withCredentials: true })
        source.onopen = () => resolve('open'); source.onerror = () => { source.close(); resolve(null) }
      })`,
    'a script': `
      return await new Promise((resolve) => {
        const script = document.createElement('script'); script.src = root + '/forms/6025/packages/42'
        script.onload = () => resolve('ran'); script.onerror = () => resolve(null); document.body.append(script)
      })`,
    'an image of a download': `
      return await new Promise((resolve) => {
        const image = new Image(); image.src = root + '/forms/6025/packages/42/pdf'
        image.onload = () => resolve('shown'); image.onerror = () => resolve(null)
      })`,
    'a frame': `
      return await new Promise((resolve) => {
        const frame = document.createElement('iframe'); frame.src = root + '/session'
        frame.onload = () => { let text = null; try { text = frame.contentDocument.body.textContent || null } catch {} ; resolve(text) }
        document.body.append(frame)
      })`,
    'a form into a frame': `
      return await new Promise((resolve) => {
        const frame = document.createElement('iframe'); frame.name = 'target'; document.body.append(frame)
        const form = document.createElement('form'); form.action = root + '/files'; form.method = 'post'
        form.enctype = 'multipart/form-data'; form.target = 'target'; document.body.append(form)
        const field = document.createElement('input'); field.name = 'meta'; field.value = '{}'; form.append(field)
        frame.onload = () => { let text = null; try { text = frame.contentDocument.body.textContent || null } catch {} ; resolve(text) }
        form.submit()
      })`,
  }

  for (const initiator of ['sibling', 'foreign'] as const) {
    for (const [name, script] of Object.entries(vectors)) {
      it(`read nothing and change nothing: ${name}, from the ${initiator} host (T30)`, async () => {
        const before = reached()
        assert.equal(await attack(initiator, script).catch(() => null), null)
        // The proxy responds to this after the requests of the page.
        await pages.own.evaluate(`fetch('/')`)
        assert.equal(reached(), before)
        assert.equal(state(), 'ROUTING')
        assert.equal(emulator.files.test.size, 0)
      })
    }

    it(`reach none of the operations, from the ${initiator} host (T30)`, async () => {
      const before = reached()
      const calls = Object.values<Route>(routes).map(({ method, path }) => [
        method,
        fillPath(path, sampleParams),
      ])
      const statuses = await pages[initiator].evaluate(
        `(async (root, calls) => {
          const seen = []
          for (const [method, path] of calls) {
            for (const headers of [{}, { 'x-routeslip': '1' }]) {
              for (const mode of ['cors', 'no-cors']) {
                await fetch(root + path, { method, headers, mode, credentials: 'include' })
                  .then((response) => seen.push(response.status), () => {})
              }
            }
          }
          return seen
        })(${JSON.stringify(root())}, ${JSON.stringify(calls)})`,
      )
      // An opaque response has the status 0. Nearly all requests fail.
      assert.deepEqual(
        (statuses as number[]).filter((status) => status !== 0),
        [],
      )
      assert.equal(reached(), before)
    })

    it(`get no download by a link, from the ${initiator} host (T30)`, async () => {
      const before = reached()
      const page = pages[initiator]
      let downloads = 0
      page.on('download', () => downloads++)
      await page.evaluate(
        `{ const link = document.createElement('a'); link.href = ${JSON.stringify(`${root()}/forms/6025/packages/42/pdf`)}; document.body.append(link); link.click() }`,
      )
      await page.waitForURL(/\/pdf$/)
      assert.match((await page.textContent('body')) ?? '', /Only pages of this site/)
      assert.equal(downloads, 0)
      assert.equal(reached(), before)
      await page.goBack()
    })
  }

  it('are the only ones that fail: the same attacks work from the own host (control)', async () => {
    for (const name of ['a fetch with our header', 'a call that voids']) {
      assert.match((await attack('own', vectors[name] ?? '')) ?? '', /"id":42/, name)
    }
    assert.equal(state(), 'VOID')
    const download = pages.own.waitForEvent('download')
    await pages.own.evaluate(`location.href = ${JSON.stringify(`${root()}/forms/6025/packages/42/pdf`)}`)
    assert.equal((await download).suggestedFilename(), 'package-42.pdf')
  })

  it('cannot make the browser request a password, whatever the service sends (T24)', async () => {
    emulator.quirks.active.add('foreign_headers')
    emulator.clients.delete('demo-app')
    const status = await pages.own.evaluate(
      `fetch('/api/wf/forms/6025/packages/42', { headers: { 'x-routeslip': '1' } }).then(({ status }) => status)`,
    )
    assert.equal(status, 502)
    assert.deepEqual(dialogs, [])
  })
})
