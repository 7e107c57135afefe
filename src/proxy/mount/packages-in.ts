import type { Reply } from '../http/reply.ts'
import type { Hint } from '../changes/bus.ts'
import type { Exchange } from './exchange.ts'

/** The packages of the routing service that a successful request was about. */
export function packagesIn(
  { route, operationRequest, authorization }: Exchange,
  reply: Reply,
): readonly Hint[] {
  const { params } = operationRequest
  const formId = Number(params['formId'])
  if (route.operation.service !== 'workflow' || !formId) return []
  if (params['packageId'] !== undefined) return [{ formId, packageId: Number(params['packageId']) }]
  // The authorizer leaves only those that the person may view.
  if (route.name === 'getStatus') {
    const ids = (authorization.query?.['id'] ?? []) as readonly number[]
    return ids.map((packageId) => ({ formId, packageId }))
  }
  if (route.name !== 'createPackage' || typeof reply.body !== 'string') return []
  const { id } = JSON.parse(reply.body) as { readonly id: number }
  return [{ formId, packageId: id }]
}
