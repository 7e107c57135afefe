import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchBrowser } from '../browser.ts'
import { moments } from '../../tools/ears/moments.ts'
import { perform } from '../../tools/ears/perform.ts'
import { openTree } from '../../tools/ears/tree.ts'

// The most important moments of `npm run test:ears`, without a desktop: the accessibility tree of Chromium, the focus and the
// live regions. With UPDATE=1, writes the transcripts instead of comparing them.

const chosen = [
  'load',
  'state-to-sign',
  'state-returned',
  'state-not-available',
  'void-asked',
  'void-confirmed',
  'void-refused',
  'upload-one',
  'upload-twelve',
  'delete-confirmed',
  'outage',
  'outage-over',
  'form-errors',
  'file-signed-out',
  'share-asked',
]

const folder = new URL('trees/', import.meta.url)

describe('The accessibility tree of Chromium', () => {
  let browser: Browser
  before(async () => {
    browser = await launchBrowser()
  })
  after(async () => {
    await browser?.close()
  })

  for (const name of chosen) {
    it(`matches the transcript: ${name}`, async () => {
      const moment = moments.find((one) => one.name === name)
      assert.ok(moment, `${name} is a moment`)
      const context = await browser.newContext({
        viewport: { width: 1200, height: 900 },
        locale: 'en-US',
        timezoneId: 'UTC',
      })
      const tree = await openTree(await context.newPage())
      const text = await perform(moment, tree, tree)
      await context.close()
      const file = new URL(`${name}.txt`, folder)
      if (process.env['UPDATE']) {
        mkdirSync(folder, { recursive: true })
        writeFileSync(file, text)
      }
      const fix =
        'Review the change. If it is right: UPDATE=1 node --import tsx --test test/ears/tree.node.test.ts'
      assert.deepEqual(text.split('\n'), readFileSync(file, 'utf8').split('\n'), fix)
    })
  }
})
