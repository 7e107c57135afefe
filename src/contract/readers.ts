import type { BrowserResult as Result } from './browser-operations.ts'
import type { Person } from './person.ts'
import type { AllowedActions } from './session.ts'
import type { FileAsset } from './storage.ts'
import { uuidPattern } from './values.ts'
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
  return (value) => {
    if (!isObject(value)) return undefined
    const read: Record<string, unknown> = {}
    for (const [key, reader] of Object.entries<Reader<unknown>>(fields)) {
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

const metadata: Reader<Record<string, string> | null> = (value) => {
  if (!isObject(value)) return null
  // As the schema: such a key is dropped, so that no copy of the record gets another prototype.
  const entries = Object.entries(value).filter(([key]) => key !== '__proto__')
  const isText = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === 'string'
  return entries.every(isText) ? Object.fromEntries(entries) : null
}

const uuid: Reader<string> = (value) =>
  typeof value === 'string' && new RegExp(`^${uuidPattern}$`).test(value) ? value : undefined

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const person = object<Person>({
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
})

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
const tools: Reader<string[]> = (value) =>
  Array.isArray(value) && value.every((name) => typeof name === 'string') ? value : undefined
const allowedActions = object<AllowedActions>({ ...flags, tools })

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

/** The reader of each JSON answer, by operation, and by operation and version where it has versions. */
export const readers = {
  getPackage: packageInformation,
  getActions: rows(allowedActions),
  getStatus: rows(status),
  'getStatus;version=1.2': rows(status12),
  voidPackage: packageInformation,
  uploadFile: fileAsset,
  getFileMeta: fileAsset,
} satisfies Readonly<{
  getPackage: Reader<Result<'getPackage'>>
  getActions: Reader<Result<'getActions'>>
  getStatus: Reader<Result<'getStatus'>>
  'getStatus;version=1.2': Reader<Result<'getStatus', '1.2'>>
  voidPackage: Reader<Result<'voidPackage'>>
  uploadFile: Reader<Result<'uploadFile'>>
  getFileMeta: Reader<Result<'getFileMeta'>>
}>
