import { browserOperations, type OperationForBrowsers } from '../contract/browser-operations.ts'
import { type Operation, type OperationName, operations } from '../contract/operations.ts'
import { fillPath } from '../contract/path.ts'
import { acceptVersion, callHeader } from '../contract/headers.ts'
import type { BrowserOperation } from '../contract/routes.ts'
import { serializeQuery } from '../contract/serialize-query.ts'
import type { Environment } from '../contract/values.ts'
import { check, type Check, client, type Target } from './target.ts'

/** A request that a service has received, as the emulator's journal tells. */
export interface Received {
  readonly method: string
  readonly url: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Name of the operation in the contract; null where there is none. */
  readonly operation: string | null
  /** Status of the answer; null while it is awaited. */
  readonly status: number | null
}

/** An answer of the proxy, and what it has asked the services for it. */
export interface ObservedResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON; undefined where it is none. */
  readonly json: unknown
  readonly received: readonly Received[]
}

/** What an operation is asked with. */
export interface CallInput {
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: unknown
  readonly version?: string
}

export interface RawCall {
  readonly method: string
  readonly path: string
  readonly as: string | null
  /** Besides those of a page's call. Null takes one of these away. */
  readonly headers?: Readonly<Record<string, string | null>>
  readonly body?: string | FormData
}

/** What checks work with: the proxy, the services behind it, and a look at what passed between them. */
export interface ConformanceSuite {
  readonly env: Environment
  /** Asks the proxy for an operation. */
  readonly call: (name: BrowserOperation, as: string | null, input?: CallInput) => Promise<ObservedResponse>
  /** Asks the proxy for anything, with the headers that a page's call has. */
  readonly raw: (call: RawCall) => Promise<ObservedResponse>
  /** Asks the proxy for something without an end. The caller reads the answer, or cancels it. */
  readonly open: (call: RawCall) => Promise<Response>
  /** Asks a service itself, as a person or as the application, and never with bypass. */
  readonly service: (name: OperationName, user: string, input?: CallInput) => Promise<Response>
  /** Asks the service for what must succeed, and answers its JSON. */
  readonly prepare: (name: OperationName, user: string, input?: CallInput) => Promise<unknown>
  /** Asks the control API of the emulator. */
  readonly control: (method: string, path: string, body?: unknown) => Promise<unknown>
  /** Requests of the whole run that no proxy may send, by what is wrong with them. */
  readonly offences: () => readonly Check[]
}

/** Creates a bench. Calls take turns: what a service receives belongs to the call before. */
export function createConformanceSuite({ ask, emulator, env = 'test' }: Target): ConformanceSuite {
  const bypassed = new Set<string>()
  const impersonated = new Set<string>()
  /** Whether the journal may hold requests of before. */
  let isNoted = true

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
    isNoted = true
    // A proxy may limit how often one person asks; that is no fault of it.
    for (let attempt = 0; attempt < 5; attempt++) {
      const response = await ask(call)
      if (response.status !== 429) return response
      await response.body?.cancel()
      await pause(1000 * Math.min(60, Math.max(1, Number(response.headers.get('retry-after')) || 1)))
    }
    return await ask(call)
  }

  async function raw(call: RawCall): Promise<ObservedResponse> {
    if (isNoted) await control('DELETE', '/journal')
    const response = await open(call)
    const text = await response.text()
    const received = (await control('GET', '/journal')) as readonly Received[]
    isNoted = received.length > 0
    look(call, received)
    return { status: response.status, headers: response.headers, text, json: parse(text), received }
  }

  /** Remembers what must not happen in any call at all. */
  function look({ method, path, as }: RawCall, received: readonly Received[]): void {
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
    isNoted = true
    const operation: Operation = operations[name]
    const root = operation.service === 'workflow' ? '/wf' : `/fs/${env}`
    const path = root + fillPath(operation.upstream, { ...input.params, env }) + serializeQuery(input.query)
    const { body, type } = bodyOf(operation, input.body)
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
    if (!response.ok) throw new Error(`The emulator answers ${response.status} to ${method} ${path}`)
    return await response.json()
  }

  return {
    env,
    open,
    raw,
    service,
    control,

    async call(name, as, input = {}) {
      const operation: OperationForBrowsers = browserOperations[name]
      const { body } = bodyOf(operation, input.body)
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
      })
    },

    async prepare(name, user, input) {
      const response = await service(name, user, input)
      if (!response.ok) throw new Error(`${name}: the emulator answers ${response.status}, and has to do it`)
      return parse(await response.text())
    },

    offences: () => [
      check('identity: allowed actions are never asked with bypass', () => Promise.resolve(listed(bypassed))),
      check('identity: every request to the routing service names the signed-in person', () =>
        Promise.resolve(listed(impersonated)),
      ),
    ],
  }
}

/** Names of headers as a lenient server reads them. */
export function namesOf(headers: Readonly<Record<string, string>>): string[] {
  return Object.keys(headers).map((name) => name.replaceAll('_', '-').toLowerCase())
}

/** Requests that were meant to change something. */
export function mutationsOf(received: readonly Received[]): Received[] {
  return received.filter(({ method }) => method !== 'GET')
}

/** What was sent to the services, for people. */
export function listOf(received: readonly Received[]): string {
  return received.map(({ method, url, status }) => `${method} ${url} (${status})`).join(', ') || 'nothing'
}

/** A body as it is sent: JSON as text, or a small text file with what goes before it. */
function bodyOf(
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
