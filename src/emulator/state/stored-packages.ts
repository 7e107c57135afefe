import type { RoutingOverrideBody } from '../../contract/schemas/overrides.ts'
import type {
  Environment,
  HistoryClass,
  PackageState,
  Permission,
  VoidReason,
} from '../../contract/values/values.ts'

/** The fields that only `signature` events have. */
export interface StoredSignature {
  readonly id: number
  readonly permission: Permission
  /** University id of the person that the route names, before overrides. */
  readonly subject: string
  /** Why the approver received the package, such as a role or an override. */
  context: string | null
  /** Whether the person received the package in a role of the office. */
  readonly isRole: boolean
  /** Natural key of the office of an `OFFICE_ROLE` destination, else null. */
  readonly office: string | null
  /** Natural key of the office whose route contains the stop, else of the office that owns the form. */
  readonly responsibleOffice: string
  /** Local date-time. */
  readonly routingDate: string
  state: 'RECEIVED' | 'APPROVED' | 'BYPASSED_REMOVE'
  autoSigned: boolean | null
  inboxSigned: boolean | null
}

/** One event in the history of a package. */
export interface StoredEvent {
  readonly class: HistoryClass
  /** Local date-time. */
  actionDate: string
  /** University id or client id. Null on `complete`. */
  person: string | null
  readonly stop: { readonly name: string | null; readonly stopNumber: number } | null
  /** Null on all events but `signature`. */
  readonly signature: StoredSignature | null
}

/** A comment on a package. */
export interface StoredComment {
  readonly id: number
  readonly comment: string
  readonly approversOnly: boolean
  /** Local date-time. */
  readonly createdAt: string
  /** University id or client id. */
  readonly person: string
  state: 'ACTIVE' | 'INACTIVE'
}

/** An attachment of a package. */
export interface StoredAttachment {
  readonly id: number
  /** Id of its attachment type. */
  readonly type: number
  readonly fileName: string
  readonly description: string
  readonly contentType: string
  /** University id or client id. */
  readonly person: string
  /** In bytes. */
  readonly fileSize: number
  /** Local date-time. */
  readonly uploadTimestamp: string
  /** Key in the object store. */
  readonly object: string
}

/** Index of a step in a form's route and of a stop within the step. Stays valid if an edit of the entry changes the route. */
export type StopPosition = readonly [step: number, stop: number]

/** A package. */
export interface StoredPackage {
  readonly id: number
  readonly formId: number
  subType: string | null
  /** HTML. */
  packageDetails: string | null
  /** University id or client id. */
  readonly initiator: string
  /** Local date-time when routing started, or when the package was created if routing has not started. */
  routingDate: string
  /** Local date-time. */
  actionDate: string | null
  state: PackageState
  /** The state that an unvoid restores. */
  heldState: 'ROUTING' | 'COMPLETE' | null
  /** Whether the package is PRE_ROUTING because it was removed from routing. */
  isRemoved: boolean
  voidReason: VoidReason | null
  entry: Readonly<Record<string, unknown>>
  /** Number of the current stop, from 1. 0 if routing has not started. */
  stopNumber: number
  /** Position of the current stop in the route of the form; see `CalculatedStop`. */
  position: StopPosition
  /** Length of the history when the current round of signatures began. */
  roundStart: number
  /** Ids of the pending signatures. A VOID package keeps them. */
  inbox: readonly number[]
  /** Id of the lock that freezes the route at the current stop, or null. */
  lock: number | null
  history: StoredEvent[]
  comments: StoredComment[]
  attachments: StoredAttachment[]
  /** Active overrides. */
  overrides: readonly RoutingOverrideBody[]
}

/** A callback to a client application. */
export interface StoredCallback {
  /** Id of the callback and of its lock. */
  readonly id: number
  readonly env: Environment
  readonly formId: number
  readonly packageId: number
  readonly url: string
  /** Lower numbers are sent first within a batch. */
  readonly priority: number
  /** The exact text that is signed and sent. */
  readonly body: string
  /** `waiting` before its first batch, `pending` until the receiver responds, `failed` until someone requests a retry. */
  state: 'waiting' | 'pending' | 'delivered' | 'failed'
}

/** An e-mail that the real service would have sent. */
export interface Mail {
  readonly id: number
  readonly kind: 'approver_notification' | 'edit_notification' | 'return_to_initiator' | 'callback_failure'
  /** Local date-time. */
  readonly sentAt: string
  readonly recipients: readonly { readonly univid: string; readonly email: string | null }[]
  readonly subject: string
  readonly html: string
  readonly env: Environment
  readonly formId: number
  readonly packageId: number
}
