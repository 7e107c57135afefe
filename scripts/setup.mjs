// Prepares a fresh clone: installs the dependencies, among them the Node that runs everything else (see tools/node). The scripts of
// package.json run it in a shell of its own, because a shell remembers where it has found `node` first. With "programs" and
// "engines" as arguments, it also installs the programs that tests need. Runs on Node 20 too, and imports only Node's own modules.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(import.meta.url)
const root = fileURLToPath(new URL('..', import.meta.url))
const windows = process.platform === 'win32'

/** Runs `npm ci` in a folder of the project, unless its node_modules already matches its package-lock.json. */
export async function installPackages(folder = '.') {
  if (isInstalled(folder)) return
  console.error(`Installing dependencies${folder === '.' ? '' : ` of ${folder}`}…`)
  // The lock file contains no addresses. npm takes them from its cache, instead of asking the registry again.
  const options = ['--prefer-offline', '--no-fund', '--no-audit', '--loglevel=error']
  const npm = spawn('npm', ['ci', ...options], {
    cwd: join(root, folder),
    // The output of npm goes to stderr, because stdout belongs to the command.
    stdio: ['ignore', 2, 2],
    shell: windows,
  })
  const kill = () => npm.kill()
  process.once('exit', kill)
  const [code] = await once(npm, 'exit')
  process.off('exit', kill)
  if (code !== 0) fail('npm ci failed. Its output is above.')
}

/** Fails if the checkout has no Node for this machine, and the developer's own is not supported either. */
function checkNode() {
  const link = join(root, 'node_modules/.bin', windows ? 'node.cmd' : 'node')
  if (!existsSync(link)) linkNode()
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (!existsSync(link) && (major < 22 || (major === 22 && minor < 19))) {
    fail(`Node ${process.versions.node} is not supported. Install Node 22.19 or later.`)
  }
}

/** Links the program of tools/node. npm 10 removes the link, because packages for other systems, which it skips, have it too. */
function linkNode() {
  const manifest = JSON.parse(readFileSync(join(root, 'tools/node/package.json'), 'utf8'))
  const names = Object.keys(manifest.optionalDependencies)
  const installed = names.filter((name) => existsSync(join(root, 'node_modules', name)))
  if (installed.length === 0) return
  const options = ['--ignore-scripts', '--loglevel=error']
  spawnSync('npm', ['rebuild', ...options, ...installed], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: windows,
  })
}

/** Compares the packages that npm has recorded in node_modules of a folder with the lock file. */
function isInstalled(folder) {
  const installed = packagesOf(join(folder, 'node_modules/.package-lock.json'))
  const locked = packagesOf(join(folder, 'package-lock.json'))
  return Object.entries(locked).every(
    ([path, { version, optional }]) =>
      path === '' || (optional && !installed[path]) || installed[path]?.version === version,
  )
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(join(root, file), 'utf8')).packages
  } catch {
    return {}
  }
}

