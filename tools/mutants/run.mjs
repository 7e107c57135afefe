// Tries the tests: changes the sources in thousands of small ways and reports which changes no test notices.
// `npm run mutate` takes all areas, `npm run mutate -- client proxy` some, `-- client --mutate 'src/client/transport/retry.ts'` one file.
// `-- client --mutate 'src/client/transport/retry.ts' --tests retry` runs only the tests whose path contains `retry`, which takes seconds.
// `-- elements --sample 300` takes a random sample of the area; `--seed 7` repeats the sample of an earlier run.
import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { installPackages, programVariables } from '../../scripts/setup.mjs'
import { areas } from './selection.mjs'

await installPackages('tools/mutants')
const args = process.argv.slice(2)
const size = takeNumber('--sample')
const seed = takeNumber('--seed') ?? randomInt(2 ** 31)
const tests = takeOption('--tests')
const named = args.filter((arg, index) => !arg.startsWith('-') && !args[index - 1]?.startsWith('--'))
const unknown = named.filter((name) => !(name in areas))
if (unknown.length > 0) {
  console.error(`Unknown area: ${unknown.join(', ')}. Use ${Object.keys(areas).join(', ')}.`)
  process.exit(1)
}
const options = args.filter((arg) => !named.includes(arg))
const sample = size && { ROUTESLIP_MUTATE_SAMPLE: JSON.stringify({ size, seed }) }
const selection = { ...sample, ...(tests && { ROUTESLIP_MUTATE_TESTS: tests }) }
let isRed = false
for (const area of named.length > 0 ? named : Object.keys(areas)) {
  console.log(`\n== ${area}`)
  const command = [
    'tools/mutants/node_modules/@stryker-mutator/core/bin/stryker.js',
    'run',
    'tools/mutants/stryker.config.mjs',
    ...options,
  ]
  const env = { ...process.env, ...programVariables(), ROUTESLIP_MUTATE_AREA: area, ...selection }
  const { status } = spawnSync(process.execPath, command, { stdio: 'inherit', env })
  if (status !== 0) isRed = true
}
process.exit(isRed ? 1 : 0)

/** Removes an option from the arguments and returns its value. */
function takeOption(name) {
  const index = args.indexOf(name)
  if (index < 0) return undefined
  const [, value] = args.splice(index, 2)
  if (value && !value.startsWith('--')) return value
  console.error(`${name} needs a value.`)
  process.exit(1)
}

function takeNumber(name) {
  const value = takeOption(name)
  if (value === undefined || /^\d+$/.test(value)) return value && Number(value)
  console.error(`${name} needs a whole number.`)
  process.exit(1)
}
