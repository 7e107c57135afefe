// `npm run test:ears` compares what assistive technology receives from Chromium and Firefox, and what the screen reader Orca
// says in Chromium, with tools/ears/transcripts.
// UPDATE=1 writes the transcripts instead.
import { fileURLToPath } from 'node:url'
import { isBuildCurrent } from '../../scripts/build-stamp.mjs'
import { assistiveVariables, programVariables } from '../../scripts/setup.mjs'
import { buildJob, earsJobs, perform } from '../../scripts/test/plan.mjs'

process.chdir(fileURLToPath(new URL('../..', import.meta.url)))
Object.assign(process.env, programVariables(['browser']), assistiveVariables(), { TZ: 'UTC' })

const build = isBuildCurrent() ? undefined : buildJob()
process.exit(
  await perform([...(build ? [build] : []), ...(await earsJobs(['chromium', 'firefox', 'orca'], build))]),
)
