// The part of the element that loads for a saved package.
import type { savedRoutes } from './saved-route.ts'

/** Loads what reads and renders the route of a saved package. */
export async function loadSavedRoutes(): Promise<typeof savedRoutes> {
  return (await import('./saved-route.ts')).savedRoutes
}
