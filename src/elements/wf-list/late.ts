// The parts of the element that load when they are needed.
import type * as departure from './departure.ts'
import type { RemindDialog } from './remind-dialog.ts'

/** Loads the dialog that has approvers reminded, which only people who open it need. */
export async function loadRemindDialog(): Promise<typeof RemindDialog> {
  return (await import('./remind-dialog.ts')).RemindDialog
}

/** Loads the code that finds out why requests have left the list. */
export async function loadDepartures(): Promise<typeof departure> {
  return await import('./departure.ts')
}
