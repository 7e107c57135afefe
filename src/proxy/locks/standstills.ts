import type { PackageStatus12 } from '../../contract/schemas/workflow.ts'
import type { Upstream, UpstreamCall } from '../upstream/upstream.ts'
import { refusals } from '../http/refusals.ts'
import type { OpenLocksOptions, Standstill } from './open-locks.ts'

/** Creates the function that reads whether packages wait for nobody. Throws `ProxyError`. */
export function createStandstills(
  { call }: Pick<Upstream, 'call'>,
  facts: () => Pick<UpstreamCall, 'as' | 'requestId' | 'signal'>,
): OpenLocksOptions['readStandstills'] {
  return async (formId, ids) => {
    const query = { id: ids }
    const result = await call('getStatus', { ...facts(), params: { formId }, query, version: '1.2' })
    const rows = result as readonly (PackageStatus12 | null)[]
    // A row that cannot be read may belong to any of the packages, so none of them counts as missing.
    if (rows.includes(null)) throw refusals.unexpectedResponse()
    return new Map(rows.flatMap((row) => (row ? [[row.id, standstillOf(row)] as const] : [])))
  }
}

/** People who may only view a package hold nothing up. */
function standstillOf({ state, inboxSignatures }: PackageStatus12): Standstill {
  if (state !== 'ROUTING') return { state, isPaused: false, isOver: ended.includes(state) }
  const isPaused = (inboxSignatures ?? []).every((inbox) => inbox?.permission === 'VIEW_ONLY')
  return { state, isPaused, isOver: !isPaused }
}

/** States that no lock survives: routing is over, or begins anew. */
const ended: readonly string[] = ['PRE_ROUTING', 'DRAFT', 'COMPLETE']
