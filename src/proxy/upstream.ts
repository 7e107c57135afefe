import type { z } from 'zod'
import { ValidationFailure } from '../contract/entry.ts'
import { type Operation, type OperationName, operations } from '../contract/operations.ts'
import { fillPath } from '../contract/path.ts'
import { acceptVersion } from '../contract/headers.ts'
import { serializeQuery } from '../contract/serialize-query.ts'
import type { Environment } from '../contract/values.ts'
import type { DisconnectSignal } from './connection.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { ProxyError } from './problem.ts'
import { refusals } from './refusals.ts'
import { type Send, type SendResponse, ServicePausedError } from './send.ts'
import { redactRestricted } from './rights/redact.ts'

/** One of the two services and our credentials for it. */
export interface Service {
  /** Base address, without the path that the contract names. */
  readonly baseUrl: string
  readonly clientId: string
  /** A function is asked again after the service has refused the secret, so that one that was changed is taken up. */
  readonly clientSecret: string | (() => string)
}

export interface UpstreamOptions {
  readonly env: Environment
  readonly services: Readonly<Record<Operation['service'], Service>>
  readonly send: Send
  readonly log: Log
  readonly metrics: Metrics | undefined
  readonly timeouts: UpstreamTimeouts
  /** Maximum size of a response that is read as a whole, in bytes. */
  readonly maxResponseSize: number
}

/** Timeouts in milliseconds, as in `ProxyLimits`. */
export interface UpstreamTimeouts {
  readonly timeout: number
  readonly uploadTimeout: number
  readonly downloadTimeout: number
}

/** On whose behalf the routing service acts: a person by university id, or this application itself. */
export type Actor = { readonly univid: string } | 'application'

/** One call of a service, already decided and checked. */
export interface UpstreamCall {
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, unknown>> | undefined
  /** JSON value, or the bytes of a multipart body with its type. */
  readonly body?:
    | { readonly json: unknown }
    | { readonly type: string; readonly bytes: AsyncIterable<Uint8Array> }
    | undefined
  readonly version?: string | undefined
  readonly as: Actor
  /** Whether the service leaves the decision to us. Never for allowed actions (spec, Authentication 6). */
  readonly bypassAuthorization?: boolean
  readonly requestId: string
  readonly signal: DisconnectSignal
}

/** The only place from which anything reaches a service: every header and every part of the address is built here. */
export interface Upstream {
  /** Calls an operation and answers its checked result. Throws `ProxyError`. An upload takes as long as its bytes. */
  readonly call: (name: OperationName, call: UpstreamCall) => Promise<unknown>
  /** Calls an operation that answers a file. There is a deadline for its beginning; then it takes as long as its bytes. */
  readonly download: (name: OperationName, call: UpstreamCall) => Promise<SendResponse>
}

