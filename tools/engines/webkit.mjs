// Drives WebKitGTK through its own WebDriver server (W3C WebDriver), on a display of its own. Puppeteer and Playwright
// cannot: they need a patched WebKit.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../../test/free-port.mjs'
import { startDisplay } from './display.mjs'

/** The characters that stand for keys in WebDriver. */
const keys = {
  Backspace: '\uE003',
  Tab: '\uE004',
  Enter: '\uE007',
  Shift: '\uE008',
  Control: '\uE009',
  Alt: '\uE00A',
  Escape: '\uE00C',
  PageUp: '\uE00E',
  PageDown: '\uE00F',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  Delete: '\uE017',
}

/** Starts a browser with one window. Returns a page with the methods that Web Test Runner and the walk use. */
export async function startWebKit() {
  const display = await startDisplay()
  const config = createConfig()
  const port = await freePort()
  const server = spawn(process.env.WEBKIT_DRIVER, [`--port=${port}`], {
    stdio: 'ignore',
    env: {
      ...process.env,
      DISPLAY: display.name,
      GDK_BACKEND: 'x11',
      GTK_THEME: 'Adwaita',
      XDG_CONFIG_HOME: config,
      LANG: 'en_US.UTF-8',
      LIBGL_ALWAYS_SOFTWARE: '1',
      NO_AT_BRIDGE: '1',
      WEBKIT_DISABLE_COMPOSITING_MODE: '1',
      WEBKIT_DISABLE_DMABUF_RENDERER: '1',
      // Its sandbox needs user namespaces, which containers and root do not have.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    },
  })
  const send = async (method, path, body) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    const { value } = await response.json()
    if (value?.error) throw new Error(`WebKit: ${value.error}: ${value.message}`)
    return value
  }
  for (let tries = 1; ; tries++) {
    const isReady = await send('GET', '/status').catch(() => undefined)
    if (isReady) break
    if (tries === 300) throw new Error('WebKitWebDriver does not answer.')
    await delay(100)
  }
  const options = { binary: process.env.MINI_BROWSER, args: ['--automation'] }
  const { sessionId, capabilities } = await send('POST', '/session', {
    capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } },
  })
  const session = `/session/${sessionId}`
  const command = (name, body) => send('POST', `${session}/${name}`, body)
  await command('timeouts', { script: 120_000, pageLoad: 120_000 })

  const evaluate = (script, ...args) => command('execute/sync', { script, args })
  const perform = (events, device = { type: 'key', id: 'keyboard' }) =>
    command('actions', { actions: [{ ...device, actions: events }] })
  const down = (key) => ({ type: 'keyDown', value: keys[key] ?? key })
  const up = (key) => ({ type: 'keyUp', value: keys[key] ?? key })

  return {
    version: capabilities.browserVersion,
    // MiniBrowser saves nothing while it is driven.
    downloads: undefined,
    bringToFront: () => Promise.resolve(),
    goto: (url) => command('url', { url }),
    reload: () => command('refresh', {}),
    back: () => command('back', {}),
    url: () => send('GET', `${session}/url`),
    evaluate,
    /** Sizes the window so that the page gets this size, in px. */
    async setViewportSize({ width, height }) {
      const [extraWidth, extraHeight] = await evaluate(
        'return [outerWidth - innerWidth, outerHeight - innerHeight]',
      )
      await command('window/rect', { width: width + extraWidth, height: height + extraHeight })
      for (let tries = 1; ; tries++) {
        const size = await evaluate('return [innerWidth, innerHeight]')
        if (size[0] === width) return
        if (tries === 50) throw new Error(`WebKit has a page of ${size} px instead of ${width},${height}`)
        await delay(20)
      }
    },
    screenshot: async () => Buffer.from(await send('GET', `${session}/screenshot`), 'base64'),
    keyboard: {
      /** Presses a key, or several at once, such as `Shift+Tab`. */
      async press(chord) {
        const all = chord.split(/(?<=.)[+]/)
        await perform([...all.map(down), ...all.reverse().map(up)])
      },
      type: (text) => perform([...text].flatMap((character) => [down(character), up(character)])),
      down: (key) => perform([down(key)]),
      up: (key) => perform([up(key)]),
    },
    mouse: {
      click: (x, y) =>
        perform(
          [
            { type: 'pointerMove', x: Math.round(x), y: Math.round(y) },
            { type: 'pointerDown', button: 0 },
            { type: 'pointerUp', button: 0 },
          ],
          { type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' } },
        ),
    },
    async close() {
      await send('DELETE', session).catch(() => {})
      server.kill()
      display.close()
      rmSync(config, { recursive: true, force: true })
    },
  }
}

/** Creates a configuration in which the window may be 320 px wide, because its toolbar needs no space. */
function createConfig() {
  const folder = mkdtempSync(join(tmpdir(), 'webkit-'))
  mkdirSync(join(folder, 'gtk-3.0'))
  const style =
    '* { min-width: 0; min-height: 0; margin: 0; padding: 0; border-width: 0 }\ntoolbar * { font-size: 1px; -gtk-icon-size: 1px }\n'
  writeFileSync(join(folder, 'gtk-3.0', 'gtk.css'), style)
  return folder
}
