// Elements that load when a page first needs them. The one-file build makes a file of each, see scripts/late-parts.ts.
import type { WfBadge } from './wf-badge/wf-badge.ts'

/** Loads `<wf-badge>`, which only pages with lists need. */
export async function loadBadge(): Promise<typeof WfBadge> {
  return (await import('./wf-badge/wf-badge.ts')).WfBadge
}

/** Loads the elements that upload files, which many pages do not have. */
export async function loadUploadElements(): Promise<typeof import('./upload-elements.ts')> {
  return await import('./upload-elements.ts')
}