/** Creates the way to both services. */
export function createUpstream({
  env,
  services,
  send,
  log,
  metrics,
  timeouts: { timeout, uploadTimeout, downloadTimeout },
  maxResponseSize,
}: UpstreamOptions): Upstream {
  const credentials = { workflow: basic(services.workflow), storage: basic(services.storage) }

  async function begin(name: OperationName, call: UpstreamCall, deadline: Deadline): Promise<SendResponse> {
    const operation: Operation = operations[name]
    const { service } = operation
    if (call.bypassAuthorization && name === 'getActions')
      throw new TypeError('Actions are never asked with bypass')
    const url =
      services[service].baseUrl +
      fillPath(operation.upstream, { ...call.params, env }) +
      serializeQuery(call.query)
    const headers: Record<string, string> = {
      authorization: credentials[service],
      accept: call.version ? acceptVersion(call.version) : accepted[operation.response],
      // What is packed could not be looked at, nor its length be told.
      'accept-encoding': 'identity',
      'x-request-id': call.requestId,
    }
    if (service === 'workflow') {
      headers['x-workflow-request-user'] =
        call.as === 'application' ? services.workflow.clientId : call.as.univid
      if (call.bypassAuthorization) headers['x-workflow-bypass-authorization'] = 'true'
    }
    const { body } = call
    if (body) headers['content-type'] = 'json' in body ? 'application/json' : body.type

    const start = performance.now()
    const note = (status: number | 'none') =>
      metrics?.call(service, name, status, (performance.now() - start) / 1000)
    try {
      const answer = await send({
        service,
        method: operation.method,
        url,
        headers,
        body: body && ('json' in body ? JSON.stringify(body.json) : body.bytes),
        isFile: operation.requestBody === 'multipart' || operation.response === 'file',
        get signal() {
          return deadline.signal
        },
        onAbort: (listener) => deadline.onAbort(listener),
      })
      note(answer.status)
      return answer
    } catch (cause) {
      note('none')
      throw cause
    }
  }

  /** What an answer that is no success means for the browser. Its own words stay here: they may hold our credentials. */
  async function failureOf(
    name: OperationName,
    { requestId }: UpstreamCall,
    answer: SendResponse,
  ): Promise<ProxyError> {
    const { service }: Operation = operations[name]
    const { status } = answer
    // Read in any case: that frees the connection.
    const text = await answer.text(maxResponseSize).catch(() => '')
    if (status === 401 || (status === 403 && service === 'storage')) {
      log('error', `${name}: the ${service} service refuses our client credentials`, { status, requestId })
      credentials[service] = basic(services[service])
      return refusals.credentialsRefused()
    }
    if (status === 403) return refusals.notAllowed()
    if (status === 404) return refusals.notFound()
    if (status === 409) return refusals.wrongState()
    if (status === 429 || status === 503) {
      log('warn', `${name}: the service asks to wait`, { status, requestId })
      return refusals.serviceBusy(secondsOf(answer.header('retry-after')))
    }
    if (status >= 400 && status < 500) {
      log('warn', `${name} was refused`, { status, requestId })
      const failure = ValidationFailure.safeParse(parseJson(text))
      return refusals.invalidEntry(failure.data)
    }
    log('error', `${name} failed`, { status, requestId })
    return refusals.serviceFailed()
  }

  function noAnswer(name: OperationName, call: UpstreamCall, cause: unknown): ProxyError {
    // The browser's body was not as it must be: that is no failure of the service.
    if (cause instanceof ProxyError) return cause
    if (cause instanceof ServicePausedError) {
      return refusals.servicePaused({ cause, retryAfter: cause.retryAfter })
    }
    const { requestId } = call
    if (!call.signal.aborted) log('error', `${name} got no answer`, { requestId, cause: String(cause) })
    return refusals.noResponse(cause)
  }

  return {
    async call(name, call) {
      const operation: Operation = operations[name]
      const isUpload = operation.requestBody === 'multipart'
      const deadline = new Deadline(call.signal)
      if (!isUpload) deadline.start(timeout)
      const onEnd = () => deadline.start(Math.max(timeout, uploadTimeout))
      let answer: SendResponse
      let text: string
      try {
        answer = await begin(name, isUpload ? withEnd(call, onEnd) : call, deadline)
        if (!isSuccess(answer)) throw await failureOf(name, call, answer)
        text = await answer.text(maxResponseSize)
      } catch (cause) {
        throw noAnswer(name, call, cause)
      } finally {
        deadline.release()
      }
      if (operation.response === 'nothing') return undefined

      const schema = (call.version && operation.results?.[call.version]) || operation.result
      if (!schema) throw new TypeError(`${name} answers no value`)
      const value = operation.response === 'json' ? parseJson(text) : parseText(text)
      const found = checked(name, call, schema, value, log)
      // What a form holds under the names of a person's fields is the form's.
      return entryOperations.includes(name) ? found : redactRestricted(found)
    },

    async download(name, call) {
      const deadline = new Deadline(call.signal)
      deadline.start(Math.max(timeout, downloadTimeout))
      try {
        const answer = await begin(name, call, deadline)
        if (!isSuccess(answer)) throw await failureOf(name, call, answer)
        deadline.hold()
        return answer
      } catch (cause) {
        deadline.release()
        throw noAnswer(name, call, cause)
      }
    },
  }
}

