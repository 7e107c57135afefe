import { execFileSync } from 'node:child_process'
import { buildInputs } from '../build-stamp.mjs'
import { filesBelow } from '../files.mjs'
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

/**
 * Returns the paths of the files that each test depends on. `dependencies` are those of the tests, which
 * `findDependencies()` returns.
 */
export function findInputs(tests, dependencies) {
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

/** Returns the tests that depend on one of the files. `inputs` are the files that each test depends on. */
export function affectedTests(tests, files, inputs) {
  const changed = new Set(files)
  return tests.filter((test) => inputs.get(test).some((file) => changed.has(file)))
}

/** Returns the Node tests that need neither a build nor another program, such as a browser or Redis. */
export function findUnitTests(tests, dependencies) {
  const programs = ['node:child_process', 'playwright-core', 'vite']
  return tests.filter(
    (test) =>
      isNodeTest(test) &&
      !needsBuild(test) &&
      !programs.some((name) => dependencies.get(test).packages.has(name)),
  )
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
