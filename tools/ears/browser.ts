import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import puppeteer, { type KeyInput, type LaunchOptions } from 'puppeteer-core'
import { firefoxOptions, focusFirefox } from '../engines/firefox.mjs'
import { startTime } from './stage.ts'
import type { Actor } from './user.ts'

/** Starts a browser in a window of its own, with its accessibility on. Returns one page. */
export async function startBrowser(
  engine: 'chromium' | 'firefox',
  env: NodeJS.ProcessEnv,
): Promise<Actor & { readonly version: string; readonly close: () => Promise<void> }> {
  const profile = mkdtempSync(join(tmpdir(), 'ears-profile-'))
  const options = engine === 'firefox' ? firefoxOptions() : chromiumOptions
  const browser = await puppeteer.launch({ ...options, headless: false, env, userDataDir: profile })
  const [page = await browser.newPage()] = await browser.pages()
  await page.bringToFront()
  // A form with unsaved changes asks before the page is left.
  page.on('dialog', (dialog) => void dialog.accept())
  if (engine === 'firefox') await focusFirefox(page)
  await page.setViewport({ width: 1200, height: 900 })
  await page.evaluateOnNewDocument(clockScript(startTime))
  return {
    version: await browser.version(),
    goto: (url) => page.goto(url),
    evaluate: (script, ...args) => page.evaluate(`(function () {${script}})(...${JSON.stringify(args)})`),
    async press(chord) {
      const keys = chord.split('+') as KeyInput[]
      for (const key of keys) await page.keyboard.down(key)
      for (const key of keys.toReversed()) await page.keyboard.up(key)
    },
    type: (text) => page.keyboard.type(text),
    settle: (milliseconds) =>
      // eslint-disable-next-line no-restricted-syntax -- Nothing tells when assistive technology has received everything.
      page.evaluate((time) => new Promise<void>((resolve) => setTimeout(resolve, time)), milliseconds),
    async close() {
      await browser.close()
      rmSync(profile, { recursive: true, force: true })
    },
  }
}

/** The headless shell has no accessibility bus, so this is the whole browser. */
const chromiumOptions: LaunchOptions = {
  executablePath: process.env['CHROMIUM'] ?? '',
  // Without the bar that tells people about it.
  ignoreDefaultArgs: ['--enable-automation'],
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--no-first-run',
    '--lang=en-US',
    '--force-renderer-accessibility',
    '--disable-background-networking',
    '--disable-sync',
  ],
}

/** Moves the clock of a page: it starts at a time in ms since 1970 and goes on from there. A string, so that it is not compiled. */
const clockScript = (time: number) => `
  const offset = ${time} - Date.now()
  // Only the present moves; dates that have arguments stay.
  globalThis.Date = new Proxy(Date, {
    construct: (target, args, self) =>
      Reflect.construct(target, args.length > 0 ? args : [target.now() + offset], self),
    get: (target, name) => (name === 'now' ? () => target.now() + offset : Reflect.get(target, name)),
  })`
