import { personKey } from '../../contract/values/patterns.ts'
import { acceptVersion } from '../../contract/values/headers.ts'
import type { Operation } from '../../contract/services/operation.ts'
import { type OperationName, operations } from '../../contract/services/operations.ts'
import { fillPath } from '../../contract/values/path.ts'
import { serializeQuery } from '../../contract/routes/route.ts'
import type { Environment } from '../../contract/values/values.ts'
import type { DisconnectSignal, Holding } from '../http/connection.ts'
import type { Log } from '../observe/log.ts'
import type { Metrics } from '../observe/metrics.ts'
import { createSlots } from '../admission/slots.ts'
import type { Json } from '../http/reply.ts'
import { largeSize, type Permit, type Send, type SendResponse } from './send.ts'
import { type Buffered, type BufferSpace, createBufferSpace } from '../admission/buffer-space.ts'
import { type HeavyWork, type ResponseBytes, type Turn, workAtOnce } from '../validation/heavy-work.ts'
import { createCleanHtml } from '../validation/clean-html.ts'
import { createCredentials, secretsIn, type Service } from './credentials.ts'
import { Deadline } from './deadline.ts'
import type { ProxyError } from '../http/problem.ts'
import { refusals } from '../http/refusals.ts'
import type { Tracing } from '../observe/tracing.ts'
import { callError, type CallFacts, isCredentialsRefusal, serviceError } from './service-error.ts'
import { readServiceResponse } from '../validation/service-response.ts'

export interface UpstreamOptions {
  readonly env: Environment
  readonly services: Readonly<Record<Operation['service'], Service>>
  readonly send: Send
  /** Begins the span of a call, if its request belongs to a trace. Default: none does. */
  readonly startCall?: Tracing['startCall']
  readonly log: Log
  readonly metrics?: Metrics | undefined
  readonly timeouts: UpstreamTimeouts
  /** Maximum size of a response that is read as a whole, in bytes. */
  readonly maxResponseSize: number
  /** Maximum number of concurrent calls of each service, files excepted. Default: any. */
  readonly calls?: number
  /** The same per person. Default: any. */
  readonly callsPerPerson?: number
  /** Maximum number of large responses in memory at a time. Default: any. */
  readonly largeReads?: number
  /** The same per person. Default: any. */
  readonly largeReadsPerPerson?: number
  /** Memory for large responses. Default: without limit. */
  readonly space?: BufferSpace
  /** Parses and validates large responses. Default: at once. */
  readonly work?: HeavyWork
}

/** Timeouts in milliseconds, as in `ProxyLimits`. */
interface UpstreamTimeouts {
  readonly timeout: number
  readonly uploadTimeout: number
  readonly downloadTimeout: number
}

/** On whose behalf the routing service acts: a person by university id, or this application itself. */
type Actor = { readonly univid: string } | 'application'

/** One call of a service, authorized and validated. */
export interface UpstreamCall {
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, unknown>> | undefined
  /** JSON value or text, or the bytes of a multipart body with its type. */
  readonly body?:
    | { readonly json: unknown }
    | { readonly jsonText: Json }
    | { readonly type: string; readonly bytes: AsyncIterable<Uint8Array> }
    | undefined
  readonly version?: string | undefined
  readonly as: Actor
  /** Whether the service skips its own rights check. Never for allowed actions (spec, Authentication 6). */
  readonly bypassAuthorization?: boolean
  readonly requestId: string
  readonly signal: DisconnectSignal
  /** Default: the result is soon forgotten. */
  readonly holding?: Holding | undefined
}

/** The only way to the services. It builds every header and every part of the URL. */
export interface Upstream {
  /**
   * Calls an operation and returns its validated result. Throws `ProxyError`. The timeout of an upload begins with its last
   * byte.
   */
  readonly call: (name: OperationName, call: UpstreamCall) => Promise<unknown>
  /** Does the same, and returns the result as JSON for the browser. */
  readonly callForJson: (name: OperationName, call: UpstreamCall) => Promise<Json>
  /** Calls an operation and returns its JSON as the service wrote it, not validated. Throws `ProxyError`. */
  readonly callForText: (name: OperationName, call: UpstreamCall) => Promise<string>
  /** Calls an operation that returns a file. Throws `ProxyError`. The timeout ends when the file begins. */
  readonly download: (name: OperationName, call: UpstreamCall) => Promise<SendResponse>
}

