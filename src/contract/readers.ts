import type { BrowserResult as Result } from './browser-operations.ts'
import type { EntryWithEmail } from './entry.ts'
import {
  count,
  dictionary,
  flag,
  id,
  object,
  orNull,
  type Reader,
  requiredText,
  rows,
  text,
} from './field-readers.ts'
import type { OfficeRouteAssignment, RouteSummary } from './offices.ts'
import type { RoutingOverride } from './overrides.ts'
import { fileAsset, office, packageInformation, pageReaders } from './page-readers.ts'
import type { BrowserOperation } from './routes.ts'
import type { Share, SharePage } from './shares.ts'

const entryWithEmail = object<EntryWithEmail>({
  entry: dictionary,
  emailContent: orNull(object<{ packageDetails: string | null }>({ packageDetails: text })),
})

const officeRoute = object<OfficeRouteAssignment>({
  routeId: id,
  routeType: text,
  routeName: text,
  optOutIfPossible: flag,
})

type Stop = NonNullable<NonNullable<RouteSummary['stops']>[number]>
type Destination = NonNullable<NonNullable<Stop['destinations']>[number]>

const routeSummary = object<RouteSummary>({
  type: text,
  name: text,
  stops: orNull(
    rows(
      object<Stop>({
        name: text,
        destinations: orNull(
          rows(
            object<Destination>({
              type: text,
              subject: text,
              approverName: text,
              permission: text,
              approver: count,
              isSelf: flag,
            }),
          ),
        ),
      }),
    ),
  ),
})

const override = object<RoutingOverride>({
  subjectUnivid: requiredText,
  type: text,
  reason: text,
  replacementUnivid: text,
})

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
  createPackage: packageInformation,
  getEntry: dictionary,
  'getEntry;version=1.1': entryWithEmail,
  updateEntry: dictionary,
  'updateEntry;version=1.1': entryWithEmail,
  createOverride: override,
  getOverrides: rows(override),
  searchOffices: rows(office),
  findOffices: rows(office),
  getOfficeRoute: officeRoute,
  getRouteSummary: rows(routeSummary),
  updateFileMeta: fileAsset,
  createShare: share,
  getShares: sharePage,
} satisfies Readonly<
  { [Name in BrowserOperation]?: Reader<Result<Name>> } & {
    'getEntry;version=1.1': Reader<Result<'getEntry', '1.1'>>
    'updateEntry;version=1.1': Reader<Result<'updateEntry', '1.1'>>
  }
>
