// Tries the tests: changes the sources in thousands of small ways and reports which changes no test notices.
// `npm run mutate` takes all areas, `npm run mutate -- client proxy` some, `-- client --mutate 'src/client/retry.ts'` one file.
import { spawnSync } from 'node:child_process'
import { programVariables, setUp } from './setup.mjs'
import { areas } from './mutate/selection.mjs'

setUp()
const args = process.argv.slice(2)
const named = args.filter((arg, index) => !arg.startsWith('-') && !args[index - 1]?.startsWith('--'))
const unknown = named.filter((name) => !(name in areas))
if (unknown.length > 0) {
  console.error(`Unknown area: ${unknown.join(', ')}. Use ${Object.keys(areas).join(', ')}.`)
  process.exit(1)
}
const options = args.filter((arg) => !named.includes(arg))
let isRed = false
for (const area of named.length > 0 ? named : Object.keys(areas)) {
  console.log(`\n== ${area}`)
  const command = [
    'node_modules/@stryker-mutator/core/bin/stryker.js',
    'run',
    'scripts/mutate/stryker.config.mjs',
    ...options,
  ]
  const env = { ...process.env, ...programVariables(), ROUTESLIP_MUTATE_AREA: area }
  const { status } = spawnSync(process.execPath, command, { stdio: 'inherit', env })
  if (status !== 0) isRed = true
}
process.exit(isRed ? 1 : 0)
