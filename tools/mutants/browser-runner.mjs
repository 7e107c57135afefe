// Runs the browser tests for StrykerJS: the instrumented sources are bundled once, and every mutant gets a fresh page that
// runs only the tests that reach it. StrykerJS has no runner for Web Test Runner; this one serves the tests' commands too.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { DryRunStatus, TestStatus } from '@stryker-mutator/api/test-runner'
import { build } from 'esbuild'
import { chromium } from 'playwright-core'
import { browserBundle } from '../../scripts/test/bundled-tests.mjs'
import { setupOf, sourceFiles, testFiles } from './selection.mjs'
import { tryMutant } from './try-mutant.mjs'

const frameworkPath = 'node_modules/@web/test-runner-mocha/dist/standalone.js'
const types = { '.js': 'text/javascript', '.html': 'text/html' }

export class BrowserTestRunner {
  #area
  #tests
  #server
  #browser
  #origin
  /** Duration in ms by file, from the dry run. */
  #durations = new Map()
  /** Number of mutants that were noticed, by mutated file and test file. */
  #kills = new Map()
  #files

  constructor({ area, tests }) {
    this.#area = area
    this.#tests = tests
  }

  async init() {
    this.#files = await testFiles(this.#area, 'browser', this.#tests)
    if (this.#files.length === 0) return
    await build({
      ...browserBundle,
      // Frames that tests open import sources by their address.
      entryPoints: [...this.#files, ...(await sourceFiles())],
      outdir: '.mutate',
      outbase: '.',
      absWorkingDir: process.cwd(),
    })
    this.#server = createServer((request, response) => void this.#serve(request, response))
    await new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    this.#origin = `http://127.0.0.1:${this.#server.address().port}`
    this.#browser = await chromium.launch({
      executablePath: process.env.CHROME_PATH,
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync'],
    })
  }

  async dispose() {
    await this.#browser?.close()
    this.#server?.close()
  }

  async dryRun() {
    const tests = []
    const coverage = { static: {}, perTest: {} }
    for (const file of this.#files) {
      const { results, mutantCoverage, error } = await this.#run(file, {})
      if (error) return { status: DryRunStatus.Error, errorMessage: `${file}: ${error}` }
      const setup = { id: setupOf(file), name: setupOf(file), status: TestStatus.Success, timeSpentMs: 0 }
      for (const result of [setup, ...results]) {
        tests.push({ ...result, fileName: file })
        setup.timeSpentMs += result === setup ? 0 : result.timeSpentMs
      }
      this.#durations.set(file, setup.timeSpentMs)
      Object.assign(coverage.perTest, mutantCoverage?.perTest)
    }
    return { status: DryRunStatus.Complete, tests, mutantCoverage: coverage }
  }

  async mutantRun(options) {
    const run = (file, settings) => this.#run(file, settings)
    return await tryMutant(options, {
      files: this.#files,
      durations: this.#durations,
      kills: this.#kills,
      run,
    })
  }

  /** Runs the tests of one file in a page of its own; with `bail`, only until the first failure. */
  async #run(file, { activeMutant, ids, hitLimit, limit = 600_000, bail = activeMutant !== undefined }) {
    const context = await this.#browser.newContext({ viewport: { width: 800, height: 600 } })
    let timer
    try {
      const page = await context.newPage()
      const stop = new Promise((resolve) => {
        timer = setTimeout(() => resolve({ isOverTime: true, results: [] }), limit)
        page.on('crash', () => resolve({ error: 'the page crashed', results: [] }))
        void page.exposeBinding('__finish', (_, result) => resolve(result))
      })
      await page.exposeBinding('__command', async (_, { command, payload }) => {
        return await perform(page, command, payload)
      })
      const settings = { file, activeMutant, ids, hitLimit, setup: setupOf(file), bail }
      await page.addInitScript(
        `window.__WTR_CONFIG__ = {}; window.__settings = ${JSON.stringify(settings)}; window.__stryker__ = top.__stryker__ ?? {}`,
      )
      // A mutant may keep the page from loading at all.
      const open = page.goto(`${this.#origin}/?wtr-test-file=${file}&wtr-session-id=mutate`, {
        timeout: 0,
        waitUntil: 'commit',
      })
      return await Promise.race([stop, open.then(() => stop)])
    } finally {
      clearTimeout(timer)
      await context.close().catch(() => {})
    }
  }

  async #serve({ url }, response) {
    const { pathname } = new URL(url, 'http://localhost')
    const send = (type, body) => response.writeHead(200, { 'Content-Type': type }).end(body)
    if (pathname === '/') return send('text/html', page)
    if (pathname === '/__web-dev-server__web-socket.js') return send('text/javascript', socket)
    try {
      const file =
        pathname === '/framework.js' ? frameworkPath : join('.mutate', pathname.replace(/\.ts$/, '.js'))
      send(types[extname(file)] ?? 'application/octet-stream', await readFile(file))
    } catch {
      response.writeHead(404).end()
    }
  }
}

