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

/** Path of a Chromium or Chrome for the tests. On Debian as root, installs one where there is none. */
export function findBrowser() {
  const found = browsers().find((path) => path && existsSync(path))
  if (found) return found

  if (existsSync('/etc/debian_version') && process.getuid?.() === 0) {
    console.error('Installing the chromium package…')
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const options = { stdio: ['ignore', 'ignore', 2], env }
    spawnSync('apt-get', ['update', '-q'], options)
    spawnSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'chromium'], options)
    if (existsSync('/usr/bin/chromium')) return '/usr/bin/chromium'
  }
  return fail(
    'The tests need Chromium or Google Chrome. Install one (on Debian and Ubuntu: sudo apt-get install chromium), ' +
      'or set CHROME_PATH to the program.',
  )
}

function browsers() {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
  return [
    process.env.CHROME_PATH,
    ...names.map((name) => locate(name)),
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    `${process.env.PROGRAMFILES}\\Google\\Chrome\\Application\\chrome.exe`,
  ]
}

function locate(name) {
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
