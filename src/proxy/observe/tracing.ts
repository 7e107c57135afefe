import type { Log } from './log.ts'

/** A call of a service within a request. */
export interface CallSpan {
  /** The header `traceparent` of the call. */
  readonly traceparent: string
  /** Ends the call with the status of its response; `undefined` if it got no response. */
  readonly end: (status: number | undefined) => void
}

/** A request that belongs to a distributed trace. */
export interface RequestSpan {
  /** Id of the trace: 32 hexadecimal digits. */
  readonly traceId: string
  /** Begins a call of a service. `name` is that of the operation. */
  readonly startCall: (name: string) => CallSpan
  /** Ends the request with the status of its reply. */
  readonly end: (status: number) => void
}

/** Begins the handling of a request. Returns undefined if the request belongs to no trace. */
export type StartSpan = (name: string, headers: Headers) => RequestSpan | undefined

/** Continues the trace that `traceparent` names, and begins none (W3C Trace Context). */
export const continueTrace: StartSpan = (_name, headers) => {
  const parent = readTraceparent(headers.get('traceparent'))
  if (!parent) return undefined
  const { traceId, flags } = parent
  return {
    traceId,
    startCall: () => ({
      traceparent: writeTraceparent({ traceId, spanId: newSpanId(), flags }),
      end: () => {},
    }),
    end: () => {},
  }
}

/** The fields of `traceparent` (W3C Trace Context, 3.2.2). */
interface TraceParent {
  readonly traceId: string
  readonly spanId: string
  readonly flags: number
}

/** Reads `traceparent`. Returns undefined if it is not valid. Later versions begin with the fields of the first. */
export function readTraceparent(value: string | null): TraceParent | undefined {
  const pattern = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-[!-~]*)?$/
  const [, version, traceId = '', spanId = '', flags = '', more] = pattern.exec(value?.trim() ?? '') ?? []
  const isValid = version !== undefined && version !== 'ff' && !(version === '00' && more !== undefined)
  if (!isValid || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  // Only these two flags are defined: sampled, and random trace id.
  return { traceId, spanId, flags: Number.parseInt(flags, 16) & 3 }
}

export function writeTraceparent({ traceId, spanId, flags }: TraceParent): string {
  return `00-${traceId}-${spanId}-${flags.toString(16).padStart(2, '0')}`
}

function newSpanId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8))
  // An id must not be all zeros.
  bytes[7] ||= 1
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The requests that are being handled, by their ids. */
export interface Tracing {
  /** The log, with the trace in each line about a request. */
  readonly log: Log
  /** Begins a request. Call the result with the status of its reply. */
  readonly startRequest: (requestId: string, name: string, headers: Headers) => (status: number) => void
  /** Begins a call. Returns undefined if its request belongs to no trace, or has ended. */
  readonly startCall: (requestId: string, name: string) => CallSpan | undefined
}

/** Creates the list of the requests that are being handled. Costs nothing for requests that belong to no trace. */
export function createTracing(startSpan: StartSpan, log: Log): Tracing {
  const spans = new Map<string, RequestSpan>()
  return {
    log(level, message, facts) {
      const span = typeof facts['requestId'] === 'string' ? spans.get(facts['requestId']) : undefined
      log(level, message, span ? { ...facts, traceId: span.traceId } : facts)
    },
    startRequest(requestId, name, headers) {
      const span = startSpan(name, headers)
      if (!span) return () => {}
      spans.set(requestId, span)
      return (status) => {
        // A front may send two requests with one id.
        if (spans.get(requestId) === span) spans.delete(requestId)
        span.end(status)
      }
    },
    startCall: (requestId, name) => spans.get(requestId)?.startCall(name),
  }
}

/**
 * Returns the id of a request: that of the front server in the header with this name, or a new one. An id that is not plain
 * text of 8 to 128 characters is ignored.
 */
export function requestIdOf(headers: Headers, name: string | undefined): string {
  const given = name === undefined ? null : headers.get(name)
  return given !== null && /^[\w.-]{8,128}$/.test(given) ? given : crypto.randomUUID()
}
