import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn, spawnSync, type SpawnSyncReturns } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build as esbuild } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { build } from 'vite'
import { filesBelow } from '../../scripts/files.mjs'
import { pack, type PackageName, type Packed } from './packed.ts'
import { launchBrowser } from '../browser.ts'
import { problemsIn } from './typescript.ts'

// Applications install the two built packages, each in an empty folder. Their sources are in `consumer/`.

/** The packages, with what an application may have to install at most, and what these tests need besides. */
const packages = {
  // MB are millions of bytes: of the files, and of the blocks of 4 KiB that they take on a disk, as `du` counts.
  routeslip: {
    maxPackages: 12,
    maxMegabytes: 11,
    // 0.2 of it are `<wf-list>` and its texts in twelve languages, 0.1 what uploads files of the page's own inputs, and 0.1 notes of reminders.
    maxMegabytesOnDisk: 16.4,
    companions: ['react', 'react-dom', 'scheduler', '@types/react', '@types/react-dom', 'csstype'],
    minEntries: 30,
  },
  'routeslip-server': {
    maxPackages: 75,
    maxMegabytes: 50,
    maxMegabytesOnDisk: 50,
    companions: ['@types/node', 'undici-types'],
    minEntries: 5,
  },
} as const

const names = ['routeslip', 'routeslip-server'] as const

interface Installed {
  readonly packages: number
  readonly bytes: number
  readonly bytesOnDisk: number
}

/** Bytes of a block of most file systems. */
const blockSize = 4096

/** The compilers that applications use. */
const compilers = ['typescript', 'typescript-7'] as const