/** The commands of `@web/test-runner-commands` and of web-test-runner.config.mjs that tests use. */
async function perform(page, command, payload) {
  if (command === 'set-viewport') return await page.setViewportSize(payload)
  if (command === 'emulate-media-features') return (await page.emulateMedia(payload), true)
  if (command === 'send-keys') {
    if (payload.type) return await page.keyboard.type(payload.type)
    if (payload.press) return await page.keyboard.press(payload.press)
    if (payload.down) return await page.keyboard.down(payload.down)
    return await page.keyboard.up(payload.up)
  }
  if (command === 'send-mouse') {
    const { type, position: [x, y] = [], button } = payload
    if (type === 'move') return await page.mouse.move(x, y)
    if (type === 'click') return await page.mouse.click(x, y, { button })
    return type === 'down' ? await page.mouse.down({ button }) : await page.mouse.up({ button })
  }
  if (command === 'reset-mouse') return await page.mouse.move(0, 0)
  // Nothing is recorded again.
  if (command === 'get-snapshot-config') return { updateSnapshots: false }
  throw new Error(
    `The runner for mutants does not know the command ${command}. Add it to browser-runner.mjs.`,
  )
}

/** Replaces the connection to Web Test Runner. */
const socket = `
export const webSocket = undefined
export function sendMessage() {}
export async function sendMessageWaitForResponse({ command, payload }) {
  return { executed: true, result: await window.__command({ command, payload }) }
}`

const page = `<!doctype html>
<html lang="en">
  <head><title>Tests</title><meta name="color-scheme" content="light dark" />
    <style>body { background: Canvas; color: CanvasText }</style></head>
  <body><script type="module">
    const { file, activeMutant, ids, hitLimit, setup, bail } = window.__settings
    const stryker = Object.assign(window.__stryker__, { activeMutant, hitLimit, currentTestId: setup })
    if (hitLimit !== undefined) stryker.hitCount = 0
    const results = []
    let isFinished = false
    const finish = (error) => {
      if (isFinished) return
      isFinished = true
      const isOverHitLimit = stryker.hitCount > hitLimit
      const mutantCoverage = stryker.mutantCoverage
      window.__finish(JSON.parse(JSON.stringify({ results, error, isOverHitLimit, mutantCoverage })))
    }
    const titleOf = (test) => setup.slice(0, -6) + ' ' + test.fullTitle()
    try {
      const { mocha } = await import('/framework.js')
      mocha.setup({ ui: 'bdd', timeout: 30000, bail, reporter: class {}, allowUncaught: false })
      beforeEach(function () { stryker.currentTestId = titleOf(this.currentTest) })
      afterEach(() => { stryker.currentTestId = setup })
      await import('/' + file.replace(/\\.ts$/, '.js'))
      if (ids) {
        const wanted = new Set(ids)
        const keep = (suite) => {
          suite.tests = suite.tests.filter((test) => wanted.has(titleOf(test)))
          suite.suites.forEach(keep)
        }
        keep(mocha.suite)
      }
      const runner = mocha.run(() => finish())
      runner.on('pass', (test) => results.push({ id: titleOf(test), name: titleOf(test), status: 0, timeSpentMs: test.duration ?? 0 }))
      runner.on('fail', (test, error) => {
        const failureMessage = String(error?.message ?? error)
        results.push({ id: titleOf(test), name: titleOf(test), status: 1, timeSpentMs: test.duration ?? 0, failureMessage })
        if (bail) finish()
      })
    } catch (error) {
      finish(String(error?.stack ?? error))
    }
  </script></body>
</html>`
