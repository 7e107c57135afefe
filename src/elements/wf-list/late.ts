// The parts of the element that load when they are needed.
import type { ListExtras } from './list-extras.ts'
import type { RemindDialog } from './remind-dialog.ts'

/** Loads the dialog that has approvers reminded, which only people who open it need. */
export async function loadRemindDialog(): Promise<typeof RemindDialog> {
  return (await import('./remind-dialog.ts')).RemindDialog
}

/** Loads what a list needs only after it is shown. */
export async function loadListExtras(): Promise<typeof ListExtras> {
  return (await import('./list-extras.ts')).ListExtras
}
