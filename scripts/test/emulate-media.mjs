/** A plugin for Web Test Runner: the command behind `emulateMedia()` of test/media.ts. It replaces earlier settings. */
export function emulateMediaFeatures() {
  const sessions = new WeakMap()
  return {
    name: 'emulate-media-features',
    async executeCommand({ command, payload, session }) {
      if (command !== 'emulate-media-features') return undefined
      const page = session.browser.getPage(session.id)
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
