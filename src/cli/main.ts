import { parseArgs } from 'node:util'
import { serveDemo } from './demo.ts'
import { serveEmulator } from './emulator.ts'
import { ListenError, parsePort } from './listen.ts'

const usage = `Usage:
  routeslip demo                     the whole system on one page; PORT chooses where (default 8080)
  routeslip emulator [--port N]      both services with made-up data (default port 8081)`

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { port: { type: 'string' }, 'objects-port': { type: 'string' } },
})

try {
  await run(positionals[0])
} catch (error) {
  // A message for whoever typed the command; anything else is a bug and keeps its stack.
  if (!(error instanceof ListenError)) throw error
  console.error(error.message)
  process.exitCode = 1
}

async function run(command: string | undefined): Promise<void> {
  if (command === 'demo') {
    const demo = await serveDemo({
      port: parsePort(process.env['PORT'] ?? '8080', 'PORT'),
      linkSeconds: Number(process.env['ROUTESLIP_LINK_SECONDS'] ?? 60),
    })
    endWith(demo.close)
    console.log(`Routeslip demo on ${demo.url}`)
  } else if (command === 'emulator') {
    const emulator = await serveEmulator({
      port: parsePort(values.port ?? '8081', '--port'),
      objectsPort: parsePort(values['objects-port'] ?? '0', '--objects-port'),
    })
    const { services, objects } = emulator
    if (process.send) {
      // Started by the demo: it tells us when to end, and a Ctrl+C in the terminal is its business.
      process.on('disconnect', () => process.exit())
      process.on('SIGINT', () => {})
      process.send({ servicesPort: services.port, objectsPort: objects.port })
    } else {
      endWith(emulator.close)
      console.log(`Routeslip emulator on ${services.url}`)
    }
  } else {
    console.error(usage)
    process.exitCode = 1
  }
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
