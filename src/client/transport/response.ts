import { eventHeader, personHeader } from '../../contract/values/headers.ts'
import {
  type ClientError,
  ForbiddenError,
  NotFoundError,
  RefusedError,
  SignedOutError,
  UnavailableError,
} from './errors.ts'
import type { Problem } from '../../contract/schemas/problem.ts'
import type { IdentityTracker } from './identity-tracker.ts'
import type { ClientOperation, OperationOptions } from './operation-input.ts'
import type { ProxyProbe, ProxyResponse } from './proxy-probe.ts'
import { parseRetryAfter } from './retry.ts'
import { noteServerTime } from './server-clock.ts'

export interface ResponseReader {
  readonly identity: IdentityTracker
  readonly probe: ProxyProbe
  /** Called with the id of the live event that announces the change which a response is about. */
  readonly onOwnEvent: (id: string) => void
}

/** Returns the value of a response. Rejects with a `ClientError`, or with the signal's reason. */
export async function readResponse(
  { identity, probe, onOwnEvent }: ResponseReader,
  operation: ClientOperation,
  pending: Promise<ProxyResponse>,
  { signal, version }: OperationOptions,
): Promise<unknown> {
  const { name } = operation
  let response: ProxyResponse | undefined
  let body: unknown
  try {
    response = await pending
    const { ok, status } = response
    // A server in between may write anything into the body of an error, so only its status counts.
    body =
      status === 204
        ? undefined
        : await response.json().catch((cause: unknown) => {
            if (ok) throw cause
          })
  } catch (cause) {
    signal?.throwIfAborted()
    if (response && !probe.isFromProxy(response)) throw probe.errorOf(name, response)
    const isTransient = response === undefined && (cause as Error).name !== 'TimeoutError'
    throw new UnavailableError(name, 'got no valid response', { cause, isTransient })
  }
  signal?.throwIfAborted()
  const isFromProxy = probe.isFromProxy(response)
  if (isFromProxy) noteServerTime(response.headers.get('date'))
  if (!response.ok) {
    if (!isFromProxy && isRefusedBetween(response.status, operation)) throw probe.errorOf(name, response)
    const error = errorOf(name, response, isFromProxy && body)
    if (error instanceof SignedOutError) identity.signOut()
    throw error
  }
  if (!identity.accept(response.headers.get(personHeader))) {
    throw new UnavailableError(name, 'got a response for another user')
  }

  const eventId = response.headers.get(eventHeader)
  if (eventId) onOwnEvent(eventId)

  const value = operation.read(body, version)
  if (value !== undefined || operation.response === 'nothing') return value
  throw isFromProxy ? new UnavailableError(name, 'got no valid response') : probe.errorOf(name, response)
}

/**
 * Whether a response that is not from the proxy means that a server before it refused the request, such as a firewall or the
 * sign-in page of a network. That says nothing about the person or the package. Other statuses are outages: an overload, or a
 * proxy that cannot be reached. To an upload, gateways also send 500 and 501 because of its length, and 413 has one meaning.
 */
function isRefusedBetween(status: number, { requestBody }: ClientOperation): boolean {
  return status !== 429 && (requestBody === 'multipart' ? status < 502 && status !== 413 : status < 500)
}

function errorOf(name: string, { status, headers }: ProxyResponse, body: unknown): ClientError {
  const problem = Object(body) as Partial<Record<keyof Problem, unknown>>
  const textOf = (field: keyof Problem): string | undefined => {
    const value = problem[field]
    return typeof value === 'string' ? value : undefined
  }
  const facts = { requestId: textOf('requestId'), outcome: textOf('outcome') as Problem['outcome'] }
  if (status === 401) return new SignedOutError(name, 'needs a sign-in', facts)
  if (status === 403) return new ForbiddenError(name, 'is not allowed', facts)
  if (status === 404 || status === 410) return new NotFoundError(name, 'found nothing', facts)
  if (status === 429 || status >= 500) {
    const wait = headers.get('retry-after')
    return new UnavailableError(name, `failed with status ${status}`, {
      ...facts,
      retryAfter: parseRetryAfter(wait),
      limitedUntil: status === 429 ? Date.now() + (parseRetryAfter(wait, Infinity) ?? 0) : undefined,
      isTransient: status !== 500,
    })
  }
  const refusedBy = problem.refusedBy === 'service' ? 'service' : 'proxy'
  return new RefusedError(name, status, {
    ...facts,
    detail: textOf(refusedBy === 'service' ? 'reason' : 'detail'),
    refusedBy,
    code: textOf('code'),
    errors: problem.errors,
    types: textOf('types'),
  })
}
