// The fault laboratory: runs the tests of each fault and its control, or measures a figure. Saves the results in
// tools/lab/results.json, and writes docs/reliability.md from the table of faults. `npm run lab -- --help` lists what it can run.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { isBuildCurrent } from '../../scripts/build-stamp.mjs'
import { programVariables } from '../../scripts/setup.mjs'
import { needsBuild } from '../../scripts/test/test-files.mjs'
import { faults } from './faults/index.ts'
import { reliabilityPage } from './page.ts'
import { isNoticed, outcomeOf, runTestFiles } from './proofs.mjs'
import { saveResults, today } from './results.ts'

process.chdir(fileURLToPath(new URL('../..', import.meta.url)))

const figures = ['callbacks', 'desk', 'load', 'streams', 'uploads']
const usage = `Usage: npm run lab                          all faults and all figures
       npm run lab -- F03 F10                 some faults
       npm run lab -- faults                  all faults
       npm run lab -- ${figures.join(' | ')}   a figure
       npm run lab -- page                    writes docs/reliability.md
Options: --runs N       number of uploads, or of kills of desk, default 1000
         --seconds N    length of a load or of the streams, default 600
         --count N      number of streams, default 5000`

const options = {
  runs: { type: 'string', default: '1000' },
  seconds: { type: 'string', default: '600' },
  count: { type: 'string', default: '5000' },
  help: { type: 'boolean', short: 'h' },
}
const { values, positionals } = parseArgs({ options, allowPositionals: true })
const sizes = { runs: Number(values.runs), seconds: Number(values.seconds), count: Number(values.count) }
const known = ['faults', 'page', ...figures, ...faults.map(({ id }) => id)]
const isWrong =
  positionals.some((name) => !known.includes(name)) ||
  Object.values(sizes).some((size) => !Number.isSafeInteger(size) || size < 1)
if (values.help || isWrong) {
  console.error(usage)
  process.exit(values.help ? 0 : 2)
}

Object.assign(process.env, programVariables())
const isAll = positionals.length === 0
const chosen =
  isAll || positionals.includes('faults') ? faults : faults.filter(({ id }) => positionals.includes(id))
if (chosen.length > 0) await runFaults(chosen)
for (const name of figures) {
  if (isAll || positionals.includes(name)) await runFigure(name)
}
writeFileSync('docs/reliability.md', await reliabilityPage())
console.log('Wrote docs/reliability.md.')
// After a run with many broken connections, Node does not exit by itself: its cleanup keeps a core busy forever.
process.exit()

async function runFaults(chosen) {
  const tests = chosen.flatMap(({ proofs, control }) => [...proofs, control.noticedBy])
  const files = [...new Set(tests.map(({ file }) => file))].sort()
  if (files.some(needsBuild)) buildIfStale()
  const results = await runTestFiles(files, (file) => console.log(`Running ${file}`))
  const outcome = ({ file, test }) => outcomeOf(results.get(file), test)
  let wrong = 0
  for (const { id, proofs, control } of chosen) {
    const proven = proofs.map(outcome)
    // If the test fails with the defence too, it shows nothing.
    const defended = outcome(control.noticedBy)
    const controlled =
      defended !== 'passed' ? defended : (await isNoticed(control)) ? 'noticed' : 'not noticed'
    const isFine = proven.every((each) => each === 'passed') && controlled === 'noticed'
    if (!isFine) wrong++
    console.log(`${isFine ? 'fine' : 'WRONG'} ${id}: ${proven.join(', ')}; control: ${controlled}`)
    await saveResults(
      { faults: { [id]: { date: today(), proofs: proven, control: controlled } } },
      versions(),
    )
  }
  if (wrong > 0) process.exitCode = 1
}

async function runFigure(name) {
  console.log(`== ${name}`)
  // Its page loads the built script, and its proxy is the built command.
  if (name === 'uploads') buildIfStale()
  const { measure } = await import(`./${name}.ts`)
  const { isFine, ...figure } = await measure(sizes)
  console.table(figure.rows)
  for (const finding of figure.findings) console.log(finding)
  if (!isFine) process.exitCode = 1
  await saveResults({ figures: { [name]: { date: today(), ...figure } } }, versions())
}

function buildIfStale() {
  if (!isBuildCurrent()) execFileSync(process.execPath, ['scripts/build.mjs'])
}

/** The versions of the programs that take part. */
function versions() {
  const { CHROME_PATH: chrome, REDIS_SERVER: redis = 'redis-server', NGINX: nginx = 'nginx' } = process.env
  const read = (program, args, pattern) => {
    try {
      const text = execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
      return pattern.exec(text)?.[1] ?? 'unknown'
    } catch {
      return 'unknown'
    }
  }
  return {
    Node: process.versions.node,
    Chromium: chrome ? read(chrome, ['--version'], /(\d+[.\d]+)/) : 'unknown',
    Redis: read(redis, ['--version'], /v=([\d.]+)/),
    nginx: read('sh', ['-c', `'${nginx}' -v 2>&1`], /nginx\/([\d.]+)/),
  }
}
