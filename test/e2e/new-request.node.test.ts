import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before, describe, it } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { type Demo, serveDemo } from '../../src/cli/demo.ts'
import { scenarios } from '../../src/emulator/scenarios/index.ts'
import { launchBrowser } from '../browser.ts'

// People create, follow and release travel requests on the site of the demo, which serves the scripts of dist/.

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8')

describe('a new request', () => {
  let demo: Demo
  let browser: Browser

  before(async () => {
    demo = await serveDemo({ port: 0, linkSeconds: 60 })
    browser = await launchBrowser()
  })

  after(async () => {
    await browser?.close()
    await demo?.close()
  })

  it('is entered, corrected, saved, completed with a document and submitted by keyboard alone', async () => {
    const page = await open('')
    const complaints: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(`${message.text()} ${message.location().url}`)
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    await page.goto(demo.url)
    await pressUntilFocused(page, 'New request')
    await page.keyboard.press('Enter')
    await page.locator('wf-form:state(loaded)').waitFor()
    assert.deepEqual(await violations(page), [])

    await test('empty fields are named, with links to them', async () => {
      await pressUntilFocused(page, 'Submit for approval')
      await page.keyboard.press('Enter')
      const problems = page.locator('wf-form').getByRole('group', { name: 'There is a problem' })
      await problems.waitFor()
      assert.deepEqual(await problems.getByRole('link').allInnerTexts(), [
        'Enter the purpose of the trip.',
        'Enter the departure date.',
        'Enter the estimated cost.',
        'Enter your department.',
      ])
      assert.deepEqual(await violations(page), [])
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      assert.equal(await focusedName(page), 'purpose')
    })

    await test('what was typed stays, and a wrong amount is named', async () => {
      await page.keyboard.type('Sampling at the river')
      await page.keyboard.press('Tab')
      await page.keyboard.type('05142027')
      await pressUntilFocused(page, 'nights')
      await page.keyboard.type('4')
      await page.keyboard.press('Tab')
      await page.keyboard.type('1.234,50')
      await pressUntilFocused(page, 'Your department')
      await page.keyboard.type('11 0420')
      await page.locator('wf-route').getByText('Usual route for Biology (11-0420)').first().waitFor()
      await pressUntilFocused(page, 'Save for later')
      await page.keyboard.press('Enter')
      const link = page.locator('wf-form').getByRole('link')
      await link.filter({ hasText: 'The estimated cost must be an amount, such as 1,234.50.' }).waitFor()
      assert.equal(await link.count(), 1)
      assert.deepEqual(await violations(page), [])
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      assert.equal(await focusedName(page), 'cost')
      await page.keyboard.press('Control+A')
      await page.keyboard.type('1,234.50')
    })

    await test('the first save creates the request, and documents can be added', async () => {
      await pressUntilFocused(page, 'Save for later')
      await page.keyboard.press('Enter')
      await page
        .locator('wf-form')
        .getByText(/^Saved at /)
        .first()
        .waitFor()
      // Before the focus moves, because the browser needs a moment until it reports dialogs instead of opening them.
      const chooser = page.waitForEvent('filechooser')
      await pressUntilFocused(page, 'Add file Itinerary')
      await page.keyboard.press('Enter')
      const file = {
        name: 'itinerary.pdf',
        mimeType: 'application/pdf',
        buffer: Buffer.from('%PDF-1.7 day 1'),
      }
      await (await chooser).setFiles(file)
      await pressUntilFocused(page, 'Upload')
      await page.keyboard.press('Enter')
      await page
        .locator('wf-attachments')
        .getByRole('link', { name: /itinerary/ })
        .waitFor()
      assert.deepEqual(await violations(page), [])
    })

    await test('the answers are checked, with the documents and the calculated route', async () => {
      await pressUntilFocused(page, 'Submit for approval')
      await page.keyboard.press('Enter')
      const title = page.getByRole('heading', { name: 'Check your answers before you submit' })
      await title.and(page.locator(':focus')).waitFor()
      const answers = await page.locator('wf-form [part=answer]').allInnerTexts()
      assert.deepEqual(
        answers.map((text) => text.replace(/\s+/g, ' ')),
        [
          'Purpose of the trip Sampling at the river Change',
          'Departure date May 14, 2027 Change',
          'Nights away (optional) 4 Change',
          'Estimated cost in US dollars 1,234.50 Change',
          'Website of the event (optional) Not entered Change',
          'Email address during the trip (optional) Not entered Change',
          'Your department 11-0420 Biology Change',
        ],
      )
      await page.locator('[slot=review]').getByText('Mei-Ling Zhou').first().waitFor()
      await page.locator('wf-attachments').getByText('itinerary.pdf').first().waitFor()
      assert.deepEqual(await violations(page), [])
    })

    await test('after the submission, the page of the request shows it in routing', async () => {
      await pressUntilFocused(page, 'Submit')
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/requests\/\d+/).catch(async () => {
        throw new Error(`The form stays: ${await page.locator('wf-form [part=base]').first().innerText()}`)
      })
      await page.getByText('Your request has been submitted.').and(page.locator(':focus')).waitFor()
      await page.waitForURL(/\/requests\/\d+$/)
      await page.locator('wf-package-status').getByText('In routing').first().waitFor()
      assert.match(
        await page.locator('wf-package-status [part=base]').innerText(),
        /Waiting for\s+Daniel Reyes/,
      )
      await page.locator('wf-attachments').getByText('itinerary.pdf').first().waitFor()
      assert.equal(
        await page.title(),
        `Travel request ${page.url().split('/').at(-1)} · Northfield University`,
      )
    })

    await test('an approver signs it in the console, and the page shows the next approver', async () => {
      const { pathname } = new URL(page.url())
      const console = await page.context().newPage()
      await console.goto(demo.url)
      await console.getByRole('link', { name: 'emulator console' }).click()
      await console
        .getByLabel('Travel request', { exact: true })
        .selectOption(`${pathname.split('/').at(-1)}`)
      await console.getByRole('button', { name: 'Show' }).click()
      await console.getByRole('button', { name: 'Sign as Daniel Reyes' }).click()
      await console.getByText('Package signed.').first().waitFor()
      await page
        .locator('wf-package-status')
        .getByText(/Mei-Ling Zhou/)
        .first()
        .waitFor()
      await console.getByRole('link', { name: /^Travel request/ }).click()
      assert.equal(new URL(console.url()).pathname, pathname)
    })
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  for (const [name, options, direction] of [
    ['light', { colorScheme: 'light' }, 'ltr'],
    ['dark', { colorScheme: 'dark' }, 'ltr'],
    ['right-to-left', {}, 'rtl'],
  ] as const) {
    it(`has no accessibility violation, ${name}, wide and at 320 px, with problems shown`, async () => {
      for (const width of [1280, 320]) {
        const page = await open('new', { ...options, viewport: { width, height: 800 } })
        await page.locator('wf-form:state(loaded)').waitFor()
        await page.evaluate(`document.documentElement.dir = '${direction}'`)
        await page.getByRole('button', { name: 'Submit for approval' }).click()
        await page.locator('.wf-problem').first().waitFor()
        assert.deepEqual(await violations(page), [])
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        assert.equal(overflow, 0, 'nothing sticks out')
        await page.context().close()
      }
    })
  }

  it('is not sent by a browser without the scripts, and the site says what to do', async () => {
    const page = await open('new', { javaScriptEnabled: false })
    await page.fill('#purpose', 'x')
    await page.fill('#departure', '2027-05-14')
    await page.fill('#cost', '1')
    await page.getByRole('button', { name: 'Submit for approval' }).click()
    await page.getByText('Nothing was sent').first().waitFor()
    await page.context().close()
  })

  it('begins with an earlier request from the list of the person, and is created when it is saved', async () => {
    const page = await open('start')
    await page.getByRole('button', { name: 'My requests' }).click()
    const { entry } = scenarios.small().packages.test.get(42)!
    await page.locator('wf-list').getByText(String(entry['purpose'])).first().waitFor()
    await page.locator('wf-list').getByRole('link', { name: 'Use again: Travel request 42' }).click()
    const form = page.locator('wf-form')
    await form.getByRole('group', { name: 'Filled in from request 42.' }).waitFor()
    const leftOut = await form.locator('[part=left-out] > li').allInnerTexts()
    assert.deepEqual(leftOut, ['the departure date'], 'no field that nobody sees')
    assert.equal(await page.inputValue('#purpose'), entry['purpose'])
    assert.equal(await page.inputValue('#departure'), '')
    assert.deepEqual(await violations(page), [])
    await form.getByRole('link', { name: 'the departure date' }).click()
    assert.equal(await focusedName(page), 'departure')
    assert.equal(new URL(page.url()).search, '?copy=42', 'nothing is saved')
    await page.fill('#departure', '2027-10-02')
    await page.getByRole('button', { name: 'Save for later' }).click()
    await page.waitForURL(/[/]requests[/]\d+[/]edit$/)
    assert.notEqual(new URL(page.url()).pathname, '/requests/42/edit')
    await page.context().close()
  })

  it('remembers the working files of each person, also those that are gone', async () => {
    const page = await open('')
    const uploader = page.locator('fs-uploader')
    const file = { name: 'quote.txt', mimeType: 'text/plain', buffer: Buffer.from('four nights') }
    const remembered = page.waitForResponse((response) => response.url().endsWith('/working-files'))
    await uploader.locator('input').setInputFiles(file)
    assert.equal((await remembered).status(), 204)
    await page.reload()
    await uploader.getByRole('link', { name: 'Download quote.txt' }).waitFor()

    const stored = await uploader.getAttribute('value')
    const send = (uuids: readonly string[]) =>
      page.evaluate<number>(
        `fetch('/working-files', { method: 'POST', body: new URLSearchParams(${JSON.stringify(uuids.map((uuid) => ['uuid', uuid]))}) }).then(({ status }) => status)`,
      )
    assert.equal(await send(['not a uuid']), 400)
    assert.equal(await send([stored ?? '', '00000000-0000-4000-8000-000000000000']), 204)
    await page.reload()
    await uploader.getByRole('link', { name: 'Download quote.txt' }).waitFor()
    await page.locator('wf-package-status').getByText('In routing').first().waitFor()
    assert.equal(await uploader.locator('[part=file]').count(), 2, 'the file that is gone can be removed')
    assert.equal(await uploader.locator('[part=failure]').count(), 0)

    await page.getByLabel('Signed in as').selectOption({ label: 'Daniel Reyes (first approver)' })
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Switch' }).click()])
    assert.equal(await uploader.getAttribute('value'), '', 'nobody sees the files of others')
    await page.context().close()
  })

  it('is released from a pause by the administrator, by keyboard, on a page that others cannot use', async () => {
    const denied = await open('admin')
    await denied.getByText('Only administrators can use this page.').first().waitFor()
    assert.equal(await denied.locator('wf-package-status, fs-files').count(), 0)
    assert.equal((await denied.request.get(`${demo.url}admin`)).status(), 403)
    assert.deepEqual(await violations(denied), [])
    await denied.getByRole('link', { name: 'Go back' }).click()
    await denied.locator('wf-package-status').getByText('In routing').first().waitFor()
    assert.equal(await denied.getByRole('link', { name: 'Administration' }).count(), 0)
    const reads = ['forms/6025/packages/42/overrides', 'shares'] as const
    assert.deepEqual(await Promise.all(reads.map((path) => readStatus(denied, path))), [403, 403])

    const page = denied
    const complaints: string[] = []
    await page.getByLabel('Signed in as').selectOption({ label: 'Priya Raman (administrator)' })
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Switch' }).click()])
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(`${message.text()} ${message.location().url}`)
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    await page.getByRole('link', { name: 'Administration' }).click()
    const paused = page.getByRole('list', { name: 'Paused requests' })

    await test('the page shows that nothing is paused, the replaced approvers, the files and the shares', async () => {
      await page.getByText('No request is paused.').first().waitFor()
      await page.locator('wf-overrides').getByText('Nobody is replaced on this request.').first().waitFor()
      await page.locator('fs-files').getByRole('link', { name: 'Open quote.txt' }).waitFor()
      await page.locator('fs-shares').getByText('Not shared with any application.').first().waitFor()
      assert.deepEqual(await Promise.all(reads.map((path) => readStatus(page, path))), [200, 200])
    })

    await test('a request that is paused appears without a reload', async () => {
      const console = await page.context().newPage()
      await console.goto(`${demo.url}console`)
      await console.getByRole('button', { name: 'Pause at College' }).click()
      await console.getByText('now pause there').first().waitFor()
      await console.getByRole('button', { name: 'Sign as Daniel Reyes' }).click()
      await console.getByText('Package signed.').first().waitFor()
      await paused.getByRole('link', { name: 'Travel request 42' }).waitFor()
      await console.getByRole('button', { name: 'Do not pause' }).click()
      await console.getByText('do not pause any more').first().waitFor()
      await console.close()
      await page.locator('wf-package-status [part=release]').waitFor()
      assert.deepEqual(await violations(page), [])
      await page.setViewportSize({ width: 320, height: 800 })
      assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0)
      assert.deepEqual(await violations(page), [])
      await page.emulateMedia({ colorScheme: 'dark' })
      assert.deepEqual(await violations(page), [], 'in dark')
      await page.setViewportSize({ width: 1280, height: 900 })
      assert.deepEqual(await violations(page), [], 'wide, in dark')
      await page.emulateMedia({ colorScheme: null })
      await page.setViewportSize({ width: 320, height: 800 })
    })

    await test('another request is chosen by its number, and the list leads back', async () => {
      await pressUntilFocused(page, 'package')
      await page.keyboard.press('Control+A')
      await page.keyboard.type('41')
      await page.keyboard.press('Enter')
      await page.waitForURL(/\?package=41$/)
      await paused.getByRole('link', { name: 'Travel request 42' }).press('Enter')
      await page.waitForURL(/\?package=42$/)
    })

    await test('a new read keeps the focus in the list', async () => {
      await page.locator('wf-package-status [part=release]').waitFor()
      await paused.getByRole('link', { name: 'Travel request 42' }).focus()
      for (let reads = 0; reads < 2; reads++) {
        const read = page.waitForResponse((response) => response.url().endsWith('/forms/6025/locks'))
        await page.evaluate("document.querySelector('wf-package-status').refresh()")
        await (await read).finished()
      }
      assert.equal(await focusedName(page), 'Travel request 42')
    })

    await test('the request continues at the next approver, and is not listed any more', async () => {
      await page.keyboard.press('Shift+Tab')
      assert.equal(await focusedName(page), 'Let it continue…')
      await page.keyboard.press('Enter')
      await page.locator('wf-package-status').getByRole('dialog').waitFor()
      assert.deepEqual(await violations(page), [])
      await page.keyboard.type('The budget is checked')
      await pressUntilFocused(page, 'Let it continue')
      await page.keyboard.press('Enter')
      await page.locator('wf-package-status [part=lead]').getByText('Mei-Ling Zhou').first().waitFor()
      await page.getByText('No request is paused.').first().waitFor()
    })
    // Request 41 does not exist, and a file of the visit before is gone.
    const absent = / 403 .*\/packages\/41\/overrides$| 404 .*\/files\/0{8}-0{4}-4000-8000-0{12}\/meta$/
    assert.deepEqual(
      complaints.filter((text) => !absent.test(text)),
      [],
    )
    await page.context().close()
  })

  /** Returns the status of a read of the proxy by the person who is signed in. */
  async function readStatus(page: Page, path: string): Promise<number> {
    return await page.evaluate<number>(
      `fetch('/api/wf/${path}', { headers: { 'X-Routeslip': '1' } }).then(({ status }) => status)`,
    )
  }

  async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      locale: 'en-US',
      ...options,
    })
    const page = await context.newPage()
    await page.goto(demo.url + path)
    return page
  }
})

/** A step of a walk: its name is part of the error. */
async function test(name: string, run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (cause) {
    throw new Error(`Failed at: ${name}. ${String(cause)}`, { cause })
  }
}

/** Presses Tab until the focus is on an element with this text, label or name. */
async function pressUntilFocused(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if ((await focusedNames(page)).includes(name)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`The focus does not reach "${name}"`)
}

/** The text, label and name of the element that has the focus, in any shadow root. */
async function focusedNames(page: Page): Promise<readonly string[]> {
  return await page.evaluate<string[]>(`(() => {
    let found = document.activeElement
    while (found?.shadowRoot?.activeElement) found = found.shadowRoot.activeElement
    return [found?.textContent.trim(), found?.getAttribute('aria-label'), found?.getAttribute('name')].filter(Boolean)
  })()`)
}

async function focusedName(page: Page): Promise<string | undefined> {
  return (await focusedNames(page)).at(-1)
}

async function violations(page: Page): Promise<string[]> {
  // The debugger evaluates it, so the policy of the page does not apply.
  await page.evaluate(axe)
  return await page.evaluate<string[]>(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map((n) => n.target).join(' | ')))`,
  )
}