/** Creates the connection of a mount to both services. */
export function createUpstream({
  env,
  services,
  send,
  startCall,
  log,
  metrics,
  timeouts: { timeout, uploadTimeout, downloadTimeout },
  maxResponseSize,
  calls = Infinity,
  callsPerPerson = Infinity,
  largeReads = Infinity,
  largeReadsPerPerson = Infinity,
  space = createBufferSpace(Infinity),
  work = workAtOnce,
}: UpstreamOptions): Upstream {
  const createCallPlaces = () => createSlots({ perHolder: callsPerPerson, total: calls, wait: timeout })
  const callPlaces = { workflow: createCallPlaces(), storage: createCallPlaces() }
  const largePlaces = createSlots({ perHolder: largeReadsPerPerson, total: largeReads, wait: largeTimeout })
  /** Only one large response at a time is parsed, because objects take much more memory than text. */
  const parsing = createSlots({ total: 1, wait: largeTimeout })
  const cleanHtml = createCleanHtml()
  const credentials = {
    workflow: createCredentials(services.workflow),
    storage: createCredentials(services.storage),
  }

  function headersOf(
    { service, response }: Operation,
    call: UpstreamCall,
    authorization: string,
    traceparent: string | undefined,
  ): Record<string, string> {
    const headers: Record<string, string> = {
      authorization,
      accept: call.version ? acceptVersion(call.version) : acceptedTypes[response],
      // The proxy validates bodies and reports their length, so they must not be compressed.
      'accept-encoding': 'identity',
      'x-request-id': call.requestId,
      ...(traceparent !== undefined && { traceparent }),
    }
    if (service === 'workflow') {
      headers['x-workflow-request-user'] =
        call.as === 'application' ? services.workflow.clientId : call.as.univid
      if (call.bypassAuthorization) headers['x-workflow-bypass-authorization'] = 'true'
    }
    if (call.body) headers['content-type'] = 'type' in call.body ? call.body.type : 'application/json'
    return headers
  }

  /**
   * Sends a call, and returns its successful response; otherwise throws an error with the detail of the service. If the service
   * refuses a secret that has changed in the meantime, sends the call once more with the new one, unless its body can be read
   * only once.
   */
  async function sendCall(
    name: OperationName,
    call: UpstreamCall,
    deadline: Deadline,
  ): Promise<SendResponse> {
    const { service, method, response: kind }: Operation = operations[name]
    const { current, renew } = credentials[service]
    const authorization = current()
    let response = await sendOnce(name, call, deadline, authorization)
    if (isCredentialsRefusal(response, service)) {
      renew()
      // A service that does not know who calls it has done nothing. With 403, only reads are certain to have changed nothing.
      const isRepeatable =
        method === 'GET' || (response.status === 401 && !(call.body && 'bytes' in call.body))
      if (isRepeatable && current() !== authorization) {
        // Frees the connection.
        await response.bytes(maxErrorSize).catch(() => {})
        response = await sendOnce(name, call, deadline, current())
      }
    }
    const isFine = kind === 'file' ? response.status === 200 : isSuccess(response.status)
    if (!isFine) throw await failureOf(response, factsOf(name, call))
    return response
  }

  function sendOnce(
    name: OperationName,
    call: UpstreamCall,
    deadline: Deadline,
    authorization: string,
  ): Promise<SendResponse> {
    if (call.bypassAuthorization && name === 'getActions') {
      throw new TypeError('Allowed actions are never read with bypass authorization')
    }
    const operation: Operation = operations[name]
    const { service, method, upstream } = operation
    const { params, query } = call
    const start = performance.now()
    const span = startCall?.(call.requestId, name)
    const measure = (status: number | 'none') => {
      span?.end(status === 'none' ? undefined : status)
      metrics?.call(service, name, status, (performance.now() - start) / 1000)
    }
    return send({
      service,
      method,
      url: services[service].baseUrl + fillPath(upstream, { ...params, env }) + serializeQuery(query),
      headers: headersOf(operation, call, authorization, span?.traceparent),
      body: bodyOf(call),
      isFile: operation.requestBody === 'multipart' || operation.response === 'file',
      get signal() {
        return deadline.signal
      },
      onAbort: (listener) => deadline.onAbort(listener),
    }).then(
      (response) => {
        measure(response.status)
        return response
      },
      (cause: unknown) => {
        measure('none')
        throw cause
      },
    )
  }

  /** Returns the error for a response that is not successful. */
  async function failureOf(response: SendResponse, facts: CallFacts): Promise<ProxyError> {
    const { status } = response
    const { name, service, requestId } = facts
    if (status >= 200 && status < 300) {
      await response.stream().cancel()
      log('error', `${name}: the response is empty or a part`, { status, requestId })
      return refusals.unexpectedResponse()
    }
    // Always read: that frees the connection.
    const bytes = await response.bytes(Math.min(maxErrorSize, maxResponseSize)).catch(() => new Uint8Array())
    const text = new TextDecoder().decode(bytes)
    const secrets = credentials[service].known().flatMap(secretsIn)
    return serviceError(response, text, { ...facts, secrets })
  }

  function factsOf(name: OperationName, { requestId }: UpstreamCall): CallFacts {
    const { service }: Operation = operations[name]
    return { name, service, requestId, log }
  }

  /** The body of a successful response. A large body has taken a place and space in memory. */
  interface Received {
    readonly bytes: Uint8Array<ArrayBuffer>
    readonly releaseMemory: (() => void) | undefined
  }

  /** Waits for a place of a large response, and takes memory for it. */
  async function takeLargePlace(
    { signal, holding }: UpstreamCall,
    holder: string,
    size: number,
  ): Promise<Buffered> {
    const revoke = () => holding?.revoke(refusals.tooBusy())
    const leave = await largePlaces.take({ holder, signal, ...(holding && { revoke }) })
    const { resize, release } = space.open(holder)
    try {
      resize(size)
    } catch (cause) {
      leave()
      throw cause
    }
    return {
      resize,
      release: () => {
        leave()
        release()
      },
    }
  }

  async function receive(name: OperationName, call: UpstreamCall): Promise<Received> {
    const { requestBody, service }: Operation = operations[name]
    const { signal } = call
    const holder = holderOf(call)
    const isUpload = requestBody === 'multipart'
    const places = callPlaces[service]
    // The time in which a call waits for others is not the time of the service.
    const leave = isUpload ? undefined : (places.acquire(holder) ?? (await places.take({ holder, signal })))
    const deadline = new Deadline(signal)
    let sent = call
    if (isUpload) sent = withBodyEnd(call, () => deadline.start(Math.max(timeout, uploadTimeout)))
    else deadline.start(timeout)

    let large: Buffered | undefined
    const permit: Permit = (size) => {
      if (large) return large.resize(size)
      deadline.stop()
      return takeLargePlace(call, holder, size).then((taken) => {
        large = taken
        deadline.start(timeout)
      })
    }
    try {
      const response = await sendCall(name, sent, deadline)
      const bytes = await response.bytes(maxResponseSize, permit)
      if (bytes.length > largeSize) await permit(bytes.length)
      return { bytes, releaseMemory: large?.release }
    } catch (cause) {
      large?.release()
      throw callError(cause, signal.aborted, factsOf(name, call))
    } finally {
      deadline.release()
      leave?.()
    }
  }

  /** Reads a small response with `readSmall` and a large one with `readLarge`, which takes longer. */
  async function callAndRead<T>(
    name: OperationName,
    call: UpstreamCall,
    readSmall: (value: unknown) => T,
    readLarge: (turn: Turn, response: ResponseBytes, log: Log) => Promise<T>,
  ): Promise<T> {
    const { bytes, releaseMemory } = await receive(name, call)
    const { params, version, requestId, signal, holding } = call
    const facts = { name, params, version, requestId }
    const turn: Turn = { holder: holderOf(call), signal }
    if (!releaseMemory) {
      const sanitize = (html: string) => cleanHtml(html, (input) => work.sanitizeHtml(turn, input))
      return readSmall(await readServiceResponse(bytes, facts, log, sanitize))
    }
    const kept = holding ?? holdingNothing
    kept.untilSent(releaseMemory)
    kept.untilReply(await parsing.take({ holder: turn.holder, signal }))
    return await readLarge(turn, { bytes, facts }, log)
  }

  return {
    call: (name, call) => callAndRead(name, call, (value) => value, work.readResponse),
    callForJson: (name, call) =>
      callAndRead(name, call, (value): Json => JSON.stringify(value), work.readJson),

    async callForText(name, call) {
      const { bytes, releaseMemory } = await receive(name, call)
      if (releaseMemory) (call.holding ?? holdingNothing).untilSent(releaseMemory)
      return new TextDecoder().decode(bytes)
    },

    async download(name, call) {
      const deadline = new Deadline(call.signal)
      deadline.start(Math.max(timeout, downloadTimeout))
      try {
        const response = await sendCall(name, call, deadline)
        deadline.stop()
        return response
      } catch (cause) {
        deadline.release()
        throw callError(cause, call.signal.aborted, factsOf(name, call))
      }
    },
  }
}

