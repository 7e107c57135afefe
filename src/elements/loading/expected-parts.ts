import type { PagePart } from '../../contract/routes/package-page.ts'

// Parts of its package that each element reads in any case. The request for the page of a package brings it together.
export const attachmentsParts = [
  'getAttachmentTypes',
  'getAttachments',
  'getPackage',
  'getSession',
] as const satisfies readonly PagePart[]
export const commentsParts = ['getComments', 'getHistory'] as const satisfies readonly PagePart[]
export const historyParts = ['getHistory', 'getFutureHistory'] as const satisfies readonly PagePart[]
export const statusParts = ['getPackage', 'getSession'] as const satisfies readonly PagePart[]
