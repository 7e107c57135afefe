import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { builtScript, type Opened, openPage, type Served, type Site, startSite } from './site.ts'
import { launchBrowser } from '../browser.ts'
import { storeFiles } from '../../stories/stored-files.ts'

// The built scripts in typical pages, each with a policy of its own, in front of the proxy.

const strict = [
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'",
  "require-trusted-types-for 'script'; trusted-types lit-html",
].join('; ')

const tag =
  '<wf-package-status endpoint="/api/wf" form-id="6025" package-id="42"><p>Fallback</p></wf-package-status>'
const script = (path = 'dist/routeslip.js', attributes = '') =>
  `<script type="module" src="/${path}" ${attributes}></script>`

/** Pages by path: body and Content-Security-Policy. */
const pages: Readonly<Record<string, readonly [body: string, policy?: string]>> = {
  '/strict': [script() + tag, strict],
  '/twice': [`${script()}${script('copy/routeslip.js')}${script()}${tag}`, `${strict} 'allow-duplicates'`],
  '/twice-refused': [script() + script('copy/routeslip.js') + tag, strict],
  '/files': [
    `${script('dist/routeslip-autoload.js')}<fs-files endpoint="/api/wf" value="0f5e0000-0000-4000-8000-000000000001"></fs-files>`,
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
     </script>${script()}${tag}
     <wf-history endpoint="/api/wf" form-id="6025" package-id="42"></wf-history>
     <wf-badge endpoint="/api/wf" form-id="6025" package-id="42"></wf-badge>`,
  ],
}

describe('typical pages', () => {
  let site: Site
  let browser: Browser
  let context: BrowserContext

  before(async () => {
    browser = await launchBrowser()
  })

  after(async () => {
    await browser?.close()
  })

  // A page that is closed may still send a request. It goes to a site that nobody looks at.
  beforeEach(async () => {
    site = await startSite(serve)
    context = await browser.newContext({ locale: 'en-US' })
  })

  afterEach(async () => {
    await context?.close()
    await site?.close()
  })

  function serve(path: string, response: ServerResponse): Served | undefined {
    const file = /^[/](?:dist|copy)[/]([\w./-]+[.]js)$/.exec(path)?.[1]
    if (file) return builtScript(file)
    const [body, policy] = pages[path] ?? []
    if (policy) response.setHeader('Content-Security-Policy', policy)
    return body
      ? ['text/html', `<!doctype html><html lang="en"><title>A page</title><body>${body}`]
      : undefined
  }

  const open = (path: string): Promise<Opened> => openPage(context, `${site.url}${path}`)

  const shows = async (page: Page, text: string) => {
    await page.locator('wf-package-status [part=state]', { hasText: text }).waitFor({ timeout: 60_000 })
  }

  it('work under the strictest policy, with Trusted Types (F42)', async () => {
    site.emulator.packages.test.get(42)!.packageDetails = '<p>Bring <b>boots</b></p>'
    const { page, complaints } = await open('/strict')
    await shows(page, 'In routing')
    await page.locator('wf-package-status [part=details] b', { hasText: 'boots' }).waitFor()
    assert.deepEqual(complaints, [])
    await page.close()
  })

  it('may load the script twice, and a second copy of it (F43)', async () => {
    const { page, complaints, warnings } = await open('/twice')
    await shows(page, 'In routing')
    await page.waitForLoadState('load')
    assert.deepEqual(complaints, [])
    assert.equal(warnings.filter((text) => text.includes('<wf-package-status>')).length, 1)
    await page.close()
  })

  it('keep the first copy if the policy blocks a second one (F42)', async () => {
    const { page } = await open('/twice-refused')
    await shows(page, 'In routing')
    await page.close()
  })

  for (const path of ['/missing', '/no-script']) {
    it(`show the content of the tag if the script never loads (F47): ${path}`, async () => {
      const { page } = await open(path)
      assert.equal(await page.getByText('Fallback').isVisible(), true)
      await page.close()
    })
  }

  it('may reset all styles (F44)', async () => {
    const { page } = await open('/unset')
    await shows(page, 'In routing')
    const box = await page.locator('wf-package-status [part=state]').boundingBox()
    assert.ok(box && box.height > 10 && box.width > 60, 'the state is to be seen')
    await page.close()
  })

  it('may patch prototypes and clobber names (F45)', async () => {
    const { page, complaints } = await open('/clobbered')
    await shows(page, 'In routing')
    await page.locator('wf-history [part=event]').first().waitFor()
    assert.equal((await page.locator('wf-history [part=base] *').count()) > 10, true)
    await page.locator('wf-badge [part]').first().waitFor()
    assert.equal(await page.locator('[inherited]').count(), 0)
    assert.deepEqual(complaints, [])
    await page.close()
  })

  it('delete a file only when people leave them, unless they undo it', async () => {
    const [uuid = ''] = storeFiles(site, [{ filename: 'itinerary.pdf' }])
    const file = site.emulator.files.test.get(uuid)!
    const { page, complaints } = await open('/files')
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    await press('Delete itinerary.pdf')
    await press('Undo itinerary.pdf')
    await page.goto(`${site.url}/no-script`)
    await page.goBack()
    await press('Delete itinerary.pdf')
    await page.getByText('Will be deleted when you leave this page.').first().waitFor()
    assert.equal(file.isDeleted, false)
    await page.goto(`${site.url}/no-script`)
    await until(() => file.isDeleted)
    assert.deepEqual(complaints, [])
    await page.close()
  })

  it('delete a file when people close them', async () => {
    const [uuid = ''] = storeFiles(site, [{ filename: 'itinerary.pdf' }])
    const { page } = await open('/files')
    await page.getByRole('button', { name: 'Delete itinerary.pdf', exact: true }).click()
    await page.getByRole('button', { name: 'Undo itinerary.pdf', exact: true }).waitFor()
    await page.close({ runBeforeUnload: true })
    await until(() => site.emulator.files.test.get(uuid)!.isDeleted)
  })

  it('have one stream of events each while they are visible (F54)', async () => {
    const opened = []
    for (let tab = 0; tab < 4; tab++) opened.push(await open('/strict'))
    for (const { page } of opened) await shows(page, 'In routing')
    await until(() => site.streams.size === 4)

    const [first, second] = opened
    await setVisibility(first?.page, 'hidden')
    await until(() => site.streams.size === 3)
    await second?.page.close()
    await until(() => site.streams.size === 2)
    await setVisibility(first?.page, 'visible')
    await until(() => site.streams.size === 3)
    for (const { page } of opened) await page.close()
    await until(() => site.streams.size === 0)
  })
})

/** Hides or shows a page, as far as its scripts know. */
async function setVisibility(page: Page | undefined, state: DocumentVisibilityState): Promise<void> {
  await page?.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 60_000
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('It did not come to that')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