describe('an application that installs the packages', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'routeslip-')))
  const folderOf = (name: PackageName) => join(folder, name)
  const running = new Set<ChildProcess>()
  const packed = new Map<PackageName, Packed>()
  const installed = new Map<PackageName, Installed>()

  before(async () => {
    for (const name of names) {
      packed.set(name, pack(name, folder))
      mkdirSync(folderOf(name))
      writeFileSync(join(folderOf(name), 'package.json'), JSON.stringify({ private: true, type: 'module' }))
    }
    await Promise.all(names.map(install))
    for (const name of names) {
      const modules = join(folderOf(name), 'node_modules')
      installed.set(name, measure(modules))
      for (const companion of packages[name].companions)
        cpSync(join('node_modules', companion), join(modules, companion), { recursive: true })
      cpSync('test/package/consumer', folderOf(name), { recursive: true })
    }
  })

  after(async () => {
    await Promise.all([...running].map(end))
    rmSync(folder, { recursive: true })
  })

  for (const name of names)
    it(`installs few packages and megabytes with ${name}`, () => {
      const { packages: count = NaN, bytes = NaN, bytesOnDisk = NaN } = installed.get(name) ?? {}
      const { maxPackages, maxMegabytes, maxMegabytesOnDisk } = packages[name]
      assert.ok(count > 1 && count <= maxPackages, `${count} packages`)
      assert.ok(bytes > 1e6 && bytes <= maxMegabytes * 1e6, `${bytes} bytes`)
      assert.ok(
        bytesOnDisk > bytes && bytesOnDisk <= maxMegabytesOnDisk * 1e6,
        `${bytesOnDisk} bytes on disk`,
      )
    })

  describe('in TypeScript', () => {
    for (const compiler of compilers)
      for (const resolution of ['nodenext', 'bundler'] as const) {
        it(`finds types for every entry for pages (${compiler}, ${resolution})`, () =>
          check('routeslip', compiler, resolution))
        it(`finds types for every entry for servers, without types of pages (${compiler}, ${resolution})`, () =>
          check('routeslip-server', compiler, resolution))
      }

    for (const compiler of compilers)
      it(`learns the types of an element from the module that registers it (${compiler})`, () =>
        compile('routeslip', compiler, ['one-element.ts']))

    for (const compiler of compilers)
      it(`reports a declaration that imports a missing module (control, ${compiler})`, () => {
        const place = join(folderOf('routeslip'), 'node_modules/routeslip/lib/client/index.d.ts')
        const text = readFileSync(place, 'utf8')
        try {
          writeFileSync(place, `${text}\nexport type { Missing } from 'zod'\n`)
          assert.throws(
            () => compile('routeslip', compiler, ['control.ts'], 'nodenext'),
            /Cannot find module 'zod'/,
          )
        } finally {
          writeFileSync(place, text)
        }
      })

    /** Type-checks the applications, an import of every entry, and the declarations of the package. */
    function check(
      name: PackageName,
      compiler: (typeof compilers)[number],
      resolution: 'nodenext' | 'bundler',
    ): void {
      const entries = importableEntries(name).filter((entry) => !entry.endsWith('.json'))
      assert.ok(entries.length >= packages[name].minEntries, entries.join())
      const lines = entries.map((entry, index) =>
        entry.startsWith('routeslip/types/')
          ? // These need frameworks that are not installed here.
            entry.endsWith('/react') && `import type {} from '${entry}'`
          : `import * as entry${index} from '${entry}'\nconsole.log(entry${index})`,
      )
      const place = folderOf(name)
      writeFileSync(join(place, 'entries.ts'), lines.filter(Boolean).join('\n'))
      const application =
        name === 'routeslip' ? ['usage.ts', 'vite/main.ts', 'react/main.tsx'] : ['server-usage.ts']
      compile(name, compiler, ['entries.ts', ...application], resolution)
    }

    /** TypeScript 7 checks every declaration, also of other packages. TypeScript 6, which is slow, checks only ours. */
    function problemsOf(name: PackageName, compiler: (typeof compilers)[number]): string {
      const place = folderOf(name)
      const config = join(place, 'tsconfig.json')
      if (compiler === 'typescript')
        return problemsIn(config, (file) => {
          const [app = '', ...modules] = file.split('/node_modules/')
          return app.startsWith(place) && modules.every((path) => path.startsWith(`${name}/`))
        })
      const tsc = [`node_modules/${compiler}/bin/tsc`, '-p', config]
      return spawnSync(process.execPath, tsc, { encoding: 'utf8' }).stdout
    }

    function compile(
      name: PackageName,
      compiler: (typeof compilers)[number],
      files: readonly string[],
      resolution: 'nodenext' | 'bundler' = 'bundler',
    ): void {
      const isPage = name === 'routeslip'
      const config = {
        compilerOptions: {
          target: 'es2022',
          lib: isPage ? ['es2023', 'dom', 'dom.iterable'] : ['es2023'],
          module: resolution === 'nodenext' ? 'nodenext' : 'esnext',
          moduleResolution: resolution,
          jsx: 'react-jsx',
          types: isPage ? [] : ['node'],
          strict: true,
          exactOptionalPropertyTypes: true,
          noUncheckedIndexedAccess: true,
          verbatimModuleSyntax: true,
          skipLibCheck: false,
          noEmit: true,
        },
        files,
      }
      writeFileSync(join(folderOf(name), 'tsconfig.json'), JSON.stringify(config))
      assert.equal(problemsOf(name, compiler), '')
    }
  })

  describe('in Node', () => {
    it('imports every entry, also those of elements, for rendering on a server', () => {
      for (const name of names) {
        const modules = importableEntries(name).filter((entry) => !/[.]json$|\/types\//.test(entry))
        const script = `for (const entry of ${JSON.stringify(modules)}) await import(entry)`
        const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
          cwd: folderOf(name),
          encoding: 'utf8',
        })
        assert.equal(stderr, '')
        assert.equal(status, 0)
      }
    })

    it('runs the command', async () => {
      assert.equal(routeslip('--version').stdout, `${version()}\n`)
      assert.match(routeslip('--help').stdout, /^Usage: routeslip [^]* {2}demo /)
      const unknown = routeslip('approve')
      assert.deepEqual([unknown.status, unknown.stdout], [1, ''])
      assert.match(unknown.stderr, /^error: unknown command 'approve'/)
      const unset = routeslip('proxy')
      assert.equal(unset.status, 1)
      assert.match(unset.stderr, /ROUTESLIP_FORMS/)

      const emulator = await start('npx', ['routeslip', 'emulator', '--port', '0'])
      const login = Buffer.from('demo-app:demo-secret').toString('base64')
      const address = `${emulator}wf/workflow/test/api/developer/forms/6025/packages/42`
      const headers = { authorization: `Basic ${login}`, 'x-workflow-request-user': 'demo-app' }
      const response = await fetch(address, { headers })
      assert.equal(((await response.json()) as { readonly state: string }).state, 'ROUTING')
      const pdf = await fetch(`${address}/pdf`, { headers })
      assert.match(await pdf.text(), /^%PDF-/)
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
      site = await start(process.execPath, ['server.mjs', folderOf('routeslip')])
      browser = await launchBrowser()
    })
    after(() => browser?.close())

    it('shows elements that Vite has bundled', async () => {
      const { page, problems } = await open('vite/')
      await page.getByText('Daniel Reyes').first().waitFor()
      await page.getByText('No comments yet.').first().waitFor()
      assert.deepEqual(problems, [])
      await page.close()
    })

    it('uses elements in React 19 like native components', async () => {
      const { page, problems } = await open('react/')
      await page.getByText('Daniel Reyes').first().waitFor()
      await page.getByText('State: ROUTING. Refused: .').first().waitFor()
      await page.getByRole('button', { name: 'Void…' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('Duplicate transaction').click()
      await dialog.getByRole('button', { name: 'Void', exact: true }).click()
      await page.getByText('State: ROUTING. Refused: voidPackage.').first().waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Show as a badge' }).click()
      await page.locator('wf-badge [part=state]').waitFor()
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

    it('loads only the elements that it imports, also if a bundler splits the code', async () => {
      const history = "import 'routeslip/define/wf-history'\n"
      const late = (from: string) =>
        `${history}import { configure } from '${from}'\nconfigure({ formId: 6025 })\nvoid import('./late.js')`
      const own = await firstSize({ 'main.js': history })
      const configured = await firstSize({
        'main.js': late('routeslip/configure'),
        'late.js':
          "import { configure } from 'routeslip/configure'\nimport { addLanguage } from 'routeslip/languages'\nconsole.log(configure, addLanguage)",
      })
      assert.ok(configured < own + 1, `${configured} kB instead of ${own}`)
      const whole = await firstSize({
        'main.js': late('routeslip'),
        'late.js': "import { configure, WfForm } from 'routeslip'\nconsole.log(configure, WfForm)",
      })
      assert.ok(whole > own + 10, `control: the main entry makes ${whole} kB`)
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
  function importableEntries(packageName: PackageName): string[] {
    const { files } = filesOf(packageName)
    const { exports } = JSON.parse(files.get('package.json') ?? '') as {
      readonly exports: Readonly<Record<string, string | { readonly types: string }>>
    }
    return Object.entries(exports).flatMap(([entry, target]) => {
      const name = entry.replace(/^[.]/, packageName)
      if (!name.includes('*')) return name
      const [before = '', behind = ''] = (typeof target === 'string' ? target : target.types)
        .slice(2)
        .split('*')
      return [...files.keys()]
        .filter((path) => path.startsWith(before) && path.endsWith(behind))
        .map((path) => name.replace('*', path.slice(before.length, path.length - behind.length)))
        .filter((path) => !path.startsWith('routeslip/dist/') && !path.endsWith('.d'))
    })
  }

  function version(): string {
    return (
      JSON.parse(filesOf('routeslip-server').files.get('package.json') ?? '') as { readonly version: string }
    ).version
  }

  function filesOf(name: PackageName): Packed {
    const found = packed.get(name)
    assert.ok(found, `${name} was packed`)
    return found
  }

  async function install(name: PackageName): Promise<void> {
    const options = ['--prefer-offline', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error']
    await promisify(execFile)('npm', ['install', ...options, filesOf(name).file], { cwd: folderOf(name) })
  }

  /** Returns the number of packages in node_modules, and the size of their files. */
  function measure(modules: string): Installed {
    const { packages } = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')) as {
      readonly packages: object
    }
    const files = filesBelow(modules)
    const sizes = files.map((file) => statSync(file).size)
    // Folders take a block each, too.
    const folders = new Set(files.map((file) => dirname(file))).size
    const blocks = sizes.reduce((sum, size) => sum + Math.ceil(size / blockSize), folders)
    return {
      packages: Object.keys(packages).length,
      bytes: sizes.reduce((sum, size) => sum + size, 0),
      bytesOnDisk: blocks * blockSize,
    }
  }

  /** Runs the command until it ends. */
  function routeslip(...args: string[]): SpawnSyncReturns<string> {
    return spawnSync(join(folderOf('routeslip-server'), 'node_modules/.bin/routeslip'), args, {
      encoding: 'utf8',
      env: plainEnv(),
    })
  }

  /** Starts a server. Returns the address that it prints. */
  async function start(program: string, args: readonly string[]): Promise<string> {
    const child = spawn(program, args, {
      cwd: folderOf('routeslip-server'),
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
    const root = folderOf('routeslip')
    writeFileSync(join(root, 'one.ts'), source)
    const results = await build({
      configFile: false,
      logLevel: 'error',
      root,
      build: { write: false, lib: { entry: 'one.ts', formats: ['es'] } },
    })
    const files = [results].flat().flatMap((result) => ('output' in result ? result.output : []))
    return files.map((file) => ('code' in file ? file.code : '')).join('\n')
  }

  /** Bundles modules with esbuild, which splits them. Returns the size of what `main.js` loads at first, in kB (min + gzip). */
  async function firstSize(modules: Readonly<Record<string, string>>): Promise<number> {
    const folder = mkdtempSync(join(folderOf('routeslip'), 'split-'))
    for (const [name, source] of Object.entries(modules)) writeFileSync(join(folder, name), source)
    const { metafile, outputFiles } = await esbuild({
      entryPoints: [join(folder, 'main.js')],
      outdir: join(folder, 'out'),
      bundle: true,
      splitting: true,
      minify: true,
      format: 'esm',
      write: false,
      metafile: true,
      absWorkingDir: folder,
    })
    const loaded = new Set<string>()
    const load = (file: string) => {
      if (loaded.has(file)) return
      loaded.add(file)
      for (const { path, kind } of metafile.outputs[file]?.imports ?? [])
        if (kind === 'import-statement') load(path)
    }
    load('out/main.js')
    const files = outputFiles.filter(({ path }) => loaded.has(relative(folder, path).replaceAll('\\', '/')))
    assert.equal(files.length, loaded.size)
    return files.reduce((sum, { contents }) => sum + gzipSync(contents).length, 0) / 1000
  }

  /** Builds an application with the defaults of Vite. */
  async function bundle(app: string): Promise<void> {
    await build({
      configFile: false,
      logLevel: 'error',
      root: join(folderOf('routeslip'), app),
      base: `/${app}/`,
    })
  }
})
