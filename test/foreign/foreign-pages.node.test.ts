import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startEngine } from '../../tools/engines/start-engine.mjs'
import { launchBrowser } from '../browser.ts'
import { visitWithChromium } from './chromium-visitor.ts'
import { visitWithEngine, withEngineScripts } from './engine-visitor.ts'
import { expected, knownFailures, pageFiles, readPage } from './expected.ts'
import { takeRun } from './take-run.ts'
import type { Visitor } from './visitor.ts'

/** How long a check waits for its result, in milliseconds. Only a run that fails waits that long. */
const patience = 5000

// `npm run test:engines` sets it.
const engine = process.env['ENGINE'] ?? 'chromium'
const isChromium = engine === 'chromium'

interface Started {
  readonly visit: (url: string, within: number) => Promise<Visitor>
  readonly close: () => Promise<unknown>
}

async function start(): Promise<Started> {
  if (!isChromium) {
    const page = await startEngine(engine)
    await page.setViewportSize({ width: 1280, height: 720 })
    return { visit: (url, within) => visitWithEngine(page, url, within), close: page.close }
  }
  const browser = await launchBrowser()
  return { visit: (url, within) => visitWithChromium(browser, url, within), close: () => browser.close() }
}

// The other engines have one tab.
describe(`pages as others write them, in ${engine}`, { concurrency: isChromium ? 3 : 1 }, () => {
  let started: Started | undefined
  const known = new Set(knownFailures[engine])
  const names: string[] = []

  before(async () => {
    started = await start()
  })
  after(() => started?.close())

  for (const [file, page] of Object.entries(expected)) {
    if (!isChromium && !page.engines?.includes(engine)) continue
    const html = isChromium ? readPage(file) : withEngineScripts(readPage(file))
    for (const run of page.runs) {
      const name = `${file.replace('.html', '')}: ${run.name}`
      names.push(name)
      const take = (within: number) =>
        takeRun(page, run, html, ({ url }) => started!.visit(url, within), within)
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
