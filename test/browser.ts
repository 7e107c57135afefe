import { type Browser, chromium } from 'playwright-core'

/** Starts the browser at CHROME_PATH, without its own network requests. */
export async function launchBrowser(): Promise<Browser> {
  return await chromium.launch({
    ...(process.env['CHROME_PATH'] && { executablePath: process.env['CHROME_PATH'] }),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync'],
  })
}
