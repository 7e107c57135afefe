// The parts of the form that load when they are needed: most of them when a person begins to edit.
import type { Review } from './sending/review.ts'
import type { RequestCopy } from './draft/request-copy.ts'
import type { Sender } from './sending/sender.ts'

/** Loads what checks, saves and submits the form. */
export async function loadSender(): Promise<typeof Sender> {
  return (await import('./sending/sender.ts')).Sender
}

/** Loads the step before a submission in which people check what they have entered. Few forms have it. */
export async function loadReview(): Promise<typeof Review> {
  return (await import('./sending/review.ts')).Review
}

/** Loads what fills in a new request from an earlier one. */
export async function loadRequestCopy(): Promise<typeof RequestCopy> {
  return (await import('./draft/request-copy.ts')).RequestCopy
}
