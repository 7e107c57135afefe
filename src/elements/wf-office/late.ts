// The part of the field that loads when it first gets the focus.
import type { DropDown } from './drop-down.ts'

/** Loads the list of offices. Until then, people can enter a number. */
export async function loadDropDown(): Promise<typeof DropDown> {
  return (await import('./drop-down.ts')).DropDown
}
