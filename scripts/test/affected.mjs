import { execFileSync } from 'node:child_process'
import { buildInputs } from '../build-stamp.mjs'
import { filesBelow } from '../files.mjs'
import { findDependencies } from './bundle.mjs'
import { isNodeTest, needsBuild, SelectionError } from './test-files.mjs'

/** Files that every test depends on. */
const forAll = ['package-lock.json', 'tsconfig.json']

/** Returns the paths of all files that differ from the commit at which this branch left main. */
export function changedFiles() {
  const base = git('merge-base', 'main', 'HEAD') ?? git('rev-parse', 'HEAD')
  if (base === undefined) throw new SelectionError('--changed needs a git repository with a commit.')
  const changed = git('diff', '--name-only', '--no-renames', base.trim())
  const added = git('ls-files', '--others', '--exclude-standard')
  return `${changed}${added}`.split('\n').filter(Boolean)
}

/** Returns the tests that depend on one of the files. */
export async function affectedTests(tests, files) {
  const changed = new Set(files)
  const inputs = await findInputs(tests)
  return tests.filter((test) => inputs.get(test).some((file) => changed.has(file)))
}

/** Returns the paths of the files that each test depends on. */
export async function findInputs(tests) {
  const dependencies = await findDependencies(tests)
  const build = tests.some(needsBuild) ? [...buildInputs(), ...documents()] : []
  return new Map(
    tests.map((test) => {
      const more = [
        ...(isNodeTest(test) ? [] : ['web-test-runner.config.mjs']),
        ...(needsBuild(test) ? build : []),
      ]
      return [test, [...new Set([...forAll, ...dependencies.get(test).files, ...more])]]
    }),
  )
}

/** Node tests that need neither a build nor another program, such as a browser or Redis. */
export async function findUnitTests(tests) {
  const candidates = tests.filter((test) => isNodeTest(test) && !needsBuild(test))
  const dependencies = await findDependencies(candidates)
  const programs = ['node:child_process', 'playwright-core', 'vite']
  return candidates.filter((test) => !programs.some((name) => dependencies.get(test).packages.has(name)))
}

function documents() {
  return [
    'README.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'LICENSE',
    ...filesBelow('docs'),
    ...filesBelow('stories'),
  ]
}

function git(...args) {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return undefined
  }
}
