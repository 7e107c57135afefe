// Checks whether the package may be published. npm runs it before it publishes. `node scripts/release.mjs WORD` runs only the
// checks whose names contain the word.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

/** Each check returns a problem, or nothing. */
const checks = [
  ['changelog', changelog],
  ['everything committed', committed],
  ['audit', audit],
  ['tests', tests],
].filter(([name]) => name.includes(process.argv[2] ?? ''))

for (const [name, check] of checks) {
  const problem = check()
  console.log(problem ? `✖ ${name}: ${problem}` : `✔ ${name}`)
  if (problem) process.exit(1)
}
if (checks.length === 0) {
  console.error(`No check has a name that contains "${process.argv[2]}".`)
  process.exit(1)
}

function changelog() {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  const headings = readFileSync('CHANGELOG.md', 'utf8').match(/^## .*$/gm) ?? []
  const heading = headings.find((line) => line.startsWith(`## [${version}]`))
  if (!heading) return `CHANGELOG.md does not mention ${version}.`
  return /^## \[[^\]]+\] - \d{4}-\d\d-\d\d$/.test(heading)
    ? undefined
    : `CHANGELOG.md has no date for ${version}.`
}

function committed() {
  const { status, stdout } = run('git', 'status', '--porcelain')
  if (status !== 0) return 'git status fails.'
  return stdout.trim() ? `these files have changes:\n${stdout.trimEnd()}` : undefined
}

/** Asks the registry for vulnerabilities in the packages that applications install with this one. */
function audit() {
  const { stdout } = run('npm', 'audit', '--omit=dev', '--json')
  const report = parse(stdout)
  const found = report?.metadata?.vulnerabilities
  if (!found) {
    return `the registry cannot be reached: ${report?.message ?? 'it does not respond'}. Use one that supports \`npm audit\`.`
  }
  if (found.total === 0) return undefined
  const names = Object.values(report.vulnerabilities).map(({ name, severity }) => `${name} (${severity})`)
  return `${names.join(', ')} have known vulnerabilities. \`npm audit --omit=dev\` describes them.`
}

function tests() {
  // The tests pack the package, so they must not inherit --dry-run.
  const env = { ...process.env, npm_config_dry_run: '' }
  const { status } = spawnSync(process.execPath, ['scripts/test.mjs'], { stdio: 'inherit', env })
  return status === 0 ? undefined : 'npm test fails. Its output is above.'
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
