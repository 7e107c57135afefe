import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { isAbsolute, join, relative } from 'node:path'
import { build } from 'esbuild'

/** How browser tests are bundled. Their modules change each other's state, so what several of them import stays one module. */
export const browserBundle = {
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2022',
  conditions: ['development', 'browser'],
  // Web Test Runner serves this module.
  external: ['/__web-dev-server__web-socket.js'],
  tsconfig: 'tsconfig.json',
  logLevel: 'error',
}

let folders = 0

/**
 * Bundles browser tests into a folder of their own, for all browsers of a run: a page then loads a few modules instead of hundreds.
 * Returns the path of the folder. `change` changes the source of a module, by its path.
 *
 * @param {readonly string[]} files
 * @param {(file: string, source: string) => string} [change]
 * @returns {Promise<string>}
 */
export async function bundleBrowserTests(files, change = (_file, source) => source) {
  const folder = `node_modules/.cache/routeslip/browser-tests/${process.pid}-${++folders}`
  mkdirSync(folder, { recursive: true })
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  await build({
    ...browserBundle,
    entryPoints: files,
    outdir: folder,
    outbase: '.',
    chunkNames: 'chunks/[hash]',
    sourcemap: 'linked',
    plugins: [moduleAddresses(change)],
  })
  return folder
}

/**
 * Returns middleware for Web Test Runner that serves the bundled tests in a folder. `pages` are lists of tests that share a page:
 * the address of the first brings the others. With `title`, a page has only the tests whose titles, with those of their suites,
 * contain it.
 */
export function serveBundles(folder, { pages = [], title } = {}) {
  const others = new Map(pages.map(([first, ...rest]) => [first, rest]))
  // As the folder of the project would be served, so that source maps lead to the sources.
  const address = `/${folder}/`
  const pathOf = (file) => file.replace(/\.ts$/, '.js')
  // Not a plugin: the runner would parse and transform what a plugin serves, although it is compiled already.
  return async (context, next) => {
    const path = context.path.slice(1)
    if (path.endsWith('.test.ts') && existsSync(join(folder, pathOf(path)))) {
      const modules = [path, ...(others.get(path) ?? [])].map(pathOf)
      context.body = [
        ...modules.map((module) => `import '${address}${module}'`),
        // After the tests of these modules. Mocha's own filter would leave the others as tests that did not pass.
        ...(title ? [`;(${leaveOut.toString()})(mocha.suite, ${JSON.stringify(title)})`] : []),
      ].join('\n')
      context.type = 'js'
      return
    }
    const file = context.path.startsWith(address) && join(folder, context.path.slice(address.length))
    if (!file || !existsSync(file)) return await next()
    context.body = readFileSync(file, 'utf8')
    // The names of chunks depend on their contents. The browser also keeps what it has compiled.
    if (file.includes('chunks')) context.set('cache-control', 'max-age=3600, immutable')
    context.type = file.endsWith('.map') ? 'json' : 'js'
  }
}

/** Removes the tests of a suite and of those in it whose full titles do not contain a text. Runs in the page. */
function leaveOut(suite, title) {
  suite.tests = suite.tests.filter((test) => test.fullTitle().includes(title))
  for (const inner of suite.suites) leaveOut(inner, title)
}

/** Keeps what tests find by the address of a module, and gives them another copy of a module with a query. */
function moduleAddresses(change) {
  return {
    name: 'module-addresses',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^\.{1,2}\/.*\?/ }, ({ path, resolveDir }) => {
        const [file, query] = path.split('?')
        return { path: join(resolveDir, file), suffix: `?${query}` }
      })
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const file = relative('.', path).replaceAll('\\', '/')
        if (isAbsolute(file) || file.startsWith('node_modules')) return undefined
        const source = await readFile(path, 'utf8')
        const url = `new URL('/${file}', location.origin).href`
        return { contents: change(file, source).replaceAll('import.meta.url', url), loader: 'ts' }
      })
    },
  }
}
