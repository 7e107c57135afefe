import { z } from 'zod'
import { ValidationFailure } from './entry.ts'

/** Body of an error: problem details (RFC 9457, which replaces RFC 7807 of the storage spec). */
export const Problem = z.object({
  status: z.number().int(),
  title: z.string(),
  /** Explanation for people. */
  detail: z.string().optional(),
  instance: z.string().optional(),
  type: z.string().optional(),
  /** The name of a reason for which the elements have a text in each language. */
  code: z.string().optional(),
  /** The file name extensions that are accepted, if that is the reason. A comma and a space separate them. */
  types: z.string().optional(),
  /** Id of the request in the log of the proxy. */
  requestId: z.string().optional(),
  /** Validation failure of entry data, if the service returned one (spec, Errors). */
  errors: ValidationFailure.optional(),
  /** `service`: the service refused the request. Absent: the proxy refused it. */
  refusedBy: z.enum(['service']).optional(),
  /** Why the service refused the request, in its own words. Plain text. */
  reason: z.string().optional(),
  /**
   * The outcome of the change with the `Idempotency-Key` of the request. `none`: nothing was changed. `unknown`: it will never
   * be known whether the service made the change, and it does not run again under this key. Absent: a repetition with the same
   * key may get the outcome.
   */
  outcome: z.enum(['none', 'unknown']).optional(),
})
export type Problem = z.output<typeof Problem>

/** Media type of problem details. */
export const problemType = 'application/problem+json'

/** Titles of the error statuses of the services and the proxy (RFC 9110). */
export const problemTitles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Content Too Large',
  416: 'Range Not Satisfiable',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}
