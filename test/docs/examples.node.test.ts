import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { build } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { freePort } from '../free-port.mjs'
import { readElements } from '../../scripts/docs/manifest.ts'
import { readProxyConfig } from '../../src/cli/config/proxy-config.ts'
import { readPolicy } from '../../src/proxy/rights/policy-rules.ts'
import { builtCommand } from '../cli/built-command.ts'
import { exampleEnv, frontSecret } from '../cli/proxy-command.ts'
import { type Block, readDocuments, root } from './documents.ts'
import { distFile, openSite, type Site } from './site.ts'
import { launchBrowser } from '../browser.ts'

// Runs every example in the documents as it is, except that free ports replace the ports. Examples
// that cannot run here are listed by name, with the reason and the test that runs them instead.

/** Commands that do not run here, with the reason. */
const notRun: readonly (readonly [command: RegExp, reason: string])[] = [
  [/^npm test\b/, 'It runs this test.'],
  [/^npm run check\b/, 'It runs the quick part of `npm test`.'],
  [/^npm start\b/, 'test/e2e/demo.node.test.ts runs the same command.'],
  [/^(PORT=\d+ )?npm start\b/, 'test/e2e/demo.node.test.ts runs the same command.'],
  [/^npx routeslip demo$/, 'test/package/consumer.node.test.ts runs the same command.'],
  [/^npm run build$/, '`npm test` has built before this test, and the html examples load the output.'],
  [/^npm run format$/, 'It writes files; `npm test` checks the format of the same files.'],
  [/^npm run bench$/, 'It measures for minutes; tools/bench/README.md describes it.'],
  [/^npm run lab$/, 'It runs for an hour.'],
  [/^npm run mutate\b/, 'It tries thousands of changes, which takes hours.'],
  [/^npm run test:ears$/, 'It listens to two browsers and a screen reader for minutes, and needs a desktop.'],
  [/^npm run test:engines$/, 'It runs all browser tests again, for minutes.'],
  [
    /^routeslip callbacks\b/,
    'It needs callbacks that have failed; test/cli/callbacks/callbacks.node.test.ts runs the same commands.',
  ],
  [
    /^routeslip desk\b/,
    'It needs the data of a proxy that keeps lists; test/cli/desk/desk.node.test.ts runs the same commands.',
  ],
  [/^npm run test:stacks\b/, 'It installs WordPress and visits it for minutes.'],
  [/^npm run pack$/, 'test/package/release.node.test.ts runs its script with the build of this run.'],
  [/^npm run test:libraries$/, 'It installs libraries, for a minute.'],
  [/^npm run test:frameworks( \w+)*$/, 'It installs an application of each framework, for minutes.'],
  [
    /^npx routeslip proxy --dev-persona \d+( --pages \w+)?$/,
    'test/cli/command/dev-persona.node.test.ts runs the same command.',
  ],
  [/^npx routeslip proxy --check$/, 'test/cli/command/check.node.test.ts runs the same command.'],
  [
    /^npx routeslip policy test\b/,
    'test/cli/command/policy-explain.node.test.ts runs the same command with files of its own.',
  ],
  [/^npm run sheet$/, 'It draws for minutes; test/e2e/storybook.node.test.ts opens each story.'],
  [/^npm run storybook$/, 'It runs until it is stopped; test/e2e/storybook.node.test.ts opens each story.'],
  [/^docker compose up\b/, 'It needs a container engine; docs/deploy/README.md states that it was not run.'],
  [
    /^npm install (--save-dev )?routeslip(-server)?$/,
    'It needs the registry; the examples import the sources instead.',
  ],
]

