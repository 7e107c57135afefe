// Modules that load when an element first needs them. In the one-file build, `late.eager.ts` takes the place of this
// file, so that everything is there from the start.
import type { ActionDialog } from './wf-package-status/action-dialog.ts'

/** Loads the dialog of `<wf-package-status>`, which only people who take an action need. */
export async function loadActionDialog(): Promise<typeof ActionDialog> {
  return (await import('./wf-package-status/action-dialog.ts')).ActionDialog
}
