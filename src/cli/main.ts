#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { ScenarioName } from '../emulator/scenarios/index.ts'
import { ListenError, parsePort } from './listen.ts'

// Each command brings along what it needs, and none what another needs.

const usage = `Usage:
  routeslip demo                  the whole system on one page; PORT chooses where (default 8080)
  routeslip emulator              both services with made-up data
    --port N                      where they are served (default 8081; 0: any free port)
    --objects-port N              where download links lead (default: the same port)
    --data DIR                    keeps everything in this directory (default: in memory)
    --scenario NAME               small, campus or large: what a new DIR begins with (default small)
  routeslip proxy                 the proxy, set up by environment variables: docs/proxy.md
    --config FILE                 JSON file with the same names, over which the environment wins
  routeslip conformance URL       checks the proxy at URL, in whatever language, and prints what fails
    --header 'NAME: VALUE'        how it knows who is signed in, with {univid} for the university id; may repeat
    --only BEGINNING              makes only checks whose names begin so, such as 'rights: voidPackage'; may repeat
    --port N                      where both services are emulated for it (default 8081)
  routeslip --help, --version`

/** Options of each command. */
const optionsOf: Readonly<Record<string, readonly string[]>> = {
  emulator: ['port', 'objects-port', 'data', 'scenario'],
  proxy: ['config'],
  conformance: ['port', 'header', 'only'],
}

/** Names of errors with a message for whoever typed the command. */
const expected = ['ListenError', 'DataDirectoryError', 'ConfigError']

try {
  await run()
} catch (error) {
  // A message for whoever typed the command; anything else is a bug and keeps its stack.
  const isUsage =
    error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
  const isExpected = error instanceof Error && expected.includes(error.name)
  if (!(error instanceof Error) || (!isExpected && !isUsage)) throw error
  console.error(isUsage ? `${error.message}\n${usage}` : error.message)
  process.exitCode = 1
}

async function run(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      port: { type: 'string' },
      'objects-port': { type: 'string' },
      data: { type: 'string' },
      scenario: { type: 'string' },
      header: { type: 'string', multiple: true },
      only: { type: 'string', multiple: true },
      config: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean' },
    },
  })
  if (values.help) return console.log(usage)
  if (values.version) return console.log(version())
  const [command, ...others] = positionals
  const known = optionsOf[command ?? ''] ?? []
  const isKnown = Object.keys(values).every((name) => known.includes(name))
  const isPlain = isKnown && others.length === 0
  const [url] = others
  if (isPlain && command === 'demo') {
    const { serveDemo } = await import('./demo.ts')
    const demo = await serveDemo({
      port: parsePort(process.env['PORT'] ?? '8080', 'PORT'),
      linkSeconds: parseLinkSeconds(process.env['ROUTESLIP_LINK_SECONDS'] ?? '60'),
    })
    endWith(demo.close)
    console.log(`Routeslip demo on ${demo.url}`)
  } else if (isPlain && command === 'emulator') {
    // Started by the demo: it tells us when to end, and a Ctrl+C in the terminal is its business.
    const parent = process.send?.bind(process)
    if (parent) process.on('SIGINT', () => {})
    const { serveEmulator } = await import('./emulator.ts')
    const { services, objects, isContinued, close } = await serveEmulator({
      port: parsePort(values.port ?? '8081', '--port'),
      ...(values['objects-port'] !== undefined && {
        objectsPort: parsePort(values['objects-port'], '--objects-port'),
      }),
      ...(values.data !== undefined && { data: parseDirectory(values.data) }),
      ...(values.scenario !== undefined && { scenario: await parseScenario(values.scenario) }),
    })
    if (isContinued && values.scenario !== undefined) {
      console.error(`--scenario is ignored: ${values.data} holds data already.`)
    }
    if (parent) {
      const end = () => void close().finally(() => process.exit())
      process.on('disconnect', end)
      if (process.connected) parent({ servicesPort: services.port, objectsPort: objects.port })
      else end()
    } else {
      endWith(close)
      console.log(`Routeslip emulator on ${services.url}`)
    }
  } else if (isPlain && command === 'proxy') {
    const { readProxyConfig } = await import('./proxy-config.ts')
    const { serveProxy } = await import('./proxy.ts')
    const config = values.config ?? process.env['ROUTESLIP_CONFIG']
    const proxy = await serveProxy(readProxyConfig({ ...process.env, ROUTESLIP_CONFIG: config }))
    endWith(proxy.close)
    console.log(`Routeslip proxy on ${proxy.url}`)
  } else if (isKnown && command === 'conformance' && url !== undefined && others.length === 1) {
    const port = parsePort(values.port ?? '8081', '--port')
    const { header: headers = [], only } = values
    const { runConformance } = await import('./conformance.ts')
    const isConformant = await runConformance({ url, port, headers, ...(only && { only }) })
    // What still waits for a proxy that never answered is of no interest any more.
    process.exit(isConformant ? 0 : 1)
  } else {
    console.error(usage)
    process.exitCode = 1
  }
}

/** Version of the package, which stands two folders up whether this is the source or what was made of it. */
function version(): string {
  const file = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(file) as { readonly version: string }).version
}

function parseLinkSeconds(text: string): number {
  const seconds = /^\d{1,2}$/.test(text) ? Number(text) : 0
  if (seconds >= 1 && seconds <= 60) return seconds
  throw new ListenError(`ROUTESLIP_LINK_SECONDS is "${text}". Give a number from 1 to 60.`)
}

function parseDirectory(text: string): string {
  if (text !== '') return text
  throw new ListenError('--data is empty. Name a directory.')
}

async function parseScenario(text: string): Promise<ScenarioName> {
  const { scenarios } = await import('../emulator/scenarios/index.ts')
  if (Object.hasOwn(scenarios, text)) return text as ScenarioName
  throw new ListenError(`--scenario is "${text}". Give one of ${Object.keys(scenarios).join(', ')}.`)
}

/** Ends cleanly when asked to. Asked again, `close` is called again, which may hurry. */
function endWith(close: () => Promise<void>): void {
  const isUnderNpm = process.env['npm_lifecycle_event'] !== undefined
  let asked = -Infinity
  const end = () => {
    // Ctrl+C reaches us and npm, and npm may pass it on: that is one signal.
    if (isUnderNpm && performance.now() - asked < 500) return
    asked = performance.now()
    void close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, end)

  // npm passes a signal on to the shell between it and us, and that shell ends without a word. So without it, we are done.
  const shell = process.ppid
  if (isUnderNpm) {
    setInterval(() => {
      if (process.ppid !== shell && asked === -Infinity) end()
    }, 100).unref()
  }
}
