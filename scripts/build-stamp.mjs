import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { filesBelow, hashFiles } from './files.mjs'

/** Records from which sources `dist` and `lib` were built. */
const stamp = 'node_modules/.cache/routeslip/build'

/** Returns the files that `npm run build` reads. */
export function buildInputs() {
  return [
    ...filesBelow('src'),
    ...filesBelow('scripts').filter((file) => /^scripts[/][^/]+$/.test(file)),
    'custom-elements-manifest.config.mjs',
    'package.json',
    'server/package.json',
    'package-lock.json',
    'tsconfig.json',
    'vite.config.ts',
  ]
}

/** Whether `dist` and `lib` exist and were built from the sources as they are now. */
export function isBuildCurrent() {
  const outputs = ['dist/routeslip.js', 'lib/index.js', 'server/lib/cli/main.js', 'custom-elements.json']
  return (
    outputs.every(existsSync) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hashFiles(buildInputs())
  )
}

/** Runs a complete build, and notes its sources if it succeeds. */
export async function stampBuild(build) {
  rmSync(stamp, { force: true })
  const hash = hashFiles(buildInputs())
  await build()
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, hash)
}

/** Forgets the last complete build unless the sources are still the same. A build of a part calls it. */
export function forgetOlderBuild() {
  if (!isBuildCurrent()) rmSync(stamp, { force: true })
}
