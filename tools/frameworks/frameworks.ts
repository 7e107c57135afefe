// Installs the packages in a minimal application of each framework, type-checks and builds it, starts its own server, and opens
// it in Chromium with live data. `npm run test:frameworks` runs it, because it takes minutes and installs hundreds of packages.
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import { freePort } from '../../test/free-port.mjs'
import { launchBrowser } from '../../test/browser.ts'
import { pack } from '../../test/package/packed.ts'

const run = promisify(execFile)

/** The arguments with which the server of each application listens on a port. */
const applications = {
  vite: (port) => ['--port', port, '--strictPort', '--host', '127.0.0.1'],
  vue: (port) => ['--port', port, '--strictPort', '--host', '127.0.0.1'],
  svelte: (port) => ['--port', port, '--strictPort', '--host', '127.0.0.1'],
  next: (port) => ['--port', port, '--hostname', '127.0.0.1'],
  angular: (port) => ['--port', port, '--host', '127.0.0.1'],
  astro: (port) => ['--port', port, '--host', '127.0.0.1'],
} as const satisfies Readonly<Record<string, (port: string) => readonly string[]>>

const only = process.env['ONLY']?.split(',')

describe('an application made with', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'routeslip-frameworks-')))
  const running = new Set<ChildProcess>()
  let tarball: string
  let proxyUrl: string
  let browser: Browser

  before(
    async () => {
      tarball = pack('routeslip', folder).file
      const server = join(folder, 'server')
      mkdirSync(server)
      writeFileSync(join(server, 'package.json'), '{ "private": true }')
      await npm(server, ['install', pack('routeslip-server', folder).file])
      const emulator = await start(server, ['routeslip', 'emulator', '--port', '0'])
      proxyUrl = await start(server, ['routeslip', 'proxy', '--dev-persona', '10000001'], {
        ROUTESLIP_PORT: '0',
        ROUTESLIP_WORKFLOW_URL: `${emulator}/wf`,
        ROUTESLIP_STORAGE_URL: `${emulator}/fs/test`,
        ROUTESLIP_STORAGE_OBJECT_ORIGINS: emulator,
      })
      browser = await launchBrowser()
    },
    { timeout: 180_000 },
  )

  after(async () => {
    await browser?.close()
    await Promise.all([...running].map(end))
    rmSync(folder, { recursive: true, force: true })
  })

  for (const [name, optionsFor] of Object.entries(applications)) {
    if (only && !only.includes(name)) continue
    it(`${name} is type-checked and built, and shows live data`, { timeout: 600_000 }, async () => {
      const place = join(folder, name)
      cpSync(`tools/frameworks/${name}`, place, { recursive: true })
      await npm(place, ['install', tarball])
      // Some of these checks read what the build generates.
      await npm(place, ['run', 'build'], { ROUTESLIP_PROXY: proxyUrl })
      await npm(place, ['run', 'check'])
      const port = await freePort()
      const site = `http://127.0.0.1:${port}/`
      const child = spawn('npm', ['run', 'serve', '--', ...optionsFor(`${port}`)], {
        ...spawnOptions(place, { ROUTESLIP_PROXY: proxyUrl }),
      })
      running.add(child)
      const output = outputOf(child)
      await until(() => isUp(site), output)

      if (name === 'next') {
        const markup = await (await fetch(site)).text()
        assert.match(markup, /<wf-package-status endpoint="\/api\/wf" form-id="6025" package-id="42"/)
      }
      const page = await browser.newPage({ locale: 'en-US' })
      const problems: string[] = []
      page.on('pageerror', (error) => problems.push(String(error)))
      page.on('console', (message) => {
        // Dev servers serve the development build of Lit, which mentions that.
        if (['error', 'warning'].includes(message.type()) && !message.text().startsWith('Lit is in dev mode'))
          problems.push(message.text())
      })
      try {
        await page.goto(site)
        await page.getByText('Daniel Reyes').first().waitFor()
        await page.getByText('No comments yet.').first().waitFor()
        // The framework has received the event of the element.
        await page.locator('output', { hasText: 'ROUTING' }).waitFor()
      } catch (error) {
        throw new Error([...problems, output()].join('\n'), { cause: error })
      }
      assert.deepEqual(problems, [])
      await page.close()
      running.delete(child)
      await end(child)
    })
  }

  it('no browser runs without an error: in jsdom and happy-dom', { timeout: 600_000 }, async (t) => {
    if (only && !only.includes('vitest')) return t.skip()
    const place = join(folder, 'vitest')
    cpSync('tools/frameworks/vitest', place, { recursive: true })
    await npm(place, ['install', tarball])
    await npm(place, ['test'], { ROUTESLIP_PROXY: proxyUrl })
  })

  /** Starts a command of the package. Returns the origin that it prints. */
  async function start(cwd: string, args: readonly string[], env: object = {}): Promise<string> {
    const child = spawn('npx', args, spawnOptions(cwd, env))
    running.add(child)
    const output = outputOf(child)
    const origin = () => /^Routeslip \w+ on (http:\/\/127[.]0[.]0[.]1:\d+)\/$/m.exec(output())?.[1]
    await until(() => origin() !== undefined || child.exitCode !== null, output)
    const found = origin()
    assert.ok(found, output())
    return found
  }
})

/** A process group of its own, because package scripts start further processes. */
function spawnOptions(cwd: string, env: object): SpawnOptions {
  return { cwd, detached: true, env: { ...plainEnv(), ...env }, stdio: ['ignore', 'pipe', 'pipe'] }
}

async function npm(cwd: string, args: readonly string[], env: object = {}): Promise<void> {
  const quiet =
    args[0] === 'install' ? ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'] : []
  await run('npm', [...args, ...quiet], { cwd, env: { ...plainEnv(), ...env }, maxBuffer: 1e8 }).catch(
    (error: Error & { readonly stdout: string; readonly stderr: string }) => {
      throw new Error(`npm ${args.join(' ')} failed:\n${error.stdout}\n${error.stderr}`, { cause: error })
    },
  )
}

/** Returns the environment without what npm sets, and without statistics of frameworks. */
function plainEnv(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(([name]) => !/^(?:npm_|NODE_ENV$)/i.test(name))
  const quiet = {
    NEXT_TELEMETRY_DISABLED: '1',
    ASTRO_TELEMETRY_DISABLED: '1',
    NG_CLI_ANALYTICS: 'false',
    CI: '1',
  }
  return { ...Object.fromEntries(entries), ...quiet }
}

function outputOf(child: ChildProcess): () => string {
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return () => output
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const closed = once(child, 'close')
  process.kill(-child.pid, 'SIGTERM')
  await closed
}

async function isUp(url: string): Promise<boolean> {
  return await fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** Waits until a condition holds, for two minutes. */
async function until(condition: () => boolean | Promise<boolean>, output: () => string): Promise<void> {
  const deadline = Date.now() + 120_000
  while (!(await condition())) {
    assert.ok(Date.now() < deadline, output())
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
