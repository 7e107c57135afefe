// Settings of StrykerJS for one area; run.mjs names the area and the sample.
import { availableParallelism } from 'node:os'
import { drawSample } from './sample.mjs'

const area = process.env.ROUTESLIP_MUTATE_AREA
const tests = process.env.ROUTESLIP_MUTATE_TESTS
const { size, seed } = JSON.parse(process.env.ROUTESLIP_MUTATE_SAMPLE ?? '{}')
const sample = size && { seed, ...(await drawSample(area, size, seed)) }
if (sample) console.log(`A sample of ${sample.keys.length} of ${sample.total} mutants, seed ${seed}`)
const report = `reports/mutation/${area}${sample ? '-sample' : ''}`

export default {
  area,
  sample,
  // Part of the paths of the tests to run.
  tests,
  testRunner: 'tests',
  plugins: ['test-runner', 'sample-checker', 'summary-reporter'].map((name) => `./tools/mutants/${name}.mjs`),
  // Styles and types change no decision; what Node runs for real (Redis, sockets) is tested by programs of its own.
  mutate: sample ? sample.patterns : [`src/${area}/**/*.ts`, '!src/**/*.styles.ts'],
  ignorePatterns: ['dist', 'lib', 'tools/bench', 'storybook-static', '.h', 'docs/*.png'],
  checkers: sample ? ['sample'] : [],
  warnings: { unknownOptions: false },
  coverageAnalysis: 'perTest',
  // What a sample or some of the tests leave out has no result that a later run could use.
  incremental: !sample && !tests,
  incrementalFile: `reports/mutation/${area}.json`,
  reporters: ['clear-text', 'progress', 'html', 'json', 'summary'],
  clearTextReporter: { logTests: false, reportTests: false, allowColor: false },
  htmlReporter: { fileName: `${report}.html` },
  jsonReporter: { fileName: `${report}-report.json` },
  thresholds: { high: 95, low: 85, break: 85 },
  // The runners have limits of their own, for each file. This one is for what hangs so that they cannot end it.
  timeoutMS: 300_000,
  timeoutFactor: 4,
  // The tests of an area run once before the mutants. The default of 5 minutes ends that on a busy machine.
  dryRunTimeoutMinutes: 180,
  concurrency: availableParallelism(),
  tempDirName: '.stryker-tmp',
  disableTypeChecks: true,
  allowEmpty: false,
}
