// Takes the steps of `expected.json` on pages whose forms real libraries change. `npm run test:libraries` runs it, because it installs
// these libraries.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import type { Browser } from 'playwright-core'
import { launchBrowser } from '../../test/browser.ts'
import { visitWithChromium } from '../../test/foreign/chromium-visitor.ts'
import type { ExpectedPage } from '../../test/foreign/expected.ts'
import { takeRun } from '../../test/foreign/take-run.ts'

const here = 'tools/libraries'
const pages = JSON.parse(readFileSync(join(here, 'expected.json'), 'utf8')) as Readonly<
  Record<string, ExpectedPage>
>

/** How long a check waits for its result, in milliseconds. Only a run that fails waits that long. */
const patience = 5000

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}

describe('pages with real libraries', () => {
  const folder = mkdtempSync(join(tmpdir(), 'routeslip-libraries-'))
  let browser: Browser
  let react = ''

  before(
    async () => {
      for (const file of ['package.json', 'react.js']) cpSync(join(here, file), join(folder, file))
      const options = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
      await promisify(execFile)('npm', ['install', ...options], { cwd: folder })
      const { outputFiles } = await build({
        entryPoints: [join(folder, 'react.js')],
        bundle: true,
        write: false,
        format: 'esm',
        define: { 'process.env.NODE_ENV': '"production"' },
      })
      react = outputFiles[0]?.text ?? ''
      browser = await launchBrowser()
    },
    { timeout: 180_000 },
  )
  after(async () => {
    await browser?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const findFile = (path: string): readonly [string, string | Buffer] | undefined => {
    if (path === '/libraries/react.js') return ['text/javascript', react]
    const file = join(folder, path)
    if (!path.startsWith('/node_modules/') || !existsSync(file)) return undefined
    return [types[extname(path)] ?? 'application/octet-stream', readFileSync(file)]
  }

  for (const [file, page] of Object.entries(pages)) {
    const html = readFileSync(join(here, 'pages', file), 'utf8')
    for (const run of page.runs)
      it(`${file.replace('.html', '')}: ${run.name}`, () =>
        takeRun(page, run, html, ({ url }) => visitWithChromium(browser, url, patience), patience, findFile))
  }

  it('has steps for each page', () => {
    assert.deepEqual(readdirSync(join(here, 'pages')).sort(), Object.keys(pages).sort())
  })
})
