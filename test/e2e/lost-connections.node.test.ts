import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../browser.ts'
import { builtScript, openPage, type Site, startSite } from './site.ts'

// Between the browser and the site, connections break after a change has been sent. Chromium sends a change again by itself
// if its connection had been used before.

const page = `<!doctype html><html lang="en"><title>A page</title>
<script type="module" src="/dist/routeslip.js"></script>
<wf-context endpoint="/api/wf" form-id="6025" package-id="42">
<wf-package-status></wf-package-status><fs-uploader></fs-uploader></wf-context>`

/** A TCP proxy in front of a site. */
interface Cutter {
  readonly url: string
  /** The requests that should be cut, by the beginning of their first line, with how often. */
  readonly cuts: Map<string, number>
  /** `Idempotency-Key` of each such request, cut or not. */
  readonly keys: string[]
  readonly close: () => void
}

/** When a connection breaks: as soon as the request has been sent, or instead of the response. */
type Moment = 'after the request' | 'before the response'

async function startCutter(site: Site, moment: Moment): Promise<Cutter> {
  const cuts = new Map<string, number>()
  const keys: string[] = []
  const open = new Set<Socket>()
  const server: Server = createServer((client) => {
    const upstream = connect(Number(new URL(site.url).port), '127.0.0.1')
    let isCut = false
    /** The rest of the request that should be cut, in bytes. */
    let left = 0
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => open.delete(socket))
    }
    client.on('data', (chunk) => {
      upstream.write(chunk)
      const text = chunk.toString('latin1')
      const start = [...cuts.keys()].find((first) => text.startsWith(first))
      if (start !== undefined) {
        keys.push(/^idempotency-key: (.*)\r$/im.exec(text)?.[1] ?? '')
        const count = cuts.get(start) ?? 0
        cuts.set(start, count - 1)
        isCut = count > 0
        left = text.indexOf('\r\n\r\n') + 4 + Number(/^content-length: (\d+)/im.exec(text)?.[1])
      }
      left -= chunk.length
      if (isCut && left <= 0 && moment === 'after the request') {
        client.destroy()
        upstream.end()
      }
    })
    upstream.on('data', (chunk) => {
      if (!isCut) client.write(chunk)
      else client.destroy()
    })
    client.on('end', () => upstream.end())
    upstream.on('end', () => client.end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    cuts,
    keys,
    close: () => {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

/** Leaves the browser with an idle connection that has been used. The site closes those that are idle for a while. */
async function useConnection(page: Page): Promise<void> {
  await page.evaluate('fetch("/").then((response) => response.text()).then(() => {})')
}

for (const moment of ['after the request', 'before the response'] as const) {
  describe(`a connection that breaks ${moment}`, () => {
    let browser: Browser
    let site: Site
    let cutter: Cutter
    let shown: Page

    before(async () => {
      browser = await launchBrowser()
    })
    after(() => browser?.close())
    beforeEach(async () => {
      site = await startSite((path) =>
        path === '/' ? ['text/html', page] : builtScript(path.slice('/dist/'.length)),
      )
      cutter = await startCutter(site, moment)
      shown = (await openPage(await browser.newContext({ locale: 'en-US' }), cutter.url)).page
      await shown.locator('wf-package-status [part=state]').waitFor()
      await shown.locator('fs-uploader [part~=choose]').waitFor()
    })
    afterEach(async () => {
      await shown.context().close()
      cutter.close()
      await site.close()
    })

    it('voids a package once, and shows that', async () => {
      cutter.cuts.set('PUT /api/wf/forms/6025/packages/42/void ', 1)
      await shown.locator('[data-action=voidPackage]').click()
      await shown.getByRole('dialog').waitFor()
      // The first reason has the focus.
      await shown.keyboard.press('ArrowDown')
      await useConnection(shown)
      await shown.keyboard.press('Enter')
      await shown.locator('wf-package-status [part=state]').filter({ hasText: 'Void' }).waitFor()
      await shown.getByRole('dialog').waitFor({ state: 'hidden' })
      assert.equal(cutter.keys.length, 2, 'sent again (control)')
      assert.equal(cutter.keys[0], cutter.keys[1])
      assert.equal(countOf(site, 'voidPackage'), 1)
    })

    it('stores a file once, also if a person tries again', async () => {
      cutter.cuts.set('POST /api/wf/files ', Infinity)
      await useConnection(shown)
      await shown.locator('fs-uploader input[type=file]').setInputFiles({
        name: 'thesis.pdf',
        mimeType: 'application/pdf',
        buffer: Buffer.from('%PDF-1.7 '.padEnd(20_000, 'x')),
      })
      const uploader = shown.locator('fs-uploader')
      const retry = uploader.getByRole('button', { name: /try again/i })
      await retry.waitFor()
      cutter.cuts.set('POST /api/wf/files ', 0)
      await retry.click()
      await uploader.locator('[part=download]').waitFor()
      assert.equal(await retry.count(), 0)
      assert.ok(cutter.keys.length >= 2, 'sent again (control)')
      assert.equal(new Set(cutter.keys).size, 1)
      assert.equal(countOf(site, 'uploadFile'), 1)
      assert.equal(site.emulator.files.test.size, 1)
    })
  })
}

/** The number of times that the services received an operation. */
function countOf({ emulator: { journal } }: Site, name: string): number {
  return journal.filter(({ operation }) => operation === name).length
}
