import { problemTitles, problemType } from '../../contract/schemas/problem.ts'

/** An error that the service returns as problem details (RFC 9457). */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly status: number
  /** Methods that the path supports, for the Allow header of a 405 (RFC 9110, 15.5.6). */
  readonly allow: readonly string[]

  constructor(status: number, detail: string, allow: readonly string[] = []) {
    super(detail)
    this.status = status
    this.allow = allow
  }
}

/** Creates a 405 for a path that supports only these methods. */
export function methodNotAllowed(allow: readonly string[]): ServiceError {
  return new ServiceError(405, `Use ${allow.join(' or ')}`, allow)
}

/** Creates the response for an error. `instance` is the path of the request. */
export function toProblemResponse({ status, message, allow }: ServiceError, instance: string): Response {
  const body = {
    status,
    title: problemTitles[status] ?? 'Error',
    detail: message,
    instance,
    type: 'https://services.example/docs#errors',
  }
  const headers = { 'Content-Type': problemType, ...(allow.length > 0 && { Allow: allow.join(', ') }) }
  return Response.json(body, { status, headers })
}