/** Checks for languages that cannot run. */
const notExecuted: Readonly<Record<string, (block: Block) => void>> = {
  /** A drawing. */
  text: ({ text }) => assert.notEqual(text.trim(), ''),
  php: ({ text }) => {
    const options = { input: `<?php\n${text}`, encoding: 'utf8' } as const
    execFileSync(process.env['PHP'] ?? 'php', ['-l'], { ...options, stdio: ['pipe', 'pipe', 'pipe'] })
  },
  // `npm run test:stacks` renders these.
  twig: checkTags,
  blade: checkTags,
  jinja: checkTags,
  nunjucks: checkTags,
  jsp: checkTags,
  thymeleaf: checkTags,
  razor: checkTags,
  /** tools/stacks/mounting.ts runs these with the frameworks. */
  mjs: ({ text }) => assert.match(text, /listen|serve/),
  /** HTTP headers. */
  http: ({ text }) => {
    for (const line of text.trim().split('\n')) assert.match(line, /^[A-Z][\w-]*: \S/)
  },
}

/** Files that examples import from their own site. */
const ownFiles: Record<string, string> = {
  '/words-pl.js': "export * from '/locales/es.js'",
  /** The current example. */
  '/example.js': '',
}

/** Examples that have to fail. */
const invalid: readonly Block[] = (
  [
    ['sh', 'exit 3'],
    ['sh', 'no-such-command --at-all'],
    ['sh', 'npx routeslip emulator --no-such-option'],
    ['json', '{ "ROUTESLIP_PRT": 1 }'],
    ['json', '{,}'],
    ['json', '{ "rules": [{}] }'],
    ['css', ':root { --wf-acent: red }'],
    ['css', 'wf-history::part(stopp) { color: red }'],
    ['css', 'wf-history { colour: red }'],
    ['css', 'wf-history:state(gone) { color: red }'],
    ['html', '<wf-history></wf-history><script>throw new Error("bad")</script>'],
    ['html', '<script type="module" src="/gone.js"></script><wf-history></wf-history>'],
    ['html', '<wf-histroy></wf-histroy>'],
    ['html', '<wf-history endpont="/api/wf"></wf-history>'],
    ['twig', '<wf-histroy package-id="{{ id|e }}"></wf-histroy>'],
    ['razor', '<wf-history pakage-id="@Model.Id"></wf-history>'],
    ['js', "import { gone } from '/routeslip.js'\ngone()"],
    ['ts', "import { gone } from 'routeslip-server/proxy'\ngone()"],
    ['ts', "import { createEmulator } from './src/emulator/emulator.ts'\ncreateEmulator().gone()"],
    [
      'ts',
      "import { createEmulator } from './src/emulator/emulator.ts'\ncreateEmulator()\nthrow new Error('bad')",
    ],
    ['nginx', 'server { lisen 80; }'],
    ['ini', '[pool\nlisten = /run/php/pool.sock'],
  ] as const
).map(([language, text], at) => ({ file: 'bad.md', line: at + 1, language, text }))

const documents = readDocuments()
const folder = mkdtempSync(join(tmpdir(), 'routeslip-examples-'))
const elements = readElements()
let site: Site
let browser: Browser
let emulatorUrl: string
let typeErrors: ReadonlyMap<string, string>
const children = new Set<ChildProcess>()

