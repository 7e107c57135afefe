import type { PackageStatus12 } from '../../contract/schemas/workflow.ts'
import { packageExists, readStatuses } from '../upstream/package-statuses.ts'
import type { Upstream, UpstreamCall } from '../upstream/upstream.ts'
import type { OpenLocksOptions, Standstill } from './open-locks.ts'

/** Creates the function that reads whether packages wait for nobody. Throws `ProxyError`. */
export function createStandstills(
  upstream: Pick<Upstream, 'call'>,
  facts: () => Pick<UpstreamCall, 'as' | 'requestId' | 'signal'>,
): OpenLocksOptions['readStandstills'] {
  return async (formId, ids) => {
    const { rows } = await readStatuses(upstream, formId, ids, facts())
    const known = new Map<number, Standstill | 'missing'>()
    for (const packageId of ids) {
      const row = rows.get(packageId)
      const standstill = row ? standstillOf(row) : undefined
      if (standstill) known.set(packageId, standstill)
      else if (!row && !(await packageExists(upstream, { formId, packageId }, facts()).catch(() => true)))
        known.set(packageId, 'missing')
    }
    return known
  }
}

/** People who may only view a package hold nothing up. Undefined if an inbox cannot be read, which may be of somebody else. */
function standstillOf({ state, inboxSignatures }: PackageStatus12): Standstill | undefined {
  if (state !== 'ROUTING') return { state, isPaused: false, isOver: ended.includes(state) }
  const inboxes = inboxSignatures ?? []
  if (inboxes.some((inbox) => inbox?.permission == null)) return undefined
  const isPaused = inboxes.every((inbox) => inbox?.permission === 'VIEW_ONLY')
  return { state, isPaused, isOver: !isPaused }
}

/** States that no lock survives: routing is over, or begins anew. */
const ended: readonly string[] = ['PRE_ROUTING', 'DRAFT', 'COMPLETE']
