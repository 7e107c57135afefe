// Publishes both packages, after it has checked whether they may be published. `--dry-run` publishes nothing.
// `node scripts/release.mjs WORD` runs only the checks whose names contain the word, and publishes nothing either.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { repositoryAddress } from './packages.mjs'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

const { values, positionals } = parseArgs({
  options: { 'dry-run': { type: 'boolean' } },
  allowPositionals: true,
})

/** Each check returns a problem, or nothing. */
const checks = [
  ['repository', repository],
  ['changelog', changelog],
  ['everything committed', committed],
  ['audit', audit],
  ['tests', tests],
].filter(([name]) => name.includes(positionals[0] ?? ''))

for (const [name, check] of checks) {
  const problem = check()
  console.log(problem ? `✖ ${name}: ${problem}` : `✔ ${name}`)
  if (problem) process.exit(1)
}
if (checks.length === 0) {
  console.error(`No check has a name that contains "${positionals[0]}".`)
  process.exit(1)
}
if (positionals.length === 0) publish()

/** The manifests and the documents of the packages lead to the public repository. */
function repository() {
  return repositoryAddress()
    ? undefined
    : 'the remote "origin" is not the address of a public repository. Set it with `git remote add origin ADDRESS`.'
}

function changelog() {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  const server = JSON.parse(readFileSync('server/package.json', 'utf8'))
  if (server.version !== version)
    return `server/package.json has the version ${server.version}, not ${version}.`
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

/** Asks the registry for vulnerabilities in the packages that applications install with either package. */
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
  const { status } = spawnSync(process.execPath, ['scripts/test.mjs'], { stdio: 'inherit' })
  return status === 0 ? undefined : 'npm test fails. Its output is above.'
}

/** Writes `release/` and publishes the packages in it. The plugin for WordPress is attached to the release by hand. */
function publish() {
  const { status } = spawnSync(process.execPath, ['scripts/pack.mjs'], { stdio: 'inherit' })
  if (status !== 0) process.exit(1)
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  for (const name of ['routeslip', 'routeslip-server']) {
    const options = values['dry-run'] ? ['--dry-run'] : ['--provenance']
    const file = `./release/${name}-${version}.tgz`
    const published = spawnSync('npm', ['publish', file, '--access', 'public', ...options], {
      stdio: 'inherit',
      shell: process.platform === 'win32',
    })
    if (published.status !== 0) process.exit(1)
  }
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
