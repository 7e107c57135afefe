import type { LaunchOptions, Page } from 'puppeteer-core'

/** Options of `puppeteer.launch()`. */
export function firefoxOptions(): LaunchOptions

/** Gives the keyboard to a page in a visible window, which otherwise waits for a window manager. */
export function focusFirefox(page: Page): Promise<void>
