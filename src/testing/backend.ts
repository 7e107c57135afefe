import { routes, type BrowserOperation } from '../contract/routes/routes.ts'
import { createEmulator, type Emulator } from '../emulator/emulator.ts'
import type { EmulatorState } from '../emulator/state/state.ts'
import type { Policy } from '../proxy/rights/policy.ts'
import { createProxy } from '../proxy/mount/proxy.ts'
import { fetchRuntime } from '../proxy/mount/runtime.ts'

/** Options of `createBackend()`. */
export interface BackendOptions {
  /** University id of the signed-in user, or null. Default 10000001, who has started request 42. */
  readonly person?: string | null
  /** Path at which pages reach the proxy. Default `/api/wf`. */
  readonly basePath?: string
  /** Origin of the pages. Links to files lead there. Default `http://localhost`. */
  readonly origin?: string
  /** Ids of the forms that the proxy serves. Default: those of the scenario `small`. */
  readonly forms?: readonly number[]
  /** State of both services, which the backend changes. Default: the scenario `small` of `scenarios`. */
  readonly seed?: EmulatorState
  /** Returns the current time of the services in ms since 1970. Default `Date.now`. */
  readonly now?: () => number
  /** Rules of the host that widen rights. Default: everything is allowed. */
  readonly policy?: Policy
}

/** A request as test tools describe it. */
export interface RoutedRequest {
  /** HTTP method. */
  readonly method: string
  /** Address, absolute or as a path. */
  readonly url: string
  /** Headers by name, in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The body; absent or null if there is none. */
  readonly body?: string | Uint8Array | FormData | null | undefined
}

/** The part of a route of Playwright that `route` uses. */
interface PlaywrightRoute {
  request(): {
    method(): string
    url(): string
    headers(): Record<string, string>
    postDataBuffer(): Uint8Array | null
  }
  fulfill(response: { status: number; headers: Record<string, string>; body: never }): Promise<void>
  abort(): Promise<void>
}

/** The real proxy in front of both emulated services, for tests of pages. Nothing listens on a port. */
export interface Backend {
  /** Matches the addresses of the proxy and of files, for tools that take a regular expression. */
  readonly urls: RegExp
  /** Responds to a request of a page. Headers that only browsers set may be missing. */
  readonly fetch: (request: Request | RoutedRequest) => Promise<Response>
  /** The handler of an address in Mock Service Worker. */
  readonly mock: (info: { readonly request: Request }) => Promise<Response>
  /** The handler of `page.route()` of Playwright. It cannot stream live events, so pages poll. */
  readonly route: (route: PlaywrightRoute) => Promise<void>
  /** Changes the signed-in user from the next request on; null signs out. */
  readonly signIn: (univid: string | null) => void
  /**
   * Does what people do in the services' own screens, by the control API of the emulator, and delivers the callbacks that
   * follow. `path` is below `/_emulator/`. Rejects with the reason if the emulator refuses.
   */
  readonly control: (method: string, path: string, body?: object) => Promise<unknown>
  /** Both services: their state, the journal of their requests, and failures for the next ones. */
  readonly emulator: Emulator
  /** Stops the timers of the proxy. */
  readonly close: () => Promise<void>
}

const services = 'http://services.test'

/** Creates a backend with a state of its own. */
export function createBackend({
  person = '10000001',
  basePath = '/api/wf',
  origin = 'http://localhost',
  forms,
  seed,
  now,
  policy = () => true,
}: BackendOptions = {}): Backend {
  const files = `${basePath}-files`
  let univid = person
  const emulator = createEmulator({
    ...(seed && { seed }),
    ...(now && { now }),
    control: true,
    objectsUrl: origin + files,
    fetch: (input, init) => proxy(new Request(input, init)),
  })
  const credentials = { clientId: 'demo-app', clientSecret: 'demo-secret' }
  const proxy = createProxy({
    env: 'test',
    basePath,
    forms: forms ?? [...emulator.forms.test.keys()],
    services: {
      workflow: { baseUrl: `${services}/wf`, ...credentials },
      storage: { baseUrl: `${services}/fs/test`, objectOrigins: [origin], ...credentials },
    },
    identity: { identify: () => (univid === null ? null : { univid }), policy },
    operations: Object.keys(routes) as BrowserOperation[],
    runtime: fetchRuntime(emulator.fetch),
  })

  async function fetch(given: Request | RoutedRequest): Promise<Response> {
    const { pathname, search } = new URL(given.url, origin)
    const headers = new Headers(given.headers)
    if (!headers.has('sec-fetch-site')) headers.set('sec-fetch-site', 'same-origin')
    const { method } = given
    const body = given instanceof Request ? await given.arrayBuffer() : given.body
    const hasBody = method !== 'GET' && method !== 'HEAD' && body
    const init = { method, headers, ...(hasBody && { body: body as string }) }
    if (pathname.startsWith(`${files}/`))
      return await emulator.fetch(`${services}/objects${pathname.slice(files.length)}${search}`, init)
    return await proxy(new Request(origin + pathname + search, init))
  }

  async function control(method: string, path: string, body?: object): Promise<unknown> {
    const send = (to: string, json?: object, how = method) =>
      emulator.fetch(`${services}/_emulator/${to}`, {
        method: how,
        headers: json ? { 'content-type': 'application/json' } : {},
        ...(json && { body: JSON.stringify(json) }),
      })
    const response = await send(path, body)
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    await send('callbacks/deliver', undefined, 'POST')
    return text === '' ? undefined : (JSON.parse(text) as unknown)
  }

  return {
    urls: new RegExp(`^[a-z]+://[^/]+(?:${escape(basePath)}|${escape(files)})/`),
    fetch,
    mock: ({ request }) => fetch(request),
    async route(route) {
      const request = route.request()
      if (new URL(request.url()).pathname === `${basePath}/events`) return await route.abort()
      const response = await fetch({
        method: request.method(),
        url: request.url(),
        headers: request.headers(),
        body: request.postDataBuffer(),
      })
      await route.fulfill({
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: toBuffer(await response.arrayBuffer()),
      })
    },
    signIn: (next) => void (univid = next),
    control,
    emulator,
    close: () => proxy.close(),
  }
}

/** Playwright takes only a Buffer of Node, where it runs. The backend runs in browsers too. */
function toBuffer(bytes: ArrayBuffer): never {
  const { Buffer } = globalThis as unknown as {
    readonly Buffer: { readonly from: (bytes: ArrayBuffer) => never }
  }
  return Buffer.from(bytes)
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}
