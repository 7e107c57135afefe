// The part of the element that loads when a person needs it.
import type { RemindDialog } from './remind-dialog.ts'

/** Loads the dialog that has approvers reminded, which only people who open it need. */
export async function loadRemindDialog(): Promise<typeof RemindDialog> {
  return (await import('./remind-dialog.ts')).RemindDialog
}
