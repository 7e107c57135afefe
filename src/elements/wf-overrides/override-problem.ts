import type { RoutingOverrideBody } from '../../contract/schemas/overrides.ts'
import type { OverrideContent } from './override-content.ts'

/** Why an override is not possible, as the key of a message. */
type OverrideProblem =
  | 'subjectMissing'
  | 'replacementMissing'
  | 'typeMissing'
  | 'same'
  | 'self'
  | 'active'
  | 'initiator'
  | 'replaced'

/** A problem, and the field to which it belongs. */
export interface OverrideInputProblem {
  readonly field: 'subject' | 'replacement' | 'type'
  readonly problem: OverrideProblem
}

/** Returns the first reason why an override would be refused or make no sense; `undefined` if it is valid. */
export function problemOf(
  { subjectUnivid: subject, replacementUnivid: replacement, type }: Partial<RoutingOverrideBody>,
  { overrides, user, initiator }: Pick<OverrideContent, 'overrides' | 'user' | 'initiator'>,
): OverrideInputProblem | undefined {
  const isReplaced = (univid: string) => overrides.some((row) => row?.subjectUnivid === univid)
  if (!subject) return { field: 'subject', problem: 'subjectMissing' }
  if (subject === user || isReplaced(user)) return { field: 'subject', problem: 'self' }
  if (isReplaced(subject)) return { field: 'subject', problem: 'active' }
  if (!type) return { field: 'type', problem: 'typeMissing' }
  if (!replacement) return { field: 'replacement', problem: 'replacementMissing' }
  if (replacement === subject) return { field: 'replacement', problem: 'same' }
  if (replacement === user) return { field: 'replacement', problem: 'self' }
  if (replacement === initiator) return { field: 'replacement', problem: 'initiator' }
  return isReplaced(replacement) ? { field: 'replacement', problem: 'replaced' } : undefined
}
