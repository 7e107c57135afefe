// The part of the element that loads when there are comments. The one-file build makes a file of it, see scripts/late-parts.ts.
import type { CommentExtras } from './comment-extras.ts'

/** Loads the marks of the authors, and the search. */
export async function loadExtras(): Promise<typeof CommentExtras> {
  return (await import('./comment-extras.ts')).CommentExtras
}
