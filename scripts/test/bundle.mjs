import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { filesBelow } from '../files.mjs'

/**
 * Bundles Node tests into a folder of their own, which takes a fraction of the time that loading each file with tsx
 * takes. Packages stay imports. Returns the path of the bundle by test file. `change` changes the source of a module, by its
 * path.
 *
 * @param {readonly string[]} files
 * @param {(file: string, source: string) => string} [change]
 * @returns {Promise<Map<string, string>>}
 */
export async function bundleNodeTests(files, change = (_file, source) => source) {
  const folder = `node_modules/.cache/routeslip/tests/${process.pid}-${++bundles}`
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  await build({
    ...options,
    entryPoints: files,
    outdir: folder,
    outbase: '.',
    splitting: true,
    sourcemap: true,
    plugins: [changedSources(change)],
  })
  return new Map(files.map((file) => [file, `${folder}/${file.replace(/\.ts$/, '.mjs')}`]))
}

const options = {
  bundle: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  target: 'node22',
  // As tsx does, so that functions and classes have the same names in both.
  keepNames: true,
  tsconfig: 'tsconfig.json',
  outExtension: { '.js': '.mjs' },
  logLevel: 'error',
}

let bundles = 0

/** Not as one word, because tests bundle this module too. */
const ownUrl = ['import', 'meta', 'url'].join('.')

/**
 * Changes the sources. Also replaces `import.meta.url` by the URL of the source, so that relative URLs lead to the same files
 * as before.
 */
function changedSources(change) {
  return {
    name: 'changed-sources',
    setup({ onLoad }) {
      onLoad({ filter: /\.(?:ts|mjs)$/ }, async ({ path }) => {
        const source = await readFile(path, 'utf8')
        const file = relative('.', path).replaceAll('\\', '/')
        const contents = change(file, source).replaceAll(ownUrl, JSON.stringify(pathToFileURL(path).href))
        return contents === source ? undefined : { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' }
      })
    },
  }
}

/**
 * Finds which files each test depends on: the modules that it imports, directly or through others, and the files and
 * folders that its own modules name in strings. Returns the sorted paths, and the modules of Node and the packages that
 * those modules import, by test file.
 */
export async function findDependencies(tests) {
  const mentions = new Map(
    filesBelow('test')
      .filter(isSource)
      .map((file) => [file, mentionedFiles(file)]),
  )
  const mentionedSources = [...mentions.values()].flat().filter(isSource)
  const { metafile } = await build({
    ...options,
    entryPoints: [...new Set([...tests, ...mentionedSources])],
    outdir: 'node_modules/.cache/routeslip/unused',
    outbase: '.',
    splitting: true,
    metafile: true,
    write: false,
  })
  return new Map(
    tests.map((test) => {
      const files = new Set()
      const packages = new Set()
      const visit = (file) => {
        if (files.has(file)) return
        files.add(file)
        for (const { path, external } of metafile.inputs[file]?.imports ?? []) {
          if (external) packages.add(path)
          else visit(path)
        }
        for (const mentioned of mentions.get(file) ?? []) visit(mentioned)
      }
      visit(test)
      return [test, { files: [...files].sort(), packages }]
    }),
  )
}

function isSource(file) {
  return file.endsWith('.ts')
}

/** Returns the files that strings such as `'src/cli/main.ts'` and `'../../docs/proxy.md'` in a module name. */
function mentionedFiles(file) {
  const literals = readFileSync(file, 'utf8').matchAll(
    /['"`](?:[.][.][/])*((?:tools|docs|scripts|src|test)[/][\w./-]+)['"`]/g,
  )
  return [...new Set([...literals].map(([, path]) => path))].flatMap((path) => {
    if (!existsSync(path)) return []
    return statSync(path).isDirectory() ? filesBelow(path) : [path]
  })
}
