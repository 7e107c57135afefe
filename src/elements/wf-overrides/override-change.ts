import type { RoutingOverrideBody } from '../../contract/overrides.ts'
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
