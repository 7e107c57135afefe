#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { Argument, Command, Option } from 'commander'
import type { ScenarioName } from '../emulator/scenarios/index.ts'
import type { DeskCommand } from './desk/desk.ts'
import { ListenError, parsePort } from './listen.ts'

// Each command imports only its own modules.

/** Names of errors whose message is for the operator. */
const expected = ['ListenError', 'DataFileError', 'ConfigError']

// The reader of a pipe may stop before the end, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})

// Two folders up, from the source and from the build.
const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly version: string
  readonly engines: { readonly node: string }
}

const program = new Command('routeslip')
  .description('Approval routing and file storage in university pages: demo, proxy and emulator')
  .version(manifest.version, '--version', 'print the version')
  .helpOption('-h, --help', 'print the help of a command')
  .helpCommand('help [command]', 'print the help of a command')
  .showSuggestionAfterError()
  .configureHelp({ showGlobalOptions: false })

program
  .command('demo')
  .description('Run the whole system with a demo page. PORT changes the port (default 8080)')
  .action(async () => {
    const { serveDemo } = await import('./demo.ts')
    const demo = await serveDemo({
      port: parsePort(process.env['PORT'] ?? '8080', 'PORT'),
      linkSeconds: parseLinkSeconds(process.env['ROUTESLIP_LINK_SECONDS'] ?? '60'),
    })
    closeOnSignal(demo.close)
    console.log(`Routeslip demo on ${demo.url}`)
  })

program
  .command('emulator')
  .description('Run both services with made-up data')
  .option('--port <n>', 'port of the services; 0: any free port', '8081')
  .option('--objects-port <n>', 'port of download links (default: the same port)')
  .option('--host <address>', 'address to listen on, such as 0.0.0.0 in a container (default: 127.0.0.1)')
  .option('--data <file>', 'keep all data in this JSON file (default: in memory)')
  .option('--scenario <name>', 'initial data: small, demo, campus or large (default: small)')
  .action(runEmulator)

program
  .command('proxy')
  .description('Run the proxy, configured by environment variables: see docs/proxy.md')
  .option('--config <file>', 'JSON file with the same names; the environment overrides it')
  .option(
    '--dev-persona <id>',
    'for development: everyone is this person; unset variables lead to the emulator',
  )
  .option(
    '--pages <folder>',
    'with --dev-persona: serve the files of this folder, and the scripts of the elements',
  )
  .option('--check', 'ask each service, Redis, the key set and the data folder once, and exit with 0 or 1')
  .action(runProxy)

const callbacks = program
  .command('callbacks')
  .description('List or replay callbacks that have not taken effect: see docs/proxy.md')
const configOption = ['--config <file>', 'configuration of the proxy'] as const
callbacks
  .command('list')
  .description('List callbacks that have not taken effect, and dead letters')
  .option(...configOption)
  .action((options: CallbackFlags) => runCallbackCommand('list', undefined, options))
callbacks
  .command('show')
  .argument('<id>', 'its id, or the first characters of it')
  .description('Show one of them, with its last error')
  .option(...configOption)
  .action((id: string, options: CallbackFlags) => runCallbackCommand('show', id, options))
callbacks
  .command('replay')
  .argument('[id]', 'its id, or the first characters of it')
  .description('Process it again now')
  .option('--since <date>', 'instead of an id: all that arrived from this date')
  .option('--until <date>', 'all that arrived before this date')
  .option(...configOption)
  .action((id: string | undefined, options: CallbackFlags) => runCallbackCommand('replay', id, options))

const desk = program
  .command('desk')
  .description('Show or change the lists of requests that the proxy keeps: see docs/proxy.md')
desk
  .command('status')
  .description('Show how many requests the lists contain, since when, and what is missing')
  .option(...configOption)
  .action((options: DeskFlags) => runDeskCommand({ action: 'status' }, options))
desk
  .command('import')
  .argument('<file>', 'CSV file with the ids of a form and of a package in each line')
  .description('Add requests from before the lists. The proxy asks the service for each')
  .option('--env <name>', 'their environment, test or prod, if the proxy serves both')
  .option(
    '--covers <from/to>',
    'a time without a proxy, as in "desk status", of which the file has all requests',
  )
  .option(...configOption)
  .action(
    (
      file: string,
      { env, covers, ...options }: DeskFlags & { readonly env?: string; readonly covers?: string },
    ) => runDeskCommand({ action: 'import', file, env, covers }, options),
  )
