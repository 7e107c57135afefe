import { ValidationFailure } from '../../contract/schemas/entry.ts'
import type { Operation } from '../../contract/services/operation.ts'
import type { OperationName } from '../../contract/services/operations.ts'
import type { Log } from '../observe/log.ts'
import { ProxyError } from '../http/problem.ts'
import { refusals } from '../http/refusals.ts'
import { type SendResponse, ServicePausedError } from './send.ts'
import { serviceDetail } from './service-detail.ts'
import { parseJson } from '../validation/service-response.ts'

/** The facts about a call that appear in the log. */
export interface CallFacts {
  readonly name: OperationName
  readonly service: Operation['service']
  readonly requestId: string
  readonly log: Log
}

/** The facts about an unsuccessful call. */
interface FailureFacts extends CallFacts {
  /** Texts that the error must not contain. */
  readonly secrets: readonly string[]
}

/** Whether the service has refused the credentials of this application. */
export function isCredentialsRefusal({ status }: SendResponse, service: Operation['service']): boolean {
  return status === 401 || (status === 403 && service === 'storage')
}

/**
 * Returns the error that a browser gets for an unsuccessful response of a service. `text` is the body of the response. Of
 * its wording, only the reason of a refusal leaves the proxy; see `serviceDetail`.
 */
export function serviceError(
  response: SendResponse,
  text: string,
  { name, service, requestId, log, secrets }: FailureFacts,
): ProxyError {
  const { status } = response
  if (isCredentialsRefusal(response, service)) {
    log('error', `${name}: the ${service} service refuses our client credentials`, { status, requestId })
    return refusals.credentialsRefused()
  }
  if (status === 403) return refusals.notAllowed()
  if (status === 404) return refusals.notFound()
  if (status === 409) return refusals.wrongStateAtService(serviceDetail(text, secrets))
  if (status === 429 || status === 503) {
    log('warn', `${name}: the service is busy`, { status, requestId })
    return refusals.serviceBusy(retryAfterSeconds(response.header('retry-after')))
  }
  if (status >= 400 && status < 500) {
    log('warn', `${name}: the service refused the request`, { status, requestId })
    const errors = ValidationFailure.safeParse(parseJson(text)).data
    return refusals.invalidEntry(errors, serviceDetail(text, secrets))
  }
  log('error', `${name} failed`, { status, requestId })
  return refusals.serviceFailed()
}

/** Returns the error that a browser gets if a call fails. `isDisconnected`: whether the client is the cause. */
export function callError(
  cause: unknown,
  isDisconnected: boolean,
  { name, requestId, log }: CallFacts,
): ProxyError {
  // The body of the browser is not valid; the service has not failed.
  if (cause instanceof ProxyError) return cause
  if (cause instanceof ServicePausedError) {
    return refusals.servicePaused({ cause, retryAfter: cause.retryAfter })
  }
  if (!isDisconnected) log('error', `${name}: no response`, { requestId, cause: String(cause) })
  return refusals.noResponse(cause)
}

/** Reads `Retry-After` (RFC 9110, 10.2.3) as seconds, from 1 to 60. Returns 5 if the value is not valid. */
function retryAfterSeconds(retryAfter: string | null): number {
  const seconds = /^\d+$/.test(retryAfter ?? '')
    ? Number(retryAfter)
    : (Date.parse(retryAfter?.endsWith('GMT') ? retryAfter : '') - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.min(60, Math.max(1, Math.ceil(seconds))) : 5
}
