// Modules that load when the card first needs them. The one-file build makes a file of each, see scripts/late-parts.ts.
import type { describeMissing } from './missing.ts'
import type { PackageActions } from './actions/package-actions.ts'
import type { RoutingNotes } from './routing-notes.ts'

/** Loads the actions with their dialog, which only people who take an action need. */
export async function loadPackageActions(): Promise<typeof PackageActions> {
  return (await import('./actions/package-actions.ts')).PackageActions
}

/** Loads what says what a package lacks, for people who are about to act, and if nobody holds it. */
export async function loadMissing(): Promise<typeof describeMissing> {
  return (await import('./missing.ts')).describeMissing
}

/** Loads what only some cards show in routing: a frozen route, or reminders. */
export async function loadRoutingNotes(): Promise<typeof RoutingNotes> {
  return (await import('./routing-notes.ts')).RoutingNotes
}