desk
  .command('forget')
  .argument('<univid>', 'university id')
  .description('Remove a person from the lists')
  .option(...configOption)
  .action((univid: string, options: DeskFlags) => runDeskCommand({ action: 'forget', univid }, options))
desk
  .command('resume')
  .argument('<form>', 'id of the form')
  .description('Send reminders of a form again, after one has changed data')
  .option(...configOption)
  .action((form: string, options: DeskFlags) => runDeskCommand({ action: 'resume', form }, options))

const policy = program.command('policy').description('Explain or test a policy file: see docs/policy.md')
const policyOption = ['--policy <file>', 'policy file (default: the value of ROUTESLIP_POLICY)'] as const
policy
  .command('explain')
  .argument('<person>', 'university id')
  .argument('<operation>', 'name of the operation, such as restartPackage')
  .argument('[form]', 'id of the form; absent for files and shares')
  .description('Show what the policy file decides, and the rule behind it. Exits with 3 if the answer is no')
  .option(...policyOption)
  .option('--group <name>', 'group of the person in the sign-in service; may repeat', collect)
  .option('--as <role>', 'initiator, approver, signed, owner or none; may repeat', collect)
  .option('--grantee <client>', 'application that a file is shared with')
  .action(runPolicyExplain)
policy
  .command('test')
  .argument('<file>', 'JSON file with the expected decisions')
  .description('Hold the policy file to a list of decisions. Exits with 1 if one differs')
  .option(...policyOption)
  .action(async (tests: string, options: { readonly policy?: string }) => {
    const { testPolicy } = await import('./config/policy-test.ts')
    const { passed, lines } = testPolicy({ path: options.policy ?? process.env['ROUTESLIP_POLICY'], tests })
    for (const line of lines) console.log(line)
    if (!passed) process.exitCode = 1
  })

program
  .command('schema')
  .description('Print the JSON Schema of a file, for editors')
  .addArgument(new Argument('<file>', 'kind of file').choices(['proxy', 'policy', 'policy-test']))
  .action(async (name: 'proxy' | 'policy' | 'policy-test') => {
    const { jsonSchemaOf } = await import('./config/schemas.ts')
    console.log(JSON.stringify(jsonSchemaOf(name), null, 2))
  })

program
  .command('conformance')
  .argument('<url>', 'root of the proxy, such as http://127.0.0.1:8080/api/wf')
  .description('Check the proxy at a URL, in any language, and print the failures')
  .option(
    '--header <line>',
    "header that signs a user in: 'name: value', where {univid} is the id; may repeat",
    collect,
  )
  .option(
    '--only <prefix>',
    "run only checks with this prefix, such as 'rights: voidPackage'; may repeat",
    collect,
  )
  .option('--port <n>', 'port of the emulated services', '8081')
  .addOption(
    new Option('--reporter <name>', 'how to print results').choices(['text', 'tap', 'junit']).default('text'),
  )
  .action(runConformanceCommand)

try {
  checkNode()
  await program.parseAsync()
} catch (error) {
  // Any other error is a bug and keeps its stack.
  if (!(error instanceof Error) || !expected.includes(error.name)) throw error
  console.error(error.message)
  process.exitCode = 1
}

interface EmulatorFlags {
  readonly port: string
  readonly objectsPort?: string
  readonly host?: string
  readonly data?: string
  readonly scenario?: string
}

