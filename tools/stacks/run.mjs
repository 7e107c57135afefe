// `npm run test:stacks` runs the plugin in WordPress, and the examples for template engines.
import { fileURLToPath } from 'node:url'
import { isBuildCurrent } from '../../scripts/build-stamp.mjs'
import { programVariables, stackVariables } from '../../scripts/setup.mjs'
import { buildJob, perform, stackJobs } from '../../scripts/test/plan.mjs'
import { laterWordPress } from './later-wordpress.mjs'

process.chdir(fileURLToPath(new URL('../..', import.meta.url)))
Object.assign(process.env, programVariables(['browser', 'nginx', 'php']), stackVariables())
Object.assign(process.env, laterWordPress(process.env))

const build = isBuildCurrent() ? undefined : buildJob()
process.exit(await perform([...(build ? [build] : []), ...(await stackJobs(build))]))
