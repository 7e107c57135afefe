// Brings a fresh clone to where everything runs: checks Node, installs the dependencies. Uses nothing but Node itself.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const windows = process.platform === 'win32'

/** Installs what package-lock.json names, unless exactly that is installed. */
export function setUp() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (!((major === 20 && minor >= 19) || (major === 22 && minor >= 13) || major > 22)) {
    fail(`This is Node ${process.versions.node}. Use Node 20.19, 22.13 or later.`)
  }
  if (isInstalled()) return
  console.error('Installing dependencies…')
  const { status } = spawnSync('npm', ['ci', '--no-fund', '--no-audit', '--loglevel=error'], {
    cwd: root,
    // What is installed is no part of what the command prints.
    stdio: ['ignore', 2, 2],
    shell: windows,
  })
  if (status !== 0) fail('npm ci failed; what it says stands above.')
}

/** Compares what npm noted in node_modules with the lock file. */
function isInstalled() {
  const noted = packagesOf('node_modules/.package-lock.json')
  const locked = packagesOf('package-lock.json')
  return Object.entries(locked).every(
    ([path, { version, optional }]) => path === '' || optional || noted[path]?.version === version,
  )
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')).packages
  } catch {
    return {}
  }
}

/** What the tests run besides Node: how each is found, what installs it, and what sets its path. */
const programs = {
  browser: {
    title: 'Chromium or Google Chrome',
    variable: 'CHROME_PATH',
    aptPackage: 'chromium',
    names: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
    paths: [
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
      `${process.env.PROGRAMFILES}\\Google\\Chrome\\Application\\chrome.exe`,
    ],
  },
  redis: {
    title: 'Redis',
    variable: 'REDIS_SERVER',
    aptPackage: 'redis-server',
    names: ['redis-server'],
    paths: ['/usr/sbin/redis-server', '/usr/local/sbin/redis-server'],
  },
  nginx: {
    title: 'nginx',
    variable: 'NGINX',
    aptPackage: 'nginx-light',
    names: ['nginx'],
    paths: ['/usr/sbin/nginx', '/usr/local/sbin/nginx'],
  },
  php: {
    title: 'PHP with its curl extension',
    variable: 'PHP',
    aptPackage: 'php-cli php-curl',
    names: ['php'],
    paths: [],
  },
}

/**
 * Paths of the programs that the tests need, by name: `browser`, `redis`, `nginx`, `php`. On Debian as root,
 * installs those that are missing.
 */
export function findPrograms() {
  let missing = missingPrograms()
  if (missing.length > 0 && existsSync('/etc/debian_version') && process.getuid?.() === 0) {
    const packages = missing.flatMap(({ aptPackage }) => aptPackage.split(' '))
    console.error(`Installing ${packages.join(', ')}…`)
    // Packages must not start services of their own.
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
    const options = { stdio: ['ignore', 'ignore', 2], env }
    spawnSync('apt-get', ['update', '-q'], options)
    spawnSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], options)
    missing = missingPrograms()
  }
  if (missing.length > 0) {
    const packages = missing.map(({ aptPackage }) => aptPackage).join(' ')
    const variables = missing.map(({ variable }) => variable).join(', ')
    fail(
      `The tests need ${missing.map(({ title }) => title).join(', ')}. Install what is missing (on Debian and Ubuntu: ` +
        `sudo apt-get install ${packages}), or set the path of the program in ${variables}.`,
    )
  }
  return Object.fromEntries(Object.entries(programs).map(([name, program]) => [name, locate(program)]))
}

/** Environment variables that lead tests to the programs. */
export function programVariables() {
  const found = findPrograms()
  return Object.fromEntries(Object.entries(programs).map(([name, { variable }]) => [variable, found[name]]))
}

function missingPrograms() {
  return Object.values(programs).filter((program) => !locate(program))
}

/** Path of a program: as its variable says, else on the search path, else where it usually lies. */
function locate({ variable, names, paths }) {
  const candidates = [process.env[variable], ...names.map((name) => searchPath(name)), ...paths]
  return candidates.find((path) => path && existsSync(path))
}

function searchPath(name) {
  try {
    return execFileSync(windows ? 'where' : 'which', [name], { encoding: 'utf8', stdio: 'pipe' }).split(
      /\r?\n/,
    )[0]
  } catch {
    return undefined
  }
}

function fail(message) {
  console.error(message)
  process.exit(1)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) setUp()
