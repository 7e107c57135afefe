import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { build } from 'vite'
import { launchBrowser } from '../browser.ts'

/** The elements as a site has them that bundles them itself, with what they fetch later in files of its own. */
const entry = '.lazy-entry.ts'

describe('<wf-package-status>, bundled in parts', () => {
  let browser: Browser
  const files = new Map<string, string>()

  before(async () => {
    writeFileSync(
      entry,
      "import './src/define/wf-package-status.ts'\nimport { createBackend } from './stories/backend.ts'\n" +
        "Object.assign(document.querySelector('wf-package-status'), { client: createBackend().client })",
    )
    const outputs = await build({
      configFile: false,
      logLevel: 'error',
      build: {
        target: 'es2022',
        write: false,
        minify: false,
        lib: { entry, formats: ['es'], fileName: 'main' },
      },
    })
    for (const { output } of [outputs].flat() as { output: { fileName: string; code?: string }[] }[]) {
      for (const { fileName, code = '' } of output) files.set(`/${fileName}`, code)
    }
    browser = await launchBrowser()
  })

  after(async () => {
    await browser?.close()
    rmSync(entry, { force: true })
  })

  it('fetches its dialogs when they are needed, says when it cannot, and tries again', async () => {
    const page = await browser.newPage()
    const fetched: string[] = []
    let isDown = true
    await page.route('https://lazy.test/**', async (route) => {
      const { pathname } = new URL(route.request().url())
      fetched.push(pathname)
      if (pathname.includes('actions') && isDown) return await route.abort()
      const body =
        pathname === '/'
          ? '<!doctype html><html lang="en"><wf-package-status form-id="6025" package-id="42"></wf-package-status><script type="module" src="/main.js"></script>'
          : (files.get(pathname) ?? '')
      await route.fulfill({ contentType: pathname === '/' ? 'text/html' : 'text/javascript', body })
    })
    await page.goto('https://lazy.test/')
    const button = page.getByRole('button', { name: 'Void…' })
    await button.waitFor({ timeout: 10_000 })
    const actions = () => fetched.filter((path) => path.includes('actions'))
    assert.deepEqual(actions(), [], 'nobody has come near a button yet')

    await button.click()
    await page.getByText('This could not be opened').first().waitFor()
    assert.equal(await page.getByRole('dialog').count(), 0)
    isDown = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('dialog', { name: 'Void: package 42' }).waitFor()
    assert.equal(await page.getByText('This could not be opened').count(), 0)
    assert.ok(actions().length > 1, 'it was fetched again')
  })
})
