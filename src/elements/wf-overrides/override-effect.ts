import type { OverrideContent } from './override-content.ts'
import type { RoutingOverride } from '../../contract/schemas/overrides.ts'

/** Whether the inboxes show the effect of an override. `later`: neither person has the request in an inbox. */
type Effect = 'inForce' | 'notYet' | 'later' | 'unproven'

/** Returns whether an override is in force. The service states inboxes by name, so equal or unknown names prove nothing. */
export function effectOf(
  { subjectUnivid, replacementUnivid }: RoutingOverride,
  { names, inboxes }: Pick<OverrideContent, 'names' | 'inboxes'>,
): Effect {
  const subject = names.get(subjectUnivid)
  const replacement = names.get(replacementUnivid ?? '')
  if (!inboxes || !subject || subject === replacement) return 'unproven'
  if (inboxes.includes(subject)) return 'notYet'
  if (!replacement) return 'unproven'
  return inboxes.includes(replacement) ? 'inForce' : 'later'
}
