// `npm run test:engines` runs all browser tests, a walk of the demo and pages of others in Firefox and WebKitGTK.
import { fileURLToPath } from 'node:url'
import { isBuildCurrent } from '../../scripts/build-stamp.mjs'
import { engineVariables, programVariables } from '../../scripts/setup.mjs'
import { buildJob, engineJobs, perform } from '../../scripts/test/plan.mjs'

process.chdir(fileURLToPath(new URL('../..', import.meta.url)))
Object.assign(process.env, programVariables(['browser']), engineVariables())

const build = isBuildCurrent() ? undefined : buildJob()
process.exit(
  await perform([
    ...(build ? [build] : []),
    ...(await engineJobs(['firefox', 'webkit'], build, { isAll: true })),
  ]),
)
