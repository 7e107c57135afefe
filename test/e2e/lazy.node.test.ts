import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { build } from 'vite'
import { launchBrowser } from '../browser.ts'

/** A site that bundles the elements itself. The bundler puts dynamic imports into files of their own. */
const source = `
  import '/src/define/wf-form.ts'
  import '/src/define/wf-package-status.ts'
  import { createBackend } from '/stories/backend.ts'
  Object.assign(document.querySelector('[form-id]'), { client: createBackend().client })`
const page = `<!doctype html>
  <html lang="en">
    <wf-package-status form-id="6025" package-id="42"></wf-package-status>
    <script type="module" src="/main.js"></script>
  </html>`
const formPage = `<!doctype html>
  <html lang="en">
    <wf-form form-id="6025">
      <form>
        <label>Purpose <input name="purpose" /></label>
        <button>Submit</button>
      </form>
    </wf-form>
    <script type="module" src="/main.js"></script>
  </html>`

describe('a bundle with several files', () => {
  let browser: Browser
  const files = new Map<string, string>()

  before(async () => {
    const outputs = await build({
      configFile: false,
      logLevel: 'error',
      build: {
        target: 'es2022',
        write: false,
        minify: false,
        lib: { entry: 'virtual:main', formats: ['es'], fileName: 'main' },
      },
      plugins: [
        {
          name: 'main',
          enforce: 'pre',
          // Vite makes a path of the name.
          resolveId: (id) => (id.endsWith('virtual:main') ? '\0main' : undefined),
          load: (id) => (id === '\0main' ? source : undefined),
        },
      ],
    })
    for (const { output } of [outputs].flat() as { output: { fileName: string; code?: string }[] }[]) {
      for (const { fileName, code = '' } of output) files.set(`/${fileName}`, code)
    }
    browser = await launchBrowser()
  })

  after(() => browser?.close())

  it('loads the dialogs of <wf-package-status> when a user needs one, shows an error if that fails, and retries', async () => {
    const tab = await browser.newPage()
    const [dialogFile] = [...files].find(([, code]) => /\bActionDialog = class\b/.test(code)) ?? []
    assert.ok(dialogFile !== undefined && dialogFile !== '/main.js', 'the dialogs have a file of their own')
    const dialogRequests: string[] = []
    let isDown = true
    await tab.route('https://lazy.test/**', async (route) => {
      const { pathname } = new URL(route.request().url())
      if (pathname === '/') return await route.fulfill({ contentType: 'text/html', body: page })
      if (pathname === dialogFile) {
        dialogRequests.push(pathname)
        if (isDown) return await route.abort()
      }
      return await route.fulfill({ contentType: 'text/javascript', body: files.get(pathname) ?? '' })
    })
    await tab.goto('https://lazy.test/')
    const button = tab.getByRole('button', { name: 'Void…' })
    await button.waitFor()
    assert.deepEqual(dialogRequests, [], 'no button has been used yet')

    await button.click()
    // Not the live region, which keeps its announcement for some seconds.
    const failure = tab.locator('[part~=failure]', { hasText: "This action couldn't be opened" })
    await failure.waitFor()
    assert.equal(await tab.getByRole('dialog').count(), 0)
    isDown = false
    await tab.getByRole('button', { name: 'Try again' }).click()
    await tab.getByRole('dialog', { name: 'Void this request?' }).waitFor()
    assert.equal(await failure.count(), 0)
    assert.ok(dialogRequests.length > 1, 'it was requested again')
  })

  it('loads what <wf-form> needs to save when a person begins to edit, shows an error if that fails, and retries', async () => {
    const tab = await browser.newPage()
    const [senderFile] = [...files].find(([, code]) => /\bSender = class\b/.test(code)) ?? []
    assert.ok(senderFile !== undefined && senderFile !== '/main.js', 'it has a file of its own')
    const requests: string[] = []
    let isDown = true
    await tab.route('https://lazy.test/**', async (route) => {
      const { pathname } = new URL(route.request().url())
      if (pathname === '/') return await route.fulfill({ contentType: 'text/html', body: formPage })
      if (pathname === senderFile) {
        requests.push(pathname)
        if (isDown) return await route.abort()
      }
      return await route.fulfill({ contentType: 'text/javascript', body: files.get(pathname) ?? '' })
    })
    await tab.goto('https://lazy.test/')
    await tab.locator('wf-form:state(loaded)').waitFor()
    assert.deepEqual(requests, [], 'people who only read do not need it')
    await tab.getByLabel('Purpose').fill('Field work')
    await tab.getByRole('button', { name: 'Submit' }).click()
    const failure = tab.locator('[part~=failure]', { hasText: 'A part of this page could not be loaded.' })
    await failure.waitFor()
    await tab.getByText(/^Kept in this browser at/).waitFor()

    isDown = false
    await tab.getByRole('button', { name: 'Try again' }).click()
    // The service requires further fields: it has been asked.
    await tab.getByRole('heading', { name: 'There is a problem' }).waitFor()
    assert.equal(await failure.count(), 0)
    assert.ok(requests.length > 1, 'it was requested again')
  })
})
