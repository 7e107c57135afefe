import { startFirefox } from './firefox.mjs'
import { startWebKit } from './webkit.mjs'

/**
 * A page in its own window.
 *
 * @typedef {object} EnginePage
 * @property {string} version
 * @property {string | undefined} downloads Path of the folder with the files that the page has downloaded. Undefined if the engine saves none.
 * @property {() => Promise<void>} bringToFront Gives the window the focus, which the list of downloads takes.
 * @property {(url: string) => Promise<unknown>} goto
 * @property {() => Promise<unknown>} reload
 * @property {() => Promise<unknown>} back
 * @property {(script: string, ...args: readonly unknown[]) => Promise<unknown>} evaluate Runs the body of a function in the page. Returns what it returns.
 * @property {(size: { readonly width: number; readonly height: number }) => Promise<void>} setViewportSize Sizes the page, in px.
 * @property {() => Promise<Uint8Array>} screenshot A picture in PNG.
 * @property {{ readonly press: (key: string) => Promise<void>; readonly type: (text: string) => Promise<void> }} keyboard
 * @property {{ readonly click: (x: number, y: number) => Promise<void> }} mouse Clicks at a place of the window, in px.
 * @property {() => Promise<void>} close
 */

/**
 * Starts an engine, `firefox` or `webkit`. Returns a page with the same methods in both.
 *
 * @type {(engine: string) => Promise<EnginePage>}
 */
export const startEngine = (engine) => (engine === 'firefox' ? startFirefox() : startWebKit())
