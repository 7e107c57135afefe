// `npm run test:ears` compares what assistive technology receives from Chromium and Firefox, and what the screen reader Orca
// says in Chromium, with test/ears/transcripts.
// UPDATE=1 writes the transcripts instead.
import { fileURLToPath } from 'node:url'
import { assistiveVariables, programVariables, setUp } from './setup.mjs'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
setUp()
Object.assign(process.env, programVariables(['browser']), assistiveVariables(), { TZ: 'UTC' })

// These need the dependencies that setUp() installs.
const { isBuildCurrent } = await import('./build-stamp.mjs')
const { buildJob, earsJobs, perform } = await import('./test/plan.mjs')
const build = isBuildCurrent() ? undefined : buildJob()
process.exit(
  await perform([...(build ? [build] : []), ...(await earsJobs(['chromium', 'firefox', 'orca'], build))]),
)
