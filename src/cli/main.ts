#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { ScenarioName } from '../emulator/scenarios/index.ts'
import { ListenError, parsePort } from './listen.ts'

// Each command imports only its own modules.

const usage = `Usage:
  routeslip demo                  runs the whole system with a demo page; set PORT to change the port (default 8080)
  routeslip emulator              runs both services with made-up data
    --port N                      port of the services (default 8081; 0: any free port)
    --objects-port N              port of download links (default: the same port)
    --host ADDRESS                address to listen on, such as 0.0.0.0 in a container (default 127.0.0.1)
    --data FILE                   keeps all data in this JSON file (default: in memory)
    --scenario NAME               initial data: small, demo, campus or large (default small)
  routeslip proxy                 runs the proxy, configured by environment variables: see docs/proxy.md
    --config FILE                 JSON file with the same names; the environment overrides it
    --dev-persona ID              for development: everyone is this person; unset variables lead to the emulator
  routeslip callbacks list        lists callbacks that have not taken effect, and dead letters: see docs/proxy.md
  routeslip callbacks show ID     shows one of them, with its last error
  routeslip callbacks replay [ID] processes it again now
    --since DATE, --until DATE    instead of ID: all that arrived from, and before, these dates
    --config FILE                 configuration of the proxy, as above
  routeslip policy explain PERSON OPERATION [FORM]
                                  shows what the policy file decides, and the rule behind it: see docs/policy.md
    --policy FILE                 policy file (default: the value of ROUTESLIP_POLICY)
    --group NAME                  group of the person in the sign-in service; may repeat
    --as ROLE                     initiator, approver, owner or none; may repeat
    --grantee CLIENT              application that a file is shared with
  routeslip conformance URL       checks the proxy at URL, in any language, and prints the failures
    --header 'NAME: VALUE'        header that signs a user in; {univid} is the university id; may repeat
    --only PREFIX                 runs only checks with this prefix, such as 'rights: voidPackage'; may repeat
    --port N                      port of the emulated services (default 8081)
  routeslip --help, --version`

/** Options of each command. */
const optionsOf: Readonly<Record<string, readonly string[]>> = {
  emulator: ['port', 'objects-port', 'host', 'data', 'scenario'],
  proxy: ['config', 'dev-persona'],
  callbacks: ['config', 'since', 'until'],
  policy: ['policy', 'group', 'as', 'grantee'],
  conformance: ['port', 'header', 'only'],
}

/** Names of errors whose message is for the operator. */
const expected = ['ListenError', 'DataFileError', 'ConfigError']

