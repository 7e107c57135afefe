// The parts of the element that load when they are needed.
import type { findDeparture } from './departure.ts'
import type { RemindDialog } from './remind-dialog.ts'

/** Loads the dialog that has approvers reminded, which only people who open it need. */
export async function loadRemindDialog(): Promise<typeof RemindDialog> {
  return (await import('./remind-dialog.ts')).RemindDialog
}

/** Loads the code that finds out why a request has left the list. */
export async function loadFindDeparture(): Promise<typeof findDeparture> {
  return (await import('./departure.ts')).findDeparture
}