before(async () => {
  // A copy of the repository, with its dependencies and its build.
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
  for (const file of files.toString().trim().split('\n')) {
    if (!existsSync(root + file)) continue
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(root + file, join(folder, file))
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  symlinkSync(join(root, 'dist'), join(folder, 'dist'))
  // Plain scripts do not cast the results of `querySelector` or the arguments of listeners.
  const blocks = [...documents.flatMap(({ blocks }) => blocks), ...invalid]
  typeErrors = findTypeErrors(blocks.filter(({ language }) => language === 'ts'))
  site = await openSite()
  browser = await launchBrowser()
  emulatorUrl = await startServer('npx routeslip emulator --port 0', {})
})
after(async () => {
  await browser?.close()
  await site?.close()
  for (const child of [...children]) await end(child)
  rmSync(folder, { recursive: true, force: true })
})

for (const document of documents) {
  if (document.blocks.length === 0) continue
  describe(document.file, () => {
    const session: Session = { env: {}, json: '' }
    for (const block of document.blocks) {
      it(`line ${block.line} works as it is (${block.language})`, async () => {
        const run = runners[block.language]
        assert.ok(run, `no check exists for ${block.language || 'a block without a language'}: ${block.text}`)
        await run(block, session)
      })
    }
  })
}

describe('examples', () => {
  it('are tested by checks that can fail (control)', async () => {
    for (const block of invalid) {
      await assert.rejects(
        async () => runners[block.language]?.(block, { env: {}, json: '' }),
        Error,
        `${block.language}: ${block.text}`,
      )
    }
  })
})

/** The state that the blocks of one document share, like a reader's terminal. */
interface Session {
  /** Exported variables. */
  readonly env: Record<string, string>
  /** The latest JSON block, which `--config` names. */
  json: string
  /** Address of the proxy, if it has been started. */
  proxy?: string
}

type Run = (block: Block, session: Session) => void | Promise<void>

const runners: Readonly<Record<string, Run>> = {
  ...notExecuted,
  sh: runShell,
  json: checkJson,
  css: checkStyles,
  html: openPage,
  js: runScript,
  ts: runScript,
  nginx: checkNginx,
  // tools/stacks starts PHP-FPM with the pool.
  ini: ({ text }) =>
    void execFileSync('php', ['-r', "parse_ini_string(file_get_contents('php://stdin'), true) || exit(1);"], {
      input: text,
      stdio: 'pipe',
    }),
  php: ({ text }) =>
    void execFileSync('php', ['-l'], { input: /<\?/.test(text) ? text : `<?php\n${text}`, stdio: 'pipe' }),
}

/** Replaces the addresses in the documents with those of this run. */
function withLocalUrls(text: string, session: Session): string {
  return text
    .replaceAll('http://127.0.0.1:8081', emulatorUrl.replace(/\/$/, ''))
    .replaceAll('http://127.0.0.1:8090/', session.proxy ?? 'http://127.0.0.1:8090/')
}

async function runShell({ text }: Block, session: Session): Promise<void> {
  const commands = text
    .replace(/\\\n\s*/g, ' ')
    .split('\n')
    .map((line) => line.replace(/\s+#\s.*/, '').trim())
  for (const command of commands.filter(Boolean)) {
    if (notRun.some(([pattern]) => pattern.test(command))) continue
    const [, name, value] = /^export (\w+)=(.*)$/.exec(command) ?? []
    if (name !== undefined) {
      session.env[name] = (
        await shell(`printf %s ${withLocalUrls(value ?? '', session)}`, session.env)
      ).trim()
    } else if (/^(TZ=\S+ )?npx routeslip emulator\b/.test(command)) {
      // A document may start it more than once on the same port.
      const url = await startServer(
        command.replace(/--port \d+/, '--port 0').replace(/emulator$/, 'emulator --port 0'),
        {},
      )
      assert.equal((await fetch(`${url}_emulator`)).status, 200)
      await endLast()
    } else if (/^npx routeslip proxy\b/.test(command)) {
      writeFileSync(join(folder, 'proxy.json'), session.json)
      const env = { ...session.env, ROUTESLIP_PORT: '0', ROUTESLIP_IDENTITY_SECRET: frontSecret }
      session.env['ROUTESLIP_IDENTITY_SECRET'] = frontSecret
      session.proxy = await startServer(command, env)
      assert.equal((await fetch(`${session.proxy}api/wf/healthz`)).status, 200)
    } else if (/^npx routeslip conformance\b/.test(command)) {
      await runConformance(command)
    } else {
      await ensureProxy(command, session)
      const fails = /^curl\b/.test(command)
        ? command.replace('curl', 'curl --silent --show-error --fail')
        : command
      await shell(withLocalUrls(fails, session), session.env)
    }
  }
}

/** Starts the proxy of docs/proxy.md if a command needs it and the document does not start one. */
async function ensureProxy(command: string, session: Session): Promise<void> {
  if (session.proxy !== undefined || !command.includes('127.0.0.1:8090')) return
  Object.assign(session.env, exampleEnv(emulatorUrl))
  session.proxy = await startServer('npx routeslip proxy', session.env)
}

/** Starts the proxy in the command, and runs its first checks. */
async function runConformance(command: string): Promise<void> {
  const port = await freePort()
  const env = exampleEnv(`http://127.0.0.1:${port}/`)
  const url = await startServer('npx routeslip proxy', env)
  const started = command.replace('http://127.0.0.1:8090/', url)
  const output = await shell(`${started} --port ${port} --only 'identity'`, env)
  assert.match(output, /^\d+ passed, 0 failed$/m)
  assert.doesNotMatch(output, /^0 passed/m)
}

/** Runs a command to its end. Returns its output. */
async function shell(command: string, env: Readonly<Record<string, string>>): Promise<string> {
  const child = spawn('sh', ['-c', withBuiltCommand(command)], {
    cwd: folder,
    env: { ...process.env, ...env },
  })
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number]
  assert.equal(code, 0, `${command}\n${output}\n${errors}`)
  return output
}

/** Starts a server. Returns the address that it prints. */
async function startServer(command: string, env: Readonly<Record<string, string>>): Promise<string> {
  const child = spawn('sh', ['-c', withBuiltCommand(command).replace(/node (?=[^;&]*$)/, 'exec node ')], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...env },
  })
  children.add(child)
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const deadline = Date.now() + 60_000
  for (;;) {
    const url = /^Routeslip \w+ on (http:\/\/127\.0\.0\.1:\d+\/)$/m.exec(output)?.[1]
    if (url !== undefined) return url
    assert.equal(child.exitCode, null, `${command}\n${output}`)
    assert.ok(Date.now() < deadline, `${command} printed no address within 60 s\n${output}`)
    await pause(20)
  }
}

