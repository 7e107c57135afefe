import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { extname } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { builtScript, type Opened, openPage, type Served, type Site, startSite } from './site.ts'
import { launchBrowser } from '../browser.ts'

// Uses the pages of docs/pages as a visitor would, in a wide and a narrow window.

const folder = new URL('../../docs/pages/', import.meta.url)
const modules = new URL('../../node_modules/', import.meta.url)
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8')
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.html'))
  .map((file) => file.replace('.html', ''))
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
}

/** The text that each element shows when it has loaded. */
const shown: Readonly<Record<string, string>> = {
  'wf-package-status': '[part=state]',
  'wf-history': '[part=event]',
  'wf-comments': '[part=comment]',
  'wf-attachments': '[part=type]',
  'fs-uploader': '[part=zone]',
}

/** A text that the older version of the kit words differently. */
const [word, olderWord] = ['In routing', 'Being routed']

describe('docs/pages', () => {
  let browser: Browser
  before(async () => {
    browser = await launchBrowser()
  })
  after(() => browser?.close())

  it('contains the expected pages', () => {
    assert.deepEqual(names, ['bootstrap3', 'drupal', 'other-version', 'plain', 'unset', 'wordpress'])
  })

  for (const name of names) {
    describe(`${name}.html`, () => {
      let site: Site
      let context: BrowserContext
      before(async () => {
        site = await startSite(serve)
      })
      afterEach(() => context.close())
      after(() => site?.close())

      async function open(width: number, colorScheme: 'light' | 'dark'): Promise<Opened> {
        context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, locale: 'en-US' })
        return await openPage(context, `${site.url}/${name}.html`)
      }

      for (const [width, colorScheme] of [
        [1200, 'light'],
        [320, 'dark'],
      ] as const) {
        it(`shows all elements in the style of the page, ${colorScheme} at ${width} px`, async () => {
          const { page, complaints } = await open(width, colorScheme)
          await areShown(page)
          await picture(page, `${name}-${width}-${colorScheme}`)

          assert.deepEqual(await sticksOut(page), [], 'nothing sticks out')
          assert.deepEqual(await strangers(page), [], 'text looks like the text beside it')
          assert.equal(await isStacked(page), width === 320, 'what has no room side by side is stacked')
          assert.deepEqual(await violations(page), [], 'axe')
          assert.deepEqual(complaints, [])
        })
      }

      if (name === 'other-version')
        it('keeps the version of the elements that loaded first, and does not affect the page', async () => {
          const { page } = await open(1200, 'light')
          await page.locator('wf-package-status [part=state]', { hasText: olderWord }).waitFor()
          await page.locator('portal-header nav a').first().waitFor()
        })

      it('accepts a file, and voids the package by keyboard', async () => {
        const { page, complaints, warnings } = await open(1200, 'dark')
        await areShown(page)

        const uploader = page.locator('fs-uploader')
        const file = { name: 'receipt.txt', mimeType: 'text/plain', buffer: Buffer.from('A receipt') }
        await uploader.locator('input').setInputFiles(file)
        await uploader
          .getByText(/^Uploaded /)
          .first()
          .waitFor()

        const status = page.locator('wf-package-status').first()
        await page.locator('h1').click()
        for (let presses = 0; presses < 60 && !(await hasFocus(page, 'Void…')); presses++)
          await page.keyboard.press('Tab')
        assert.ok(await hasFocus(page, 'Void…'), 'Tab comes to the button')
        assert.ok(await isSeen(page), 'and it is seen that it has the focus')
        await page.keyboard.press('Enter')
        await status.getByRole('dialog').waitFor()
        await picture(page, `${name}-dialog`)
        assert.deepEqual(await violations(page), [], 'axe, with the dialog')
        // The first reason has the focus.
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('Enter')
        await status.locator('[part=state]', { hasText: 'Void' }).waitFor()
        await page.locator('wf-history').getByText('voided').first().waitFor()
        assert.equal(await status.getByRole('button', { name: 'Void…' }).count(), 0)

        assert.deepEqual(complaints, [])
        const taken = warnings.filter((text) => text.startsWith('Already defined'))
        assert.equal(taken.length, name === 'other-version' ? 1 : 0, warnings.join('\n'))
      })
    })
  }
})

