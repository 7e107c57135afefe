// `npm run test:libraries` installs libraries that change forms, and takes the steps of a person on a page of each.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { isBuildCurrent } from '../../scripts/build-stamp.mjs'
import { programVariables } from '../../scripts/setup.mjs'

process.chdir(fileURLToPath(new URL('../..', import.meta.url)))

const env = { ...process.env, ...programVariables() }
if (!isBuildCurrent()) run('scripts/build.mjs')
run('--import', 'tsx', '--test', 'tools/libraries/libraries.ts')

function run(...args) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', env })
  if (status !== 0) process.exit(1)
}
