// Takes the place of `late.ts` in the one-file build, see vite.config.ts.
import { ActionDialog } from './wf-package-status/action-dialog.ts'

export function loadActionDialog(): Promise<typeof ActionDialog> {
  return Promise.resolve(ActionDialog)
}
