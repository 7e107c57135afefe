import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Delay in ms before the emulator restarts. Long enough to watch how the page behaves without it. */
const restartDelay = 20_000

/** The command, with the extension of this file: TypeScript from source, JavaScript after the build. */
const main = fileURLToPath(new URL(`./main${extname(import.meta.url)}`, import.meta.url))

/** An emulator in its own process, which can end to simulate a failure of the services. */
interface SupervisedEmulator {
  /** Address of both services, with a trailing slash. */
  readonly servicesUrl: string
  /** Address of the object store, with a trailing slash. */
  readonly objectsUrl: string
  /** Stops the emulator, as a failure of both services does. It restarts after the delay. */
  readonly fail: () => Promise<void>
  /** Ends the emulator and deletes its data. */
  readonly close: () => Promise<void>
}

/** Ports of an emulator. */
interface Ports {
  readonly servicesPort: number
  readonly objectsPort: number
}

/**
 * Starts an emulator on free ports, with the initial data. If it stops, it restarts after a delay, on the same ports and
 * with the data it had.
 */
export async function superviseEmulator(): Promise<SupervisedEmulator> {
  let child: ChildProcess | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let ports: Ports | undefined
  const data = await mkdtemp(join(tmpdir(), 'routeslip-demo-'))

  function start(wanted: Ports): Promise<Ports> {
    return new Promise((resolve, reject) => {
      const started = fork(
        main,
        [
          'emulator',
          ...['--port', `${wanted.servicesPort}`, '--objects-port', `${wanted.objectsPort}`],
          ...['--data', join(data, 'emulator.json'), '--scenario', 'demo'],
        ],
        { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
      )
      child = started
      started.once('message', (message) => resolve(message as Ports))
      started.once('error', reject)
      started.once('exit', () => {
        reject(new Error('The emulator did not start. Its output is above.'))
        const known = ports
        if (isClosed || !known) return
        console.error(`The emulator stopped. It restarts in ${restartDelay / 1000} seconds.`)
        timer = setTimeout(() => {
          start(known).then(
            () => console.error('The emulator is running again.'),
            () => {},
          )
        }, restartDelay)
      })
    })
  }

  async function stop(): Promise<void> {
    if (child?.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    // Not a kill: the emulator breaks all connections and saves its last changes.
    if (child.connected) child.disconnect()
    await exited
  }

  const { servicesPort, objectsPort } = (ports = await start({ servicesPort: 0, objectsPort: 0 }))
  return {
    servicesUrl: `http://127.0.0.1:${servicesPort}/`,
    objectsUrl: `http://127.0.0.1:${objectsPort}/`,
    fail: stop,
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      await stop()
      await rm(data, { recursive: true, force: true })
    },
  }
}
