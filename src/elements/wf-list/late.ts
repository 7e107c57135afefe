// The part of the element that loads when it is needed.
import type { ListExtras } from './list-extras.ts'

/** Loads what a list needs only after it is shown. */
export async function loadListExtras(): Promise<typeof ListExtras> {
  return (await import('./list-extras.ts')).ListExtras
}
