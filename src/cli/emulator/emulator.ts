import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import { createMemoryStore } from '../../emulator/state/object-store.ts'
import { type ScenarioName, scenarios } from '../../emulator/scenarios/index.ts'
import { guardControlApi } from './control-guard.ts'
import { openDataFile } from './data-file.ts'
import { listen, type LocalServer, toNodeListener } from '../listen.ts'

interface EmulatorServerOptions {
  /** Port of both services. 0 uses any free port. */
  readonly port: number
  /** Port of the object store, for download links. Default: the port of the services, with the path `/objects`. */
  readonly objectsPort?: number
  /**
   * Address to listen on. Download links and the control API keep the loopback address: the control API is for programs on
   * this machine. Default `127.0.0.1`.
   */
  readonly host?: string
  /** Path of a JSON file for all data. Default: data is kept in memory only. */
  readonly data?: string
  /** Initial data. Ignored if the file already exists. Default: `small`. */
  readonly scenario?: ScenarioName
}

export interface EmulatorServer {
  /** Server of the services at `wf`, `fs/test` and `fs/prod`, and of the control API at `_emulator`. */
  readonly services: LocalServer
  /** Server of the object store. Browsers see its address. */
  readonly objects: LocalServer
  /** Whether the file for the data existed, so that the scenario is ignored. */
  readonly isContinued: boolean
  /** Closes both servers, then saves the state. */
  readonly close: () => Promise<void>
}

/** Serves an emulator over HTTP. */
export async function serveEmulator({
  port,
  objectsPort,
  host,
  data,
  scenario = 'small',
}: EmulatorServerOptions): Promise<EmulatorServer> {
  const hint = 'Choose another with --port.'
  const initial = scenarios[scenario]
  const file = data === undefined ? undefined : await openDataFile(data, initial)

  // Created after the servers, because download links contain the port.
  let emulator: Emulator | undefined
  const handle = async (request: Request) =>
    emulator ? await emulator.fetch(request) : new Response(null, { status: 503 })

  const open: LocalServer[] = []
  const closeAll = () => Promise.all(open.map((server) => server.close()))
  try {
    const services = await listen(toNodeListener(guardControlApi(handle)), port, hint, host)
    open.push(services)
    let objects = services
    if (objectsPort !== undefined) {
      objects = await listen(
        toNodeListener((request) => {
          const isLink = new URL(request.url).pathname.startsWith('/objects/')
          return isLink ? handle(request) : Promise.resolve(new Response(null, { status: 404 }))
        }),
        objectsPort,
        'Choose another with --objects-port.',
        host,
      )
      open.push(objects)
    }

    emulator = createEmulator({
      seed: file?.state ?? initial(),
      objectsUrl: `${objects.url}objects`,
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      control: true,
      ...(file && {
        objects: createMemoryStore(file.contents),
        save() {
          file.saveSoon()
          return Promise.resolve()
        },
      }),
    })

    const { tick } = emulator
    const timer = setInterval(() => void tick(), 1000).unref()
    async function end(): Promise<void> {
      clearInterval(timer)
      await closeAll()
      await file?.close()
    }
    let ending: Promise<void> | undefined
    return {
      services,
      objects,
      isContinued: file?.isContinued ?? false,
      close: () => (ending ??= end()),
    }
  } catch (error) {
    await closeAll()
    throw error
  }
}
