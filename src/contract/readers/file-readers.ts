import { count, object, orNull, requiredText, rows, text } from './field-readers.ts'
import { fileAsset } from './page-readers.ts'
import type { Share, SharePage } from '../schemas/shares.ts'

const share = object<Share>({
  ownerClientId: text,
  granteeClientId: requiredText,
  fileAssetUuid: text,
  type: text,
  createdAt: text,
})

const sharePage = object<SharePage>({
  content: rows(share),
  page: orNull(
    object<NonNullable<SharePage['page']>>({
      totalElements: count,
      totalPages: count,
      number: count,
      size: count,
    }),
  ),
})

/** The readers of the JSON responses to `fileRoutes`. */
export const fileReaders = {
  updateFileMeta: fileAsset,
}

/** The readers of the JSON responses to `shareRoutes`. */
export const shareReaders = {
  createShare: share,
  getShares: sharePage,
}
