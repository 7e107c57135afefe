import { createEmulator } from '../emulator/emulator.ts'
import { listen, type Listening, serveWith } from './listen.ts'

export interface EmulatorServerOptions {
  /** Port of both services. 0: any free one. */
  readonly port: number
  /** Port of the object store, to which download links lead. Default: any free one. */
  readonly objectsPort?: number
}

export interface EmulatorServer {
  /** The services: `wf`, `fs/test` and `fs/prod` stand below. */
  readonly services: Listening
  /** The object store: an address of its own, because browsers get to see it. */
  readonly objects: Listening
  readonly close: () => Promise<void>
}

/** Serves an emulator of its own over HTTP. */
export async function serveEmulator({
  port,
  objectsPort = 0,
}: EmulatorServerOptions): Promise<EmulatorServer> {
  const hint = 'Choose another with --port.'
  const objects = await listen(
    serveWith((request) => {
      const isLink = new URL(request.url).pathname.startsWith('/objects/')
      return isLink ? emulator.fetch(request) : Promise.resolve(new Response(null, { status: 404 }))
    }),
    objectsPort,
    hint,
  )
  const emulator = createEmulator({
    objectsUrl: `${objects.url}objects`,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  })
  const services = await listen(
    serveWith((request) => emulator.fetch(request)),
    port,
    hint,
  ).catch(async (error: unknown) => {
    await objects.close()
    throw error
  })

  return {
    services,
    objects,
    close: async () => {
      await Promise.all([services.close(), objects.close()])
    },
  }
}
