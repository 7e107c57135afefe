// Firefox, which Puppeteer drives with WebDriver BiDi.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import puppeteer from 'puppeteer-core'

/**
 * Options of `puppeteer.launch()`.
 *
 * @returns {import('puppeteer-core').LaunchOptions & { readonly browser: 'firefox' }}
 */
export function firefoxOptions() {
  return {
    browser: 'firefox',
    ...(process.env.FIREFOX && { executablePath: process.env.FIREFOX }),
    // Lets runInWindow() reach the browser's own window.
    args: ['--remote-allow-system-access'],
    extraPrefsFirefox: {
      'intl.accept_languages': 'en-US',
      'ui.systemUsesDarkTheme': 0,
      'dom.ipc.processPrelaunch.enabled': false,
    },
  }
}

/** Sets the media features of a page. WebDriver BiDi has no command for it, so the browser's own window does it. */
export async function emulateInFirefox(page, { media, colorScheme, forcedColors, reducedMotion }) {
  const overrides = {
    mediumOverride: media === 'screen' ? '' : media,
    prefersColorSchemeOverride: colorScheme,
    forcedColorsOverride: forcedColors,
    prefersReducedMotionOverride: reducedMotion,
  }
  await runInWindow(
    page,
    `Object.assign(gBrowser.selectedBrowser.browsingContext, ${JSON.stringify(overrides)})`,
  )
}

/** Gives the keyboard to a page in a visible window, which otherwise waits for a window manager. */
export async function focusFirefox(page) {
  await runInWindow(page, 'window.focus(), gBrowser.selectedBrowser.focus()')
}

/** Evaluates an expression in the window of the browser itself. */
async function runInWindow(page, expression) {
  const { session } = page.mainFrame().browsingContext.userContext.browser
  const { result } = await session.send('browsingContext.getTree', { 'moz:scope': 'chrome' })
  const { result: outcome } = await session.send('script.evaluate', {
    expression: `void (${expression})`,
    target: { context: result.contexts[0].context },
    awaitPromise: false,
  })
  if (outcome.type === 'exception') throw new Error(outcome.exceptionDetails.text)
}

/** Starts a browser with one window. Returns a page with the same methods as that of `startWebKit()`. */
export async function startFirefox() {
  const downloads = mkdtempSync(join(tmpdir(), 'firefox-'))
  const options = firefoxOptions()
  const browser = await puppeteer.launch({
    ...options,
    headless: true,
    extraPrefsFirefox: {
      ...options.extraPrefsFirefox,
      // A page that is left does not ask: WebDriver BiDi would have to answer.
      'dom.disable_beforeunload': true,
      // 2: the folder in the next preference.
      'browser.download.alwaysOpenPanel': false,
      'browser.download.folderList': 2,
      'browser.download.dir': downloads,
    },
  })
  const page = await browser.newPage()
  return {
    version: await browser.version(),
    downloads,
    goto: (url) => page.goto(url),
    reload: () => page.reload(),
    back: () => page.goBack(),
    bringToFront: () => page.bringToFront(),
    // Not `new Function()`, which the page may forbid.
    evaluate: (script, ...args) => page.evaluate(`(function () {${script}})(...${JSON.stringify(args)})`),
    setViewportSize: (size) => page.setViewport(size),
    screenshot: () => page.screenshot(),
    keyboard: page.keyboard,
    mouse: page.mouse,
    async close() {
      await browser.close()
      rmSync(downloads, { recursive: true, force: true })
    },
  }
}
