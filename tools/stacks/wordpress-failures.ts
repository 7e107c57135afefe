// What the plugin does, and what people see, if a file is too large or the proxy or a service is away. `npm run test:stacks`
// sets the paths of the programs.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { after, before, describe, it } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { type EmulatorServer, serveEmulator } from '../../src/cli/emulator/emulator.ts'
import { listen, type LocalServer } from '../../src/cli/listen.ts'
import { createListener } from '../../src/proxy/node/index.ts'
import type { Proxy } from '../../src/proxy/mount/proxy.ts'
import { launchBrowser } from '../../test/browser.ts'
import { freePort } from '../../test/free-port.mjs'
import { formOf, fromPage, sendRequest, until } from '../../test/cli/proxy-command.ts'
import { proxyOf } from './wordpress/proxy.ts'
import { startWordPress, type WordPress } from './wordpress/site.ts'
import { createVisits, shoot, type Visits } from './wordpress/visits.ts'

const api = '/wp-json/routeslip/v1'
const packagePath = `${api}/forms/6025/packages/42`

/** Time that elements have to notice that a service is back, in ms: their pauses between attempts grow. */
const recovery = { timeout: 120_000 }

describe('the WordPress plugin, if something fails', () => {
  let wordpress: WordPress
  let browser: Browser
  let visits: Visits
  let context: BrowserContext
  let emulator: EmulatorServer
  let proxy: Proxy
  let server: LocalServer
  let ports: { readonly proxy: number; readonly services: number }
  let path: string
  /** Responds instead of the proxy, if it returns true. */
  let intercept: (incoming: IncomingMessage, response: ServerResponse) => boolean = () => false

  before(async () => {
    ports = { proxy: await freePort(), services: await freePort() }
    wordpress = await startWordPress(() => ({
      proxy: `http://127.0.0.1:${ports.proxy}/api/wf`,
      forms: { 6025: 'Travel request' },
      // Pages poll, so that a test need not wait for a stream to end.
      streams: 0,
    }))
    wordpress.php('Routeslip\\Identity::publish_key();')
    proxy = proxyOf(
      wordpress.url,
      `${wordpress.url}/wp-content/uploads`,
      `http://127.0.0.1:${ports.services}`,
    )
    await startServices()
    await startProxy()
    browser = await launchBrowser()
    visits = createVisits(browser, wordpress)
    path = visits.publish(
      'travel',
      ['wf-package-status', 'wf-history', 'fs-uploader']
        .map((tag) => `<!-- wp:routeslip/${tag} /-->`)
        .join('\n'),
    )
    context = await visits.signIn('amara')
  })

  after(async () => {
    await browser?.close()
    await wordpress?.close()
    await proxy?.close()
    await server?.close()
    await emulator?.close()
  })

  async function startServices(): Promise<void> {
    emulator = await serveEmulator({ port: ports.services })
  }

  async function startProxy(): Promise<void> {
    const toProxy = createListener(proxy)
    server = await listen(
      (incoming: IncomingMessage, response: ServerResponse) =>
        intercept(incoming, response) || toProxy(incoming, response),
      ports.proxy,
      '',
    )
  }

  /** Opens the page of package 42, and waits until it shows the package. */
  async function openLoaded(): Promise<Page> {
    const { page } = await visits.open(context, `${path}?package=42`)
    await loaded(page)
    return page
  }

  async function loaded(page: Page, options = {}): Promise<void> {
    await page.locator('wf-package-status [part=state]', { hasText: 'In routing' }).waitFor(options)
    await page.locator('wf-history [part=event]').first().waitFor(options)
  }

  const choose = (page: Page, name: string, bytes: number) =>
    page
      .locator('fs-uploader input[type=file]')
      .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.alloc(bytes, 'text ') })

  const send = async (sendPath: string, more: Readonly<Record<string, string>> = {}) =>
    await sendRequest(wordpress.url + sendPath, {
      headers: { ...fromPage, cookie: await visits.cookiesOf(context, packagePath), ...more },
    })

  async function limit(by: 'php' | 'server'): Promise<void> {
    await context.addCookies([{ name: 'test_limits', value: by, url: wordpress.url }])
  }

  describe('a file that is too large', () => {
    after(() => context.clearCookies({ name: 'test_limits' }))

    for (const [by, bytes] of [
      ['php', 3_000_000],
      ['php', 5_000_000],
      ['server', 3_000_000],
    ] as const) {
      const limitName =
        by === 'server' ? 'nginx' : bytes > 4_000_000 ? 'post_max_size' : 'upload_max_filesize'
      it(`for ${limitName} gets 413, and the page asks for a smaller one`, async () => {
        const page = await openLoaded()
        await limit(by)
        const reply = page.waitForResponse((response) => response.url().endsWith(`${api}/files`))
        await choose(page, 'thesis.txt', bytes)
        const uploader = page.locator('fs-uploader')
        await uploader
          .getByText('the file is too large for this site. Choose a smaller file.')
          .first()
          .waitFor()
        const response = await reply
        assert.equal(response.status(), 413)
        if (by === 'php') {
          assert.equal(response.headers()['content-type'], 'application/problem+json; charset=utf-8')
          assert.match(
            await response.text(),
            /"status":413.*"detail":"The file is too large for this site\."/,
          )
        }
        assert.equal(
          await uploader.getByRole('button', { name: /Try again/ }).count(),
          0,
          'it would not help',
        )
        await shoot(page, `failure-413-${limitName}`)
        // Control: a small file of the same page.
        await choose(page, 'abstract.txt', 1000)
        await uploader
          .getByText(/^Uploaded /)
          .first()
          .waitFor()
        await loaded(page)
        await page.close()
      })
    }

    it('for the proxy gets its 413, and the page names the limit before it sends anything', async () => {
      await context.clearCookies({ name: 'test_limits' })
      const { type, body } = formOf(Buffer.alloc(61_000_000, 'text '))
      const cookie = await visits.cookiesOf(context, packagePath)
      const reply = await sendRequest(`${wordpress.url}${api}/files`, {
        method: 'POST',
        headers: {
          ...{ ...fromPage, cookie, 'content-type': type, 'content-length': `${body.length}` },
          'idempotency-key': `"${'k'.repeat(20)}"`,
        },
        body,
      })
      assert.deepEqual([reply.status, reply.headers['content-type']], [413, 'application/problem+json'])
      const page = await openLoaded()
      let uploads = 0
      page.on('request', (sent) => (uploads += Number(sent.url().endsWith(`${api}/files`))))
      // A file cannot be that large in Playwright's memory.
      const file = `${wordpress.folder}/large.bin`
      writeFileSync(file, Buffer.alloc(61_000_000))
      await page.locator('fs-uploader input[type=file]').setInputFiles(file)
      await page
        .locator('fs-uploader')
        .getByText(/the file is larger than .* MB/)
        .first()
        .waitFor()
      assert.equal(uploads, 0)
      await page.close()
    })
  })

  for (const [what, stop, start] of [
    ['the proxy', () => server.close(), startProxy],
    ['the service behind it', () => emulator.close(), startServices],
  ] as const) {
    describe(`while ${what} is away`, () => {
      it('responds with 502 or 503 and names no address', async () => {
        await stop()
        try {
          const { status, headers, body } = await send(packagePath)
          assert.ok([502, 503].includes(status), `${status}`)
          assert.match(headers['content-type'] ?? '', /^application\/problem\+json/)
          assert.equal(headers['x-routeslip'], '1')
          assert.doesNotMatch(
            body.toString() + JSON.stringify(headers),
            /127\.0\.0\.1|:\d{4,5}|curl|demo-app/,
          )
        } finally {
          await start()
        }
        await until(async () => (await send(packagePath)).status === 200)
      })

      it('a page that opens shows that nothing could be loaded, and loads it later', async () => {
        await stop()
        const { page } = await visits.open(context, `${path}?package=42`)
        try {
          const failure = page.locator('wf-package-status [part=failure]')
          await failure.getByText('Couldn’t be loaded.').first().waitFor()
          assert.equal(
            await page.getByText('No Routeslip proxy found').count(),
            0,
            'the page is not to blame',
          )
          await shoot(page, `failure-502-${what === 'the proxy' ? 'proxy' : 'service'}`)
        } finally {
          await start()
        }
        await page.locator('wf-package-status').getByRole('button', { name: 'Try again' }).click()
        await loaded(page, recovery)
        await page.close()
      })

      it('a page that is open keeps its content, marked as out of date, and a failed upload', async () => {
        const page = await openLoaded()
        await stop()
        try {
          const stale = page.locator('wf-package-status [part=stale]')
          await stale.getByText('Showing what was known at').first().waitFor(recovery)
          await page.locator('wf-package-status [part=state]', { hasText: 'In routing' }).waitFor()
          await choose(page, 'notes.txt', 1000)
          await page
            .locator('fs-uploader')
            .getByText(/Not uploaded|may or may not be uploaded/)
            .first()
            .waitFor(recovery)
          await shoot(page, `failure-stale-${what === 'the proxy' ? 'proxy' : 'service'}`)
        } finally {
          await start()
        }
        await page.locator('wf-package-status [part=stale]').waitFor({ state: 'detached', ...recovery })
        await page
          .locator('fs-uploader')
          .getByRole('button', { name: /Try again/ })
          .click()
        await page
          .locator('fs-uploader')
          .getByText(/^Uploaded /)
          .first()
          .waitFor(recovery)
        await page.close()
      })
    })
  }

  describe('a download', () => {
    /** Lets the proxy serve a PDF of this size, of which it sends some bytes. */
    function serve(size: number, sent: number): void {
      intercept = (incoming, response) => {
        if (!incoming.url?.endsWith('/packages/42/pdf')) return false
        response.writeHead(200, {
          ...{ 'content-type': 'application/pdf', 'content-length': size, 'x-routeslip': '1' },
          'content-disposition': 'attachment; filename="request.pdf"',
        })
        void (async () => {
          for (let left = sent; left > 0; left -= 1_000_000) {
            if (!response.write(Buffer.alloc(Math.min(left, 1_000_000), 'pdf ')))
              await once(response, 'drain')
          }
          if (sent === size) response.end()
          else response.destroy()
        })()
        return true
      }
    }

    /** Downloads the PDF. Returns how much has arrived, and whether that is all. */
    async function download(): Promise<{ readonly bytes: number; readonly isComplete: boolean }> {
      const cookie = await visits.cookiesOf(context, packagePath)
      const call = request(`${wordpress.url}${packagePath}/pdf`, { headers: { ...fromPage, cookie } }).end()
      const [response] = (await once(call, 'response')) as [IncomingMessage]
      assert.equal(response.statusCode, 200)
      let bytes = 0
      try {
        for await (const chunk of response) bytes += (chunk as Buffer).length
      } catch {
        return { bytes, isComplete: false }
      }
      return { bytes, isComplete: response.complete }
    }

    after(() => {
      intercept = () => false
    })

    it('of 500 MB needs no more memory than a page', async () => {
      serve(500_000_000, 500_000_000)
      assert.deepEqual(await download(), { bytes: 500_000_000, isComplete: true })
      const memory = wordpress.memoryOfPhp()
      console.log(`500 MB down: PHP used up to ${Math.round(memory / 1e6)} MB`)
      assert.ok(memory < 128_000_000, `${memory} bytes of memory`)
    })

    it('that the proxy interrupts is interrupted for the browser too', async () => {
      serve(5_000_000, 3_000_000)
      const { bytes, isComplete } = await download()
      assert.equal(isComplete, false)
      assert.ok(bytes <= 3_000_000, `${bytes}`)
    })
  })
})
