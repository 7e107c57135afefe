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

// Inserts each bug into the sources while they are bundled. The tests with the number of its threat then have to fail. That
// they pass without a bug shows when `npm test` runs their files.
describe('the tests of a threat', { concurrency: 2 }, () => {
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'bugs-'))
  after(() => rmSync(folder, { recursive: true, force: true }))

  for (const [index, bug] of bugs.entries()) {
    it(`notice for ${bug.threat} that the proxy ${bug.bug}`, async () => {
      const bundle = join(folder, `${index}.mjs`)
      await bundleTests(bug.tests, bundle, [seed(bug)])
      const noticed = new RegExp(`^ *not ok .*\\b${bug.threat}\\b`, 'm')
      const output = await run(bundle, bug.threat, noticed)
      assert.ok(
        noticed.test(output),
        `No test of ${bug.threat} failed in ${bug.tests}:\n${output.slice(-2000)}`,
      )
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
    target: 'node22',
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

/** Runs the tests of a bundle whose names match, until they end or `enough` matches their output. Returns the output. */
function run(bundle: string, name: string, enough: RegExp): Promise<string> {
  return new Promise((resolve) => {
    const options = ['--test-reporter=tap', `--test-name-pattern=/\\b${name}\\b/`]
    const child = spawn(process.execPath, [...options, bundle], {
      cwd: root,
      // Otherwise it would report to the runner of this file.
      env: { ...process.env, NODE_TEST_CONTEXT: undefined },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const onData = (chunk: Buffer) => {
      output += chunk.toString()
      if (enough.test(output)) child.kill('SIGKILL')
    }
    child.stdout.on('data', onData)
    child.stderr.on('data', onData)
    const timer = setTimeout(() => child.kill('SIGKILL'), 110_000)
    child.on('close', () => {
      clearTimeout(timer)
      resolve(output)
    })
  })
}