try {
  await run()
} catch (error) {
  // Any other error is a bug and keeps its stack.
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
      host: { type: 'string' },
      data: { type: 'string' },
      scenario: { type: 'string' },
      header: { type: 'string', multiple: true },
      only: { type: 'string', multiple: true },
      config: { type: 'string' },
      'dev-persona': { type: 'string' },
      policy: { type: 'string' },
      group: { type: 'string', multiple: true },
      as: { type: 'string', multiple: true },
      grantee: { type: 'string' },
      since: { type: 'string' },
      until: { type: 'string' },
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
    closeOnSignal(demo.close)
    console.log(`Routeslip demo on ${demo.url}`)
  } else if (isPlain && command === 'emulator') {
    // If the demo started this process, the demo stops it and handles Ctrl+C.
    const parent = process.send?.bind(process)
    if (parent) process.on('SIGINT', () => {})
    const { serveEmulator } = await import('./emulator.ts')
    const { services, objects, isContinued, close } = await serveEmulator({
      port: parsePort(values.port ?? '8081', '--port'),
      ...(values['objects-port'] !== undefined && {
        objectsPort: parsePort(values['objects-port'], '--objects-port'),
      }),
      ...(values.host !== undefined && { host: values.host }),
      ...(values.data !== undefined && { data: parsePath(values.data) }),
      ...(values.scenario !== undefined && { scenario: await parseScenario(values.scenario) }),
    })
    if (isContinued && values.scenario !== undefined) {
      console.error(`--scenario is ignored: ${values.data} holds data already.`)
    }
    if (parent) {
      const stop = () => void close().finally(() => process.exit())
      process.on('disconnect', stop)
      if (process.connected) parent({ servicesPort: services.port, objectsPort: objects.port })
      else stop()
    } else {
      closeOnSignal(close)
      console.log(`Routeslip emulator on ${services.url}`)
    }
  } else if (isPlain && command === 'proxy') {
    const { readProxyConfig } = await import('./config/proxy-config.ts')
    const { serveProxy } = await import('./proxy.ts')
    const config = values.config ?? process.env['ROUTESLIP_CONFIG']
    // Collects garbage earlier: by default, the heap grows to several times what long responses need.
    setFlagsFromString('--heap-growing-percent=30')
    const env = { ...process.env, ROUTESLIP_CONFIG: config }
    const persona = values['dev-persona']
    const { readDevConfig } = await import('./dev-persona.ts')
    const proxy = await serveProxy(persona === undefined ? readProxyConfig(env) : readDevConfig(persona, env))
    if (persona !== undefined) console.log(`For development only: everyone is ${persona}.`)
    closeOnSignal(proxy.close)
    if (proxy.reload) process.on('SIGHUP', proxy.reload)
    if (proxy.metricsUrl !== undefined) console.log(`Metrics on ${proxy.metricsUrl}`)
    console.log(`Routeslip proxy on ${proxy.url}`)
  } else if (
    isKnown &&
    command === 'policy' &&
    others[0] === 'explain' &&
    others[2] !== undefined &&
    !others[4]
  ) {
    const { explainPolicy } = await import('./config/policy-explain.ts')
    const [, person = '', operation, form] = others
    const { policy: path = process.env['ROUTESLIP_POLICY'], group, as, grantee } = values
    const lines = explainPolicy({
      path,
      person,
      operation,
      form,
      groups: group ?? [],
      grantee,
      ...(as && { as }),
    })
    for (const line of lines) console.log(line)
  } else if (isKnown && command === 'callbacks' && others.length <= 2) {
    const { readProxyConfig } = await import('./config/proxy-config.ts')
    const { runCallbacks } = await import('./callbacks/callbacks.ts')
    const config = values.config ?? process.env['ROUTESLIP_CONFIG']
    const { since, until } = values
    const [action, id] = others
    const lines = await runCallbacks(readProxyConfig({ ...process.env, ROUTESLIP_CONFIG: config }), {
      ...{ action, id, since, until },
    })
    console.log(lines.join('\n'))
  } else if (isKnown && command === 'conformance' && url !== undefined && others.length === 1) {
    const port = parsePort(values.port ?? '8081', '--port')
    const { header: headers = [], only } = values
    const { runConformance } = await import('./conformance.ts')
    const isConformant = await runConformance({ url, port, headers, ...(only && { only }) })
    // Ends requests to a proxy that never responds.
    process.exit(isConformant ? 0 : 1)
  } else {
    console.error(usage)
    process.exitCode = 1
  }
}

/** Returns the version of the package. Its file is two folders up, from the source and from the build. */
function version(): string {
  const file = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(file) as { readonly version: string }).version
}

function parseLinkSeconds(text: string): number {
  const seconds = /^\d{1,2}$/.test(text) ? Number(text) : 0
  if (seconds >= 1 && seconds <= 60) return seconds
  throw new ListenError(`ROUTESLIP_LINK_SECONDS is "${text}". Use a number from 1 to 60.`)
}

function parsePath(text: string): string {
  if (text !== '') return text
  throw new ListenError('--data is empty. Use the path of a JSON file, such as emulator.json.')
}

async function parseScenario(text: string): Promise<ScenarioName> {
  const { scenarios } = await import('../emulator/scenarios/index.ts')
  if (Object.hasOwn(scenarios, text)) return text as ScenarioName
  throw new ListenError(`--scenario is "${text}". Use one of ${Object.keys(scenarios).join(', ')}.`)
}

/** Calls `close` on SIGINT and SIGTERM. A second signal calls it again, which may end it sooner. */
function closeOnSignal(close: () => Promise<void>): void {
  const isUnderNpm = process.env['npm_lifecycle_event'] !== undefined
  let lastSignal = -Infinity
  const stop = () => {
    // Ctrl+C reaches both this process and npm, and npm may forward it. Both count as one signal.
    if (isUnderNpm && performance.now() - lastSignal < 500) return
    lastSignal = performance.now()
    void close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)

  // npm sends signals to the shell that started this process, and the shell ends without forwarding them.
  const shell = process.ppid
  if (isUnderNpm) {
    setInterval(() => {
      if (process.ppid !== shell && lastSignal === -Infinity) stop()
    }, 100).unref()
  }
}
