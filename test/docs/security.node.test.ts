import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { root } from './documents.ts'
import { openSite, packages, type Site } from './site.ts'
import { launchBrowser } from '../browser.ts'

// Checks that each threat of docs/security.md has tests, and tests the two threats that no other file tests.

describe('docs/security.md', () => {
  const document = readFileSync(`${root}docs/security.md`, 'utf8')
  const threats = [...document.matchAll(/^\| (T\d+) +\|/gm)].map(([, number = '']) => number)

  it('names every threat once, in order', () => {
    assert.deepEqual(
      threats,
      Array.from({ length: 30 }, (_, index) => `T${index + 1}`),
    )
  })

  it('names threats that the titles of tests name', () => {
    const tests = readdirSync(`${root}test`, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.test.ts'))
      .map((path) => readFileSync(`${root}test/${path}`, 'utf8'))
    const isTested = (number: string) =>
      tests.some((text) => new RegExp(`(?:it|describe)\\([^\\n]*\\b${number}\\b`).test(text))
    assert.deepEqual(
      threats.filter((number) => !isTested(number)),
      [],
    )
    assert.ok(!isTested('T31'))
  })
})

/** Waits until an image could not be loaded. What was inserted before has had its chance to run by then. */
const aBrokenImage = `new Promise((resolve) => {
  const image = new Image()
  image.onerror = () => resolve()
  image.src = '/does-not-exist.png'
})`

/** Returns texts that would run a script if they were inserted as markup. */
const payloads = (script: string) => [
  `<img src=x onerror="${script}">`,
  `<svg onload="${script}">`,
  `<script>${script}</script>`,
  `"><iframe srcdoc="<script>parent.${script}</script>">`,
  `<a href="javascript:${script}" autofocus onfocus="${script}">x</a>`,
  `<details open ontoggle="${script}">`,
]

describe('text from users', () => {
  let site: Site
  let browser: Browser
  let page: Page

  before(async () => {
    site = await openSite()
    browser = await launchBrowser()
    page = await browser.newPage()
  })
  after(async () => {
    await browser?.close()
    await site?.close()
  })

  it('is rendered as text everywhere, and never runs (T18)', async () => {
    const hostile = payloads('ran()')
    const found = site.emulator.packages.test.get(packages.routing)
    assert.ok(found, 'there is a package')
    const text = hostile.join(' ')
    found.comments.push({
      ...{ id: 900, comment: text, approversOnly: false, state: 'ACTIVE' as const },
      createdAt: '2026-11-18T10:00:00',
      person: found.initiator,
    })
    found.attachments.push({
      ...{ id: 901, type: 1, fileName: `${text}.pdf`, description: text, person: found.initiator },
      ...{
        uploadTimestamp: '2026-11-18T10:00:00',
        contentType: 'application/pdf',
        fileSize: 1,
        object: 'seed',
      },
    })
    for (const person of site.emulator.people.values())
      Object.assign(person, { displayName: text, title: text })
    for (const { stop } of found.history) if (stop) Object.assign(stop, { name: text })

    const of = `endpoint="/api/wf" form-id="6025" package-id="42"`
    const tags = ['wf-package-status', 'wf-history', 'wf-comments', 'wf-attachments']
    site.show(
      `<script>window.runs = 0; window.ran = () => window.runs++</script>
      ${tags.map((tag) => `<${tag} ${of}></${tag}>`).join('')}
      <script type="module" src="/routeslip.js"></script>`,
    )
    await page.goto(`${site.url}/page`)
    for (const tag of tags) {
      await page.waitForFunction(`document.querySelector('${tag}').matches(':state(loaded)')`)
      const shown = await page.locator(tag).locator('[part=base]').innerText()
      assert.ok(shown.includes(hostile[0] ?? ''), `${tag} shows it as text: ${shown}`)
    }
    await page.evaluate(aBrokenImage)
    assert.equal(await page.evaluate('window.runs'), 0)
  })

  it('runs if it is inserted as markup (control of T18)', async () => {
    site.show('<div></div><script>window.runs = 0; window.ran = () => window.runs++</script>')
    await page.goto(`${site.url}/page`)
    for (const payload of payloads('ran()')) {
      await page.evaluate(`document.querySelector('div').innerHTML = ${JSON.stringify(payload)}`)
      await page.evaluate(aBrokenImage)
    }
    assert.ok((await page.evaluate<number>('window.runs')) >= 3, 'several of them run')
  })

  it('never becomes a blob or data URL, which would run on the site (T17)', () => {
    const makes = /createObjectURL|['"`](?:blob|data):/
    const files = readdirSync(`${root}src`, { recursive: true, encoding: 'utf8' })
      .filter((file) => /^(?:elements|client|define|locales)\/.*\.ts$/.test(file))
      .filter((file) => makes.test(readFileSync(`${root}src/${file}`, 'utf8')))
    assert.deepEqual(files, [])
    assert.doesNotMatch(readFileSync(`${root}dist/routeslip.js`, 'utf8'), /createObjectURL/)
    assert.match('URL.createObjectURL(new Blob([text]))', makes)
  })
})
