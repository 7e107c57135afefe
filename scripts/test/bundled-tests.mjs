import { readFile } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve } from 'node:path'
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

/**
 * Parts of the configuration of Web Test Runner that serve the browser tests as bundles. A page then loads a few modules
 * instead of hundreds. `files` are the tests, and `transform` changes the source of a module. `pages` are lists of tests that
 * share a page: the first of them is one of `files`, and brings the others. With `title`, the page has only the tests whose
 * titles, with those of their suites, contain it.
 */
export function bundledTests(files, { transform = (_file, source) => source, pages = [], title } = {}) {
  const others = new Map(pages.map(([first, ...rest]) => [first, rest]))
  // An import for its effects would be left out, because package.json states that modules have none.
  const withOthers = (file, source) =>
    [
      transform(file, source),
      ...(others.get(file) ?? []).map(
        (path, at) => `export * as other${at} from ${JSON.stringify(resolve(path))}`,
      ),
      // After the imports and the tests of this file. Mocha's own filter would leave the others as tests that did not pass.
      ...(title && files.includes(file)
        ? [`;(${leaveOut.toString()})(mocha.suite, ${JSON.stringify(title)})`]
        : []),
    ].join('\n')
  let bundles
  return {
    plugin: {
      name: 'bundled-tests',
      serverStart({ fileWatcher }) {
        fileWatcher.on('change', () => (bundles = undefined))
      },
    },
    // Not a plugin: the runner would parse and transform what a plugin serves, although it is compiled already.
    async middleware(context, next) {
      const { path } = context
      if (!files.includes(path.slice(1)) && !path.startsWith(chunks)) return await next()
      bundles ??= bundleTests(files, withOthers)
      const body = (await bundles).get(path)
      if (body === undefined) return await next()
      context.body = body
      // Their names depend on their contents. The browser also keeps what it has compiled.
      if (path.startsWith(chunks)) context.set('cache-control', 'max-age=3600, immutable')
      context.type = path.endsWith('.map') ? 'json' : 'js'
    },
  }
}

const chunks = '/bundled-tests/'

/** Removes the tests of a suite and of those in it whose full titles do not contain a text. Runs in the page. */
function leaveOut(suite, title) {
  suite.tests = suite.tests.filter((test) => test.fullTitle().includes(title))
  for (const inner of suite.suites) leaveOut(inner, title)
}

/** Bundles browser tests. Returns the contents of modules and source maps by the path of their addresses. */
async function bundleTests(files, transform) {
  const { outputFiles } = await build({
    ...browserBundle,
    entryPoints: files,
    outdir: '.',
    outbase: '.',
    outExtension: { '.js': '.ts' },
    chunkNames: `${chunks.slice(1)}[hash]`,
    sourcemap: 'linked',
    write: false,
    plugins: [moduleAddresses(transform)],
  })
  return new Map(outputFiles.map(({ path, text }) => [`/${relative('.', path).replaceAll('\\', '/')}`, text]))
}

/** Keeps what tests find by the address of a module, and gives them another copy of a module with a query. */
function moduleAddresses(transform) {
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
        return { contents: transform(file, source).replaceAll('import.meta.url', url), loader: 'ts' }
      })
    },
  }
}
