import type { Attachment, AttachmentType } from './attachments.ts'
import type { BrowserResult as Result } from './browser-operations.ts'
import type { Comment } from './comments.ts'
import type { HistoryEvent, Resolution, StopReference } from './history.ts'
import type { Office } from './offices.ts'
import type { Person } from './person.ts'
import { uuidPattern, wholeText } from './patterns.ts'
import { isRecord } from './record.ts'
import type { AllowedActions, Session } from './session.ts'
import type { FileAsset } from './storage.ts'
import type { ToolName } from './transitions.ts'
import type {
  InboxSignature,
  Package,
  PackageActions,
  PackageStatus,
  PackageStatus12,
  ResponsibleOffice,
} from './workflow.ts'

// What a page reads answers with, instead of the validator that only the proxy needs. The types are those of the
// schemas, so a field that is added or renamed there does not compile until it is read here.

/** Reads a value, or answers `undefined` where it lacks what identifies it. Never throws. */
export type Reader<T> = (value: unknown) => T | undefined

const text: Reader<string | null> = (value) => (typeof value === 'string' ? value : null)
const count: Reader<number | null> = (value) =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : null
const requiredText: Reader<string> = (value) => (typeof value === 'string' ? value : undefined)
const flag: Reader<boolean | null> = (value) => (typeof value === 'boolean' ? value : null)
const requiredFlag: Reader<boolean> = (value) => (typeof value === 'boolean' ? value : undefined)
const id: Reader<number> = (value) =>
  Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined

function orNull<T>(read: Reader<T>): Reader<T | null> {
  return (value) => read(value) ?? null
}

function object<T>(fields: { readonly [Key in keyof T]-?: Reader<T[Key]> }): Reader<T> {
  const entries = Object.entries<Reader<unknown>>(fields)
  return (value) => {
    if (!isRecord(value)) return undefined
    const read: Record<string, unknown> = {}
    for (const [key, reader] of entries) {
      const found = reader(Object.hasOwn(value, key) ? value[key] : undefined)
      if (found === undefined) return undefined
      read[key] = found
    }
    return read as T
  }
}

function rows<T>(read: Reader<T>): Reader<(T | null)[]> {
  return (value) => (Array.isArray(value) ? value.map(orNull(read)) : undefined) as (T | null)[] | undefined
}

/** A list of which every part has to be readable. */
const list =
  <T>(read: Reader<T>): Reader<T[]> =>
  (value) => {
    const found = Array.isArray(value) ? value.map(read) : [undefined]
    return found.includes(undefined) ? undefined : (found as T[])
  }

const metadata: Reader<Record<string, string> | null> = (value) => {
  if (!isRecord(value)) return null
  // As the schema: such a key is dropped, so that no copy of the record gets another prototype.
  const entries = Object.entries(value).filter(([key]) => key !== '__proto__')
  const isText = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === 'string'
  return entries.every(isText) ? Object.fromEntries(entries) : null
}

const uuid: Reader<string> = (value) =>
  typeof value === 'string' && wholeText(uuidPattern).test(value) ? value : undefined

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

/** Null stands for "no signature", anything but an id for a broken answer. */
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
const packageActions = object<PackageActions>(flags)
const allowedActions = object<AllowedActions>({ ...flags, tools: list(requiredText) })

const packageInformation = object<Package>({
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

const inboxSignature = object<InboxSignature>({
  id,
  approver: text,
  state: text,
  permission: text,
  responsibleOffice: orNull(object<ResponsibleOffice>({ id: orNull(id), name: text, naturalKey: text })),
})

const status = object<PackageStatus>({ id, state: requiredText })
const status12 = object<PackageStatus12>({
  id,
  state: requiredText,
  inboxSignatures: orNull(rows(inboxSignature)),
})

const fileAsset = object<FileAsset>({
  uuid,
  filename: text,
  fileSize: count,
  contentType: text,
  uploadDate: text,
  expirationDate: text,
  metadata,
})

const stopReference = object<StopReference>({
  name: text,
  stopNumber: (value) => (Number.isSafeInteger(value) ? Number(value) : null),
})

const office = object<Office>({
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
  resolution: orNull(object<Resolution>({ ...personFields, '@class': text })),
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

const attachment = object<Attachment>({
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
    /** Null stands for "any", so anything else has to be a list. */
    extensions: (value) => (value === null ? null : list(requiredText)(value)),
  }),
})

/**
 * Events of a history that a page was given as JSON, by whatever wrote it into the page; those that cannot be read are
 * null. `undefined` where it is no list at all.
 */
export const readHistory = rows(historyEvent)

/** The reader of each JSON answer, by operation, and by operation and version where it has versions. */
export const readers = {
  getSession: session,
  getPackage: packageInformation,
  getActions: rows(allowedActions),
  getStatus: rows(status),
  'getStatus;version=1.2': rows(status12),
  getHistory: readHistory,
  getFutureHistory: readHistory,
  getComments: rows(comment),
  getAttachmentTypes: rows(attachmentType),
  getAttachments: rows(attachment),
  uploadAttachment: attachment,
  routePackage: packageInformation,
  voidPackage: packageInformation,
  unvoidPackage: packageInformation,
  restartPackage: packageInformation,
  returnPackage: packageInformation,
  removePackage: packageInformation,
  reinitiatePackage: packageInformation,
  returnToInitiator: packageInformation,
  uploadFile: fileAsset,
  getFileMeta: fileAsset,
} satisfies Readonly<
  { [Name in JsonReading]: Reader<Result<Name>> } & {
    getSession: Reader<Session>
    'getStatus;version=1.2': Reader<Result<'getStatus', '1.2'>>
  }
>

/** Operations whose JSON answers pages read. */
type JsonReading =
  | 'getPackage'
  | 'getActions'
  | 'getStatus'
  | 'getHistory'
  | 'getFutureHistory'
  | 'getComments'
  | 'getAttachmentTypes'
  | 'getAttachments'
  | 'uploadAttachment'
  | 'routePackage'
  | ToolName
  | 'uploadFile'
  | 'getFileMeta'
