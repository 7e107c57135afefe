// `npm run check`: quick checks while you work. Runs the types, lint, format, boundaries and unit tests, and the browser tests
// that depend on a file that differs from main. A test that has passed does not run again until one of its files changes.
import { fileURLToPath } from 'node:url'
import { programVariables, setUp } from './setup.mjs'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
setUp()
Object.assign(process.env, programVariables(['browser']))

// This needs the dependencies that setUp() installs.
const { runQuickChecks } = await import('./test/runs.mjs')
process.exit(await runQuickChecks())
