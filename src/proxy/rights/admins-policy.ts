import { isSamePerson } from '../../contract/values/patterns.ts'
import { toolNames } from '../../contract/values/transitions.ts'
import type { Policy } from './policy.ts'

/**
 * Creates a policy that lets these people run the routing tools that no flag of the service decides: all except void.
 */
export function adminsPolicy(univids: readonly string[]): Policy {
  const tools: readonly string[] = toolNames.filter((name) => name !== 'voidPackage')
  return ({ operation, person }) =>
    tools.includes(operation) && univids.some((univid) => isSamePerson(univid, person.univid))
}
