import type { OwnOperation } from './own-routes.ts'
import type { PageOperation } from './page-routes.ts'

/**
 * The reads that one request for the page of a package may combine, by operation. The rights (`getActions`) always come
 * first, and without the right to view the package, the other reads are refused without asking the service.
 */
export const pageParts = [
  'getActions',
  'getSession',
  'getPackage',
  'getHistory',
  'getFutureHistory',
  'getComments',
  'getAttachmentTypes',
  'getAttachments',
] as const satisfies readonly (PageOperation | OwnOperation)[]

export type PagePart = (typeof pageParts)[number]

/**
 * The head of a part. The response is a sequence of JSON texts, one per line (NDJSON): for each part a line with its head,
 * then a line with its body.
 */
export interface PagePartHead {
  readonly part: PagePart
  /** Status that the part would have as a response of its own. */
  readonly status: number
  /** Time in seconds to wait, for a part that is refused because of a limit or an outage. */
  readonly retryAfter?: string
}

/** Content type of the response. */
export const pagePartsType = 'application/x-ndjson'
