import { browserOperations, type OperationForBrowsers } from '../contract/services/browser-operations.ts'
import type { Operation } from '../contract/services/operation.ts'
import { type OperationName, operations } from '../contract/services/operations.ts'
import { Session } from '../contract/schemas/session.ts'
import { fillPath, matchPath } from '../contract/values/path.ts'
import { acceptVersion, callHeader } from '../contract/values/headers.ts'
import type { BrowserOperation } from '../contract/routes/routes.ts'
import { serializeQuery } from '../contract/routes/route.ts'
import type { Environment } from '../contract/values/values.ts'
import { check, type Check, client, people, type Target } from './target.ts'

/** A request that a service has received, from the emulator's journal. */
export interface Received {
  readonly method: string
  readonly url: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Name of the operation in the contract. Null if the path is unknown. */
  readonly operation: string | null
  /** Path parameters. Null if the path is unknown. */
  readonly params: Readonly<Record<string, unknown>> | null
  /** Query parameters with all their values. */
  readonly query: Readonly<Record<string, readonly string[]>>
  /** Status of the response. Null while the request is pending. */
  readonly status: number | null
}

/** A response of the proxy, with the requests that it has sent to the services. */
export interface ObservedResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON. `undefined` if it is not valid JSON. */
  readonly json: unknown
  readonly received: readonly Received[]
}

/** Arguments of an operation. */
export interface CallInput {
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: unknown
  readonly version?: string
  /** Whether to send the request even if the proxy leaves out the operation. */
  readonly evenIfOmitted?: boolean
}

/** Thrown if a check calls an operation that the proxy leaves out. The check is then skipped. */
export class OmittedError extends Error {
  override readonly name = 'OmittedError'

  constructor(operation: BrowserOperation) {
    super(`the proxy leaves out ${operation}`)
  }
}

/** A request to the proxy that need not belong to an operation. */
interface RawCall {
  readonly method: string
  readonly path: string
  readonly as: string | null
  /** Headers besides those of a page's call. Null removes one of these. */
  readonly headers?: Readonly<Record<string, string | null>>
  readonly body?: string | FormData
  /** See `CallInput`. */
  readonly evenIfOmitted?: boolean
}

/** Access to the proxy, the services behind it and the requests between them. */
export interface ConformanceSuite {
  readonly env: Environment
  /** Reads which operations the proxy leaves out. Before, it counts as if it had all. */
  readonly readOmitted: () => Promise<void>
  readonly isOmitted: (name: BrowserOperation) => boolean
  /** Calls an operation of the proxy. Rejects with `OmittedError` if the proxy leaves it out. */
  readonly call: (name: BrowserOperation, as: string | null, input?: CallInput) => Promise<ObservedResponse>
  /** Sends any request to the proxy, with the headers of a page's call. Rejects with `OmittedError` like `call`. */
  readonly raw: (call: RawCall) => Promise<ObservedResponse>
  /** Sends a request whose response may be endless. The caller reads or cancels the response. */
  readonly open: (call: RawCall) => Promise<Response>
  /** Calls a service directly, as a person or as the application, without bypass authorization. */
  readonly service: (name: OperationName, user: string, input?: CallInput) => Promise<Response>
  /** Calls a service directly and returns its JSON. Throws if the call fails. */
  readonly prepare: (name: OperationName, user: string, input?: CallInput) => Promise<unknown>
  /** Calls the control API of the emulator. */
  readonly control: (method: string, path: string, body?: unknown) => Promise<unknown>
  /** Checks for requests of the whole run that a proxy must never send. */
  readonly violations: () => readonly Check[]
}

