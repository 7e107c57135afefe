import { type Browser, chromium } from 'playwright-core'

/** Starts the browser that CHROME_PATH names, without what it does on the network by itself. */
export async function launchBrowser(): Promise<Browser> {
  return await chromium.launch({
    ...(process.env['CHROME_PATH'] && { executablePath: process.env['CHROME_PATH'] }),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync'],
  })
}