function serve(path: string): Served | undefined {
  const [, file = ''] = /^[/]([\w@./-]+)$/.exec(path) ?? []
  const type = types[extname(file)] ?? ''
  if (file.startsWith('modules/')) return [type, readFileSync(new URL(file.replace('modules/', ''), modules))]
  if (file === 'portal/routeslip.js') {
    const script = String(builtScript('routeslip.js')?.[1])
    assert.ok(script.includes(word), 'the script contains the word')
    return [type, script.replaceAll(word, olderWord)]
  }
  if (/^(?:routeslip[\w-]*|locales[/]\w+)[.]js$/.test(file)) return builtScript(file)
  // A site copies the folder, so each copy of the script has these beside it.
  const [, late] = /^(?:portal[/])?(late[/][\w-]+[.]js)$/.exec(file) ?? []
  if (late) return builtScript(late)
  try {
    return [type, readFileSync(new URL(file, folder))]
  } catch {
    return undefined
  }
}

async function areShown(page: Page): Promise<void> {
  for (const [tag, part] of Object.entries(shown)) {
    await page
      .locator(`:is(${tag}, [data-wf=${tag.slice(3)}])`)
      .first()
      .locator(part)
      .first()
      .waitFor()
  }
}

const tags = JSON.stringify(Object.keys(shown))

/** Returns elements that are wider than their container or narrower than their content, and the page if it overflows. */
async function sticksOut(page: Page): Promise<string[]> {
  return await page.evaluate<string[]>(`(() => {
    const out = []
    if (document.documentElement.scrollWidth > innerWidth) out.push('page: ' + document.documentElement.scrollWidth)
    for (const host of document.querySelectorAll(${tags}.join())) {
      let around = host.parentElement
      while (getComputedStyle(around).display === 'contents') around = around.parentElement
      const edge = around.getBoundingClientRect()
      for (const inner of host.shadowRoot.querySelectorAll('*')) {
        const box = inner.getBoundingClientRect()
        const isHidden = inner.closest('.announcement') || getComputedStyle(inner).position === 'absolute'
        if (box.width > 0 && !isHidden && (box.right > edge.right + 1 || box.left < edge.left - 1))
          out.push(host.localName + ': ' + inner.outerHTML.slice(0, 80))
      }
    }
    return out.slice(0, 5)
  })()`)
}

/** Returns elements whose text or buttons differ in font, size or colour from the surrounding text. */
async function strangers(page: Page): Promise<string[]> {
  return await page.evaluate<string[]>(`[...document.querySelectorAll(${tags}.join())].flatMap((host) => {
    const around = getComputedStyle(host.parentElement)
    const inside = [...host.shadowRoot.querySelectorAll('[part=base], button')]
    return inside.flatMap((part) => {
      const style = getComputedStyle(part)
      return ['fontFamily', 'fontSize', ...(part.localName === 'div' ? ['color'] : [])]
        .filter((property) => style[property] !== around[property])
        .map((property) => host.localName + ' ' + part.outerHTML.slice(0, 40) + ': ' + property + ' ' + style[property])
    })
  })`)
}

/** Whether times are below the events, not beside them. */
async function isStacked(page: Page): Promise<boolean> {
  return await page.evaluate<boolean>(`[...document.querySelectorAll('wf-history')].every(({ shadowRoot }) =>
    shadowRoot.querySelector('.time').getBoundingClientRect().top >=
      shadowRoot.querySelector('.what').getBoundingClientRect().bottom)`)
}

/** Whether the focused element, in any shadow root, shows this text. */
async function hasFocus(page: Page, text: string): Promise<boolean> {
  return await page.evaluate<boolean>(`(${focused})?.textContent.trim() === ${JSON.stringify(text)}`)
}

/** Whether the focused element has an outline. */
async function isSeen(page: Page): Promise<boolean> {
  return await page.evaluate<boolean>(`getComputedStyle(${focused}).outlineStyle === 'solid'`)
}

const focused = `(() => {
  let found = document.activeElement
  while (found?.shadowRoot?.activeElement) found = found.shadowRoot.activeElement
  return found
})()`

async function violations(page: Page): Promise<string[]> {
  // The debugger evaluates it, so the policy of the page does not apply.
  await page.evaluate(axe)
  return await page.evaluate<string[]>(
    "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map((n) => n.target).join(' | ')))",
  )
}

/** Saves a screenshot of the page if `PICTURES` names a folder. */
async function picture(page: Page, name: string): Promise<void> {
  const directory = process.env['PICTURES']
  if (directory) await page.screenshot({ path: `${directory}/${name}.png`, fullPage: true })
}
