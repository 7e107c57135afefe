import { type ChildProcess, fork } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Delay in ms before the emulator restarts. Long enough to watch how the page behaves without it. */
const restartDelay = 20_000

/** The command, with the extension of this file: TypeScript from source, JavaScript after the build. */
const main = fileURLToPath(new URL(`./main${extname(import.meta.url)}`, import.meta.url))

/** An emulator in its own process, so that it can be killed to simulate a failure of the services. */
export interface SupervisedEmulator {
  /** Address of both services, with a trailing slash. */
  readonly servicesUrl: string
  /** Address of the object store, with a trailing slash. */
  readonly objectsUrl: string
  readonly close: () => void
}

/** Ports of an emulator. */
interface Ports {
  readonly servicesPort: number
  readonly objectsPort: number
}

/**
 * Starts an emulator on free ports. If it stops, it restarts after a delay, on the same ports and with its initial data,
 * and `setUp` is called again.
 */
export async function superviseEmulator(setUp: () => Promise<void>): Promise<SupervisedEmulator> {
  let child: ChildProcess | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let ports: Ports | undefined

  function start(wanted: Ports): Promise<Ports> {
    return new Promise((resolve, reject) => {
      const started = fork(
        main,
        ['emulator', '--port', `${wanted.servicesPort}`, '--objects-port', `${wanted.objectsPort}`],
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
          start(known)
            .then(setUp)
            .then(
              () => console.error('The emulator is running again.'),
              () => {},
            )
        }, restartDelay)
      })
    })
  }

  const { servicesPort, objectsPort } = (ports = await start({ servicesPort: 0, objectsPort: 0 }))
  return {
    servicesUrl: `http://127.0.0.1:${servicesPort}/`,
    objectsUrl: `http://127.0.0.1:${objectsPort}/`,
    close: () => {
      isClosed = true
      clearTimeout(timer)
      child?.kill('SIGKILL')
    },
  }
}
