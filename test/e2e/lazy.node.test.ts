import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Route } from 'playwright-core'
import { build } from 'vite'
import { launchBrowser } from '../browser.ts'
import { until } from '../proxy/until.ts'

/** A site that bundles the elements itself. The bundler puts dynamic imports into files of their own. */
const source = `
  import '/src/define/wf-form.ts'
  import '/src/define/wf-list.ts'
  import '/src/define/wf-office.ts'
  import '/src/define/wf-package-status.ts'
  import '/src/define/wf-route.ts'
  import { configure } from '/src/elements/configuration/configuration.ts'
  import { createFormBackend, createReminderBackend } from '/stories/listed-requests.ts'
  const requests = { 43: { state: 'PRE_ROUTING', inbox: [] } }
  const backend = document.querySelector('[view=form]') ? createFormBackend() : createReminderBackend(requests)
  const { send } = backend
  // On some pages, the proxy says that it may not know all requests.
  if (document.documentElement.matches('.gaps'))
    backend.send = async (input, init) => {
      const response = await send(input, init)
      const body = await response.json()
      const gaps = [{ from: '2026-03-03T14:02Z', to: '2026-03-03T15:10Z' }]
      return Response.json({ ...body, ...(body.known && { known: { ...body.known, gaps } }) }, response)
    }
  configure({ client: backend.client })`
const draftPage = `<!doctype html>
  <html lang="en">
    <wf-package-status form-id="6025" package-id="43"></wf-package-status>
    <script type="module" src="/main.js"></script>
  </html>`
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
const listPage = `<!doctype html>
  <html lang="en">
    <wf-list view="mine"></wf-list>
    <script type="module" src="/main.js"></script>
  </html>`
