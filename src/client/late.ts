// Modules that load after the content of a page. The one-file build makes a file of each, see scripts/late-parts.ts.
import type { createLiveHints } from './live/live-hints.ts'

/** Loads live events. */
export async function loadLiveHints(): Promise<typeof createLiveHints> {
  return (await import('./live/live-hints.ts')).createLiveHints
}
