import { chromeLauncher } from '@web/test-runner-chrome'
import { firefoxOptions } from './firefox.mjs'
import { startWebKit } from './webkit.mjs'

/** Returns the launcher of Web Test Runner for an engine: `chromium`, `firefox` or `webkit`. */
export function engineLauncher(engine) {
  if (engine === 'webkit') return webkitLauncher()
  if (engine === 'firefox') {
    const launcher = chromeLauncher({ launchOptions: firefoxOptions() })
    launcher.name = 'Firefox'
    return launcher
  }
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ]
  return chromeLauncher({ launchOptions: { executablePath: process.env.CHROME_PATH, args } })
}

/** Runs all sessions one after the other in one window. */
function webkitLauncher() {
  let page
  let active
  return {
    name: 'WebKitGTK',
    // Its page has the methods of a page of Playwright that the commands of the tests call.
    type: 'playwright',
    concurrency: 1,
    async startSession(id, url) {
      page ??= await startWebKit()
      active = id
      await page.setViewportSize({ width: 800, height: 600 })
      await page.goto(url)
    },
    isActive: (id) => id === active,
    getBrowserUrl: () => page.url(),
    getPage: () => page,
    async stopSession() {
      active = undefined
      await page.goto('about:blank')
      return {}
    },
    startDebugSession: () => Promise.reject(new Error('WebKitGTK has no debugger here.')),
    stop: () => page?.close(),
  }
}
