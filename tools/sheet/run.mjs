// `npm run sheet` draws every story in every mode, and collects the pictures of each element on a sheet per mode.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { serveFolder } from './serve-folder.mjs'
import { programVariables } from '../../scripts/setup.mjs'

process.chdir(fileURLToPath(new URL('../..', import.meta.url)))

const usage = `Usage: npm run sheet                      draws all stories into reports/sheets
       npm run sheet -- TEXT…             only the stories whose ids contain one of the texts
       npm run sheet -- --mode dark       only this mode: ${'light, dark, narrow, rtl, forced'}
       npm run sheet -- --url URL         uses a Storybook that runs already, such as http://127.0.0.1:6006
       npm run sheet -- --out FOLDER      writes the sheets there`

/** How each mode differs from an ordinary window. */
const modes = {
  light: {},
  dark: { theme: 'dark' },
  narrow: { width: 320 },
  rtl: { direction: 'rtl' },
  forced: { forcedColors: 'active' },
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: 'string' },
    out: { type: 'string', default: 'reports/sheets' },
    mode: { type: 'string', multiple: true, default: Object.keys(modes) },
    help: { type: 'boolean', short: 'h' },
  },
})
const unknown = values.mode.filter((mode) => !Object.hasOwn(modes, mode))
if (values.help || unknown.length > 0) {
  console.error(usage)
  process.exit(values.help ? 0 : 1)
}

Object.assign(process.env, programVariables())

const folder = mkdtempSync(join(tmpdir(), 'routeslip-sheet-'))
const server = values.url ? undefined : await buildAndServe()
const origin = values.url ?? `http://127.0.0.1:${server.address().port}`
const browser = await chromium.launch({
  ...(process.env.CHROME_PATH && { executablePath: process.env.CHROME_PATH }),
  args: ['--no-sandbox', '--disable-gpu'],
})
try {
  const index = await (await fetch(`${origin}/index.json`)).json()
  const stories = Object.values(index.entries).filter(
    ({ type, id }) =>
      type === 'story' && (positionals.length === 0 || positionals.some((text) => id.includes(text))),
  )
  if (stories.length === 0) throw new Error(`No story matches ${positionals.join(', ')}`)
  mkdirSync(values.out, { recursive: true })
  for (const mode of values.mode) {
    for (const title of new Set(stories.map((story) => story.title))) {
      const group = stories.filter((story) => story.title === title)
      const name = `${title.replace(/^.*\//, '').replaceAll(' ', '-').toLowerCase()}-${mode}.png`
      await drawSheet(group, modes[mode], join(values.out, name))
      console.log(join(values.out, name))
    }
  }
} finally {
  await browser.close()
  server?.close()
  rmSync(folder, { recursive: true, force: true })
}

async function buildAndServe() {
  execFileSync('npm', ['run', '-s', 'build:storybook', '--', '--output-dir', folder], { stdio: 'inherit' })
  return await serveFolder(folder)
}

/** Draws stories one after the other, and puts their pictures side by side. */
async function drawSheet(stories, { width = 720, forcedColors = 'none', ...globals }, path) {
  const context = await browser.newContext({
    viewport: { width, height: 400 },
    locale: 'en-US',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    forcedColors,
  })
  const page = await context.newPage()
  const pictures = []
  for (const { id, name } of stories) {
    const settings = Object.entries(globals).map(([key, value]) => `${key}:${value}`)
    await page.goto(`${origin}/iframe.html?viewMode=story&id=${id}&globals=${settings.join(';')}`)
    await page.waitForFunction(
      () => globalThis.__STORYBOOK_ADDONS_CHANNEL__?.last('storyFinished'),
      undefined,
      { timeout: 60_000 },
    )
    const hasDialog = await page.evaluate(() =>
      [...document.querySelectorAll('*')].some(({ shadowRoot }) => shadowRoot?.querySelector('dialog[open]')),
    )
    await page.addStyleTag({ content: '.page.story { min-block-size: 0 !important }' })
    await page.setViewportSize({ width, height: hasDialog ? 640 : 100 })
    const data = (await page.screenshot({ fullPage: !hasDialog })).toString('base64')
    pictures.push({ name, data })
  }
  await page.emulateMedia({ forcedColors: 'none' })
  await page.setViewportSize({ width: 1480, height: 600 })
  // Without a document type, the body would be as high as the window.
  await page.goto('data:text/html,<!doctype html><title>Sheet</title>')
  await page.evaluate(placePictures, { pictures, width })
  await page.screenshot({ path, fullPage: true })
  await context.close()
}

/** Adds each picture below the shortest column. */
async function placePictures({ pictures, width }) {
  document.body.style.cssText =
    'display: flex; align-items: start; gap: 12px; margin: 12px; background: #999; font: 700 13px sans-serif'
  const columns = Array.from({ length: Math.floor(innerWidth / (width + 12)) }, () =>
    document.body.appendChild(document.createElement('div')),
  )
  for (const { name, data } of pictures) {
    const image = new Image()
    image.src = `data:image/png;base64,${data}`
    image.style.cssText = 'display: block; margin-block: 2px 12px'
    await image.decode()
    const shortest = Math.min(...columns.map(({ offsetHeight }) => offsetHeight))
    columns.find(({ offsetHeight }) => offsetHeight === shortest)?.append(name, image)
  }
}
