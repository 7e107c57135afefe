// Modules that load when an element first needs them. The one-file build makes a file of each, see scripts/late-parts.ts.
import type { PackageActions } from './wf-package-status/package-actions.ts'
import type { RoutePause } from './wf-package-status/route-pause.ts'
import type { WfBadge } from './wf-badge/wf-badge.ts'

/** Loads the actions of `<wf-package-status>` with their dialog, which only people who take an action need. */
export async function loadPackageActions(): Promise<typeof PackageActions> {
  return (await import('./wf-package-status/package-actions.ts')).PackageActions
}

/** Loads what `<wf-package-status>` shows about a frozen route. */
export async function loadRoutePause(): Promise<typeof RoutePause> {
  return (await import('./wf-package-status/route-pause.ts')).RoutePause
}

/** Loads `<wf-badge>`, which only pages with lists need. */
export async function loadBadge(): Promise<typeof WfBadge> {
  return (await import('./wf-badge/wf-badge.ts')).WfBadge
}

/** Loads the elements that upload files, which many pages do not have. */
export async function loadUploadElements(): Promise<typeof import('./upload/upload-elements.ts')> {
  return await import('./upload/upload-elements.ts')
}
