// The parts of the element that load when they are needed.
import type * as departure from './departure.ts'
import type { RemindDialog } from './remind-dialog.ts'
import type { RowTitles } from './row-titles.ts'

/** Loads the dialog that has approvers reminded, which only people who open it need. */
export async function loadRemindDialog(): Promise<typeof RemindDialog> {
  return (await import('./remind-dialog.ts')).RemindDialog
}

/** Loads the code that finds out why requests have left the list. */
export async function loadDepartures(): Promise<typeof departure> {
  return await import('./departure.ts')
}

/** Loads what shows a field of each request. Few lists have it. */
export async function loadRowTitles(): Promise<typeof RowTitles> {
  return (await import('./row-titles.ts')).RowTitles
}
