import { problemTitles, problemType } from '../../contract/problem.ts'

/** A request that the service refuses. Becomes problem details. */
export class ServiceError extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  /** Methods that the address takes, for 405 (RFC 9110, 15.5.6). */
  readonly allow: readonly string[]

  constructor(status: number, detail: string, allow: readonly string[] = []) {
    super(detail)
    this.status = status
    this.allow = allow
  }
}

/** A refusal of a method, where these are taken. */
export function methodNotAllowed(allow: readonly string[]): ServiceError {
  return new ServiceError(405, `Use ${allow.join(' or ')}`, allow)
}

/** A refusal as the services answer it. */
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