/** Runs the built command, because the package is not installed here. */
function withBuiltCommand(command: string): string {
  return command.replace(/\bnpx routeslip\b/, `node '${builtCommand}'`)
}

async function endLast(): Promise<void> {
  const last = [...children].at(-1)
  if (last) await end(last)
}

async function end(child: ChildProcess): Promise<void> {
  children.delete(child)
  if (child.exitCode !== null) return
  const closed = once(child, 'close')
  child.kill('SIGKILL')
  await closed
}

function checkJson({ text }: Block, session: Session): void {
  const value = JSON.parse(text) as Record<string, unknown>
  if ('rules' in value) {
    readPolicy(value)
    writeFileSync(join(folder, 'policy.json'), text)
  }
  const isConfiguration =
    'mounts' in value || Object.keys(value).some((name) => name.startsWith('ROUTESLIP_'))
  if (!isConfiguration) return
  session.json = text
  // Settings that are missing in the file come from the environment, as in docs/proxy.md.
  const env = 'mounts' in value ? {} : exampleEnv(emulatorUrl)
  readProxyConfig({ ...env, ROUTESLIP_CONFIG: 'proxy.json' }, (path) =>
    path === 'proxy.json' ? text : frontSecret,
  )
}

/** Checks that a browser accepts every declaration, and that elements have every name in it. */
async function checkStyles({ text }: Block): Promise<void> {
  await withPage(async (page) => {
    const accepted = await page.evaluate<number>(`(${countDeclarations})(${JSON.stringify(text)})`)
    const declared = text.replace(/\/\*.*?\*\//gs, '').split(';').length - 1
    assert.ok(
      accepted >= declared && declared > 0,
      `the browser accepts ${accepted} of ${declared} declarations`,
    )
  })
  const tokens = elements.flatMap(({ cssProperties }) => cssProperties.map(({ name }) => name))
  for (const [token] of text.matchAll(/--wf-[\w-]+/g))
    assert.ok(tokens.includes(token), `${token} is a token`)
  for (const [, tag = '', part = ''] of text.matchAll(/([\w-]*)::part\(([\w-]+)\)/g)) {
    const parts = elements
      .filter(({ tagName }) => tag === '' || tagName === tag)
      .flatMap(({ cssParts }) => cssParts)
    assert.ok(
      parts.some(({ name }) => name === part),
      `${tag} has the part ${part}`,
    )
  }
  for (const [, state = ''] of text.matchAll(/:state\(([\w-]+)\)/g)) assert.match(state, statePattern)
}

/** Counts the declarations that a browser accepts. It is a string, because code for a page must not be compiled. */
const countDeclarations = `(css) => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  const own = (rule) => rule.style ? rule.style.cssText.split(';').filter((each) => each.trim()).length : 0
  const count = (rules) => [...rules].reduce((sum, rule) => sum + own(rule) + (rule.cssRules ? count(rule.cssRules) : 0), 0)
  return count(sheet.cssRules)
}`

const statePattern =
  /^(?:not-configured|loading|loaded|empty|busy|stale|forbidden|missing|signed-out|failed)$/

/** Checks that the elements of a fragment, and their attributes, exist. */
function checkTags({ text }: Block): void {
  const tags = new Map(
    elements.map(({ tagName, attributes }) => [tagName, attributes.map(({ name }) => name)]),
  )
  for (const [, tag = '', attributes = ''] of text.matchAll(
    /<((?:wf|fs|routing)-[\w-]+)((?:\s+[\w.@:-]+(?:="[^"]*"|='[^']*')?)*)/g,
  )) {
    assert.ok(tags.has(tag), `<${tag}> is an element`)
    for (const [, name = ''] of attributes.matchAll(/\s([\w-]+)(?=[\s=>]|$)(?:="[^"]*"|='[^']*')?/g))
      assert.ok(
        [...(tags.get(tag) ?? []), 'class', 'id', 'lang', 'dir', 'slot', 'hidden', 'title'].includes(name) ||
          name.startsWith('data-'),
        `<${tag}> has an attribute ${name}`,
      )
  }
}

/** Opens a fragment in a page that loads the script, or a whole page, and waits until all elements have loaded. */
async function openPage(block: Block): Promise<void> {
  checkTags(block)
  const { text } = block
  await withPage(async (page) => {
    const isLoaded = /<script[^>]+src="[^"]*routeslip/.test(text)
    site.show(fillIn(text), isLoaded ? {} : { head: '<script type="module" src="/routeslip.js"></script>' })
    await page.goto(`${site.url}/page`)
    await waitUntilLoaded(page)
  })
}

/** Replaces each ellipsis in an example with a hash, or with the import map, of the current build. */
function fillIn(text: string): string {
  const hash = createHash('sha384')
    .update(distFile('/routeslip.js') ?? '')
    .digest('base64')
  const folder = /src="([^"]*\/)[\w-]+\.js"/.exec(text)?.[1] ?? '/'
  return text
    .replaceAll('sha384-…', `sha384-${hash}`)
    .replace(/(<script type="importmap"[^>]*>)\s*…/, (_, tag: string) => {
      const map = distFile('/importmap.json')?.toString() ?? ''
      return tag + map.replaceAll('"./', `"${folder}`)
    })
}

/** Waits until every element of the page is defined and has loaded its data. */
async function waitUntilLoaded(page: Page): Promise<void> {
  const isDone = `[...document.querySelectorAll('*')]
    .filter(({ localName }) => /^(wf|fs|routing)-/.test(localName))
    .every((each) => each.matches(':defined') && !each.matches(':state(loading)')) &&
    [...document.querySelectorAll('[data-wf]')].every(({ firstElementChild }) => firstElementChild?.shadowRoot)`
  await page.waitForFunction(isDone, null, { timeout: 60_000 })
}

/** Runs a script in a page or in Node. TypeScript must not have found problems in it. */
async function runScript(block: Block, session: Session): Promise<void> {
  const { text } = block
  const imports = importsOf(text)
  const isForNode = imports.some((name) => /^node:|\/(?:proxy|emulator|contract)\b|^express$/.test(name))
  const file = fileOf(block)
  assert.equal(typeErrors.get(basename(file)) ?? '', '')
  const port = await freePort()
  writeFileSync(file, withLocalUrls(withSources(text), session).replaceAll('8090', String(port)))
  if (isForNode) await runInNode(file, /\.listen\(/.test(text) ? port : undefined)
  else await runInPage(file, imports)
}

/** Returns what a script imports, as it is written. */
function importsOf(text: string): readonly string[] {
  return [...text.matchAll(/from '([^']+)'|import '([^']+)'/g)].map(([, from, bare]) => from ?? bare ?? '')
}

/** Lets a script import the sources of the packages. */
function withSources(text: string): string {
  return importsOf(text).reduce(
    (code, specifier) => code.replaceAll(`'${specifier}'`, `'${sourceOf(specifier)}'`),
    text,
  )
}

/** Returns the source of an export of the package, so that the package need not be installed. */
function sourceOf(specifier: string): string {
  const [, packageName] = /^(routeslip(?:-server)?)(?:\/|$)/.exec(specifier) ?? []
  if (packageName === undefined) return specifier
  const manifest = packageName === 'routeslip' ? 'package.json' : 'server/package.json'
  const { exports } = JSON.parse(readFileSync(join(folder, manifest), 'utf8')) as {
    readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  }
  const name = specifier.replace(packageName, '.')
  const wildcard = `${name.replace(/[^/]+$/, '')}*`
  const target = exports?.[name] ?? exports?.[wildcard]
  const path = typeof target === 'string' ? target : (target?.['default'] ?? target?.['import'])
  assert.ok(path !== undefined, `${manifest} exports ${name}`)
  const source = path
    .replace('./lib/', './src/')
    .replace(/\.js$/, '.ts')
    .replace('*', name.split('/').at(-1) ?? '')
  assert.ok(existsSync(join(folder, source)), `${source}, which ${name} is made from, exists`)
  return source
}

/** Returns the file in which an example is type-checked and run. It is in the root, where relative imports lead to the sources. */
function fileOf({ file, line, language }: Block): string {
  return join(folder, `example-${file.replaceAll(/\W/g, '-')}-${line}.${language}`)
}

/** Returns what TypeScript finds in all examples, by the name of the file. */
function findTypeErrors(blocks: readonly Block[]): ReadonlyMap<string, string> {
  const files = blocks.map(fileOf)
  for (const block of blocks) writeFileSync(fileOf(block), withSources(block.text))
  const config = join(folder, 'examples.json')
  const compilerOptions = { noEmit: true, noUnusedLocals: false }
  writeFileSync(config, JSON.stringify({ extends: './tsconfig.json', compilerOptions, files, include: [] }))
  const tsc = [join(root, 'node_modules/typescript-7/bin/tsc'), '-p', config, '--pretty', 'false']
  const { stdout, stderr } = spawnSync(process.execPath, tsc, { cwd: folder, encoding: 'utf8' })
  assert.equal(stderr, '')
  const found = new Map<string, string>()
  for (const line of stdout.split('\n').filter((text) => text.includes('error TS'))) {
    const name = /^(example-[\w-]+\.ts)\(/.exec(line)?.[1]
    assert.ok(name, `No example has this problem: ${line}`)
    found.set(name, `${found.get(name) ?? ''}${line}\n`)
  }
  return found
}

/** Runs a script to its end, or, if it is a server, until it responds. */
async function runInNode(file: string, port: number | undefined): Promise<void> {
  const child = spawn(process.execPath, ['--import', 'tsx', file], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ROUTESLIP_IDENTITY_SECRET: frontSecret },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  children.add(child)
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  if (port === undefined) {
    const [code] = (await once(child, 'close')) as [number]
    assert.equal(code, 0, errors)
    return
  }
  const headers = { 'x-routeslip': '1', 'sec-fetch-site': 'same-origin', 'x-remote-user': '10000001' }
  const deadline = Date.now() + 60_000
  for (;;) {
    assert.equal(child.exitCode, null, errors)
    assert.ok(Date.now() < deadline, `the server did not respond within 60 s\n${errors}`)
    const { status } = await fetch(`http://127.0.0.1:${port}/api/wf/healthz`, { headers }).catch(() => ({
      status: 0,
    }))
    if (status === 200) break
    await pause(20)
  }
  await end(child)
}

/** Runs a module in a page that contains an element. */
async function runInPage(file: string, imports: readonly string[]): Promise<void> {
  const usesSite = imports.some((name) => name.startsWith('/'))
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    external: imports.filter((name) => name.startsWith('/')),
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true, useDefineForClassFields: false } },
    logLevel: 'silent',
  })
  ownFiles['/example.js'] = outputFiles[0]?.text ?? ''
  await withPage(async (page) => {
    // If an example sets the endpoint, the markup does not.
    const head = usesSite ? '<script type="module" src="/routeslip.js"></script>' : ''
    site.show(
      `<wf-package-status form-id="6025" package-id="42"></wf-package-status>
      <script type="module" src="/example.js"></script>`,
      { head },
    )
    await page.goto(`${site.url}/page`)
    await page.waitForLoadState('load')
    if (usesSite || imports.some((name) => name.includes('define'))) await waitUntilLoaded(page)
  })
}

