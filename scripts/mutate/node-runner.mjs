// Runs the Node tests for StrykerJS: the instrumented tests are bundled once, and every mutant gets a process that runs
// only the tests that reach it. StrykerJS's own runner for node:test knows which files reach a mutant, not which tests.
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DryRunStatus, TestStatus, toMutantRunResult } from '@stryker-mutator/api/test-runner'
import { build } from 'esbuild'
import { filesToRun, setupOf, testFiles } from './selection.mjs'

const hooks = pathToFileURL(join(import.meta.dirname, 'node-hooks.mjs')).href

export class NodeTestRunner {
  #area
  #files
  #folder
  #known = new Map()
  #children = new Set()

  constructor({ area }) {
    this.#area = area
  }

  async init() {
    this.#folder = await mkdtemp(join(tmpdir(), 'routeslip-mutate-'))
    this.#files = await testFiles(this.#area, 'node')
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
      target: 'node20',
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
      this.#known.set(file, run.ms)
      Object.assign(coverage.perTest, mutantCoverage?.perTest)
    }
    return { status: DryRunStatus.Complete, tests, mutantCoverage: coverage }
  }

  async mutantRun({ activeMutant, testFilter, hitLimit, sandboxFileName }) {
    const tests = []
    const mutated = relative(process.cwd(), sandboxFileName)
    for (const { file, ids } of filesToRun(mutated, testFilter, this.#files, this.#known)) {
      // Generous: on a busy machine, a test that is only slow would count as one that has noticed the mutant.
      const limit = Math.max(30_000, (this.#known.get(file) ?? 0) * 8)
      const run = await this.#run(file, { activeMutant: activeMutant.id, ids, hitLimit, limit })
      if (run.isOverLimit)
        return toMutantRunResult({ status: DryRunStatus.Timeout, reason: run.error ?? 'Hit limit reached' })
      tests.push(...run.results)
      if (run.error) {
        const failure = {
          id: setupOf(file),
          name: setupOf(file),
          status: TestStatus.Failed,
          failureMessage: run.error,
        }
        tests.push({ ...failure, timeSpentMs: 0 })
      }
      if (tests.some(({ status }) => status === TestStatus.Failed)) break
    }
    return toMutantRunResult({ status: DryRunStatus.Complete, tests })
  }

  /** Runs one file in a process of its own; with `activeMutant`, only until the first failure. */
  async #run(file, { activeMutant, ids, hitLimit, limit = 300_000 }) {
    const report = join(this.#folder, `${crypto.randomUUID()}.json`)
    const settings = {
      report,
      activeMutant,
      hitLimit,
      setup: setupOf(file),
      bail: activeMutant !== undefined,
    }
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
    let isOverLimit = false
    const timer = setTimeout(() => {
      isOverLimit = true
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
        isOverLimit: isOverLimit || outcome.isOverLimit,
        ...(isRed && { error: output.slice(-2000) }),
      }
    } catch {
      return { ms, results: [], isOverLimit, error: `exit code ${code}\n${output.slice(-2000)}` }
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
