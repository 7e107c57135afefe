// Runs all benchmarks, or those in the arguments. Prints a table of each and writes it as JSON to tools/bench/results. Exits with
// an error if a figure exceeds its goal or, if more is admitted, that limit.
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { installPackages, programVariables } from '../../scripts/setup.mjs'

const names = [
  'weight',
  'paint',
  'many',
  'history',
  'comments',
  'growth',
  'leaks',
  'proxy',
  'fair',
  'open-pages',
  'callbacks',
  'desk',
  'upload',
  'submissions',
]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '5' }, slowed: { type: 'boolean', default: false } },
})
const rounds = Number(values.rounds)
const unknown = positionals.filter((name) => !names.includes(name))
const chosen = positionals.length > 0 ? positionals : names
if (unknown.length > 0 || !Number.isSafeInteger(rounds) || rounds < 1) {
  console.error(`Usage: npm run bench -- [${names.join(' | ')}]... [--rounds N] [--slowed]`)
  process.exit(2)
}

// What we compare with. Only this folder depends on it.
await installPackages('tools/bench')
Object.assign(process.env, programVariables())
let missed = 0
for (const name of chosen) {
  const { measure } = await import(`./${name}.ts`)
  console.log(`\n== ${name}`)
  const report = await measure({ rounds, isSlowed: values.slowed })
  console.log(report.title)
  console.table(report.rows)
  for (const { what, found, wanted, admitted = wanted, unit } of report.budgets) {
    const word = found <= wanted ? 'met' : found <= admitted ? 'missed, as admitted' : 'MISSED'
    if (found > admitted) missed++
    console.log(`${word}: ${what}: ${round(found)} ${unit}, at most ${wanted} wanted`)
  }
  if (!values.slowed)
    save(name, {
      ...report,
      rounds,
      node: process.version,
      cpu: cpus()[0]?.model,
      cores: cpus().length,
      load: loadavg()[0],
    })
}
process.exitCode = missed > 0 ? 1 : 0

function save(name, result) {
  const folder = new URL('results/', import.meta.url)
  mkdirSync(folder, { recursive: true })
  writeFileSync(new URL(`${name}.json`, folder), `${JSON.stringify(result, undefined, 2)}\n`)
}

function round(value) {
  return Math.round(value * 100) / 100
}
