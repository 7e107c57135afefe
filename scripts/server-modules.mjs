// Bundles the modules of `routeslip-server` into a few files. Operators install fewer files, and none of the packages below,
// of which the server needs a small part.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { build, transform } from 'esbuild'
import { filesBelow } from './files.mjs'
import { writeLicences } from './licences.mjs'
import { containedPackages } from './packages.mjs'
import { removeUnusedDeclarations } from './unused-declarations.mjs'

/** The modules by their source, and where they are in `server/lib` if that differs. */
const entries = {
  'cli/main': 'cli/main',
  // Loaded for their command only. They find the files of the demo, and each other, relative to themselves.
  'cli/demo': 'cli/demo',
  'conformance/index': 'conformance/index',
  'contract/index': 'contract/index',
  'emulator/index': 'emulator/index',
  'proxy/index': 'proxy/index',
  'proxy/node/index': 'proxy/node/index',
  'testing/index': 'testing/index',
  // They stand beside the modules that start the threads, which several entries share.
  'proxy/node/thread/work-thread': 'chunks/work-thread',
  'proxy/node/storage/database-thread': 'chunks/database-thread',
}

/** Writes the modules, their source maps, the pages of the demo and the licences to `server/lib`, which has the declarations. */
export async function writeServerModules() {
  const { metafile } = await build({
    entryPoints: Object.entries(entries).map(([source, out]) => ({ in: `src/${source}.ts`, out })),
    outdir: 'server/lib',
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    sourcemap: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'error',
    plugins: [onlyContainedPackages],
  })
  writeLicences(
    Object.keys(metafile.inputs).map((file) => resolve(file)),
    'server/lib/THIRD_PARTY_LICENSES.md',
  )
  cpSync('src/cli/demo', 'server/lib/cli/demo', { recursive: true })
  removeContainedSources()
  removeUnusedDeclarations('server')
}

/** Bundles the contained packages, minified. Other packages stay imports. */
const onlyContainedPackages = {
  name: 'only-contained-packages',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, ({ path, kind, importer }) => {
      const isContained =
        importer.includes('/node_modules/') ||
        containedPackages.some((name) => path === name || path.startsWith(`${name}/`))
      return isContained || kind === 'entry-point' ? undefined : { path, external: true }
    })
    build.onLoad({ filter: /[/]node_modules[/].+[.]m?js$/ }, async ({ path }) => {
      const { code } = await transform(readFileSync(path, 'utf8'), { minify: true, target: 'node22' })
      return { contents: code }
    })
  },
}

/** Removes the sources of other packages from the source maps, and the maps that have only these. */
function removeContainedSources() {
  for (const file of filesBelow('server/lib').filter((path) => path.endsWith('.js.map'))) {
    const map = JSON.parse(readFileSync(file, 'utf8'))
    const isOurs = map.sources.map((source) => !source.includes('/node_modules/'))
    if (isOurs.every(Boolean)) continue
    if (isOurs.some(Boolean)) {
      map.sourcesContent = map.sourcesContent.map((text, index) => (isOurs[index] ? text : null))
      writeFileSync(file, JSON.stringify(map))
    } else {
      const module = file.replace(/[.]map$/, '')
      writeFileSync(module, readFileSync(module, 'utf8').replace(/\n[/][/]# sourceMappingURL=.*\s*$/, '\n'))
      rmSync(file)
    }
  }
}
