import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchBrowser } from '../browser.ts'
import { visitWithChromium } from './chromium-visitor.ts'
import { expected, knownFailures, pageFiles, readPage } from './expected.ts'
import { takeRun } from './take-run.ts'

/** How long a check waits for its result, in milliseconds. Only a run that fails waits that long. */
const patience = 5000

describe('pages as others write them', { concurrency: 3 }, () => {
  let browser: Browser
  const known = new Set(knownFailures['chromium'])
  const names: string[] = []

  before(async () => {
    browser = await launchBrowser()
  })
  after(() => browser?.close())

  for (const [file, page] of Object.entries(expected)) {
    for (const run of page.runs) {
      const name = `${file.replace('.html', '')}: ${run.name}`
      names.push(name)
      const take = (within: number) =>
        takeRun(page, run, readPage(file), ({ url }) => visitWithChromium(browser, url, within), within)
      it(name, async () => {
        if (!known.has(name)) return await take(patience)
        // A run that fails now need not wait as long to fail.
        await assert.rejects(take(patience / 2), `passes now: remove it from known-failures.json`)
      })
    }
  }

  it('expected.json describes every page, and known-failures.json names only its runs', () => {
    assert.deepEqual(Object.keys(expected).sort(), pageFiles)
    assert.deepEqual(
      [...known].filter((name) => !names.includes(name)),
      [],
    )
  })
})
