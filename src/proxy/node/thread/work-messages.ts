import { isRecord } from '../../../contract/values/values.ts'
import type { ResponseBytes } from '../../validation/heavy-work.ts'
import type { Log } from '../../observe/log.ts'
import { ProxyError, type ProxyErrorOptions } from '../../http/problem.ts'
import type { BodyBytes } from '../../validation/valid-body.ts'

/** A piece of work for the work thread. */
export type WorkOrder =
  | { readonly task: 'readBody'; readonly input: BodyBytes }
  | { readonly task: 'sanitizeHtml'; readonly input: string }
  | { readonly task: 'readResponse' | 'readJson'; readonly input: ResponseBytes }

/** A message of the thread: first that it is ready, then the outcome of each order. */
export type WorkReport = 'ready' | WorkOutcome

export interface WorkOutcome {
  readonly result: { readonly value: unknown } | { readonly refusal: Refusal } | { readonly error: string }
  /** The log entries of the work. */
  readonly logged: readonly Parameters<Log>[]
}

/** The fields of a `ProxyError`, which cannot be copied between threads itself. */
interface Refusal extends Omit<ProxyErrorOptions, 'cause'> {
  readonly status: number
  readonly detail: string
}

/** Returns the buffers of bytes that a message is or has. They are handed to the other thread instead of copied. */
export function buffersIn(message: unknown): ArrayBuffer[] {
  const values = message instanceof Uint8Array ? [message] : isRecord(message) ? Object.values(message) : []
  return values.flatMap((value) => (value instanceof Uint8Array ? [value.buffer as ArrayBuffer] : []))
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
