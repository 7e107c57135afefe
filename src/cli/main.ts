import { parseArgs } from 'node:util'
import { type ScenarioName, scenarios } from '../emulator/scenarios/index.ts'
import { serveDemo } from './demo.ts'
import { DataDirectoryError } from './data-directory.ts'
import { serveEmulator } from './emulator.ts'
import { ListenError, parsePort } from './listen.ts'

const usage = `Usage:
  routeslip demo                  the whole system on one page; PORT chooses where (default 8080)
  routeslip emulator              both services with made-up data
    --port N                      where they are served (default 8081; 0: any free port)
    --objects-port N              where download links lead (default: the same port)
    --data DIR                    keeps everything in this directory (default: in memory)
    --scenario NAME               small, campus or large: what a new DIR begins with (default small)`

try {
  await run()
} catch (error) {
  // A message for whoever typed the command; anything else is a bug and keeps its stack.
  const isUsage =
    error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
  const isExpected = error instanceof ListenError || error instanceof DataDirectoryError
  if (!isExpected && !isUsage) throw error
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
    },
  })
  const [command, ...others] = positionals
  const isPlain = others.length === 0 && (command !== 'demo' || Object.keys(values).length === 0)
  if (isPlain && command === 'demo') {
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
    const { services, objects, isContinued, close } = await serveEmulator({
      port: parsePort(values.port ?? '8081', '--port'),
      ...(values['objects-port'] !== undefined && {
        objectsPort: parsePort(values['objects-port'], '--objects-port'),
      }),
      ...(values.data !== undefined && { data: parseDirectory(values.data) }),
      ...(values.scenario !== undefined && { scenario: parseScenario(values.scenario) }),
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
  } else {
    console.error(usage)
    process.exitCode = 1
  }
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

function parseScenario(text: string): ScenarioName {
  if (Object.hasOwn(scenarios, text)) return text as ScenarioName
  throw new ListenError(`--scenario is "${text}". Give one of ${Object.keys(scenarios).join(', ')}.`)
}

/** Ends at once and cleanly when asked to. */
function endWith(close: () => Promise<void>): void {
  const end = () =>
    void close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)

  // npm passes a signal on to the shell between it and us, and that shell ends without a word. So without it, we are done.
  const shell = process.ppid
  if (process.env['npm_lifecycle_event']) {
    setInterval(() => {
      if (process.ppid !== shell) end()
    }, 100).unref()
  }
}