/** For calls whose result is soon forgotten. */
const holdingNothing: Pick<Holding, 'untilReply' | 'untilSent'> = {
  untilReply: (release) => release(),
  untilSent: (release) => release(),
}

/** Whose share of the places a call takes. */
function holderOf({ as }: UpstreamCall): string {
  return as === 'application' ? as : personKey(as.univid)
}

/** Maximum time that a large response waits for its turn, in ms. */
const largeTimeout = 30_000

/** Maximum size of the body of an unsuccessful response, in bytes. */
const maxErrorSize = 256 * 1024

/** Whether a response of the service is successful and whole. No call requests a range. */
function isSuccess(status: number): boolean {
  return status >= 200 && status < 300 && status !== 206
}

const acceptedTypes: Readonly<Record<Operation['response'], string>> = {
  json: 'application/json',
  text: 'text/plain, application/json',
  file: '*/*',
  nothing: 'application/json',
}

function bodyOf({ body }: UpstreamCall): Json | AsyncIterable<Uint8Array> | undefined {
  if (!body) return undefined
  if ('json' in body) return JSON.stringify(body.json)
  return 'jsonText' in body ? body.jsonText : body.bytes
}

/** Returns the same call, with a body that calls `onEnd` after its last byte has been read. */
function withBodyEnd(call: UpstreamCall, onEnd: () => void): UpstreamCall {
  const { body } = call
  if (!body || !('type' in body)) return call
  const { type, bytes } = body
  async function* bytesWithEnd() {
    yield* bytes
    onEnd()
  }
  return { ...call, body: { type, bytes: bytesWithEnd() } }
}