/** Creates a suite. Its calls must not overlap, because the requests in the journal belong to the last call. */
export function createConformanceSuite({ request, emulator, env = 'test' }: Target): ConformanceSuite {
  const bypassed = new Set<string>()
  const impersonated = new Set<string>()
  const omitted = new Set<BrowserOperation>()
  /** Whether the journal may contain requests of an earlier call. */
  let isJournalUsed = true

  async function open({ method, path, as, headers: more = {}, body }: RawCall): Promise<Response> {
    const given: Record<string, string | null> = {
      [callHeader]: '1',
      'sec-fetch-site': 'same-origin',
      accept: 'application/json',
      ...(typeof body === 'string' && { 'content-type': 'application/json' }),
      ...more,
    }
    const headers = Object.fromEntries(
      Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== null),
    )
    const call = { method, path, as, headers, ...(body !== undefined && { body }) }
    isJournalUsed = true
    // A proxy may limit the requests of a user, which is not a failure.
    for (let attempt = 0; attempt < 5; attempt++) {
      const response = await request(call)
      if (response.status !== 429) return response
      await response.body?.cancel()
      await pause(1000 * Math.min(60, Math.max(1, Number(response.headers.get('retry-after')) || 1)))
    }
    return await request(call)
  }

  async function raw(call: RawCall): Promise<ObservedResponse> {
    const missing = call.evenIfOmitted ? undefined : [...omitted].find((name) => isCallOf(name, call))
    if (missing !== undefined) throw new OmittedError(missing)
    if (isJournalUsed) await control('DELETE', '/journal')
    const response = await open(call)
    const text = await response.text()
    const journal = (await control('GET', '/journal')) as readonly Received[]
    isJournalUsed = journal.length > 0
    const received = journal.filter((each) => !isBackgroundRead(each, call))
    recordViolations(call, received)
    return { status: response.status, headers: response.headers, text, json: parseJson(text), received }
  }

  /** Records what must never happen, whatever the call. */
  function recordViolations({ method, path, as }: RawCall, received: readonly Received[]): void {
    for (const { operation, headers, url } of received) {
      if (operation === 'getActions' && namesOf(headers).includes('x-workflow-bypass-authorization')) {
        bypassed.add(`${method} ${path}`)
      }
      const isKey = operation === 'getPublicKey'
      if (url.startsWith('/wf/') && !isKey && headers['x-workflow-request-user'] !== as) {
        impersonated.add(`${method} ${path} as ${as}: ${headers['x-workflow-request-user']}`)
      }
    }
  }

  async function service(name: OperationName, user: string, input: CallInput = {}): Promise<Response> {
    isJournalUsed = true
    const operation: Operation = operations[name]
    const root = operation.service === 'workflow' ? '/wf' : `/fs/${env}`
    const path = root + fillPath(operation.upstream, { ...input.params, env }) + serializeQuery(input.query)
    const { body, type } = buildBody(operation, input.body)
    return await emulator(path, {
      method: operation.method,
      headers: {
        Authorization: `Basic ${btoa(`${client.id}:${client.secret}`)}`,
        Accept: input.version ? acceptVersion(input.version) : 'application/json',
        ...(operation.service === 'workflow' && { 'x-workflow-request-user': user }),
        ...(type !== undefined && { 'Content-Type': type }),
      },
      ...(body !== undefined && { body }),
    })
  }

  async function control(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await emulator(`/_emulator${path}`, {
      method,
      ...(body !== undefined && {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    })
    if (!response.ok) throw new Error(`The emulator returned ${response.status} for ${method} ${path}`)
    return await response.json()
  }

  return {
    env,
    isOmitted: (name) => omitted.has(name),

    async readOmitted() {
      // If the proxy has no valid session, the check of the session reports it.
      const { json } = await raw({ method: 'GET', path: '/session', as: people.initiator }).catch(() => ({
        json: undefined,
      }))
      const { data } = Session.safeParse(json)
      if (!data) return
      for (const name of Object.keys(browserOperations) as BrowserOperation[])
        if (!data.allows.operations.includes(name)) omitted.add(name)
    },

    open,
    raw,
    service,
    control,

    async call(name, as, input = {}) {
      const operation: OperationForBrowsers = browserOperations[name]
      const { body } = buildBody(operation, input.body)
      const isNavigation = operation.response === 'file' || operation.response === 'redirect'
      return await raw({
        method: operation.method,
        path: fillPath(operation.path, input.params ?? {}) + serializeQuery(input.query),
        as,
        headers: {
          ...(input.version !== undefined && { accept: acceptVersion(input.version) }),
          ...(isNavigation && { [callHeader]: null, accept: '*/*' }),
        },
        ...(body !== undefined && { body }),
        ...(input.evenIfOmitted && { evenIfOmitted: true }),
      })
    },

    async prepare(name, user, input) {
      const response = await service(name, user, input)
      if (!response.ok)
        throw new Error(`${name}: the emulator returned ${response.status}, but the fixture needs it`)
      return parseJson(await response.text())
    },

    violations: () => [
      check('identity: getActions is never sent with bypass authorization', () =>
        Promise.resolve(listed(bypassed)),
      ),
      check('identity: every request to the routing service names the signed-in user', () =>
        Promise.resolve(listed(impersonated)),
      ),
    ],
  }
}

function isCallOf(name: BrowserOperation, { method, path }: RawCall): boolean {
  const operation: OperationForBrowsers = browserOperations[name]
  return method === operation.method && matchPath(operation.path, path.replace(/\?.*$/, '')) !== undefined
}

/** Returns the names of headers as a lenient server reads them. */
export function namesOf(headers: Readonly<Record<string, string>>): string[] {
  return Object.keys(headers).map((name) => name.replaceAll('_', '-').toLowerCase())
}

/** Returns the requests that could change something. */
export function mutationsOf(received: readonly Received[]): Received[] {
  return received.filter(({ method }) => method !== 'GET')
}

/**
 * Whether the proxy has sent a request on its own while a call was running. For open pages, a proxy looks for changes: it reads
 * their packages as the application, at any time. Pages can stay open for a while after their browser has left. All calls of
 * the suite name packages that no such page follows.
 */
function isBackgroundRead({ method, operation, params, query, headers }: Received, call: RawCall): boolean {
  const isRead = method === 'GET' && operation !== null && operation !== 'getActions'
  if (!isRead || headers['x-workflow-request-user'] !== client.id) return false
  const packages =
    operation === 'getStatus' ? (query['id'] ?? []) : [params?.['packageId'] ?? []].flat().map(String)
  const text = call.path + (typeof call.body === 'string' ? call.body : '')
  // A uuid or a number such as 0x1c42 may contain the digits of another package.
  const words = text.replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, '').match(/[\w.]+/g) ?? []
  const named: readonly string[] = words.flatMap((word) => {
    const number = Number(word)
    return Number.isInteger(number) ? [`${number}`] : (word.match(/\d+/g) ?? [])
  })
  return packages.length > 0 && packages.every((id) => !named.includes(id))
}

/** Describes requests to the services for a message. */
export function summaryOf(received: readonly Received[]): string {
  return received.map(({ method, url, status }) => `${method} ${url} (${status})`).join(', ') || 'nothing'
}

/** Builds a request body: JSON as text, or a multipart body with the `part` and a small text file. */
function buildBody(
  { requestBody, part }: Pick<Operation, 'requestBody' | 'part'>,
  value: unknown,
): { readonly body?: string | FormData; readonly type?: string } {
  if (requestBody === 'json') return { body: JSON.stringify(value), type: 'application/json' }
  if (requestBody !== 'multipart') return {}
  const body = new FormData()
  if (value !== undefined)
    body.append(part ?? 'meta', typeof value === 'string' ? value : JSON.stringify(value))
  body.append('file', new Blob(['A note.\n'], { type: 'text/plain' }), 'note.txt')
  return { body }
}

function listed(found: ReadonlySet<string>): string {
  const [first = ''] = found
  return found.size > 1 ? `${first}, and ${found.size - 1} more` : first
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Waits. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
