import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path/posix'
import { checkJob } from './plan.mjs'
import { staticChecks } from './static-checks.mjs'

/**
 * Returns jobs for the static checks, without the parts that have passed with the sources as they are now.
 *
 * @param {import('./passed.mjs').Passed} passed
 */
export function quickJobs(passed) {
  const read = createReader()
  const files = listFiles()
  return staticChecks(true).flatMap((check) => {
    if (!check.quick) return [checkJob(check)]
    const left = partsOf(check, files, read).filter((part) => !passed.has(part))
    if (left.length === 0) return []
    const args = [...check.quick.args, ...left.flatMap(({ file }) => file ?? [])]
    return [{ ...checkJob({ ...check, args }), parts: left }]
  })
}

/**
 * A check, and what it reads.
 *
 * @typedef {object} Check
 * @property {string} name
 * @property {{ readonly settings: readonly string[]; readonly files: RegExp; readonly by: 'content' | 'types' | 'imports' }} quick
 */

/**
 * Returns the parts of a check, with the files whose names its arguments need. `read` returns the text of a file.
 *
 * @param {Check} check
 * @param {readonly string[]} files
 * @param {(file: string) => string} read
 * @returns {readonly { readonly name: string; readonly hash: string; readonly file?: string }[]}
 */
export function partsOf({ name, quick }, files, read) {
  const settings = hash(quick.settings.map(read))
  const checked = files.filter((file) => quick.files.test(file))
  if (quick.by === 'imports') {
    const statements = checked.flatMap((file) => [file, ...importsIn(read(file)).map(({ text }) => text)])
    return [{ name, hash: hash([settings, ...statements]) }]
  }
  return checked.map((file) => {
    const imported = quick.by === 'types' ? importedFiles(file, read(file)) : []
    const inputs = [file, ...imported].flatMap((input) => [input, read(input)])
    return { name: `${name} of ${file}`, file, hash: hash([settings, ...inputs]) }
  })
}

/** Returns the files that git knows or would add. */
function listFiles() {
  const output = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    encoding: 'utf8',
  })
  return output.split('\0').filter((file) => file !== '' && existsSync(file))
}

/** Returns a function that returns the text of a file, and reads each file once. */
function createReader() {
  const texts = new Map()
  return (file) => {
    if (!texts.has(file)) texts.set(file, existsSync(file) ? readFileSync(file, 'latin1') : 'missing')
    return texts.get(file)
  }
}

/** A statement or call that imports a module, and its specifier. */
const importPattern = /\b(?:import|export)\b(?:[^'"`;()=]*?\bfrom)?\s*'([^']+)'|\bimport\(\s*'([^']+)'/g

function importsIn(source) {
  return [...source.matchAll(importPattern)].map(([text, a, b]) => ({ text, specifier: a ?? b }))
}

function importedFiles(file, source) {
  const relative = importsIn(source).filter(({ specifier }) => specifier.startsWith('.'))
  return relative.map(({ specifier }) => join(file, '..', specifier))
}

function hash(texts) {
  const sum = createHash('sha256')
  for (const text of texts) sum.update(text).update('\0')
  return sum.digest('hex')
}
