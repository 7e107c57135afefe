import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { until } from '../cli/proxy-command.ts'
import { launchBrowser } from '../browser.ts'
import { builtScript, openPage, type Opened, type Site, startSite } from './site.ts'

const page = `<!doctype html><html lang="en"><title>A page</title>
<script type="module" src="/dist/routeslip-autoload.js"></script>
<wf-context endpoint="/api/wf" form-id="6025" time-zone="America/Denver">
<wf-package-status package-id="42"></wf-package-status>
<wf-attachments package-id="42"></wf-attachments>
<wf-route></wf-route>
<wf-form><form><label for="purpose">Purpose</label><input id="purpose" name="purpose" /></form></wf-form>
<fs-uploader></fs-uploader></wf-context>`

describe('in browsers that differ', () => {
  let browser: Browser
  let site: Site

  before(async () => {
    site = await startSite((path) =>
      path === '/' ? ['text/html', page] : builtScript(path.slice('/dist/'.length)),
    )
    browser = await launchBrowser()
  })
  after(async () => {
    await browser?.close()
    await site?.close()
  })

  /** Opens the page as a visitor of its own, and waits until it shows the package. */
  async function visit(
    options: BrowserContextOptions = {},
    prepare: (context: BrowserContext) => Promise<unknown> = () => Promise.resolve(),
  ): Promise<Opened> {
    const context = await browser.newContext({ locale: 'en-US', ...options })
    await prepare(context)
    const opened = await openPage(context, `${site.url}/`)
    // The time comes from the history, which may arrive after the rest.
    await opened.page.locator('wf-package-status').getByText(/since/).first().waitFor()
    await opened.page.locator('fs-uploader [part~=choose]').waitFor()
    return opened
  }

  it('each button has 44 px where fingers press it', async () => {
    const low = async (hasTouch: boolean) => {
      const { page } = await visit({ hasTouch })
      assert.equal(await page.evaluate("matchMedia('(pointer: coarse)').matches"), hasTouch)
      const buttons = await page.locator('button:visible, .button:visible, summary:visible').all()
      assert.ok(buttons.length > 3)
      const all = await Promise.all(
        buttons.map(async (button) => ({ text: await button.innerText(), box: await button.boundingBox() })),
      )
      await page.context().close()
      return all.filter(({ box }) => box!.height < 44).map(({ text }) => text)
    }
    assert.deepEqual(await low(true), [])
    assert.ok((await low(false)).length > 3, 'a mouse needs less (control)')
  })

  describe('by their clock and time zone (F41)', () => {
    const day = 86_400_000
    const visitors = [
      { zone: 'America/Denver', skew: 0 },
      { zone: 'Pacific/Kiritimati', skew: day },
      { zone: 'Pacific/Pago_Pago', skew: -day },
      { zone: 'Europe/London', skew: 400 * day },
      { zone: 'Australia/Lord_Howe', skew: -400 * day },
    ] as const

    it('a page shows the times of the institution, offers the same, and changes the same', async () => {
      const shown: string[] = []
      for (const { zone, skew } of visitors) {
        const { page, complaints } = await visit({ timezoneId: zone }, (context) =>
          context.clock.install({ time: Date.now() + skew }),
        )
        const now: number = await page.evaluate('Date.now()')
        assert.ok(Math.abs(now - Date.now() - skew) < day / 2, 'the clock is wrong (control)')
        const status = page.locator('wf-package-status')
        await status.locator('[data-action=voidPackage]').waitFor()
        const text = (await status.locator('[part=base]').innerText()).replace(/\s+/g, ' ')
        assert.match(text, /since Nov 16, 2026, 9:42 AM/, zone)
        assert.doesNotMatch(text, /-\d|in \d+ (?:day|hour|month|year)/, 'no time in the future')
        // Ages follow the clock of the proxy, and may pass a full minute meanwhile.
        shown.push(text.replace(/\([^)]*ago\)|\d+ (?:day|hour|minute|month|year)s?|[·\s]/g, ''))
        const before = site.emulator.files.test.size
        await page.locator('fs-uploader input').setInputFiles(file('clock.pdf'))
        await page.locator('fs-uploader [part=download]').waitFor()
        assert.equal(site.emulator.files.test.size, before + 1)
        assert.deepEqual(complaints, [], zone)
        await page.context().close()
      }
      assert.deepEqual(new Set(shown).size, 1, JSON.stringify(shown, undefined, 2))
    })
  })

  describe('by storage that is blocked (F46)', () => {
    // Like Chromium with all cookies and site data blocked, where each access throws.
    const blocked = `for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches'])
      Object.defineProperty(globalThis, name, { get() { throw new DOMException('Access is denied', 'SecurityError') } })
    Object.defineProperty(Navigator.prototype, 'locks', { get: () => undefined })
    delete globalThis.BroadcastChannel`

    it('a page works, keeps drafts only while it is open, and says so', async () => {
      const { page, complaints } = await visit({}, (context) => context.addInitScript(blocked))
      const reads = page.evaluate('localStorage.length')
      await assert.rejects(reads, /Access is denied/, 'it is blocked (control)')

      await page.locator('wf-form:state(loaded)').waitFor()
      await page.getByLabel('Purpose').fill('Sampling at the river')
      await page
        .getByText(/This browser cannot keep what you type/)
        .first()
        .waitFor()
      await page.locator('fs-uploader input').setInputFiles(file('blocked.pdf'))
      await page.locator('fs-uploader [part=download]').waitFor()
      assert.deepEqual(complaints, [])
      await page.context().close()
    })
  })

  describe('by the way in which a person adds a file (F49)', () => {
    type Way = (page: Page, tag: string, name: string) => Promise<void>

    const choose = (page: Page, tag: string) =>
      page
        .locator(tag)
        .getByRole('button', { name: /^(?:Choose|Add)/ })
        .first()
    /** Dispatches an event with a file to the button that adds files. */
    const dispatch = async (page: Page, tag: string, name: string, type: 'drop' | 'paste') => {
      const handle = await page.evaluateHandle(
        ([name, text]) => {
          const data = new DataTransfer()
          data.items.add(new File([text!], name!, { type: 'application/pdf' }))
          return data
        },
        [name, content],
      )
      await choose(page, tag).evaluate(
        (button, [data, type]) => {
          const how = { bubbles: true, composed: true, cancelable: true }
          if (type === 'paste')
            return button.dispatchEvent(new ClipboardEvent('paste', { ...how, clipboardData: data }))
          button.dispatchEvent(new DragEvent('dragover', { ...how, dataTransfer: data }))
          return button.dispatchEvent(new DragEvent('drop', { ...how, dataTransfer: data }))
        },
        [handle, type] as const,
      )
    }
    const ways: Readonly<Record<string, Way>> = {
      'with a mouse': async (page, tag, name) => {
        const [chooser] = await Promise.all([page.waitForEvent('filechooser'), choose(page, tag).click()])
        await chooser.setFiles(file(name))
      },
      'with the keyboard': async (page, tag, name) => {
        const chosen = page.waitForEvent('filechooser')
        await choose(page, tag).press('Enter')
        const chooser = await chosen
        await chooser.setFiles(file(name))
      },
      // A screen reader finds the button by its role and name, and presses it without a pointer.
      'with a screen reader': async (page, tag, name) => {
        const [chooser] = await Promise.all([
          page.waitForEvent('filechooser'),
          choose(page, tag).dispatchEvent('click'),
        ])
        await chooser.setFiles(file(name))
      },
      'by dropping it': (page, tag, name) => dispatch(page, tag, name, 'drop'),
      'by pasting it': (page, tag, name) => dispatch(page, tag, name, 'paste'),
    }

    it('the same file is stored, shown and announced', async () => {
      const results: string[] = []
      for (const [way, add] of Object.entries(ways)) {
        const { page, complaints } = await visit()
        const before = site.emulator.files.test.size
        const announced = await announcementsOf(page)
        await add(page, 'fs-uploader', 'thesis.pdf')
        await page.locator('fs-uploader [part=download]').waitFor()
        await until(async () => (await announced()).some((text) => text.includes('was uploaded')))
        const stored = [...site.emulator.files.test.values()].slice(before)
        results.push(
          JSON.stringify({
            stored: stored.map(({ asset }) => [asset.filename, asset.fileSize, asset.contentType]),
            shown: (await page.locator('fs-uploader li').innerText()).replace(
              /Uploaded .*?[AP]M/,
              'Uploaded',
            ),
            announced: await announced(),
          }),
        )
        assert.deepEqual(complaints, [], way)
        await page.context().close()
      }
      assert.equal(new Set(results).size, 1, results.join('\n'))
      assert.match(results[0] ?? '', /thesis\.pdf/)
    })

    it('the same document becomes an attachment of the package', async () => {
      const results: string[] = []
      for (const [way, add] of Object.entries(ways)) {
        const { page, complaints } = await visit()
        const found = site.emulator.packages.test.get(42)
        assert.ok(found)
        const before = found.attachments.length
        await add(page, 'wf-attachments', `${way}.pdf`)
        await page
          .locator('wf-attachments')
          .getByRole('button', { name: /^Upload/ })
          .click()
        await until(() => found.attachments.length === before + 1)
        const added = found.attachments.at(-1)
        results.push(JSON.stringify([added?.fileSize, added?.type]))
        await page
          .locator('wf-attachments')
          .getByRole('link', { name: new RegExp(way) })
          .first()
          .waitFor()
        assert.deepEqual(complaints, [], way)
        await page.context().close()
      }
      assert.equal(new Set(results).size, 1, results.join('\n'))
    })
  })
})

const content = '%PDF-1.7 '.padEnd(5000, 'x')

function file(name: string) {
  return { name, mimeType: 'application/pdf', buffer: Buffer.from(content) }
}

/** Records what the elements of a page announce from now on. */
async function announcementsOf(page: Page): Promise<() => Promise<readonly string[]>> {
  // As a text, because esbuild adds names to functions that the page does not know.
  await page.evaluate(`
    const roots = [...document.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? [])
    globalThis.announced = []
    const record = () => {
      const region = roots.map((root) => root.querySelector('[role=status]')).find(Boolean)
      const text = region?.textContent.trim()
      if (text && text !== announced.at(-1)) announced.push(text)
    }
    for (const root of roots)
      new MutationObserver(record).observe(root, { childList: true, characterData: true, subtree: true })
  `)
  return () => page.evaluate('announced')
}
