import type { AttachmentType } from '../../contract/schemas/attachments.ts'
import type { FieldKind, Permission } from '../../contract/values/values.ts'

/** An office of the institution. */
export interface StoredOffice {
  readonly id: number
  readonly name: string
  /** `NN`, `NN-NNNN` or `NN-NNNN-NNNN`. */
  readonly naturalKey: string
  readonly scopeNaturalKey: string
  /** Local date-time. */
  readonly lastSynced: string | null
  readonly state: string
  /** University id of the person in each role of the office. */
  readonly roles: Readonly<Record<string, string>>
}

/** Natural key of an office, or the entry field that contains the key. */
export type OfficeSource = string | { readonly field: string }

/** A person or office role that a stop sends the package to. */
export type Destination =
  | { readonly type: 'PERSON'; readonly univid: string; readonly permission: Permission }
  | {
      readonly type: 'OFFICE_ROLE'
      readonly office: OfficeSource
      /** Role that resolves to a person; see `StoredOffice.roles`. */
      readonly role: string
      readonly permission: Permission
    }

/** One stop of a route. All its destinations receive the package at once. It moves on when all required signatures are there. */
export interface Stop {
  readonly name: string
  readonly destinations: readonly Destination[]
  /** Sub-types that pass this stop. Default: all. */
  readonly subTypes?: readonly string[]
  /** Whether the stop signs automatically for the initiator and for people who signed at an earlier stop. */
  readonly autoSign?: boolean
}

/** A step of a form's route that consists of the route of an office; see `OfficeRoute`. */
export interface OfficeStep {
  readonly office: OfficeSource
  /** Whether the step is skipped if the route of the office has `optOutIfPossible`. */
  readonly mayOptOut: boolean
  /** Sub-types that pass this step. Default: all. */
  readonly subTypes?: readonly string[]
}

/** A field of a form's integration definition. */
export interface Field {
  readonly naturalKey: string
  readonly kind: FieldKind
  readonly required: boolean
}

/** The callback that a route sends when a package arrives at a stop. */
export interface StopCallback {
  readonly url: string
  /** Whether the route freezes at the stop until a client deletes the lock. */
  readonly freeze: boolean
}

/** An attachment type with a value for each rule. */
export type StoredAttachmentType = {
  readonly [Key in keyof AttachmentType]: NonNullable<AttachmentType[Key]>
}

/** A form in one environment. */
export interface Form {
  readonly id: number
  /** Determines the entry in callbacks: `developer` forms send one value per field, `form_builder` forms an array. */
  readonly kind: 'developer' | 'form_builder'
  readonly name: string
  /** Natural key of the office that owns the form. */
  readonly office: string
  /** University ids of the administrators. */
  readonly administrators: readonly string[]
  /** University ids of the owners. They get mail if a callback fails. */
  readonly owners: readonly string[]
  /** Empty if the form has no sub-types. */
  readonly subTypes: readonly string[]
  readonly fields: readonly Field[]
  readonly attachmentTypes: readonly StoredAttachmentType[]
  readonly route: readonly (Stop | OfficeStep)[]
  /** Application Callback URL of this environment. */
  callbackUrl: string | null
  /** Route-based callbacks by stop number. */
  stopCallbacks: Readonly<Record<number, StopCallback>>
}

/** The route of an office for a form, or for one sub-type of the form. */
export interface OfficeRoute {
  readonly routeId: number
  readonly routeType: string
  readonly routeName: string
  /** Natural key of the office. */
  readonly office: string
  readonly formId: number
  readonly subType: string | null
  readonly optOutIfPossible: boolean
  readonly stops: readonly Stop[]
}
