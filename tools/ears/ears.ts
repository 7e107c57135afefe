// Listens to the pages of the demo as assistive technology does. `npm run test:ears` sets ENGINE: chromium, firefox or orca,
// which is the screen reader Orca in Chromium.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startBrowser } from './browser.ts'
import { type Desktop, startDesktop } from './desktop.ts'
import { moments } from './moments.ts'
import { startOrca } from './orca.ts'
import { perform } from './perform.ts'
import { expectedTranscript, writeTranscript } from './transcripts.ts'

const engine = process.env['ENGINE'] ?? 'chromium'
/** Only these, if `MOMENTS` lists names. */
const chosen = process.env['MOMENTS']?.split(',')

describe(`What assistive technology receives from ${engine}`, () => {
  let desktop: Desktop
  let orca: Awaited<ReturnType<typeof startOrca>> | undefined
  let browser: Awaited<ReturnType<typeof startBrowser>>

  before(async () => {
    desktop = await startDesktop()
    if (engine === 'orca') orca = await startOrca(desktop)
    browser = await startBrowser(engine === 'firefox' ? 'firefox' : 'chromium', desktop.env)
  })

  after(async () => {
    await browser?.close()
    await orca?.close()
    await desktop?.close()
  })

  for (const moment of moments.filter(({ name }) => chosen?.includes(name) ?? true)) {
    it(`${moment.name}: ${moment.title}`, async () => {
      const text = await perform(moment, browser, orca ?? desktop)
      if (process.env['UPDATE']) writeTranscript(moment.name, engine, text)
      const fix = `Review the change. If it is right: UPDATE=1 npm run test:ears`
      const expected = expectedTranscript(moment.name, engine)
      assert.deepEqual(text.split('\n'), expected.split('\n'), fix)
    })
  }
})
