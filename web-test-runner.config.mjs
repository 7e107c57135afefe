import { fileURLToPath } from 'node:url'
import { esbuildPlugin } from '@web/dev-server-esbuild'
import { defaultReporter } from '@web/test-runner'
import { seed } from './tools/lab/proofs.mjs'
import { engineLauncher } from './tools/engines/launcher.mjs'
import { freePort } from './test/free-port.mjs'
import { bundleBrowserTests, serveBundles } from './scripts/test/bundled-tests.mjs'
import { emulateMediaFeatures } from './scripts/test/emulate-media.mjs'
import { isNodeTest, listTestFiles } from './scripts/test/test-files.mjs'

/** Prints "N passed, N failed" alone on a line, after everything else, and sends the counts of each file to scripts/test. */
function counting() {
  const total = { passed: 0, failed: 0, skipped: 0 }
  process.on('exit', () => {
    const isEmpty = total.passed + total.failed === 0
    const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : ''
    // If the run has ended before it began, that is a failure.
    process.stdout.write(`\n${total.passed} passed, ${isEmpty ? 1 : total.failed} failed${skipped}\n`)
  })
  return {
    reportTestFileResults({ sessionsForTestFile, testFile }) {
      const counts = { passed: 0, failed: 0, skipped: 0 }
      const names = []
      const count = ({ name = '', tests = [], suites = [] }, parent = '') => {
        const suite = [parent, name].filter(Boolean).join(' › ')
        for (const test of tests) {
          const outcome = test.skipped ? 'skipped' : test.passed ? 'passed' : 'failed'
          counts[outcome]++
          names.push({ name: `${suite} › ${test.name}`, outcome })
        }
        for (const each of suites) count(each, suite)
      }
      for (const { testResults, passed, errors } of sessionsForTestFile) {
        if (testResults) count(testResults)
        // A file that never ran has no results. One that throws after its tests has errors beside them.
        if (!passed && (errors?.length || !testResults)) counts.failed++
      }
      for (const name of Object.keys(total)) total[name] += counts[name]
      process.send?.({ file: testFile, ...counts, tests: names })
    },
  }
}

/** A defence that the fault laboratory removes, and the test that it runs then. */
const removal = JSON.parse(process.env.ROUTESLIP_REMOVAL ?? 'null')

function removeDefence(file, source) {
  return file === removal?.file ? seed(source, removal) : source
}

const all = listTestFiles().filter((file) => !isNodeTest(file))
/** Those on the command line. */
const selected = all.filter((file) => process.argv.includes(file))
/** Where scripts/test has bundled them. */
const bundles =
  process.env.BUNDLES ?? (await bundleBrowserTests(selected.length > 0 ? selected : all, removeDefence))

export default {
  // The runner itself tries 8000 first, which another run may take in the same moment.
  port: await freePort(),
  files: all,
  nodeResolve: { exportConditions: ['development', 'browser'] },
  // A second tab would be hidden and render no frames. scripts/test starts a second browser instead.
  concurrency: 1,
  testsFinishTimeout: 240_000,
  browserStartTimeout: 60_000,
  browsers: [engineLauncher(process.env.ENGINE ?? 'chromium')],
  middleware: [
    serveBundles(bundles, { pages: JSON.parse(process.env.PAGES ?? '[]'), title: process.env.TITLE }),
  ],
  plugins: [
    emulateMediaFeatures(),
    // For modules that a test imports into a frame.
    esbuildPlugin({
      ts: true,
      target: 'es2022',
      // Without it, esbuild would treat the decorators as standard decorators.
      tsconfig: fileURLToPath(new URL('./tsconfig.json', import.meta.url)),
    }),
  ],
  testRunnerHtml: (testFramework) => `<!doctype html>
    <html lang="en">
      <head><title>Tests</title><meta name="color-scheme" content="light dark" />
        <style>body { background: Canvas; color: CanvasText }</style></head>
      <body><script type="module" src="${testFramework}"></script></body>
    </html>`,
  testFramework: { config: { ui: 'bdd', timeout: 60_000, ...(removal && { grep: removal.test }) } },
  filterBrowserLogs: ({ args }) => !String(args[0]).includes('Lit is in dev mode'),
  reporters: [defaultReporter({ reportTestResults: true, reportTestProgress: false }), counting()],
}
