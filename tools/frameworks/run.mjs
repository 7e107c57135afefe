// `npm run test:frameworks` installs both packages in a minimal application of each framework, type-checks, builds and opens it.
// With names of frameworks, it runs only those.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { isBuildCurrent } from '../../scripts/build-stamp.mjs'
import { programVariables } from '../../scripts/setup.mjs'

process.chdir(fileURLToPath(new URL('../..', import.meta.url)))

const only = process.argv.slice(2).join(',')
const env = { ...process.env, ...programVariables(), ...(only && { ONLY: only }) }
if (!isBuildCurrent()) run('scripts/build.mjs')
run('--import', 'tsx', '--test', 'tools/frameworks/frameworks.ts')

function run(...args) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', env })
  if (status !== 0) process.exit(1)
}
