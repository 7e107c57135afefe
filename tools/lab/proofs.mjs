import { relative } from 'node:path'
import { build } from 'vite'
import { bundleNodeTests } from '../../scripts/test/bundle.mjs'
import { runNode } from '../../scripts/test/child.mjs'
import { isNodeTest, needsBuild } from '../../scripts/test/test-files.mjs'

const reporter = new URL('../../scripts/test/reporter.mjs', import.meta.url).href
/** Of a script without a defence. */
const folder = 'node_modules/.cache/routeslip/lab'

/**
 * Runs test files, one after the other. Calls `onFile` before each of them. Returns the results of their tests by file: full
 * names and outcomes, which are `passed`, `failed` or `skipped`.
 */
export async function runTestFiles(files, onFile = () => {}) {
  const results = new Map()
  const bundles = await bundleNodeTests(files.filter(isNodeTest))
  for (const file of files) {
    onFile(file)
    results.set(
      file,
      isNodeTest(file) ? await runBundle(bundles.get(file)) : await runInBrowser(file, undefined),
    )
  }
  return results
}

/** Returns the outcome of a test in the results of its file: `missing` if no name contains the text. */
export function outcomeOf(results, test) {
  const found = results.filter(({ name }) => name.includes(test))
  if (found.length === 0) return results.at(-1)?.outcome === 'endless' ? 'endless' : 'missing'
  if (found.some(({ outcome }) => outcome === 'failed')) return 'failed'
  return found.some(({ outcome }) => outcome === 'passed') ? 'passed' : 'skipped'
}

/**
 * Removes a defence, and runs the test that has to notice it. Returns whether that test fails, or never ends: without a
 * timeout, for example, it waits for ever.
 */
export async function isNoticed(removal) {
  const { file, test } = removal.noticedBy
  const results = isNodeTest(file) ? await runSeeded(removal) : await runInBrowser(file, removal)
  return ['failed', 'endless'].includes(outcomeOf(results, test))
}

/** Replaces `from` by `to` in a source. Throws unless it contains `from` exactly once. */
export function seed(source, { file, from, to }) {
  if (source.split(from).length !== 2) throw new Error(`${file} has to contain this exactly once: ${from}`)
  return source.replace(from, () => to)
}

/** Runs a test without a defence. If it loads the built script, that is built without the defence too. */
async function runSeeded(removal) {
  const { file, test } = removal.noticedBy
  let isSeeded = false
  const change = (path, source) => {
    if (path !== removal.file) return source
    isSeeded = true
    return seed(source, removal)
  }
  const bundles = await bundleNodeTests([file], change)
  const env = !isSeeded && needsBuild(file) ? { ROUTESLIP_DIST: await buildScript(change) } : undefined
  if (!isSeeded) throw new Error(`${file} does not run ${removal.file}`)
  return await runBundle(bundles.get(file), test, env)
}

/** Builds `routeslip.js` without its languages, of sources that `change` changes. Returns the folder. Late parts are built as they are. */
async function buildScript(change) {
  const plugin = {
    name: 'remove-a-defence',
    enforce: 'pre',
    transform: (source, id) => change(relative('.', id).replaceAll('\\', '/'), source),
  }
  await build({ mode: 'production', plugins: [plugin], build: { outDir: folder, emptyOutDir: true } })
  return folder
}

/** Runs the tests of a bundle, or those whose names contain a text. */
async function runBundle(path, test, env) {
  const results = []
  const onMessage = ({ finished, outcome }) => {
    if (finished !== undefined && outcome !== 'suite') results.push({ name: finished, outcome })
  }
  const pattern =
    test === undefined ? [] : [`--test-name-pattern=/${test.replace(/[/\\^$*+?.()|[\]{}]/g, '\\$&')}/`]
  // A test of a whole file may take minutes, and a single one may not.
  const timeLimit = test === undefined ? 300 : 45
  const args = [...pattern, `--test-reporter=${reporter}`, '--test-reporter-destination=stdout', path]
  const { output, isHanging } = await runNode(['--enable-source-maps', ...args], {
    onMessage,
    timeLimit,
    env,
  })
  if (isHanging) results.push({ name: '', outcome: 'endless' })
  if (results.length === 0) console.error(output)
  return results
}

async function runInBrowser(file, removal) {
  const results = []
  const env = removal && { ROUTESLIP_REMOVAL: JSON.stringify({ ...removal, test: removal.noticedBy.test }) }
  const onMessage = ({ tests }) => results.push(...tests)
  const args = ['node_modules/@web/test-runner/dist/bin.js', '--files', file]
  const { output } = await runNode(args, { onMessage, env, timeLimit: 300 })
  if (results.length === 0) console.error(output)
  return results
}
