// `npm run check`: quick checks while you work. Runs the types, lint, format, boundaries and unit tests, and the browser tests
// that depend on a file that differs from main. A test that has passed does not run again until one of its files changes.
import { fileURLToPath } from 'node:url'
import { programVariables } from './setup.mjs'
import { runQuickChecks } from './test/runs.mjs'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
Object.assign(process.env, programVariables(['browser']))
process.exit(await runQuickChecks())
