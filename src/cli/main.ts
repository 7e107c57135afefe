import { parseArgs } from 'node:util'
import { serveDemo } from './demo.ts'
import { serveEmulator } from './emulator.ts'
import { ListenError, parsePort } from './listen.ts'

const usage = `Usage:
  routeslip demo                     the whole system on one page; PORT chooses where (default 8080)
  routeslip emulator [--port N]      both services with made-up data (default port 8081)`

try {
  await run()
} catch (error) {
  // A message for whoever typed the command; anything else is a bug and keeps its stack.
  const isUsage =
    error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
  if (!(error instanceof ListenError) && !isUsage) throw error
  console.error(isUsage ? `${error.message}\n${usage}` : error.message)
  process.exitCode = 1
}

async function run(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { port: { type: 'string' }, 'objects-port': { type: 'string' } },
  })
  const [command] = positionals
  if (command === 'demo') {
    const demo = await serveDemo({
      port: parsePort(process.env['PORT'] ?? '8080', 'PORT'),
      linkSeconds: parseLinkSeconds(process.env['ROUTESLIP_LINK_SECONDS'] ?? '60'),
    })
    endWith(demo.close)
    console.log(`Routeslip demo on ${demo.url}`)
  } else if (command === 'emulator') {
    // Started by the demo: it tells us when to end, and a Ctrl+C in the terminal is its business.
    const parent = process.send?.bind(process)
    if (parent) {
      process.on('disconnect', () => process.exit())
      process.on('SIGINT', () => {})
    }
    const { services, objects, close } = await serveEmulator({
      port: parsePort(values.port ?? '8081', '--port'),
      objectsPort: parsePort(values['objects-port'] ?? '0', '--objects-port'),
    })
    if (parent) {
      if (process.connected) parent({ servicesPort: services.port, objectsPort: objects.port })
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

/** Ends at once and cleanly when asked to. */
function endWith(close: () => Promise<void>): void {
  const end = () => void close().then(() => process.exit(0))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)

  // npm passes a signal on to the shell between it and us, and that shell ends without a word. So without it, we are done.
  const shell = process.ppid
  if (process.env['npm_lifecycle_event']) {
    setInterval(() => {
      if (process.ppid !== shell) end()
    }, 100).unref()
  }
}
