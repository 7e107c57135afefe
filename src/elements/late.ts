// Modules that load when an element first needs them. The one-file build makes a file of each, see scripts/late-parts.ts.
import type { PackageActions } from './wf-package-status/package-actions.ts'

/** Loads the actions of `<wf-package-status>` with their dialog, which only people who take an action need. */
export async function loadPackageActions(): Promise<typeof PackageActions> {
  return (await import('./wf-package-status/package-actions.ts')).PackageActions
}
