// `npm run test:ears` compares what assistive technology receives from Chromium and Firefox, and what the screen reader Orca
// says in Chromium, with tools/ears/transcripts.
// UPDATE=1 writes the transcripts instead.
import { fileURLToPath } from 'node:url'
import { isBuildCurrent } from '../../scripts/build-stamp.mjs'
import { programVariables, variablesOf } from '../../scripts/setup.mjs'
import { bundleNodeTests } from '../../scripts/test/bundle.mjs'
import { buildJob, perform } from '../../scripts/test/plan.mjs'
import { runNodeFile } from '../../scripts/test/run-tests.mjs'
import { assistivePrograms } from './programs.mjs'

process.chdir(fileURLToPath(new URL('../..', import.meta.url)))
Object.assign(process.env, programVariables(['browser']), variablesOf(assistivePrograms), { TZ: 'UTC' })

const file = 'tools/ears/ears.ts'
const before = isBuildCurrent() ? [] : [buildJob()]
const bundles = await bundleNodeTests([file])
const jobs = []
for (const engine of ['chromium', 'firefox', 'orca']) {
  // The transcripts of the second engine are compared with those of the first. Orca leaves out sentences on a busy machine.
  const earlier = process.env.UPDATE ? jobs.slice(0, 1) : []
  if (engine === 'orca') earlier.push(...jobs)
  jobs.push({
    name: `${engine}: ${file}`,
    seconds: 200,
    after: [...before, ...earlier],
    run: () => runNodeFile(bundles.get(file), engine),
  })
}
process.exit(await perform([...before, ...jobs]))
