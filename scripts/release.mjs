// Says whether what is here may be published; npm runs it before it publishes. `node scripts/release.mjs WORD` makes only
// the checks whose name holds the word.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

/** Each answers what stands against a release, or nothing. */
const checks = [
  ['changelog', changelog],
  ['everything committed', committed],
  ['audit', audit],
  ['tests', tests],
].filter(([name]) => name.includes(process.argv[2] ?? ''))

for (const [name, check] of checks) {
  const fault = check()
  console.log(fault ? `✖ ${name}: ${fault}` : `✔ ${name}`)
  if (fault) process.exit(1)
}
if (checks.length === 0) {
  console.error(`There is no check whose name holds "${process.argv[2]}".`)
  process.exit(1)
}

function changelog() {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  const headings = readFileSync('CHANGELOG.md', 'utf8').match(/^## .*$/gm) ?? []
  const heading = headings.find((line) => line.startsWith(`## [${version}]`))
  if (!heading) return `CHANGELOG.md says nothing about ${version}.`
  return /^## \[[^\]]+\] - \d{4}-\d\d-\d\d$/.test(heading)
    ? undefined
    : `CHANGELOG.md has no date for ${version}.`
}

function committed() {
  const { status, stdout } = run('git', 'status', '--porcelain')
  if (status !== 0) return 'git cannot tell.'
  return stdout.trim() ? `these files are not:\n${stdout.trimEnd()}` : undefined
}

/** Asks the registry for known weaknesses of what applications get with the package. */
function audit() {
  const { stdout } = run('npm', 'audit', '--omit=dev', '--json')
  const report = parse(stdout)
  const found = report?.metadata?.vulnerabilities
  if (!found) {
    return `the registry cannot be asked: ${report?.message ?? 'it does not answer'}. Ask one that answers \`npm audit\`.`
  }
  if (found.total === 0) return undefined
  const names = Object.values(report.vulnerabilities).map(({ name, severity }) => `${name} (${severity})`)
  return `there are known weaknesses in ${names.join(', ')}. \`npm audit --omit=dev\` says more.`
}

function tests() {
  // Of a trial, tests know nothing: what they pack has to be there.
  const env = { ...process.env, npm_config_dry_run: '' }
  const { status } = spawnSync(process.execPath, ['scripts/test.mjs'], { stdio: 'inherit', env })
  return status === 0 ? undefined : 'npm test fails; what it says stands above.'
}

function run(program, ...args) {
  return spawnSync(program, args, { encoding: 'utf8', shell: process.platform === 'win32' })
}

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
