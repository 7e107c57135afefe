import { startFirefox } from './firefox.mjs'
import { startWebKit } from './webkit.mjs'

/** Starts an engine, `firefox` or `webkit`. Returns a page with the same methods in both. */
export const startEngine = (engine) => (engine === 'firefox' ? startFirefox() : startWebKit())
