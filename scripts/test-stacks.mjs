// `npm run test:stacks` runs the plugin in WordPress, and the examples for template engines.
import { fileURLToPath } from 'node:url'
import { programVariables, setUp, stackVariables } from './setup.mjs'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
setUp()
Object.assign(process.env, programVariables(['browser', 'nginx', 'php']), stackVariables())

// These need the dependencies that setUp() installs.
const { isBuildCurrent } = await import('./build-stamp.mjs')
const { buildJob, perform, stackJobs } = await import('./test/plan.mjs')
const build = isBuildCurrent() ? undefined : buildJob()
process.exit(await perform([...(build ? [build] : []), ...(await stackJobs(build))]))