const formListPage = listPage.replace('view="mine"', 'view="form" forms="6025"')
const listPageWithGaps = listPage.replace('<html', '<html class="gaps"')
const officePage = `<!doctype html>
  <html lang="en">
    <form onsubmit="document.title = 'sent'; return false">
      <label>Department <wf-office name="department"></wf-office></label>
      <wf-route form-id="6025" office-name="department"></wf-route>
    </form>
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
    const failure = tab.locator('[part~=failure]', { hasText: 'This action couldn’t be opened' })
    await failure.waitFor()
    assert.equal(await tab.getByRole('dialog').count(), 0)
    isDown = false
    await tab.getByRole('button', { name: 'Try again' }).click()
    await tab.getByRole('dialog', { name: 'Void this request?' }).waitFor()
    assert.equal(await failure.count(), 0)
    assert.ok(dialogRequests.length > 1, 'it was requested again')
  })

  it('loads what <wf-package-status> needs to check a request, states that it could not if that fails, and retries', async () => {
    const { tab, requests, setDown } = await openWithout('describeMissing', draftPage)
    const card = tab.locator('wf-package-status')
    await card.getByText('What is missing couldn’t be checked.').first().waitFor()
    await card.getByRole('button', { name: 'Start routing…' }).waitFor()
    const before = requests.length
    await tab.evaluate("document.querySelector('wf-package-status').refresh()")
    await until(() => requests.length > before)
    await card.getByText('couldn’t be checked').first().waitFor()
    setDown(false)
    await tab.evaluate("document.querySelector('wf-package-status').refresh()")
    await card
      .getByText(/^Still needed before the last signature/)
      .first()
      .waitFor()
    assert.equal(await card.getByText('couldn’t be checked').count(), 0)
  })

  it('loads what <wf-form> needs to save when a person begins to edit, shows an error if that fails, and retries', async () => {
    const { tab, requests, setDown } = await openWithout('Sender', formPage)
    await tab.locator('wf-form:state(loaded)').waitFor()
    assert.deepEqual(requests, [], 'people who only read do not need it')
    await tab.getByLabel('Purpose').fill('Field work')
    await tab.getByRole('button', { name: 'Submit' }).click()
    const failure = tab.locator('[part~=failure]', { hasText: 'A part of this page could not be loaded.' })
    await failure.waitFor()
    await tab
      .getByText(/^Kept in this browser at/)
      .first()
      .waitFor()

    setDown(false)
    await tab.getByRole('button', { name: 'Try again' }).click()
    // The service requires further fields: it has been asked.
    await tab.getByRole('heading', { name: 'There is a problem' }).waitFor()
    assert.equal(await failure.count(), 0)
    assert.ok(requests.length > 1, 'it was requested again')
  })

  it('keeps what is typed before the code that reads the fields of <wf-form> has loaded', async () => {
    const { tab, setDown } = await openWithout('FormFields', formPage)
    await tab.getByLabel('Purpose').fill('Field work')
    setDown(false)
    await tab.getByRole('button', { name: 'Try again' }).click()
    await tab
      .getByText(/^Kept in this browser at/)
      .first()
      .waitFor()
    await tab.reload()
    await tab.waitForFunction(() => document.querySelector('input')?.value === 'Field work')
  })

  it('loads the dialog of <wf-list> when a user needs it, shows an error if that fails, and retries', async () => {
    const { tab, requests, setDown } = await openWithout('RemindDialog', listPage)
    const button = tab.getByRole('button', { name: 'Remind' })
    await button.waitFor()
    assert.deepEqual(requests, [], 'no button has been used yet')
    await button.click()
    const failure = tab.locator('[part~=failure]', { hasText: 'Couldn’t be loaded.' })
    await failure.waitFor()
    setDown(false)
    await tab.getByRole('button', { name: 'Try again' }).click()
    await tab.getByRole('dialog', { name: 'Remind the approvers?' }).waitFor()
    assert.equal(await failure.count(), 0)
    assert.ok(requests.length > 1, 'it was requested again')
  })

  it('never shows a list as complete if the code that names its gaps cannot be loaded', async () => {
    const { tab, requests, setDown } = await openWithout('ListExtras', listPageWithGaps)
    const known = tab.locator('wf-list [part=known]')
    await known.getByText('Some requests could not be checked and are missing.').first().waitFor()
    assert.ok(requests.length > 0, 'it was requested')
    setDown(false)
    await tab.evaluate("document.querySelector('wf-list').refresh()")
    await known
      .getByText(/Requests started between .* may be missing[.]/)
      .first()
      .waitFor()
    assert.equal(await known.getByText('could not be checked').count(), 0)
  })

  it('states that the list of a form could not be loaded if its code could not, with the reason, and retries', async () => {
    for (const name of ['ListExtras', 'FormList']) {
      const { tab, requests, setDown } = await openWithout(name, formListPage)
      const failure = tab.locator('wf-list [part~=failure]', { hasText: 'Couldn’t be loaded.' })
      await failure.waitFor()
      await tab.evaluate(
        `document.querySelector('wf-list').addEventListener('wf-error', ({ error }) => (window.reason = error.message))`,
      )
      await failure.getByRole('button', { name: 'Try again' }).click()
      await tab.waitForFunction('window.reason')
      assert.match(await tab.evaluate<string>('window.reason'), /dynamically imported module/, name)
      setDown(false)
      await failure.getByRole('button', { name: 'Try again' }).click()
      await tab.locator('wf-list').getByText('Request 42').first().waitFor()
      assert.equal(await failure.count(), 0)
      assert.ok(requests.length > 1, 'it was requested again')
      await tab.close()
    }
  })

  it('loads the list of <wf-office> when the field gets the focus, and takes numbers without it', async () => {
    const { tab, requests, setDown } = await openWithout('DropDown', officePage)
    const field = tab.getByRole('combobox', { name: 'Department' })
    await field.waitFor()
    assert.deepEqual(requests, [], 'nobody needs it yet')
    const errors: string[] = []
    tab.on('pageerror', (error) => errors.push(String(error)))
    await field.fill('110420')
    await tab.locator('wf-office').getByText('Biology').first().waitFor()
    await tab.keyboard.press('Enter')
    await tab.waitForFunction("document.title === 'sent'")
    await tab.locator('wf-route').getByText('Usual route for Biology (11-0420)').first().waitFor()
    assert.equal(await field.getAttribute('aria-expanded'), 'false')
    assert.ok(requests.length > 0, 'it was requested')
    assert.deepEqual(errors, [])

    setDown(false)
    await field.fill('11')
    await tab.getByRole('option', { name: 'Chemistry' }).first().waitFor()
    assert.equal(await field.getAttribute('aria-expanded'), 'true')
  })

  it('sends a form with Enter in <wf-office> while the list is on its way', async () => {
    const { tab, file } = await openWithout('DropDown', officePage)
    const asked = new Promise<Route>((resolve) => {
      void tab.route(`https://lazy.test${file}`, (route) => resolve(route))
    })
    await tab.getByRole('combobox', { name: 'Department' }).fill('110420')
    const route = await asked
    await tab.keyboard.press('Enter')
    await tab.waitForFunction("document.title === 'sent'")
    await route.abort()
    await tab.close()
  })

  it('loads what <wf-route> needs for a saved package when it has one, shows an error if that fails, and retries', async () => {
    const { tab, requests, setDown } = await openWithout('savedRoutes', officePage)
    await tab.getByRole('combobox', { name: 'Department' }).fill('110420')
    await tab.keyboard.press('Tab')
    const route = tab.locator('wf-route')
    await route.getByText('Usual route for Biology (11-0420)').first().waitFor()
    assert.deepEqual(requests, [], 'the usual route does not need it')
    await tab.evaluate("document.querySelector('wf-route').packageId = 42")
    const again = route.getByRole('button', { name: 'Try again' })
    await again.waitFor()
    setDown(false)
    await again.click()
    await route.getByText('The route so far, and what is still to come').first().waitFor()
  })

  /** Opens a page that cannot load the file with a declaration of this name until `setDown(false)`. */
  async function openWithout(name: string, body: string) {
    const [file] =
      [...files].find(([, code]) =>
        new RegExp(`\\b(?:function ${name}\\b|${name} = (?:class\\b|\\{))`).test(code),
      ) ?? []
    assert.ok(file !== undefined && file !== '/main.js', 'it has a file of its own')
    const requests: string[] = []
    let isDown = true
    const tab = await browser.newPage()
    await tab.route('https://lazy.test/**', async (route) => {
      const { pathname } = new URL(route.request().url())
      if (pathname === '/') return await route.fulfill({ contentType: 'text/html', body })
      if (pathname === file) {
        requests.push(pathname)
        if (isDown) return await route.abort()
      }
      return await route.fulfill({ contentType: 'text/javascript', body: files.get(pathname) ?? '' })
    })
    await tab.goto('https://lazy.test/')
    return { tab, file, requests, setDown: (value: boolean) => void (isDown = value) }
  }
})