async function runEmulator({ port, objectsPort, host, data, scenario }: EmulatorFlags): Promise<void> {
  // If the demo started this process, the demo stops it and handles Ctrl+C.
  const parent = process.send?.bind(process)
  if (parent) process.on('SIGINT', () => {})
  const { serveEmulator } = await import('./emulator/emulator.ts')
  const { services, objects, isContinued, close } = await serveEmulator({
    port: parsePort(port, '--port'),
    ...(objectsPort !== undefined && { objectsPort: parsePort(objectsPort, '--objects-port') }),
    ...(host !== undefined && { host }),
    ...(data !== undefined && { data: parsePath(data) }),
    ...(scenario !== undefined && { scenario: await parseScenario(scenario) }),
  })
  if (isContinued && scenario !== undefined) {
    console.error(`--scenario is ignored: ${data} holds data already.`)
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
}

interface ProxyFlags {
  readonly config?: string
  readonly devPersona?: string
  readonly pages?: string
  readonly check?: true
}

async function runProxy({ config, devPersona: persona, pages: folder, check }: ProxyFlags): Promise<void> {
  const { readProxyConfig } = await import('./config/proxy-config.ts')
  const { explainMissingEmulator, readDevConfig } = await import('./dev-persona.ts')
  const env = { ...process.env, ROUTESLIP_CONFIG: config ?? process.env['ROUTESLIP_CONFIG'] }
  const read = persona === undefined ? readProxyConfig(env) : readDevConfig(persona, env)
  if (check) {
    const { checkProxy } = await import('./check.ts')
    for await (const { name, ok, detail } of checkProxy(read)) {
      console.log(`${ok ? 'ok  ' : 'FAIL'} ${name}: ${detail}`)
      if (!ok) process.exitCode = 1
    }
    return
  }
  // Collects garbage earlier: by default, the heap grows to several times what long responses need.
  setFlagsFromString('--heap-growing-percent=30')
  // V8 would create what usually survives for a while among its old objects: here the first parts of each request, which then
  // keep all other parts of it until a full collection.
  setFlagsFromString('--no-allocation-site-pretenuring')
  if (folder !== undefined && persona === undefined) {
    throw new ListenError('--pages works only with --dev-persona. Let your web server serve the pages.')
  }
  const pages = folder === undefined ? undefined : (await import('./pages.ts')).servePages(folder)
  const { serveProxy } = await import('./proxy.ts')
  const proxy = await serveProxy(read, pages)
  if (persona !== undefined) console.log(`For development only: everyone is ${persona}.`)
  closeOnSignal(proxy.close)
  if (proxy.reload) process.on('SIGHUP', proxy.reload)
  if (proxy.metricsUrl !== undefined) console.log(`Metrics on ${proxy.metricsUrl}`)
  console.log(`Routeslip proxy on ${proxy.url}`)
  const hint = persona === undefined ? undefined : await explainMissingEmulator(read)
  if (hint !== undefined) console.error(hint)
}

interface CallbackFlags {
  readonly config?: string
  readonly since?: string
  readonly until?: string
}

async function runCallbackCommand(
  action: string,
  id: string | undefined,
  { config, since, until }: CallbackFlags,
): Promise<void> {
  const { readProxyConfig } = await import('./config/proxy-config.ts')
  const { runCallbacks } = await import('./callbacks/callbacks.ts')
  const env = { ...process.env, ROUTESLIP_CONFIG: config ?? process.env['ROUTESLIP_CONFIG'] }
  const lines = await runCallbacks(readProxyConfig(env), { action, id, since, until })
  console.log(lines.join('\n'))
}

interface DeskFlags {
  readonly config?: string
}

async function runDeskCommand(command: DeskCommand, { config }: DeskFlags): Promise<void> {
  const { readProxyConfig } = await import('./config/proxy-config.ts')
  const { runDesk } = await import('./desk/desk.ts')
  const env = { ...process.env, ROUTESLIP_CONFIG: config ?? process.env['ROUTESLIP_CONFIG'] }
  for (const line of await runDesk(readProxyConfig(env), command)) console.log(line)
}

interface ExplainFlags {
  readonly policy?: string
  readonly group?: readonly string[]
  readonly as?: readonly string[]
  readonly grantee?: string
}

async function runPolicyExplain(
  person: string,
  operation: string,
  form: string | undefined,
  { policy: path = process.env['ROUTESLIP_POLICY'], group = [], as, grantee }: ExplainFlags,
): Promise<void> {
  const { explainPolicy } = await import('./config/policy-explain.ts')
  const question = { path, person, operation, form, groups: group, grantee, ...(as && { as }) }
  const { decision, lines } = explainPolicy(question)
  for (const line of lines) console.log(line)
  if (decision === 'denied') process.exitCode = 3
}

interface ConformanceFlags {
  readonly port: string
  readonly header?: readonly string[]
  readonly only?: readonly string[]
  readonly reporter: 'text' | 'tap' | 'junit'
}

async function runConformanceCommand(
  url: string,
  { port, header: headers = [], only, reporter }: ConformanceFlags,
): Promise<void> {
  const { runConformance } = await import('./conformance/conformance.ts')
  const options = { url, port: parsePort(port, '--port'), headers, reporter, ...(only && { only }) }
  const isConformant = await runConformance(options)
  // Ends requests to a proxy that never responds.
  process.exit(isConformant ? 0 : 1)
}

/** Adds a value of an option that may repeat. */
function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}

/** Throws `ListenError` if the package does not run on this version of Node. */
function checkNode(): void {
  const oldest = manifest.engines.node.replace('>=', '')
  const isTooOld = oldest.localeCompare(process.versions.node, 'en', { numeric: true }) > 0
  if (isTooOld) throw new ListenError(`Routeslip needs Node ${oldest} or later. This is ${process.version}.`)
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
