import type { SQLInputValue, SQLOutputValue } from 'node:sqlite'

// Messages between the proxy and the thread of its database.

/** A database file, and the statements that create its tables. */
export interface DatabaseFile {
  readonly path: string
  readonly schema: string
}

export interface Statement {
  readonly sql: string
  readonly values: readonly SQLInputValue[]
  /** Whether it returns rows. */
  readonly isRead?: boolean
}

/** Statements that take effect together or not at all. */
export type Order = readonly Statement[]

/** What a statement has done. */
export interface Outcome {
  readonly rows: readonly Readonly<Record<string, SQLOutputValue>>[]
  /** The number of rows that it has changed. */
  readonly changes: number
}

/** Why a file cannot be opened. `detail` is in the words of the system or of SQLite. */
export interface StorageFailure {
  readonly kind: 'in-use' | 'damaged' | 'other-version' | 'first-version' | 'unusable'
  readonly detail: string
}

/** What the thread sends: first whether it could open the file, then what each order has done, in turn. */
export type ThreadReport =
  | 'ready'
  | { readonly failure: StorageFailure }
  | { readonly error: string }
  | readonly Outcome[]
