import type { LitElement } from 'lit'
import type { ListRow } from '../../contract/schemas/lists.ts'
import { packageScope } from '../../client/index.ts'
import { isBeforeRouting } from '../../contract/values/package-states.ts'
import type { KeptPlace, ListContent, ListView } from './list-content.ts'

/** The part of a list in which a row is shown. What the person has to do comes first. */
export type Group = 'drafts' | 'submitted' | 'toSign' | 'toRead' | 'all'

/**
 * Why a row no longer belongs where it is shown:
 *
 * - `signed`: the person signed it.
 * - `submitted`: the draft was submitted.
 * - `elsewhere`: it no longer waits for the person.
 * - `hidden`: the person may no longer view it.
 * - `gone`: it is no longer in the list, and nothing more is known.
 */
export type Departure = 'signed' | 'submitted' | 'elsewhere' | 'hidden' | 'gone'

/** A row as people see it. */
export interface ShownRow {
  readonly row: ListRow
  readonly group: Group
  /** Whether the row no longer belongs where it is shown. It stays until the list is opened again. */
  readonly hasLeft: boolean
}

/** The rows that people see, and the number of those that wait until they ask for them. */
export interface ShownRows {
  readonly rows: readonly ShownRow[]
  readonly waiting: number
}

/**
 * Updates the rows on the screen. None of them moves or disappears, because the person may be about to click one. Rows that
 * would appear above others wait; those that follow all others are added.
 */
export function updateRows(shown: readonly ShownRow[], { view, rows }: ListContent): ShownRows {
  const latest = new Map(rows.map((row) => [keyOf(row), row]))
  const known = new Set(shown.map(({ row }) => keyOf(row)))
  const updated = shown.map(({ row, group }) => {
    const found = latest.get(keyOf(row))
    const hasLeft = !found || (isFirst(group) && !isFirst(groupOf(view, found)))
    return { row: found ?? row, group, hasLeft }
  })
  const lastKnown = rows.findLastIndex((row) => known.has(keyOf(row)))
  const isAdded = (_: ListRow, at: number) => shown.length === 0 || (lastKnown >= 0 && at > lastKnown)
  const others = rows
    .map((row, at) => [row, isAdded(row, at)] as const)
    .filter(([row]) => !known.has(keyOf(row)))
  const added = others.flatMap(([row, isShown]) =>
    isShown ? [{ row, group: groupOf(view, row), hasLeft: false }] : [],
  )
  return { rows: [...updated, ...added], waiting: others.length - added.length }
}

/** Returns rows in groups, without those that are empty. */
export function groupRows(rows: readonly ShownRow[]): readonly (readonly [Group, readonly ShownRow[]])[] {
  return groups
    .map((group) => [group, rows.filter((one) => one.group === group)] as const)
    .filter(([, found]) => found.length > 0)
}

/** Returns the key of a row, which is unique in a list. */
export function keyOf({ formId, packageId }: ListRow): string {
  return packageScope(formId, packageId)
}

function groupOf(view: ListView, { state, actions }: ListRow): Group {
  if (view === 'form') return 'all'
  if (view === 'mine') return isBeforeRouting(state) ? 'drafts' : 'submitted'
  return actions.canSign ? 'toSign' : 'toRead'
}

function isFirst(group: Group): boolean {
  return group === 'drafts' || group === 'toSign'
}

const groups: readonly Group[] = ['drafts', 'submitted', 'toSign', 'toRead', 'all']

/** The list that has the extras. */
export interface ExtendedList extends LitElement {
  readonly view: string
  readonly forms: string
  readonly titleField: string
  readonly value: ListContent | undefined
  refresh(): Promise<void>
}

/** The content that a list shows. */
export interface Shown extends Pick<KeptPlace, 'view' | 'parts' | 'filter'> {
  readonly rows: readonly ShownRow[]
}
