// Which test files belong to an area, and which of them can notice a mutant.
import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Test folders by area. */
export const areas = {
  client: ['test/client'],
  elements: ['test/elements', 'test/define', 'test/stories'],
  contract: ['test/contract'],
  proxy: ['test/proxy'],
}

/** Files that test other things than the code in one process: they run the code in other processes or bundle the sources again. */
const excluded = /seeded-bugs|nginx|weight|crash|kills/

/**
 * Test files of an area that run in Node or in the browser, as paths from the root with forward slashes; of these, only those
 * whose path contains `part`.
 */
export async function testFiles(area, runtime, part = '') {
  const isWanted = (name) =>
    name.endsWith('.test.ts') && name.endsWith('.node.test.ts') === (runtime === 'node')
  const files = []
  for (const folder of areas[area]) {
    for (const name of await readdir(folder, { recursive: true })) {
      if (isWanted(name) && !excluded.test(name)) files.push(join(folder, name).replaceAll('\\', '/'))
    }
  }
  return files.filter((file) => file.includes(part)).sort()
}

/** Sources that pages load, as paths from the root. */
export async function sourceFiles() {
  const files = []
  for (const folder of ['src/client', 'src/contract', 'src/elements', 'src/define', 'src/locales']) {
    for (const name of await readdir(folder, { recursive: true })) {
      if (name.endsWith('.ts')) files.push(join(folder, name).replaceAll('\\', '/'))
    }
  }
  return files
}

/** Id of what a file runs outside its tests: modules as they load, and `before` hooks. */
export function setupOf(file) {
  return `${file}#setup`
}

/**
 * Test files that reach a mutant, with the tests to run: the likeliest first, then those that have noticed most of the
 * earlier mutants of the same file, then the quickest.
 */
export function filesToRun(mutated, testFilter, files, { durations, kills }) {
  const stem = basename(mutated).replace(/\.ts$/, '')
  const folder = dirname(mutated).replace(/^src\//, 'test/')
  const likelihood = (file) => (basename(file).startsWith(stem) ? 2 : 0) + (dirname(file) === folder ? 1 : 0)
  return files
    .map((file) => {
      const all = testFilter?.filter((id) => id.startsWith(`${file} `) || id === setupOf(file))
      return { file, ids: !all || all.includes(setupOf(file)) ? undefined : all, count: all?.length ?? 1 }
    })
    .filter(({ count }) => count > 0)
    .sort(
      (a, b) =>
        likelihood(b.file) - likelihood(a.file) ||
        (kills.get(`${mutated} ${b.file}`) ?? 0) - (kills.get(`${mutated} ${a.file}`) ?? 0) ||
        (durations.get(a.file) ?? 0) - (durations.get(b.file) ?? 0),
    )
}
