import { ForbiddenError, NotFoundError, RefusedError } from '../../client/index.ts'
import type { RoutingOverride, RoutingOverrideBody } from '../../contract/schemas/overrides.ts'
import type { Texts } from '../../locales/messages.ts'
import type { OverrideContent } from './override-content.ts'

/** A change that a person has confirmed, and the override that it creates or ends. */
export type OverrideChange =
  | { readonly operation: 'createOverride'; readonly override: RoutingOverrideBody }
  | { readonly operation: 'deactivateOverride'; readonly override: RoutingOverride }

/** Whether the list that was loaded last shows the result of a change. */
export function isDone(
  { operation, override }: OverrideChange,
  rows: OverrideContent['overrides'] | undefined,
): boolean {
  if (!rows) return false
  const { subjectUnivid, replacementUnivid, type } = override
  if (operation === 'deactivateOverride')
    return rows.every((row) => row !== null && row.subjectUnivid !== subjectUnivid)
  return rows.some(
    (row) =>
      row?.subjectUnivid === subjectUnivid &&
      row.replacementUnivid === replacementUnivid &&
      row.type === type,
  )
}

/** Returns why a change failed. */
export function failureText(error: unknown, messages: Texts['overrides']): string {
  if (error instanceof ForbiddenError) return messages.forbidden
  // Somebody else has replaced the person meanwhile.
  if (error instanceof RefusedError && error.status === 409) return messages.problems.active
  const isRefused = error instanceof RefusedError || error instanceof NotFoundError
  return isRefused ? messages.refused : messages.uncertain
}
