import type { BodyText, ResponseText } from '../heavy-work.ts'
import type { Log } from '../log.ts'
import { ProxyError, type ProxyErrorOptions } from '../problem.ts'

/** A piece of work for the work thread. */
export type WorkOrder =
  | { readonly task: 'parseBody'; readonly input: BodyText }
  | { readonly task: 'sanitizeHtml'; readonly input: string }
  | { readonly task: 'readResponse' | 'readJson'; readonly input: ResponseText }

/** What the thread reports: that it works, once; and then the outcome of each order. */
export type WorkReport = 'ready' | WorkOutcome

export interface WorkOutcome {
  readonly result: { readonly value: unknown } | { readonly refusal: Refusal } | { readonly error: string }
  /** What the work logged. */
  readonly logged: readonly Parameters<Log>[]
}

/** The fields of a `ProxyError`, which cannot be copied between threads itself. */
export interface Refusal extends Omit<ProxyErrorOptions, 'cause'> {
  readonly status: number
  readonly detail: string
}

export function refusalOf({ status, message: detail, ...error }: ProxyError): Refusal {
  const { retryAfter, errors, refusedBy, reason } = error
  return {
    status,
    detail,
    ...(retryAfter !== undefined && { retryAfter }),
    ...(errors && { errors }),
    ...(refusedBy && { refusedBy }),
    ...(reason !== undefined && { reason }),
  }
}

export function errorOf({ status, detail, ...options }: Refusal): ProxyError {
  return new ProxyError(status, detail, options)
}
