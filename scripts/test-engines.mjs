// `npm run test:engines` runs all browser tests and a walk of the demo in Firefox and WebKitGTK.
import { fileURLToPath } from 'node:url'
import { engineVariables, programVariables, setUp } from './setup.mjs'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
setUp()
Object.assign(process.env, programVariables(['browser']), engineVariables())

// These need the dependencies that setUp() installs.
const { isBuildCurrent } = await import('./build-stamp.mjs')
const { buildJob, engineJobs, perform } = await import('./test/plan.mjs')
const build = isBuildCurrent() ? undefined : buildJob()
process.exit(
  await perform([
    ...(build ? [build] : []),
    ...(await engineJobs(['firefox', 'webkit'], build, { isAll: true })),
  ]),
)
