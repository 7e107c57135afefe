import assert from 'node:assert/strict'
import { type BrowserOperation, routes } from '../../src/contract/routes/routes.ts'
import { createEmulator, type Emulator, type EmulatorOptions } from '../../src/emulator/emulator.ts'
import { people } from '../../src/emulator/scenarios/small.ts'
import { personaCookie, personaCookieName } from '../../src/proxy/identity/identity.ts'
import type { ProxyOptions } from '../../src/proxy/mount/options.ts'
import { createProxy } from '../../src/proxy/mount/proxy.ts'
import { fetchRuntime } from '../../src/proxy/mount/runtime.ts'
import type { PausedServices, Send } from '../../src/proxy/upstream/send.ts'

export { people }
export type Role = keyof typeof people

/** Every operation that a mount can serve. */
export const everyOperation = Object.keys(routes) as BrowserOperation[]

/** A value for each placeholder of their paths: package 42 of form 6025, which waits for the first approver. */
export const sampleParams = {
  formId: 6025,
  packageId: 42,
  attachmentTypeId: 1,
  attachmentId: 1,
  lockId: 1,
  univid: '10000002',
  uuid: '00000000-0000-4000-8000-000000000000',
  granteeClientId: 'partner-app',
  officeKey: '05-0333',
  routeId: 701,
}

export interface RequestOptions {
  readonly as?: Role
  readonly method?: string
  /** Additional headers. Null removes a header that the client would send. */
  readonly headers?: Readonly<Record<string, string | null>>
  readonly json?: unknown
  readonly body?: BodyInit
  readonly signal?: AbortSignal
}

/** Options of the proxy. A group replaces only those options that it names. */
export interface SetUp extends Partial<Omit<ProxyOptions, 'services' | 'identity'>> {
  readonly services?: Partial<ProxyOptions['services']>
  readonly identity?: Partial<ProxyOptions['identity']>
  readonly emulator?: EmulatorOptions
  /** Sends the requests to the services instead of `fetch`. */
  readonly send?: Send
  readonly pausedServices?: PausedServices
  /** Responds instead of the services. */
  readonly intercept?: (request: Request, emulator: Emulator) => Response | Promise<Response>
}

/** Options that connect a proxy to an emulator in this process, with one form of the test environment. */
export function overEmulator({ fetch }: Pick<Emulator, 'fetch'>) {
  const credentials = { clientId: 'demo-app', clientSecret: 'demo-secret' }
  const storage = {
    baseUrl: 'http://emulator.test/fs/test',
    objectOrigins: ['http://emulator.test'],
    ...credentials,
  }
  return {
    env: 'test',
    forms: [6025],
    services: { workflow: { baseUrl: 'http://emulator.test/wf', ...credentials }, storage },
    runtime: fetchRuntime(fetch),
  } as const
}

/** Creates a proxy with an emulator of its own in this process, and records every request that it sends. */
export function setUp({
  emulator: emulatorOptions,
  intercept,
  send,
  pausedServices,
  services,
  identity,
  observe,
  ...options
}: SetUp = {}) {
  const emulator = createEmulator(emulatorOptions)
  const journal: Request[] = []
  const log: string[] = []
  const runtime = fetchRuntime(async (input, init) => {
    const request = new Request(input, init)
    journal.push(request.clone())
    return await (intercept?.(request, emulator) ?? emulator.fetch(request))
  })
  const base = overEmulator(emulator)
  const proxy = createProxy({
    ...base,
    services: { ...base.services, ...services },
    identity: { identify: personaCookie(Object.values(people)), ...identity },
    observe: {
      log: (level, message, facts) => log.push(`${level} ${message} ${JSON.stringify(facts)}`),
      ...observe,
    },
    runtime: { ...runtime, ...(send && { send }), ...(pausedServices && { pausedServices }) },
    ...options,
  })

  const request = (path: string, options: RequestOptions = {}) => proxy(requestOf(path, options))

  return {
    request,
    proxy,
    emulator,
    /** Requests as they were sent to the services. */
    journal,
    log,
    /** Requests that change something in the services. */
    mutations: () => journal.filter(({ method }) => method !== 'GET'),
    upload: async (as: Role, meta?: object) => {
      const body = new FormData()
      if (meta) body.append('meta', JSON.stringify(meta))
      body.append('file', new File(['hello'], 'a.txt', { type: 'text/plain' }))
      const response = await request('/files', { as, method: 'POST', body })
      assert.equal(response.status, 200)
      return (await response.json()) as { uuid: string; metadata: unknown }
    },
  }
}

/** Returns the request of a page of the site. */
export function requestOf(
  path: string,
  { as, method = 'GET', headers = {}, json, body, signal }: RequestOptions = {},
): Request {
  const sent = new Headers({ 'x-routeslip': '1', 'sec-fetch-site': 'same-origin' })
  if (as) sent.set('cookie', `${personaCookieName}=${people[as]}`)
  if (json !== undefined) sent.set('content-type', 'application/json')
  for (const [name, value] of Object.entries(headers)) {
    if (value === null) sent.delete(name)
    else sent.set(name, value)
  }
  const init = {
    method,
    headers: sent,
    body: json === undefined ? (body ?? null) : JSON.stringify(json),
    signal: signal ?? null,
    // Required for streams, but unknown to the types of the DOM.
    duplex: 'half',
  }
  return new Request(`https://northfield.test/api/wf${path}`, init)
}
