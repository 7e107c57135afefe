// `npm run test:stacks` runs the plugin in WordPress, the examples for template engines, the receivers of callbacks, and sign-in.
import { fileURLToPath } from 'node:url'
import { isBuildCurrent } from '../../scripts/build-stamp.mjs'
import { programVariables, variablesOf } from '../../scripts/setup.mjs'
import { bundleNodeTests } from '../../scripts/test/bundle.mjs'
import { buildJob, perform } from '../../scripts/test/plan.mjs'
import { runNodeFile } from '../../scripts/test/run-tests.mjs'
import { laterWordPress } from './later-wordpress.mjs'
import { stackPrograms } from './programs.mjs'

process.chdir(fileURLToPath(new URL('../..', import.meta.url)))
Object.assign(process.env, programVariables(['browser', 'nginx', 'php']), variablesOf(stackPrograms))
Object.assign(process.env, laterWordPress(process.env))

const files = [
  'wordpress',
  'wordpress-failures',
  'wordpress-network',
  'templates',
  'receivers',
  'mounting',
  'sign-in',
].map((name) => `tools/stacks/${name}.ts`)
const before = isBuildCurrent() ? [] : [buildJob()]
const bundles = await bundleNodeTests(files)
const jobs = files.map((file) => ({
  name: file,
  seconds: 100,
  after: before,
  run: () => runNodeFile(bundles.get(file)),
}))
process.exit(await perform([...before, ...jobs]))
