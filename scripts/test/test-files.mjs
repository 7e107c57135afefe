import { existsSync, readFileSync, statSync } from 'node:fs'
import { relative } from 'node:path'
import { filesBelow } from '../files.mjs'

/** Folders of tests that use `dist`, `lib`, `server/lib` or `custom-elements.json`. */
const foldersWithBuild = [
  'test/cli/command/',
  'test/cli/demo/',
  'test/docs/',
  'test/e2e/',
  'test/ears/',
  'test/foreign/',
  'test/manifest/',
  'test/package/',
  'test/stories/stories.test.ts',
  'test/testing/',
]

/** Returns the paths of all test files, relative to the root and sorted. */
export function listTestFiles() {
  return filesBelow('test').filter((file) => file.endsWith('.test.ts'))
}

export function isNodeTest(file) {
  return file.endsWith('.node.test.ts')
}

/**
 * Part of the title of tests and suites that the gate runs in Firefox and WebKit too, because they test what depends on an
 * engine: focus, keys, forms, layout, events, files, uploads. Chromium runs all browser tests.
 */
export const engineTag = '@engines'

/** Whether a file contains tests that the gate runs in Firefox and WebKit too. */
export function dependsOnEngine(file) {
  return readFileSync(file, 'utf8').includes(engineTag)
}

/** Whether a test needs the output of `npm run build`. */
export function needsBuild(file) {
  return foldersWithBuild.some((folder) => file.startsWith(folder))
}

/**
 * Returns the test files that the arguments of `npm test --` select. An argument is a test file, or a folder that
 * contains test files. Throws if an argument is neither.
 */
export function selectTestFiles(paths) {
  const all = listTestFiles()
  const selected = paths.flatMap((argument) => {
    const path = relative('.', argument).replaceAll('\\', '/')
    const matches = all.filter((file) => file === path || path === '' || file.startsWith(`${path}/`))
    if (matches.length > 0) return matches
    if (!existsSync(path)) throw new SelectionError(`${argument} does not exist.`)
    const kind = statSync(path).isDirectory() ? 'contains no test files' : 'is not a test file'
    throw new SelectionError(`${argument} ${kind}. Test files are named *.test.ts or *.node.test.ts.`)
  })
  return [...new Set(selected)].sort()
}

/** An argument selects no tests. */
export class SelectionError extends Error {
  name = 'SelectionError'
}
