import type { Context, Span, SpanOptions } from '@opentelemetry/api'
import { continueTrace, type RequestSpan, type StartSpan, writeTraceparent } from '../../observe/tracing.ts'

type Api = typeof import('@opentelemetry/api')

/**
 * Returns a way to begin spans with the OpenTelemetry SDK of the process: one for each request, and one for each call of a
 * service. Resolves to undefined if `@opentelemetry/api` is not installed, which is an optional peer dependency.
 */
export async function openTelemetrySpans(): Promise<StartSpan | undefined> {
  const api = await import('@opentelemetry/api').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  })
  return api && ((name, headers) => startSpan(api, name, headers))
}

function startSpan(api: Api, name: string, headers: Headers): RequestSpan | undefined {
  const tracer = api.trace.getTracer('routeslip')
  const start = (spanName: string, options: SpanOptions, parent: Context) => {
    const span = tracer.startSpan(spanName, options, parent)
    return { span, context: api.trace.setSpan(parent, span) }
  }
  const carrier = { traceparent: headers.get('traceparent') ?? '' }
  const parent = api.propagation.extract(api.context.active(), carrier)
  const request = start(name, { kind: api.SpanKind.SERVER }, parent)
  const { traceId } = request.span.spanContext()
  // The process has no SDK.
  if (!api.isSpanContextValid(request.span.spanContext())) return continueTrace(name, headers)
  return {
    traceId,
    startCall(callName) {
      const { span } = start(callName, { kind: api.SpanKind.CLIENT }, request.context)
      const { spanId, traceFlags } = span.spanContext()
      return {
        traceparent: writeTraceparent({ traceId, spanId, flags: traceFlags }),
        end: (status) => end(api, span, status),
      }
    },
    end: (status) => end(api, request.span, status),
  }
}

function end(api: Api, span: Span, status: number | undefined): void {
  if (status !== undefined) span.setAttribute('http.response.status_code', status)
  if (status === undefined || status >= 500) span.setStatus({ code: api.SpanStatusCode.ERROR })
  span.end()
}
