// `npm test` runs every check and every test. With paths of test files or folders, it runs only those.
import { parseArgs } from 'node:util'
import { fileURLToPath } from 'node:url'
import { engineVariables, programVariables } from './setup.mjs'
import { runGate, runSelected, watch } from './test/runs.mjs'
import { SelectionError } from './test/test-files.mjs'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

const usage = `Usage: npm test                        every check and every test
       npm test -- --engines          also the browser tests and a walk of the demo in Firefox and WebKitGTK
       npm test -- PATH…              the tests in these files and folders
       npm test -- --changed          the tests that depend on a file that differs from main
       npm test -- --watch [PATH…]    runs tests, and runs them again after each change that affects them`

const { values, positionals } = readArguments()
if (values.help) {
  console.log(usage)
  process.exit()
}
Object.assign(process.env, programVariables(), values.engines && engineVariables(), {
  STORYBOOK_DISABLE_TELEMETRY: '1',
})

try {
  if (values.watch) await watch(positionals, values.changed)
  else if (values.changed || positionals.length > 0)
    process.exit(await runSelected(positionals, values.changed))
  else process.exit(await runGate(values.engines))
} catch (error) {
  if (!(error instanceof SelectionError)) throw error
  fail(error.message)
}

function readArguments() {
  const options = {
    changed: { type: 'boolean' },
    watch: { type: 'boolean' },
    engines: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  }
  try {
    return parseArgs({ options, allowPositionals: true })
  } catch (error) {
    return fail(error.message)
  }
}

function fail(message) {
  console.error(`${message}\n\n${usage}`)
  process.exit(1)
}
