// The part of the form that loads when a person begins to edit.
import type { Sender } from './sender.ts'

/** Loads what checks, saves and submits the form. */
export async function loadSender(): Promise<typeof Sender> {
  return (await import('./sender.ts')).Sender
}