const accepted: Readonly<Record<Operation['response'], string>> = {
  json: 'application/json',
  text: 'text/plain, application/json',
  file: '*/*',
  nothing: 'application/json',
}

function isSuccess({ status }: SendResponse): boolean {
  return status >= 200 && status < 300
}

/** The same call, which tells when the last byte of its body has been taken. */
function withEnd(call: UpstreamCall, onEnd: () => void): UpstreamCall {
  const { body } = call
  if (!body || 'json' in body) return call
  const { type, bytes } = body
  async function* toTheEnd() {
    yield* bytes
    onEnd()
  }
  return { ...call, body: { type, bytes: toTheEnd() } }
}

/**
 * Breaks a call off with `outer`, or after so many milliseconds. Not `AbortSignal.any`: in Node 20 the garbage collector
 * takes a combined signal away before it fires.
 */
class Deadline {
  readonly #outer: DisconnectSignal
  #timer: ReturnType<typeof setTimeout> | undefined
  #isReleased = false
  #isOver = false
  #reason: unknown
  #listener: ((reason: unknown) => void) | undefined
  #controller: AbortController | undefined

  constructor(outer: DisconnectSignal) {
    this.#outer = outer
    if (outer.aborted) this.#end(outer.reason)
    else outer.addEventListener('abort', this)
  }

  /** The outer signal aborts. */
  handleEvent(): void {
    this.#end(this.#outer.reason)
  }

  /** Made only where it is asked for. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      if (this.#isOver) this.#controller.abort(this.#reason)
    }
    return this.#controller.signal
  }

  onAbort(listener: (reason: unknown) => void): void {
    if (this.#isOver) listener(this.#reason)
    else this.#listener = listener
  }

  /** Sets a new deadline. */
  start(milliseconds: number): void {
    this.hold()
    // The answer may come before the end of what it answers.
    if (this.#isReleased) return
    this.#timer = setTimeout(
      () => this.#end(new DOMException('The deadline has passed', 'TimeoutError')),
      milliseconds,
    )
  }

  /** Ends the deadline, and keeps `outer`. */
  hold(): void {
    clearTimeout(this.#timer)
  }

  release(): void {
    this.#isReleased = true
    // Whoever keeps this a little longer must not keep the whole answer.
    this.#listener = undefined
    this.hold()
    this.#outer.removeEventListener('abort', this)
  }

  #end(reason: unknown): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#reason = reason
    this.#controller?.abort(reason)
    this.#listener?.(reason)
  }
}

/** Credentials as HTTP Basic takes them, in UTF-8 (RFC 7617). */
function basic({ clientId, clientSecret }: Service): string {
  const secret = typeof clientSecret === 'string' ? clientSecret : clientSecret()
  return `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${clientId}:${secret}`)))}`
}

/** `Retry-After` as seconds (RFC 9110, 10.2.3): a minute at most, and five seconds where it says nothing usable. */
function secondsOf(retryAfter: string | null): number {
  const seconds = /^\d+$/.test(retryAfter ?? '')
    ? Number(retryAfter)
    : (Date.parse(retryAfter?.endsWith('GMT') ? retryAfter : '') - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.min(60, Math.max(1, Math.ceil(seconds))) : 5
}

/** Operations on entry data, whose fields belong to the form. */
export const entryOperations: readonly OperationName[] = ['getEntry', 'updateEntry']

function checked(
  name: OperationName,
  { requestId }: UpstreamCall,
  schema: z.ZodType,
  value: unknown,
  log: Log,
): unknown {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  log('error', `${name}: the answer breaks the contract`, {
    requestId,
    at: parsed.error.issues.map(({ path }) => path.join('.')),
  })
  throw refusals.unexpectedResponse()
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
