import type { z } from 'zod'
import { type Operation, type OperationForBrowsers, operations } from '../contract/operations.ts'
import { fillPath } from '../contract/path.ts'
import { acceptVersion } from '../contract/route.ts'
import type { BrowserOperation } from '../contract/routes.ts'
import type { Environment } from '../contract/values.ts'
import { ProxyError } from './problem.ts'
import { readText } from './read-text.ts'

/** One of the two services and our credentials for it. */
export interface Service {
  /** Base address, without the path that the contract names. */
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
}

/** Writes down what an operator should know. Facts hold no secret. */
export type Log = (level: 'warn' | 'error', message: string, facts: Readonly<Record<string, unknown>>) => void

export interface UpstreamOptions {
  readonly env: Environment
  readonly services: Readonly<Record<Operation['service'], Service>>
  readonly fetch: typeof globalThis.fetch
  readonly log: Log
  /** Most milliseconds to wait for an answer, uploads apart. */
  readonly timeout: number
  /** Largest answer to read, in bytes. */
  readonly maxAnswerSize: number
}

/** One call of a service, already decided and checked. */
export interface UpstreamCall {
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, unknown>> | undefined
  /** JSON value, or the bytes of a multipart body with its type. */
  readonly body?:
    { readonly json: unknown } | { readonly type: string; readonly bytes: ReadableStream<Uint8Array> }
  readonly version?: string | undefined
  /** University id of the person on whose behalf the routing service acts. The storage service takes none. */
  readonly user?: string
  readonly signal: AbortSignal
}

/** Calls an operation of a service and answers its checked result. Throws `ProxyError`. */
export type CallUpstream = (name: BrowserOperation, call: UpstreamCall) => Promise<unknown>

/** The only place from which anything reaches a service: every header and every part of the address is built here. */
export function createUpstream({
  env,
  services,
  fetch,
  log,
  timeout,
  maxAnswerSize,
}: UpstreamOptions): CallUpstream {
  const credentials = { workflow: basic(services.workflow), storage: basic(services.storage) }

  return async (name, call) => {
    const operation: OperationForBrowsers = operations[name]
    const service = services[operation.service]
    const url = service.baseUrl + fillPath(operation.upstream, { ...call.params, env }) + search(call.query)
    const headers = new Headers({
      Authorization: credentials[operation.service],
      Accept: call.version ? acceptVersion(call.version) : 'application/json',
    })
    if (operation.service === 'workflow') headers.set('x-workflow-request-user', call.user ?? '')

    // An upload takes as long as its bytes; everything else has a deadline.
    const { signal, release } = deadline(call.signal, operation.sends === 'multipart' ? undefined : timeout)
    const init: RequestInit = { method: operation.method, headers, redirect: 'error', signal }
    if (call.body && 'json' in call.body) {
      headers.set('Content-Type', 'application/json')
      init.body = JSON.stringify(call.body.json)
    } else if (call.body) {
      headers.set('Content-Type', call.body.type)
      // Node demands `duplex` with a stream; the DOM types do not know it.
      Object.assign(init, { body: call.body.bytes, duplex: 'half' })
    }

    let response: Response
    let text: string
    try {
      response = await fetch(url, init)
      text = await readText(
        response.body,
        maxAnswerSize,
        () => new Error(`The answer is larger than ${maxAnswerSize} bytes`),
      )
    } catch (cause) {
      // The browser's body was not as it must be: that is no failure of the service.
      if (cause instanceof ProxyError) throw cause
      if (!call.signal.aborted) log('error', `${name} got no answer`, { cause: String(cause) })
      throw new ProxyError(502, 'The service gave no answer. Try again in a moment.', { cause })
    } finally {
      release()
    }
    if (!response.ok) throw failureOf(name, operation, response.status, log)

    const schema = (call.version && operation.results?.[call.version]) || operation.result
    return checked(name, schema, operation.answers === 'json' ? parseJson(text) : parseText(text), log)
  }
}

/**
 * A signal that aborts with `outer`, or after so many milliseconds. Not `AbortSignal.any`: in Node 20 the garbage
 * collector takes a combined signal away before it fires.
 */
function deadline(outer: AbortSignal, milliseconds: number | undefined) {
  const controller = new AbortController()
  const abort = () => controller.abort(outer.reason)
  const timer =
    milliseconds === undefined
      ? undefined
      : setTimeout(
          () => controller.abort(new DOMException('The deadline has passed', 'TimeoutError')),
          milliseconds,
        )
  outer.addEventListener('abort', abort)
  if (outer.aborted) abort()

  return {
    signal: controller.signal,
    release: () => {
      clearTimeout(timer)
      outer.removeEventListener('abort', abort)
    },
  }
}

/** Credentials as HTTP Basic takes them, in UTF-8 (RFC 7617). */
function basic({ clientId, clientSecret }: Service): string {
  return `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${clientId}:${clientSecret}`)))}`
}

function search(query: UpstreamCall['query'] = {}): string {
  const parts = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) parts.append(name, String(item))
  }
  return parts.size > 0 ? `?${parts}` : ''
}

/** What we tell the browser about an upstream's refusal. Its own words stay here: they may hold our credentials. */
function failureOf(name: BrowserOperation, { service }: Operation, status: number, log: Log): ProxyError {
  if (status === 401 || (status === 403 && service === 'storage')) {
    log('error', `${name}: the ${service} service refuses our client credentials`, { status })
    return new ProxyError(502, 'The service did not accept this site. Its operator has been told.')
  }
  if (status === 403) return new ProxyError(403, 'You may not do this with this package.')
  if (status === 404) return new ProxyError(404, 'There is no such package or file.')
  if (status === 409)
    return new ProxyError(409, 'The package is in a state that does not allow this. Reload and look again.')
  if (status >= 400 && status < 500) {
    log('warn', `${name} was refused`, { status })
    return new ProxyError(422, 'The service refused this request.')
  }
  log('error', `${name} failed`, { status })
  return new ProxyError(502, 'The service failed. Try again in a moment.')
}

function checked(name: BrowserOperation, schema: z.ZodType, value: unknown, log: Log): unknown {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  log('error', `${name}: the answer breaks the contract`, {
    at: parsed.error.issues.map(({ path }) => path.join('.')),
  })
  throw new ProxyError(502, 'The service gave an unexpected answer. Try again in a moment.')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A text answer, which some deployments write as a JSON string. */
function parseText(text: string): unknown {
  return text.startsWith('"') ? parseJson(text) : text.trim()
}
