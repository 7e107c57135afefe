import { problemTitles, problemType } from '../contract/problem.ts'

/** A request that the service refuses. Becomes problem details. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number

  constructor(status: number, detail: string) {
    super(detail)
    this.status = status
  }
}

/** A refusal as the services answer it. */
export function problem({ status, message }: Refusal, instance: string): Response {
  const body = {
    status,
    title: problemTitles[status] ?? 'Error',
    detail: message,
    instance,
    type: '/docs#errors',
  }
  return Response.json(body, { status, headers: { 'Content-Type': problemType } })
}
