// `npm run check`: the checks to make while you work. Types, lint, format, boundaries and unit tests, and the browser tests
// that depend on a file that differs from main. What has passed before is not run again until a file that it depends on
// changes.
import { fileURLToPath } from 'node:url'
import { programVariables, setUp } from './setup.mjs'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
setUp()
Object.assign(process.env, programVariables(['browser']))

// This needs the dependencies that setUp() installs.
const { runQuickChecks } = await import('./test/runs.mjs')
process.exit(await runQuickChecks())
