import { type Client, type ClientOptions, createClient } from '../src/client/index.ts'
import { encodeForm } from '../src/emulator/http/encode-form.ts'
import { createEmulator, type Emulator } from '../src/emulator/emulator.ts'
import { people } from '../src/emulator/scenarios/small.ts'
import { adminsPolicy } from '../src/proxy/rights/admins-policy.ts'
import type { ProxyIdentity, ProxyOptions } from '../src/proxy/mount/options.ts'
import { createProxy } from '../src/proxy/mount/proxy.ts'
import { fetchRuntime } from '../src/proxy/mount/runtime.ts'
import { declareProgress, never, OpenWork } from './settled.ts'

export { people }

/** The backend of a page, without a network: the proxy handler and the emulator. */
export interface Backend {
  readonly client: Client
  /** Another client of the same proxy, for changes that `client` did not make. */
  readonly other: Client
  readonly emulator: Emulator
  /** University id of the signed-in user; null if nobody is signed in. */
  person: string | null
  /** Intercepts requests to the services. If it returns a promise, that replaces the response; otherwise the emulator responds. */
  intercept: (request: Request) => Promise<Response> | undefined
  /** Sends a request of the client to the proxy. */
  send: typeof globalThis.fetch
  /** Delay of each call of the proxy, in milliseconds. */
  latency: number
  /** Requests that reached the services, as `METHOD path`. */
  readonly journal: string[]
}

/** What the proxy of a backend serves and allows. */
export interface Rights
  extends
    Pick<ProxyOptions, 'operations' | 'lists' | 'storage' | 'resubmit'>,
    Pick<ProxyIdentity, 'policy'> {}

/** Creates a separate backend for a story or a test. */
export function createBackend(
  person: string | null = people.initiator,
  options: Partial<ClientOptions> = {},
  forms: readonly number[] = [6025],
  limits: ProxyOptions['limits'] = {},
  { policy = adminsPolicy([people.administrator]), ...rights }: Rights = {},
): Backend {
  const emulator = createEmulator({
    control: true,
    fetch: async (input, init) => await proxy(new Request(input, init)),
  })
  const credentials = { clientId: 'demo-app', clientSecret: 'demo-secret' }
  const proxy = createProxy({
    env: 'test',
    forms,
    limits,
    services: {
      workflow: { baseUrl: 'http://emulator.test/wf', ...credentials },
      storage: {
        baseUrl: 'http://emulator.test/fs/test',
        objectOrigins: ['http://emulator.test'],
        ...credentials,
      },
    },
    identity: {
      identify: () => (backend.person === null ? null : { univid: backend.person }),
      policy,
      site: () => 'same-origin',
    },
    ...rights,
    runtime: fetchRuntime((input, init) => {
      const request = new Request(input, init)
      const name = `${request.method} ${new URL(request.url).pathname}`
      backend.journal.push(name)
      return served.add(name, backend.intercept(request) ?? emulator.fetch(request), request.signal)
    }),
  })

  const sent = new OpenWork()
  const served = new OpenWork()
  const counted = ({ fetch, upload, ...others }: ClientOptions): ClientOptions => ({
    ...others,
    ...(fetch && {
      fetch: (input, init) => {
        const { method, url } =
          input instanceof Request ? input : { method: init?.method ?? 'GET', url: String(input) }
        return sent.add(`${method} ${url}`, fetch(input, init), init?.signal)
      },
    }),
    ...(upload && { upload: (sending) => sent.add(`POST ${sending.url}`, upload(sending), sending.signal) }),
  })

  const clientOptions: ClientOptions = {
    endpoint: 'https://northfield.test/api/wf',
    retries: 0,
    live: false,
    fetch: (input, init) => backend.send(input, init),
    upload: async ({ url, headers, body, signal, onProgress }) => {
      await delayBy(backend.latency, signal)
      const request = new Request(url, {
        method: 'POST',
        headers,
        body: encodeForm(body),
        signal: signal ?? null,
      })
      const size = [...body.values()].reduce((sum, part) => sum + (part instanceof File ? part.size : 0), 0)
      onProgress?.(size / 2, size)
      onProgress?.(size, size)
      return await proxy(request)
    },
  }
  const client = createClient(counted({ ...clientOptions, ...options }))
  const other = createClient(counted(clientOptions))
  // A request to a proxy that waits for a service that never responds does not end either.
  const progress = () => [...served.names, ...(served.isHeld ? [] : sent.names)]
  for (const one of [client, other]) declareProgress(one, progress, () => served.isHeld || sent.isHeld)

  const backend: Backend = {
    client,
    other,
    emulator,
    person,
    intercept: () => undefined,
    async send(input, init) {
      const request = new Request(input, init)
      await delayBy(backend.latency, request.signal)
      return await proxy(request)
    },
    latency: 0,
    journal: [],
  }
  return backend
}

/** Makes all further calls of the services fail. */
export function breakDown(backend: Backend): void {
  backend.intercept = () => Promise.reject(new TypeError('The emulator is down'))
}

/** Makes all further calls of the services hang. */
export function hang(backend: Backend): void {
  backend.intercept = () => never()
}

/** Responds like a web server that has no proxy. */
export function pageNotFound(): Promise<Response> {
  return Promise.resolve(new Response('<h1>Page not found</h1>', { status: 404 }))
}

async function delayBy(milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (milliseconds === 0) return
  // eslint-disable-next-line no-restricted-syntax -- The latency of a network is the subject.
  await new Promise((resolve) => setTimeout(resolve, milliseconds))
  signal?.throwIfAborted()
}
