import { toolNames } from '../../contract/transitions.ts'
import type { ProxyOptions } from '../proxy.ts'

/**
 * A policy that lets these people run the routing tools for which the service has no flag: all but void, which flags
 * decide.
 */
export function adminsPolicy(univids: readonly string[]): NonNullable<ProxyOptions['policy']> {
  const tools: readonly string[] = toolNames.filter((name) => name !== 'voidPackage')
  return ({ operation, person }) => tools.includes(operation) && univids.includes(person.univid)
}
