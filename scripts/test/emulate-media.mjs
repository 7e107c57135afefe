import { emulateInFirefox } from '../../tools/engines/firefox.mjs'

/**
 * A plugin for Web Test Runner: the command behind `emulateMedia()` of test/media.ts. It replaces earlier settings. Its
 * result is false if the browser cannot show a page in other media.
 */
export function emulateMediaFeatures() {
  const sessions = new WeakMap()
  return {
    name: 'emulate-media-features',
    async executeCommand({ command, payload, session }) {
      if (command !== 'emulate-media-features') return undefined
      const page = session.browser.getPage(session.id)
      if (!page.createCDPSession) return false
      if (session.browser.name === 'Firefox') {
        await emulateInFirefox(page, payload)
        return true
      }
      // The settings last as long as the session.
      if (!sessions.has(page)) sessions.set(page, await page.createCDPSession())
      const { media, colorScheme, forcedColors, reducedMotion } = payload
      await sessions.get(page).send('Emulation.setEmulatedMedia', {
        media,
        features: [
          { name: 'prefers-color-scheme', value: colorScheme },
          { name: 'forced-colors', value: forcedColors },
          { name: 'prefers-reduced-motion', value: reducedMotion },
        ],
      })
      return true
    },
  }
}
