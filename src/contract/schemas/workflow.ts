import { z } from 'zod'
import { Entry } from './entry.ts'
import { Person } from './person.ts'
import {
  count,
  flagParameter,
  id,
  idParameter,
  optionalId,
  orNull,
  rows,
  text,
  univid,
} from './field-schemas.ts'
import { maxIds, voidReasons } from '../values/values.ts'

/** Current rights of a user for a package. The proxy decides by them, so a row with a missing or unreadable field is invalid. */
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

/** A form submission on its route, without entry data and history. */
export const Package = z.object({
  id,
  /** One of `packageStates`, or a state that the spec does not list. */
  state: z.string(),
  subType: text,
  emailContent: orNull(z.object({ packageDetails: text })),
  /** Actions of the request user. If they are null, the response was unusable and nothing is allowed. */
  actions: orNull(PackageActions),
  /** Local date-time without a time zone. */
  routingDate: text,
  /** Local date-time without a time zone. */
  actionDate: text,
  initiator: orNull(Person),
  /** One of `voidReasons` if the state is VOID, otherwise null. */
  voidReason: text,
  commentCount: count,
  attachmentCount: count,
})
export type Package = z.output<typeof Package>

/** The office that a package routes through, or else the office that owns the form. */
export const ResponsibleOffice = z.object({ id: optionalId, name: text, naturalKey: text })
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
  responsibleOffice: orNull(ResponsibleOffice),
})
export type InboxSignature = z.output<typeof InboxSignature>

/** Status of a package, version 1.0. */
export const PackageStatus = z.object({ id, state: z.string() })
export type PackageStatus = z.output<typeof PackageStatus>

/** Status of a package with its inboxes, version 1.2. */
export const PackageStatus12 = PackageStatus.extend({
  inboxSignatures: orNull(rows(InboxSignature)),
})
export type PackageStatus12 = z.output<typeof PackageStatus12>

export const PackageActionsList = rows(PackageActions)
export const PackageStatusList = rows(PackageStatus)
export const PackageStatus12List = rows(PackageStatus12)

/** Package ids of a bulk call: `id=1&id=2`. */
export const IdsQuery = z.strictObject({ id: z.array(idParameter).min(1).max(maxIds) })
export type IdsQuery = z.output<typeof IdsQuery>

/** Body that voids a package. `id` repeats the id in the path. */
export const VoidBody = z.strictObject({ id, state: z.literal('VOID'), voidReason: z.enum(voidReasons) })
export type VoidBody = z.output<typeof VoidBody>

/** Sub-type of the form. An empty string is invalid. */
const subType = z.string().min(1).nullish()

const emailContent = z
  .strictObject({
    /** HTML for e-mails to approvers, between the link to the package and its summary. */
    packageDetails: z.string().nullish(),
  })
  .nullish()

/** Body that creates a package. */
export const CreatePackageBody = z.strictObject({
  /** Default ROUTING, which starts routing immediately. */
  state: z.enum(['PRE_ROUTING', 'DRAFT', 'ROUTING']).optional(),
  /** Required if the form has sub-types. */
  subType,
  emailContent,
  /** All fields of the form; null values are allowed. */
  entry: Entry,
})
export type CreatePackageBody = z.output<typeof CreatePackageBody>

/** Body that starts routing an existing package. If `id` is present, it repeats the id in the path. */
export const RoutePackageBody = z.strictObject({
  id: id.optional(),
  state: z.literal('ROUTING'),
  subType,
  emailContent,
})
export type RoutePackageBody = z.output<typeof RoutePackageBody>

/** Body that sends a COMPLETE package to one more inbox. */
export const ReturnBody = z.strictObject({ univid })
export type ReturnBody = z.output<typeof ReturnBody>

/** Body that returns a package to its initiator, who gets the comment by e-mail and on the screen. */
export const ReturnToInitiatorBody = z.strictObject({ comment: z.string().min(1) })
export type ReturnToInitiatorBody = z.output<typeof ReturnToInitiatorBody>

/** Optional content of a package's PDF. Both default to false. */
export const PdfQuery = z.strictObject({
  includeRouting: flagParameter.optional(),
  /** Merges attachments of the media type application/pdf and omits others. */
  mergeAttachments: flagParameter.optional(),
})
export type PdfQuery = z.output<typeof PdfQuery>
