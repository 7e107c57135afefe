import { createEmulator, type Emulator } from '../emulator/emulator.ts'
import type { ObjectStore } from '../emulator/state/object-store.ts'
import { type ScenarioName, scenarios } from '../emulator/scenarios/index.ts'
import { type EmulatorState, namedObjects } from '../emulator/state/state.ts'
import { guardControlApi } from './control-guard.ts'
import { type DataDirectory, openDataDirectory } from './data-directory.ts'
import { createDiskStore } from './disk-store.ts'
import { listen, type LocalServer, toNodeListener } from './listen.ts'

export interface EmulatorServerOptions {
  /** Port of both services. 0: any free one. */
  readonly port: number
  /** Port of the object store, to which download links lead. Default: the one of the services, below `/objects`. */
  readonly objectsPort?: number
  /** Directory in which everything is kept. Default: in memory, gone at the end. */
  readonly data?: string
  /** What there is at the start, unless `data` holds something already. Default `small`. */
  readonly scenario?: ScenarioName
}

export interface EmulatorServer {
  /** The services: `wf`, `fs/test` and `fs/prod` stand below, and `_emulator`, which controls them. */
  readonly services: LocalServer
  /** The object store. Browsers get to see its address. */
  readonly objects: LocalServer
  /** Whether the data directory held data, so that the scenario was not used. */
  readonly isContinued: boolean
  /** Ends both servers, then writes what is still to be written. */
  readonly close: () => Promise<void>
}

/** Serves an emulator over HTTP. */
export async function serveEmulator({
  port,
  objectsPort,
  data,
  scenario = 'small',
}: EmulatorServerOptions): Promise<EmulatorServer> {
  const directory = data === undefined ? undefined : await openDataDirectory(data)
  try {
    return await serve({ port, objectsPort, directory, scenario })
  } catch (error) {
    await directory?.close()
    throw error
  }
}

/** How the emulator is served, with the data directory open. */
interface ServeOptions {
  readonly port: number
  readonly objectsPort: number | undefined
  readonly directory: DataDirectory | undefined
  readonly scenario: ScenarioName
}

async function serve({ port, objectsPort, directory, scenario }: ServeOptions): Promise<EmulatorServer> {
  const hint = 'Choose another with --port.'
  const state = directory?.state ?? scenarios[scenario]()
  const save = directory && (() => directory.save(state))
  const disk = directory && (await createDiskStore(directory.objectsDirectory))
  if (disk) await forgetUnnamed(disk, state)

  // It can only be made once it is known where its links lead.
  let emulator: Emulator | undefined
  const answer = async (request: Request) =>
    emulator ? await emulator.fetch(request) : new Response(null, { status: 503 })

  const open: LocalServer[] = []
  const closeAll = () => Promise.all(open.map((server) => server.close()))
  try {
    const services = await listen(toNodeListener(guardControlApi(answer)), port, hint)
    open.push(services)
    let objects = services
    if (objectsPort !== undefined) {
      objects = await listen(
        toNodeListener((request) => {
          const isLink = new URL(request.url).pathname.startsWith('/objects/')
          return isLink ? answer(request) : Promise.resolve(new Response(null, { status: 404 }))
        }),
        objectsPort,
        'Choose another with --objects-port.',
      )
      open.push(objects)
    }

    emulator = createEmulator({
      seed: state,
      objectsUrl: `${objects.url}objects`,
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      control: true,
      ...(disk && { objects: disk }),
      ...(save && { save }),
    })
    // A scenario is what the directory begins with, even where nobody changes anything before the end.
    await save?.()

    const { tick } = emulator
    const timer = setInterval(() => void tick(), 1000).unref()
    async function end(): Promise<void> {
      clearInterval(timer)
      await closeAll()
      try {
        await save?.()
      } finally {
        await directory?.close()
      }
    }
    let ending: Promise<void> | undefined
    return {
      services,
      objects,
      isContinued: directory !== undefined && directory.state !== null,
      close: () => (ending ??= end()),
    }
  } catch (error) {
    await closeAll()
    throw error
  }
}

/** Removes contents that a kill has left without a name: their upload was never acknowledged. */
async function forgetUnnamed(objects: ObjectStore, state: EmulatorState): Promise<void> {
  const named = namedObjects(state)
  const keys = await objects.keys()
  await Promise.all(keys.filter((key) => !named.has(key)).map((key) => objects.delete(key)))
}
