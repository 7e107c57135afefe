import { isSamePerson, personKey } from '../../contract/values/patterns.ts'
import type { RoutingOverride, RoutingOverrideBody } from '../../contract/schemas/overrides.ts'
import type { OperationRequest } from '../operation/operation-request.ts'
import { refusals } from '../http/refusals.ts'
import type { Upstream } from '../upstream/upstream.ts'

/** Throws `ProxyError` if a person may not make a change of overrides, whatever the policy of the host allows. */
type OverrideGuard = (request: OperationRequest) => Promise<void>

/** The people of an override whose subject and replacement are known. */
type Pair = Pick<RoutingOverrideBody, 'subjectUnivid' | 'replacementUnivid'>

/**
 * Creates the guard of overrides. Nobody may create or end one that concerns themselves: as its subject, as its replacement,
 * or through other overrides that begin or end with these. Neither may the subject of any other active override of the
 * package, who has a conflict of interest there.
 */
export function createOverrideGuard({ call }: Upstream): OverrideGuard {
  async function activeOverrides({ params, person, requestId, signal }: OperationRequest): Promise<Pair[]> {
    const { formId = 0, packageId = 0 } = params
    const facts = { as: person, requestId, signal, bypassAuthorization: true }
    const rows = await call('getOverrides', { ...facts, params: { formId, packageId } })
    return (rows as (RoutingOverride | null)[]).map((row) => {
      // A row that cannot be read may concern the person.
      if (row === null || row.replacementUnivid === null) throw refusals.unexpectedResponse()
      return { subjectUnivid: row.subjectUnivid, replacementUnivid: row.replacementUnivid }
    })
  }

  const guards: Partial<Readonly<Record<OperationRequest['name'], OverrideGuard>>> = {
    async createOverride(request) {
      const wanted = request.body?.value as RoutingOverrideBody
      const active = await activeOverrides(request)
      if (concerns(request.person.univid, wanted.subjectUnivid, [...active, wanted])) {
        throw refusals.ownOverride()
      }
      if (active.some(({ subjectUnivid }) => isSamePerson(subjectUnivid, wanted.subjectUnivid))) {
        throw refusals.overrideExists()
      }
    },
    async deactivateOverride(request) {
      const { univid } = request.params
      if (concerns(request.person.univid, String(univid), await activeOverrides(request))) {
        throw refusals.ownOverride()
      }
    },
  }
  return async (request) => await guards[request.name]?.(request)
}

/** Whether a change of the override of this subject concerns a person. */
function concerns(person: string, subject: string, overrides: readonly Pair[]): boolean {
  const pairs = overrides.map(
    (one) => [personKey(one.subjectUnivid), personKey(one.replacementUnivid)] as const,
  )
  const key = personKey(person)
  if (pairs.some(([replaced]) => replaced === key)) return true
  const involved = new Set([personKey(subject)])
  // A set visits what is added while it is visited.
  for (const one of involved) {
    for (const [replaced, replacement] of pairs) {
      if (replaced === one) involved.add(replacement)
      if (replacement === one) involved.add(replaced)
    }
  }
  return involved.has(key)
}