/** The programs that tests run besides Node: their names, the variable that sets the path, and the Debian package. */
const programs = {
  browser: {
    title: 'Chromium or Google Chrome',
    variable: 'CHROME_PATH',
    // The headless shell runs the same engine, and needs half the CPU time because it has no window of its own.
    aptPackage: 'chromium-headless-shell',
    names: [
      'chromium-headless-shell',
      'chromium',
      'chromium-browser',
      'google-chrome',
      'google-chrome-stable',
    ],
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

/** The programs for tests in other engines than Chromium. */
export const enginePrograms = {
  firefox: {
    title: 'Firefox ESR',
    variable: 'FIREFOX',
    aptPackage: 'firefox-esr',
    names: ['firefox-esr'],
    paths: [],
  },
  webkitDriver: {
    title: 'WebKitWebDriver',
    variable: 'WEBKIT_DRIVER',
    aptPackage: 'webkit2gtk-driver',
    names: ['WebKitWebDriver'],
    paths: [],
  },
  miniBrowser: {
    title: 'the MiniBrowser of WebKitGTK',
    variable: 'MINI_BROWSER',
    aptPackage: 'libwebkit2gtk-4.1-0',
    names: [],
    paths: ['x86_64', 'aarch64'].map((cpu) => `/usr/lib/${cpu}-linux-gnu/webkit2gtk-4.1/MiniBrowser`),
  },
  display: { title: 'Xvfb', variable: 'XVFB', aptPackage: 'xvfb', names: ['Xvfb'], paths: [] },
}

/** Returns environment variables with the paths of the other engines. Installs or fails like `programVariables()`. */
export function engineVariables() {
  return variablesOf(enginePrograms)
}

/**
 * Returns environment variables with the paths of programs: all that `npm test` needs, or those with these names. Installs
 * missing programs on Debian if the current user is root. Otherwise prints what to install and exits.
 */
export function programVariables(names = Object.keys(programs)) {
  return variablesOf(Object.fromEntries(names.map((name) => [name, programs[name]])))
}

/** Returns environment variables with the paths of programs. Installs or fails like `programVariables()`. */
export function variablesOf(programs) {
  const wanted = Object.values(programs)
  const findMissing = () => wanted.filter((program) => !findPath(program))
  if (findMissing().length > 0 && existsSync('/etc/debian_version') && process.getuid?.() === 0) {
    install(findMissing().flatMap(({ aptPackage }) => aptPackage.split(' ')))
  }
  const missing = findMissing()
  if (missing.length > 0) {
    const packages = missing.map(({ aptPackage }) => aptPackage).join(' ')
    const variables = missing.map(({ variable }) => variable).join(', ')
    fail(
      `The tests need ${missing.map(({ title }) => title).join(', ')}. Install what is missing (Debian: ` +
        `sudo apt-get install ${packages}), or set ${variables} to the path of the program.`,
    )
  }
  return Object.fromEntries(wanted.map((program) => [program.variable, findPath(program)]))
}

/** Seconds to wait for another process that is installing packages. */
const lockTimeout = 300

function install(packages) {
  console.error(`Installing ${packages.join(', ')}…`)
  const update = aptGet('update')
  // The package lists of an earlier update may be good enough.
  if (update.status !== 0) console.error(`apt-get update failed:\n${update.stderr}`)
  const { status, stderr } = aptGet('install', '-y', '--no-install-recommends', ...packages)
  if (status !== 0) fail(`apt-get could not install ${packages.join(', ')}:\n${stderr}`)
}

/** Runs apt-get. If another one is running, waits until that has ended. */
function aptGet(...args) {
  // RUNLEVEL keeps the packages from starting services.
  const env = { ...process.env, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  const deadline = Date.now() + lockTimeout * 1000
  for (let isFirst = true; ; isFirst = false) {
    // The option makes it wait for the lock of dpkg, but not for those of the package lists and the downloads.
    const result = spawnSync('apt-get', ['-q', '-o', `DPkg::Lock::Timeout=${lockTimeout}`, ...args], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
    })
    const isLocked = result.status !== 0 && /Could not get lock/.test(result.stderr)
    if (!isLocked || Date.now() > deadline) return result
    if (isFirst) console.error('Another apt-get is running. Waiting for it…')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000)
  }
}

/** Returns the path in the program's variable, on PATH or in the usual places, or `undefined`. */
function findPath({ variable, names, paths }) {
  const candidates = [process.env[variable], ...names.map((name) => findOnPath(name)), ...paths]
  return candidates.find((path) => path && existsSync(path))
}

function findOnPath(name) {
  try {
    const output = execFileSync(windows ? 'where' : 'which', [name], { encoding: 'utf8', stdio: 'pipe' })
    return output.split(/\r?\n/)[0]
  } catch {
    return undefined
  }
}

function fail(message) {
  console.error(message)
  process.exit(1)
}

if (process.argv[1] === script) {
  const groups = process.argv.slice(2)
  const installing = installPackages()
  // In parallel, because each of the two takes a minute on a fresh machine.
  variablesOf(Object.assign({}, ...groups.map((group) => ({ programs, engines: enginePrograms })[group])))
  await installing
  checkNode()
}
