import type { Attachment, AttachmentType } from '../schemas/attachments.ts'
import type { BrowserResult as Result } from '../services/browser-operations.ts'
import type { Comment } from '../schemas/comments.ts'
import type { HistoryEvent, Resolution, StopReference } from '../schemas/history.ts'
import type { Office } from '../schemas/offices.ts'
import type { Person } from '../schemas/person.ts'
import {
  count,
  flag,
  id,
  list,
  metadata,
  object,
  orNull,
  type Reader,
  requiredFlag,
  requiredText,
  rows,
  text,
  uuid,
} from './field-readers.ts'
import type { PageOperation } from '../routes/page-routes.ts'
import { inboxSignature, statusReaders } from './status-readers.ts'
import type { AllowedActions, Session } from '../schemas/session.ts'
import type { FileAsset } from '../schemas/storage.ts'
import type { Package, PackageActions } from '../schemas/workflow.ts'

// Pages read responses with these functions, because the schemas would add a validator to their download. The types come
// from the schemas: if a field is added or renamed there, this file does not compile until it reads the field.

const personFields = {
  id: orNull(id),
  displayName: text,
  hrdeptdesc: text,
  collegeName: text,
  personType: text,
  title: text,
  univid: text,
  email: text,
  campusPostalAddress: text,
  officePhone: text,
  naturalKey: text,
  type: text,
  loginid: text,
  jobCode: text,
  directoryRestricted: flag,
  activeUser: flag,
}
const person = object<Person>(personFields)

/** Null means that a signature is missing. Any other value must be an id. */
const signatureId: Reader<number | null> = (value) => (value === null ? null : id(value))

const flags = {
  canView: requiredFlag,
  canEdit: requiredFlag,
  canSign: requiredFlag,
  canVoid: requiredFlag,
  canInitiatorVoid: requiredFlag,
  canAddApprover: requiredFlag,
  canVoidAfter: requiredFlag,
  packageId: id,
  signatureId,
}
export const packageActions = object<PackageActions>(flags)
const allowedActions = object<AllowedActions>({
  ...flags,
  tools: list(requiredText),
  inboxSignatures: orNull(rows(inboxSignature)),
})

export const packageInformation = object<Package>({
  id,
  state: requiredText,
  subType: text,
  emailContent: orNull(object<{ packageDetails: string | null }>({ packageDetails: text })),
  actions: orNull(packageActions),
  routingDate: text,
  actionDate: text,
  initiator: orNull(person),
  voidReason: text,
  commentCount: count,
  attachmentCount: count,
})

export const fileAsset = object<FileAsset>({
  uuid,
  filename: text,
  fileSize: count,
  contentType: text,
  uploadDate: text,
  expirationDate: text,
  metadata,
})

export const stopReference = object<StopReference>({
  name: text,
  stopNumber: (value) => (Number.isSafeInteger(value) ? Number(value) : null),
})

export const office = object<Office>({
  id: orNull(id),
  lastSynced: text,
  name: text,
  naturalKey: requiredText,
  scopeNaturalKey: text,
  state: text,
})

const historyEvent = object<HistoryEvent>({
  '@class': requiredText,
  actionDate: text,
  person: orNull(person),
  stop: orNull(stopReference),
  permission: text,
  context: text,
  resolution: orNull(object<Resolution>({ ...personFields, '@class': text, name: text })),
  routingDate: text,
  office: orNull(office),
  state: text,
  autoSigned: flag,
  inboxSigned: flag,
  isInInbox: flag,
})

const comment = object<Comment>({
  id,
  comment: text,
  approversOnly: flag,
  canDelete: flag,
  createdAt: text,
  person: orNull(person),
  state: text,
})

const attachmentType = object<AttachmentType>({
  id,
  naturalKey: text,
  title: text,
  visiblePreRouting: flag,
  requiredPreRouting: flag,
  requiredBeforeComplete: flag,
  mimeTypeRestrictions: orNull(object<{ pdf: boolean | null }>({ pdf: flag })),
})

export const attachment = object<Attachment>({
  id,
  fileName: text,
  description: text,
  attachmentType: orNull(attachmentType),
  person: orNull(person),
  fileSize: count,
  uploadTimestamp: text,
})

const session = object<Session>({
  univid: requiredText,
  env: (value) => (value === 'test' || value === 'prod' ? value : undefined),
  forms: list(id),
  allows: object<Session['allows']>({
    operations: list(requiredText),
    maxFileSize: id,
    resubmit: text,
    // Null allows all extensions, so an invalid value must not read as null.
    extensions: (value) => (value === null ? null : list(requiredText)(value)),
  }),
})

/**
 * Reads the events of a history that the page contains as JSON. Invalid events are null. Returns `undefined` if the value is
 * not a list.
 */
export const readHistory = rows(historyEvent)

/** The readers of the JSON responses to `pageRoutes`, by operation, or by operation and version. */
export const pageReaders = {
  getSession: session,
  getPackage: packageInformation,
  getActions: rows(allowedActions),
  ...statusReaders,
  getHistory: readHistory,
  getFutureHistory: readHistory,
  getComments: rows(comment),
  getAttachmentTypes: rows(attachmentType),
  getAttachments: rows(attachment),
  getFileMeta: fileAsset,
} satisfies Readonly<
  { [Name in PageOperation]?: Reader<Result<Name>> } & {
    getSession: Reader<Session>
    'getStatus;version=1.2': Reader<Result<'getStatus', '1.2'>>
  }
>
