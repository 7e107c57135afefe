import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { type Bug, bugs } from './seeded-bugs.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const cache = join(root, 'node_modules/.cache/routeslip')

// Inserts each bug into the sources while they are bundled. The tests with the number of its threat then have to fail.
describe('the tests of a threat', { concurrency: 2 }, () => {
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'bugs-'))
  after(() => rmSync(folder, { recursive: true, force: true }))

  for (const [index, bug] of bugs.entries()) {
    it(`notice for ${bug.threat} that the proxy ${bug.bug}`, async () => {
      const bundle = join(folder, `${index}.mjs`)
      await bundleTests(bug.tests, bundle, [seed(bug)])
      const { output, failed } = await run(bundle, bug.threat)
      assert.ok(
        failed.some((line) => new RegExp(`\\b${bug.threat}\\b`).test(line)),
        `No test of ${bug.threat} failed in ${bug.tests}:\n${output.slice(-2000)}`,
      )
    })
  }

  for (const [index, tests] of [...new Set(bugs.map(({ tests }) => tests))].entries()) {
    it(`pass in ${tests} without a bug (control)`, async () => {
      const bundle = join(folder, `control-${index}.mjs`)
      await bundleTests(tests, bundle, [])
      const { output, failed } = await run(bundle, 'T\\d+')
      assert.deepEqual(failed, [], output.slice(-2000))
      assert.match(output, /^ *ok .*\bT\d+\b/m)
    })
  }
})

async function bundleTests(tests: string, bundle: string, plugins: Plugin[]): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: [`test/${tests}.node.test.ts`],
    outfile: bundle,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    keepNames: true,
    tsconfig: join(root, 'tsconfig.json'),
    logLevel: 'silent',
    plugins,
  })
}

/** Replaces `from` by `to` in the file of the bug. Fails unless the file contains `from` exactly once. */
function seed({ file, from, to }: Bug): Plugin {
  return {
    name: 'seed',
    setup({ onLoad, onEnd }) {
      let isSeeded = false
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        if (path !== join(root, 'src', file)) return undefined
        isSeeded = true
        const source = readFileSync(path, 'utf8')
        assert.equal(source.split(from).length, 2, `src/${file} has to contain this exactly once: ${from}`)
        return { contents: source.replace(from, () => to), loader: 'ts' }
      })
      onEnd(() => assert.ok(isSeeded, `The tests do not load src/${file}`))
    },
  }
}

/** Runs the tests of a bundle whose names match. Returns what they print, and the lines of those that failed. */
function run(bundle: string, name: string): Promise<{ output: string; failed: readonly string[] }> {
  return new Promise((resolve) => {
    const options = ['--test-reporter=tap', `--test-name-pattern=/\\b${name}\\b/`]
    const child = spawn(process.execPath, [...options, bundle], {
      cwd: root,
      // Otherwise it would report to the runner of this file.
      env: { ...process.env, NODE_TEST_CONTEXT: undefined },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    const timer = setTimeout(() => child.kill('SIGKILL'), 60_000)
    child.on('close', () => {
      clearTimeout(timer)
      resolve({ output, failed: [...output.matchAll(/^ *not ok .*/gm)].map(([line]) => line) })
    })
  })
}
