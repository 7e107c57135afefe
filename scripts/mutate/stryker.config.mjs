// Settings of StrykerJS for one area; scripts/mutate.mjs names the area.
import { availableParallelism } from 'node:os'

const area = process.env.ROUTESLIP_MUTATE_AREA

export default {
  area,
  testRunner: 'tests',
  plugins: ['./scripts/mutate/test-runner.mjs'],
  // Styles and types change no decision; what Node runs for real (Redis, sockets) is tested by programs of its own.
  mutate: [`src/${area}/**/*.ts`, '!src/**/*.styles.ts'],
  ignorePatterns: ['dist', 'lib', 'bench', 'storybook-static', '.h', 'docs/*.png'],
  checkers: [],
  warnings: { unknownOptions: false },
  coverageAnalysis: 'perTest',
  incremental: true,
  incrementalFile: `reports/mutation/${area}.json`,
  reporters: ['clear-text', 'progress', 'html', 'json'],
  clearTextReporter: { logTests: false, reportTests: false, allowColor: false },
  htmlReporter: { fileName: `reports/mutation/${area}.html` },
  jsonReporter: { fileName: `reports/mutation/${area}-report.json` },
  thresholds: { high: 95, low: 85, break: 85 },
  timeoutMS: 20_000,
  timeoutFactor: 4,
  concurrency: availableParallelism(),
  tempDirName: '.stryker-tmp',
  disableTypeChecks: true,
  allowEmpty: false,
}
