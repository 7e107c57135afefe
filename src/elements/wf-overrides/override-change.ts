import { ForbiddenError, NotFoundError, RefusedError } from '../../client/index.ts'
import type { RoutingOverrideBody } from '../../contract/schemas/overrides.ts'
import type { Texts } from '../../locales/messages.ts'
import type { OverrideContent } from './override-content.ts'

/** A change that a person has confirmed. */
export type OverrideChange =
  | { readonly operation: 'createOverride'; readonly body: RoutingOverrideBody }
  | { readonly operation: 'deactivateOverride'; readonly univid: string }

/** Whether the list that was loaded last shows the result of a change. */
export function isDone(change: OverrideChange, rows: OverrideContent['overrides'] | undefined): boolean {
  if (!rows) return false
  if (change.operation === 'deactivateOverride') {
    return rows.every((row) => row !== null && row.subjectUnivid !== change.univid)
  }
  const { subjectUnivid, replacementUnivid, type } = change.body
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
