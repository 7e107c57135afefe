// Runs the Node tests for StrykerJS: the instrumented tests are bundled once, and every mutant gets a process that runs
// only the tests that reach it. StrykerJS's own runner for node:test knows which files reach a mutant, not which tests.
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DryRunStatus, TestStatus } from '@stryker-mutator/api/test-runner'
import { build } from 'esbuild'
import { setupOf, testFiles } from './selection.mjs'
import { tryMutant } from './try-mutant.mjs'

const hooks = pathToFileURL(join(import.meta.dirname, 'node-hooks.mjs')).href

export class NodeTestRunner {
  #area
  #tests
  #files
  #folder
  #durations = new Map()
  /** Number of mutants that were noticed, by mutated file and test file. */
  #kills = new Map()
  #children = new Set()

  constructor({ area, tests }) {
    this.#area = area
    this.#tests = tests
  }

  async init() {
    this.#folder = await mkdtemp(join(tmpdir(), 'routeslip-mutate-'))
    this.#files = await testFiles(this.#area, 'node', this.#tests)
    if (this.#files.length === 0) return
    await build({
      entryPoints: this.#files,
      // Beside the sources: tests find other files relative to themselves.
      outdir: '.',
      outbase: '.',
      outExtension: { '.js': '.mjs' },
      chunkNames: `test/${this.#area}/chunk-[hash]`,
      absWorkingDir: process.cwd(),
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node22',
      packages: 'external',
      tsconfig: 'tsconfig.json',
      logLevel: 'error',
    })
  }

  async dispose() {
    for (const child of this.#children) child.kill('SIGKILL')
    await rm(this.#folder, { recursive: true, force: true })
  }

  async dryRun() {
    const tests = []
    const coverage = { static: {}, perTest: {} }
    for (const file of this.#files) {
      const run = await this.#run(file, {})
      const { results, mutantCoverage, error } = run
      if (error) return { status: DryRunStatus.Error, errorMessage: `${file}: ${error}` }
      const setup = {
        id: setupOf(file),
        name: setupOf(file),
        status: TestStatus.Success,
        timeSpentMs: run.ms,
      }
      for (const result of [setup, ...results]) tests.push({ ...result, fileName: file })
      this.#durations.set(file, run.ms)
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

  /** Runs one file in a process of its own; with `bail`, only until the first failure. */
  async #run(file, { activeMutant, ids, hitLimit, limit = 600_000, bail = activeMutant !== undefined }) {
    const report = join(this.#folder, `${crypto.randomUUID()}.json`)
    const settings = { report, activeMutant, hitLimit, setup: setupOf(file), bail }
    const patterns = (ids ?? []).map((id) => `--test-name-pattern=${escape(leafOf(id))}`)
    const start = performance.now()
    const child = spawn(
      process.execPath,
      [
        '--import',
        hooks,
        '--test-reporter=tap',
        ...(patterns.length < 300 ? patterns : []),
        file.replace(/\.ts$/, '.mjs'),
      ],
      {
        env: { ...process.env, NODE_TEST_CONTEXT: undefined, ROUTESLIP_MUTATE: JSON.stringify(settings) },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    this.#children.add(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    let isOverTime = false
    const timer = setTimeout(() => {
      isOverTime = true
      child.kill('SIGKILL')
    }, limit)
    const code = await new Promise((resolve) => child.on('close', resolve))
    clearTimeout(timer)
    this.#children.delete(child)
    const ms = performance.now() - start
    try {
      const outcome = JSON.parse(await readFile(report, 'utf8'))
      await rm(report)
      const isRed = code !== 0 && !outcome.results.some(({ status }) => status === TestStatus.Failed)
      return {
        ms,
        ...outcome,
        isOverTime,
        ...(isRed && { error: output.slice(-2000) }),
      }
    } catch {
      return { ms, results: [], isOverTime, error: `exit code ${code}\n${output.slice(-2000)}` }
    }
  }
}

/** Name of a test without those of its suites: what `--test-name-pattern` is compared with. */
function leafOf(id) {
  return id.slice(id.lastIndexOf(' > ') + 3)
}

function escape(text) {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}
