import type { BrowserResult as Result } from './browser-operations.ts'
import { count, object, orNull, type Reader, requiredText, rows, text } from './field-readers.ts'
import { formReaders } from './form-readers.ts'
import { officeRouteReaders, officeSearchReaders } from './office-readers.ts'
import { overrideReaders } from './override-readers.ts'
import { fileAsset, pageReaders } from './page-readers.ts'
import type { BrowserOperation } from './routes.ts'
import type { Share, SharePage } from './shares.ts'

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

/** The readers of JSON responses, by operation, or by operation and version. */
export const readers = {
  ...pageReaders,
  ...formReaders,
  ...officeSearchReaders,
  ...officeRouteReaders,
  ...overrideReaders,
  updateFileMeta: fileAsset,
  createShare: share,
  getShares: sharePage,
} satisfies Readonly<
  { [Name in BrowserOperation]?: Reader<Result<Name>> } & {
    'getEntry;version=1.1': Reader<Result<'getEntry', '1.1'>>
    'updateEntry;version=1.1': Reader<Result<'updateEntry', '1.1'>>
  }
>
