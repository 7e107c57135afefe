import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { startCutter as startByteCutter } from '../../tools/lab/cutter.ts'
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

describe('an upload whose connection breaks at a byte', () => {
  it('is never reported as not uploaded while it is stored, and is stored once when a person tries again', async () => {
    const browser = await launchBrowser()
    const site = await startSite((path) =>
      path === '/' ? ['text/html', page] : builtScript(path.slice('/dist/'.length)),
    )
    let cut: ((size: number) => number) | undefined
    const cutter = await startByteCutter(Number(new URL(site.url).port), 'POST /api/wf/files ', (_, size) =>
      cut?.(size),
    )
    try {
      const context = await browser.newContext({ locale: 'en-US' })
      const { page: shown } = await openPage(context, `http://127.0.0.1:${cutter.port}/`)
      const uploader = shown.locator('fs-uploader')
      await uploader.locator('[part~=choose]').waitFor()
      const moments: readonly ((size: number) => number)[] = [
        // In the request: the file is whole before the last byte of the body.
        (size) => size / 2,
        (size) => size - 1,
        // In the response: after a status of two digits, and among the headers, Chromium takes the rest for missing.
        (size) => size + 1,
        (size) => size + 11,
        (size) => size + 60,
        (size) => size + 200,
      ]
      for (const [index, moment] of moments.entries()) {
        const name = `file-${index}.txt`
        cut = moment
        await uploader
          .locator('input[type=file]')
          .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.alloc(20_000, 'text ') })
        const retry = uploader.getByRole('button', { name: `Try again ${name}` })
        await retry.waitFor()
        assert.match(
          await uploader.locator('li', { hasText: name }).innerText(),
          /may or may not be uploaded/,
        )
        cut = undefined
        await retry.click()
        await uploader.getByRole('link', { name: `Download ${name}` }).waitFor()
        const stored = [...site.emulator.files.test.values()].map(({ asset }) => asset.filename)
        assert.equal(stored.filter((one) => one === name).length, 1, String(moment))
      }
      assert.ok(cutter.cuts.request >= 2 && cutter.cuts.response >= 4, 'each was cut (control)')
    } finally {
      await browser.close()
      cutter.close()
      await site.close()
    }
  })
})

describe('what cuts a connection at a byte', () => {
  const head = 'POST / HTTP/1.1\r\ncontent-length: 10\r\n\r\n'
  for (const [place, expected] of [
    [head.length + 9, ''],
    [head.length + 10 + 4, 'HTTP'],
  ] as const)
    it(`passes ${expected.length} bytes of a response that comes before the body`, async () => {
      const server = createServer((socket) => {
        socket.on('error', () => {})
        socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'))
      })
      await once(server.listen(0, '127.0.0.1'), 'listening')
      const cutter = await startByteCutter((server.address() as AddressInfo).port, 'POST ', () => place)
      const open = (text: string) => {
        const socket = connect(cutter.port, '127.0.0.1')
        socket.on('error', () => {})
        socket.write(text)
        return socket
      }
      try {
        let received = ''
        const hasArrived = once(server, 'connection')
        const client = open(head).on('data', (chunk) => (received += chunk.toString()))
        const [socket] = (await hasArrived) as [Socket]
        if (socket.bytesWritten === 0) await once(socket, 'data')
        // The response to a later request has come, so the first one has reached the cutter too.
        await once(open('GET / HTTP/1.1\r\n\r\n'), 'data')
        client.write('x'.repeat(10))
        await new Promise((resolve) => client.on('close', resolve))
        assert.equal(received, expected)
      } finally {
        cutter.close()
        server.close()
      }
    })
})

/** The number of times that the services received an operation. */
function countOf({ emulator: { journal } }: Site, name: string): number {
  return journal.filter(({ operation }) => operation === name).length
}
