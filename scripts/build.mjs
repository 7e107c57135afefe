// Builds everything that is published. With `--drop-in`, builds only the scripts and their languages, which the demo serves.
import { spawn } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { forgetOlderBuild, stampBuild } from './build-stamp.mjs'
import { filesBelow } from './files.mjs'
import { writeLicences } from './licences.mjs'
import { writePlainTypes } from './plain-types.mjs'
import { writeServerModules } from './server-modules.mjs'
import { removeUnusedDeclarations } from './unused-declarations.mjs'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

if (process.argv[2] === '--drop-in') {
  forgetOlderBuild()
  await bundle('production', 'languages', 'autoload')
} else {
  await stampBuild(async () => {
    for (const folder of ['dist', 'lib', 'server/lib']) rmSync(folder, { recursive: true, force: true })
    await Promise.all([dropIn(), pageModules(), serverModules(), node('scripts/sbom.mjs')])
    await node('scripts/manifest.mjs')
  })
}

/** Builds `dist/`: the script, the script that loads elements on demand, their languages and licences. */
async function dropIn() {
  writeLicences(await bundle('production', 'languages', 'autoload'))
  await node('scripts/integrity.mjs')
}

/** Builds `lib/`: the modules that applications with pages import, and their types. */
async function pageModules() {
  await node('node_modules/typescript-7/bin/tsc', '-p', 'src/tsconfig.page.json')
  writePlainTypes()
  for (const file of filesBelow('lib').filter(isData)) withoutMap(file)
  removeUnusedDeclarations('.')
}

/** Whether a module holds only texts, styles, event classes, imports or one definition, such as `lib/locales/pt-BR.js`. */
function isData(file) {
  const patterns = [
    /\/locales\/(?:[a-z]{2}|en-[a-z-]+|[a-z]{2}-[A-Z]\w+)\.js$/,
    /(?:\.styles|\.events|\/late)\.js$/,
    /\/(?:define|react)\/(?:wf|fs|routing)-[a-z-]+\.js$/,
  ]
  return patterns.some((pattern) => pattern.test(file))
}

/** Removes a source map that would help nobody. On a disk, they take as much as 200 modules. */
function withoutMap(module) {
  rmSync(`${module}.map`)
  writeFileSync(module, readFileSync(module, 'utf8').replace(/\/\/# sourceMappingURL=.*\s*$/, ''))
}

/** Builds `server/lib/`: the modules that servers import, their types, and the pages of the demo. */
async function serverModules() {
  await node('node_modules/typescript-7/bin/tsc', '-p', 'src/tsconfig.server.json')
  await writeServerModules()
}

/** Runs builds of vite.config.ts. Returns the ids of all bundled modules. */
async function bundle(...modes) {
  const modules = new Set()
  for (const mode of modes) {
    for (const { output } of [await build({ mode })].flat()) {
      for (const { moduleIds = [] } of output) for (const id of moduleIds) modules.add(id)
    }
  }
  return modules
}

function node(...args) {
  return new Promise((resolve, reject) => {
    spawn(process.execPath, args, { stdio: 'inherit' }).on('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`${args.join(' ')} failed. Its output is above.`))
    })
  })
}
