import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync, type SpawnSyncReturns } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { build } from 'vite'
import { pack, type Packed } from './packed.ts'
import { launchBrowser } from '../browser.ts'

// Applications install the built package in an empty folder. Their sources are in `consumer/`.

/** Packages that applications install themselves. */
const companions = ['react', 'react-dom', '@types/react', '@types/react-dom', '@types/node']

describe('an application that installs the package', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'routeslip-')))
  const running = new Set<ChildProcess>()
  let packed: Packed

  before(() => {
    packed = pack(folder)
    cpSync('test/package/consumer', folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
    const require = createRequire(import.meta.url)
    const others = companions.map((name) => {
      const { version } = require(`${name}/package.json`) as { readonly version: string }
      return `${name}@${version}`
    })
    npm('install', '--prefer-offline', '--no-package-lock', '--loglevel=error', packed.file, ...others)
  })

  after(async () => {
    await Promise.all([...running].map(end))
    rmSync(folder, { recursive: true })
  })

  describe('in TypeScript', () => {
    it('finds types for every entry, with the module resolution of Node', () => check('nodenext'))
    it('finds types for every entry, with the module resolution of bundlers', () => check('bundler'))

    /** Type-checks the applications, an import of every entry, and the declarations of the package. */
    function check(resolution: 'nodenext' | 'bundler'): void {
      const entries = importableEntries().filter((entry) => !entry.endsWith('.json'))
      assert.ok(entries.length > 30, entries.join())
      const lines = entries.map((entry, index) =>
        entry.startsWith('routeslip/types/')
          ? // These need frameworks that are not installed here.
            entry.endsWith('/react') && `import type {} from '${entry}'`
          : `import * as entry${index} from '${entry}'\nconsole.log(entry${index})`,
      )
      writeFileSync(join(folder, 'entries.ts'), lines.filter(Boolean).join('\n'))
      const config = {
        compilerOptions: {
          target: 'es2022',
          lib: ['es2023', 'dom', 'dom.iterable'],
          module: resolution === 'nodenext' ? 'nodenext' : 'esnext',
          moduleResolution: resolution,
          jsx: 'react-jsx',
          types: ['node'],
          strict: true,
          noUncheckedIndexedAccess: true,
          verbatimModuleSyntax: true,
          skipLibCheck: false,
          noEmit: true,
        },
        files: ['entries.ts', 'usage.ts', 'vite/main.ts', 'react/main.tsx'],
      }
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
      const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc')
      const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' })
      assert.equal(stdout, '')
    }
  })

  describe('in Node', () => {
    it('imports every entry, also those of elements, for rendering on a server', () => {
      const modules = importableEntries().filter((entry) => !/[.]json$|\/types\//.test(entry))
      const script = `for (const entry of ${JSON.stringify(modules)}) await import(entry)`
      const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
        cwd: folder,
        encoding: 'utf8',
      })
      assert.equal(stderr, '')
      assert.equal(status, 0)
    })

    it('runs the command', async () => {
      assert.equal(routeslip('--version').stdout, `${version()}\n`)
      assert.match(routeslip('--help').stdout, /^Usage:\n {2}routeslip demo /)
      const unknown = routeslip('approve')
      assert.deepEqual([unknown.status, unknown.stdout], [1, ''])
      assert.match(unknown.stderr, /Usage:/)
      const unset = routeslip('proxy')
      assert.equal(unset.status, 1)
      assert.match(unset.stderr, /ROUTESLIP_FORMS/)

      const emulator = await start('npx', ['routeslip', 'emulator', '--port', '0'])
      const login = Buffer.from('demo-app:demo-secret').toString('base64')
      const response = await fetch(`${emulator}wf/workflow/test/api/developer/forms/6025/packages/42`, {
        headers: { authorization: `Basic ${login}`, 'x-workflow-request-user': 'demo-app' },
      })
      assert.equal(((await response.json()) as { readonly state: string }).state, 'ROUTING')
    })

    it('serves the demo with all of its files', async () => {
      const demo = await start('npx', ['routeslip', 'demo'])
      const page = await fetch(demo)
      assert.match(await page.text(), /<wf-package-status/)
      for (const path of ['routeslip.js', 'locales/es.js', 'page.css', 'crest.svg', 'console'])
        assert.equal((await fetch(demo + path)).status, 200, path)
    })
  })

  describe('in a page', () => {
    let site: string
    let browser: Browser
    before(async () => {
      await Promise.all([bundle('vite'), bundle('react')])
      site = await start(process.execPath, ['server.mjs'])
      browser = await launchBrowser()
    })
    after(() => browser?.close())

    it('shows elements that Vite has bundled', async () => {
      const { page, problems } = await open('vite/')
      await page.getByText('Daniel Reyes').first().waitFor()
      await page.getByText('No comments yet.').waitFor()
      assert.deepEqual(problems, [])
      await page.close()
    })

    it('uses elements in React 19 like native components', async () => {
      const { page, problems } = await open('react/')
      await page.getByText('Daniel Reyes').first().waitFor()
      await page.getByText('State: ROUTING. Refused: .').waitFor()
      await page.getByRole('button', { name: 'Void…' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('Duplicate transaction').click()
      await dialog.getByRole('button', { name: 'Void', exact: true }).click()
      await page.getByText('State: ROUTING. Refused: voidPackage.').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Show as a badge' }).click()
      await page.locator('wf-package-status[variant=badge] [part=state]').waitFor()
      assert.deepEqual(problems, [])
      await page.close()
    })

    it('bundles only the elements that it imports', async () => {
      const comments = ['No comments match.']
      const others = [
        'Nothing has happened yet.',
        'Needed before routing',
        'Routing has restarted.',
        'fs-change',
      ]
      const textsIn = (code: string) => [...comments, ...others].filter((text) => code.includes(text))
      assert.deepEqual(textsIn(await bundled("import 'routeslip/define'")), [...comments, ...others])
      assert.deepEqual(textsIn(await bundled("import 'routeslip/define/wf-comments'")), comments)
      assert.deepEqual(
        textsIn(await bundled("import { WfComments } from 'routeslip'\nconsole.log(WfComments)")),
        comments,
      )
      assert.deepEqual(
        textsIn(await bundled("import 'routeslip'")),
        [],
        'unused elements are not in the bundle',
      )
    })

    async function open(path: string): Promise<{ readonly page: Page; readonly problems: string[] }> {
      const page = await browser.newPage({ viewport: { width: 900, height: 700 }, locale: 'en-US' })
      const problems: string[] = []
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) problems.push(message.text())
      })
      page.on('pageerror', (error) => problems.push(String(error)))
      await page.goto(site + path)
      return { page, problems }
    }
  })

  /** Returns every specifier that can be imported, with patterns expanded. */
  function importableEntries(): string[] {
    const { exports } = JSON.parse(packed.files.get('package.json') ?? '') as {
      readonly exports: Readonly<Record<string, string | { readonly types: string }>>
    }
    return Object.entries(exports).flatMap(([entry, target]) => {
      const name = entry.replace(/^[.]/, 'routeslip')
      if (!name.includes('*')) return name
      const [before = '', behind = ''] = (typeof target === 'string' ? target : target.types)
        .slice(2)
        .split('*')
      return [...packed.files.keys()]
        .filter((path) => path.startsWith(before) && path.endsWith(behind))
        .map((path) => name.replace('*', path.slice(before.length, path.length - behind.length)))
        .filter((path) => !path.startsWith('routeslip/dist/') && !path.endsWith('.d'))
    })
  }

  function version(): string {
    return (JSON.parse(packed.files.get('package.json') ?? '') as { readonly version: string }).version
  }

  function npm(...args: string[]): void {
    execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  }

  /** Runs the command until it ends. */
  function routeslip(...args: string[]): SpawnSyncReturns<string> {
    return spawnSync(join(folder, 'node_modules/.bin/routeslip'), args, { encoding: 'utf8', env: plainEnv() })
  }

  /** Starts a server. Returns the address that it prints. */
  async function start(program: string, args: readonly string[]): Promise<string> {
    const child = spawn(program, args, {
      cwd: folder,
      env: { ...plainEnv(), PORT: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    running.add(child)
    let output = ''
    return await new Promise((resolve, reject) => {
      const read = (chunk: Buffer) => {
        output += chunk.toString()
        const address = /http:\/\/127[.]0[.]0[.]1:\d+\//.exec(output)?.[0]
        if (address) resolve(address)
      }
      child.stdout.on('data', read)
      child.stderr.on('data', read)
      child.on('close', () => reject(new Error(`${program} ${args.join(' ')} ended: ${output}`)))
    })
  }

  async function end(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    const closed = once(child, 'close')
    child.kill('SIGTERM')
    await closed
  }

  /** Returns the environment without the variables that npm sets. */
  function plainEnv(): NodeJS.ProcessEnv {
    return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)))
  }

  /** Bundles a module in the folder with Vite. */
  async function bundled(source: string): Promise<string> {
    writeFileSync(join(folder, 'one.ts'), source)
    const results = await build({
      configFile: false,
      logLevel: 'error',
      root: folder,
      build: { write: false, lib: { entry: 'one.ts', formats: ['es'] } },
    })
    const files = [results].flat().flatMap((result) => ('output' in result ? result.output : []))
    return files.map((file) => ('code' in file ? file.code : '')).join('\n')
  }

  /** Builds an application with the defaults of Vite. */
  async function bundle(app: string): Promise<void> {
    await build({ configFile: false, logLevel: 'error', root: join(folder, app), base: `/${app}/` })
  }
})
