import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { bugs } from './seeded-bugs.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

// What the tests of threats claim they would notice is tried: each bug is put into a copy of the sources, and the tests
// that bear the threat's number have to fail there. Without a bug they pass, as the rest of this suite shows.
describe('a bug that opens the proxy', { concurrency: 2 }, () => {
  let copy = ''

  before(async () => {
    copy = await mkdtemp(join(tmpdir(), 'routeslip-bugs-'))
    for (const name of ['src', 'test', 'package.json', 'tsconfig.json']) {
      await cp(join(root, name), join(copy, 'original', name), { recursive: true })
    }
  })
  after(() => rm(copy, { recursive: true, force: true }))

  for (const [index, { threat, bug, file, from, to, tests }] of bugs.entries()) {
    it(`is caught by the tests of ${threat}: it ${bug}`, async () => {
      const tree = join(copy, `bug-${index}`)
      await cp(join(copy, 'original'), tree, { recursive: true })
      await symlink(join(root, 'node_modules'), join(tree, 'node_modules'), 'dir')
      const source = await readFile(join(tree, 'src', file), 'utf8')
      // So that the list stays true to the sources.
      assert.equal(source.split(from).length, 2, `src/${file} has to hold this exactly once: ${from}`)
      await writeFile(
        join(tree, 'src', file),
        source.replace(from, () => to),
      )

      const output = await run(tree, threat, tests)
      const failed = [...output.matchAll(/^not ok .*|^ +not ok .*/gm)].map(([line]) => line)
      assert.ok(
        failed.some((line) => new RegExp(`\\b${threat}\\b`).test(line)),
        `No test of ${threat} failed in ${tests}:\n${output.slice(-2000)}`,
      )
      await rm(tree, { recursive: true, force: true })
    })
  }
})

/** Runs the tests of one file whose names hold the threat's number, and answers what they print. */
function run(tree: string, threat: string, tests: string): Promise<string> {
  const options = ['--import', 'tsx', '--test', '--test-reporter=tap', '--test-timeout=60000']
  const pattern = `--test-name-pattern=/\\b${threat}\\b/`
  return new Promise((resolve) => {
    // Otherwise it would report to the runner of this file.
    const env = { ...process.env, NODE_TEST_CONTEXT: undefined }
    const child = spawn(process.execPath, [...options, pattern, `test/${tests}.node.test.ts`], {
      cwd: tree,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    child.on('close', () => resolve(output))
  })
}
