import { z } from 'zod'
import { maxIds, voidReasons } from './values.ts'

// Readers are tolerant and writers strict. What identifies a thing is required; anything else that is missing or of
// another type reads as null; fields that are not named here are dropped; enumerations stay open, as plain strings.
// Bodies that we send are strict objects.

const id = z.number().int().positive().safe()
/** An id as a caller gives it or as it stands in a URL: plain digits, never coerced from anything else. */
const idParameter = z.union([
  id,
  z
    .string()
    .regex(/^[1-9][0-9]{0,15}$/)
    .transform(Number)
    .pipe(id),
])
const text = z.string().nullable().catch(null)
const count = z.number().int().nonnegative().nullable().catch(null)

/** A list whose unreadable rows turn into null, so that one bad row costs itself and can still be counted. */
const rows = <Row extends z.ZodType>(row: Row) => z.array(row.nullable().catch(null))

/** Someone in the institution's directory, as far as the endpoint tells. */
export const Person = z.object({
  id: id.nullable().catch(null),
  displayName: text,
  hrdeptdesc: text,
  collegeName: text,
  personType: text,
  title: text,
  /** University id, a string of digits. */
  univid: text,
  email: text,
  campusPostalAddress: text,
  officePhone: text,
})
export type Person = z.output<typeof Person>

/** What one user may do with one package now. Not tolerant: rights are decided by it, so half an answer is none. */
export const PackageActions = z.object({
  canView: z.boolean(),
  canEdit: z.boolean(),
  canSign: z.boolean(),
  canVoid: z.boolean(),
  canInitiatorVoid: z.boolean(),
  canAddApprover: z.boolean(),
  canVoidAfter: z.boolean(),
  packageId: id,
  signatureId: id.nullable(),
})
export type PackageActions = z.output<typeof PackageActions>

/** A form submission travelling along its route. Holds neither entry data nor history. */
export const Package = z.object({
  id,
  /** One of `packageStates`, or a state that the spec does not list. */
  state: z.string(),
  subType: text,
  emailContent: z.object({ packageDetails: text }).nullable().catch(null),
  /** Actions of the request user. Null where the service's answer was not usable: then nothing is allowed. */
  actions: PackageActions.nullable().catch(null),
  /** Local date-time without zone. */
  routingDate: text,
  /** Local date-time without zone. */
  actionDate: text,
  initiator: Person.nullable().catch(null),
  /** One of `voidReasons` while VOID, else null. */
  voidReason: text,
  commentCount: count,
  attachmentCount: count,
})
export type Package = z.output<typeof Package>

/** Office that a package is routing through, else the office that owns the form. */
export const ResponsibleOffice = z.object({ id: id.nullable().catch(null), name: text, naturalKey: text })
export type ResponsibleOffice = z.output<typeof ResponsibleOffice>

/** One inbox that holds the package (status version 1.2). */
export const InboxSignature = z.object({
  id,
  /** Display name. */
  approver: text,
  /** Value seen: RECEIVED. */
  state: text,
  /** One of `permissions`, or one that the spec does not list. */
  permission: text,
  responsibleOffice: ResponsibleOffice.nullable().catch(null),
})
export type InboxSignature = z.output<typeof InboxSignature>

/** Status of a package, version 1.0. */
export const PackageStatus = z.object({ id, state: z.string() })
export type PackageStatus = z.output<typeof PackageStatus>

/** Status of a package with its inboxes, version 1.2. */
export const PackageStatus12 = PackageStatus.extend({
  inboxSignatures: rows(InboxSignature).nullable().catch(null),
})
export type PackageStatus12 = z.output<typeof PackageStatus12>

export const PackageActionsList = rows(PackageActions)
export const PackageStatusList = rows(PackageStatus)
export const PackageStatus12List = rows(PackageStatus12)

/** Ids of a bulk call. The parameter repeats: `id=1&id=2`. */
export const IdsQuery = z.strictObject({ id: z.array(idParameter).min(1).max(maxIds) })
export type IdsQuery = z.output<typeof IdsQuery>

/** Body of the void tool. `id` repeats the package of the path. */
export const VoidBody = z.strictObject({ id, state: z.literal('VOID'), voidReason: z.enum(voidReasons) })
export type VoidBody = z.output<typeof VoidBody>
