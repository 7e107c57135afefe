import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { type Backend, type BackendOptions, createBackend, scenarios } from '../../src/testing/index.ts'
import { launchBrowser } from '../browser.ts'
import { builtScript } from '../e2e/site.ts'

const backends: Backend[] = []
afterEach(async () => {
  for (const backend of backends.splice(0)) await backend.close()
})

function create(options?: BackendOptions): Backend {
  const backend = createBackend(options)
  backends.push(backend)
  return backend
}

const headers = { 'x-routeslip': '1' }
const url = 'http://localhost/api/wf/forms/6025/packages/42'

describe('createBackend()', () => {
  it('is the real proxy with its rights, in front of both services', async () => {
    const backend = create()
    const get = () => backend.fetch({ method: 'GET', url, headers })
    const found = (await (await get()).json()) as { readonly id: number; readonly state: string }
    assert.deepEqual([found.id, found.state], [42, 'ROUTING'])
    backend.signIn('10000008')
    assert.equal((await get()).status, 403)
    backend.signIn(null)
    assert.equal((await get()).status, 401)
    assert.equal((await backend.fetch({ method: 'GET', url, headers: {} })).status, 403, 'without the header')
  })

  it('is a handler for Mock Service Worker', async () => {
    const { mock, urls } = create()
    assert.ok(urls.test(url) && !urls.test('http://localhost/api/wfx/session'))
    const json = { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' }
    const request = new Request(`${url}/void`, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(json),
    })
    const response = await mock({ request })
    assert.equal(response.status, 200)
    assert.equal(((await response.json()) as { readonly state: string }).state, 'VOID')
  })

  it('has seeds, a clock, and what people do in the screens of the services', async () => {
    let now = Date.UTC(2027, 4, 3, 12)
    const backend = create({ seed: scenarios.small(), now: () => now })
    now += 60_000
    await backend.control('POST', 'test/forms/6025/packages/42/sign', { univid: '10000002' })
    const history = await backend.fetch({ method: 'GET', url: `${url}/history`, headers })
    assert.match(await history.text(), /2027-05-03T12:01/)
    await assert.rejects(
      backend.control('POST', 'test/forms/6025/packages/42/sign', { univid: '10000008' }),
      /^Error: POST .*: 4\d\d/,
    )
  })

  it('stores files, and serves them at the origin of the pages', async () => {
    const backend = create({ origin: 'https://site.test' })
    const body = new FormData()
    body.append('file', new File(['A receipt'], 'receipt.txt', { type: 'text/plain' }))
    const { uuid } = (await (
      await backend.fetch(new Request('https://site.test/api/wf/files', { method: 'POST', headers, body }))
    ).json()) as { readonly uuid: string }
    const navigation = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
    const link = await backend.fetch({
      method: 'GET',
      url: `https://site.test/api/wf/files/${uuid}/download`,
      headers: navigation,
    })
    const location = link.headers.get('location') ?? ''
    assert.ok(location.startsWith('https://site.test/api/wf-files/'), `${link.status} ${location}`)
    assert.ok(backend.urls.test(location))
    const content = await backend.fetch({ method: 'GET', url: location, headers: {} })
    assert.equal(await content.text(), 'A receipt')
  })
})

describe('the route of createBackend() for Playwright', () => {
  let browser: Browser
  before(async () => {
    browser = await launchBrowser()
  })
  after(() => browser?.close())

  /** Opens a page whose requests all go to the test: nothing listens. */
  async function open(backend: Backend): Promise<Page> {
    const page = await browser.newPage({ locale: 'en-US' })
    await page.route('**/*', async (route) => {
      const { pathname } = new URL(route.request().url())
      const [contentType, body] =
        pathname === '/'
          ? ['text/html', markup]
          : (builtScript(pathname.slice('/dist/'.length)) ?? ['text/plain', ''])
      await route.fulfill({ contentType, body })
    })
    await page.route(backend.urls, backend.route)
    await page.goto('http://localhost/')
    return page
  }
  const markup = `<!doctype html><html lang="en"><title>A page</title>
<script type="module" src="/dist/routeslip.js"></script>
<wf-context endpoint="/api/wf" form-id="6025" package-id="42">
<wf-package-status></wf-package-status><wf-comments></wf-comments></wf-context>`

  it('shows live elements and changes the services', async () => {
    const backend = create({ policy: () => false })
    const page = await open(backend)
    await page.locator('wf-package-status [part=state]').filter({ hasText: 'In routing' }).waitFor()
    await page.locator('[data-action=voidPackage]').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Duplicate transaction').click()
    await dialog.getByRole('button', { name: 'Void', exact: true }).click()
    await page.locator('wf-package-status [part=state]').filter({ hasText: 'Void' }).waitFor()
    assert.equal(backend.emulator.packages.test.get(42)?.state, 'VOID')
    await page.close()
  })

  it('shows what fails as people would see it', async () => {
    const backend = create({ person: '10000008' })
    const page = await open(backend)
    await page.locator('wf-package-status:state(forbidden)').waitFor()
    await page.close()
  })
})