/** Lets nginx check a part of a configuration, in a complete file. */
function checkNginx({ text }: Block): void {
  const directory = mkdtempSync(join(folder, 'nginx-'))
  for (const [, name = ''] of text.matchAll(/\/etc\/nginx\/([\w./-]+)/g)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true })
    writeFileSync(join(directory, name), '')
  }
  const servers = /^\s*(?:server|upstream|map)\b/m.test(text) ? text : `server {\n${text}\n}`
  const config = `pid ${directory}/pid; error_log stderr; events {} http {
    ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${directory}/${name};`).join('\n')}
    upstream routeslip { server 127.0.0.1:8090; }
    ${servers.replaceAll('/etc/nginx/', `${directory}/`)}
  }`
  writeFileSync(
    join(directory, 'nginx.conf'),
    /upstream routeslip/.test(text) ? config.replace(/upstream routeslip [^}]*}\n/, '') : config,
  )
  execFileSync(
    process.env['NGINX'] ?? 'nginx',
    ['-t', '-q', '-p', directory, '-c', join(directory, 'nginx.conf')],
    {
      stdio: 'pipe',
    },
  )
}

/** Runs a function with a new page. The page must not log an error. Other hosts serve the files of dist/. */
async function withPage(use: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ locale: 'en-US' })
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${message.text()} ${message.location().url}`)
  })
  await context.route(
    (url) => url.origin !== site.url || url.pathname in ownFiles,
    (route) => {
      const { pathname } = new URL(route.request().url())
      const body = ownFiles[pathname] ?? distFile(pathname)
      const headers = { 'access-control-allow-origin': '*', 'content-type': 'text/javascript' }
      return body === undefined ? route.abort() : route.fulfill({ body, headers })
    },
  )
  try {
    await page.goto(`${site.url}/favicon.ico`).catch(() => {})
    await use(page).catch((error: unknown) => {
      throw new Error(`${String(error)} ${errors.join(' ')}`, { cause: error })
    })
    // This site has no live events, so examples may log that.
    assert.deepEqual(
      errors.filter((text) => !text.includes('/api/wf/events')),
      [],
    )
  } finally {
    await context.close()
  }
}
