import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { badgeScript, extraRequest, sample } from '../../tools/bench/many.ts'
import { openSite } from '../../tools/bench/site.ts'
import { launchBrowser } from '../browser.ts'

describe('200 badges', () => {
  let browser: Browser

  before(async () => {
    browser = await launchBrowser()
  })
  after(() => browser?.close())

  /** Counts the requests of a page with 200 badges. */
  async function requests(isSlowed: boolean): Promise<number> {
    const site = await openSite({ script: await badgeScript(isSlowed ? [extraRequest] : []) })
    try {
      await sample(browser, site, 'badges', 200)
      return site.requested.length
    } finally {
      site.close()
    }
  }

  it('send two requests', async () => {
    assert.equal(await requests(false), 2)
  })

  it('send more if each badge needs more data (control)', async () => {
    const count = await requests(true)
    assert.ok(count >= 202, `${count} requests`)
  })
})
