import type { AttachmentType } from '../../contract/attachments.ts'
import type { RoutingOverrideBody } from '../../contract/overrides.ts'
import type { Person } from '../../contract/person.ts'
import type { Share } from '../../contract/shares.ts'
import type { FileAsset } from '../../contract/storage.ts'
import type {
  Environment,
  FieldKind,
  HistoryClass,
  PackageState,
  Permission,
  VoidReason,
} from '../../contract/values.ts'

// Everything below survives `JSON.stringify`, Maps apart: `snapshot.ts` writes it down and reads it back.

/** An application that may call the services. */
export interface ApiClient {
  readonly id: string
  readonly secret: string
  /** Whether it may create and revoke ALL_FILES shares (file storage spec, Share). */
  readonly isAdministrator: boolean
}

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
  /** Who holds each role of the office, by university id. */
  readonly roles: Readonly<Record<string, string>>
}

/** Natural key of an office, or of the entry field that holds it. */
export type OfficeSource = string | { readonly field: string }

/** Someone whom a stop of a route sends the package to. */
export type Destination =
  | { readonly type: 'PERSON'; readonly univid: string; readonly permission: Permission }
  | {
      readonly type: 'OFFICE_ROLE'
      readonly office: OfficeSource
      /** Role that resolves to a person; see `StoredOffice.roles`. */
      readonly role: string
      readonly permission: Permission
    }

/** One stop of a route: everyone there gets the package at once; it goes on when all who must sign have signed. */
export interface Stop {
  readonly name: string
  readonly destinations: readonly Destination[]
  /** Sub-types that pass this stop. Absent: all. */
  readonly subTypes?: readonly string[]
  /** Whether whoever has initiated the package, or signed it at an earlier stop, is signed for here automatically. */
  readonly autoSign?: boolean
}

/** A step of a form's route that leads through the route of an office; see `OfficeRoute`. */
export interface OfficeStep {
  readonly office: OfficeSource
  /** Whether the office is left out when its assignment says `optOutIfPossible`. */
  readonly mayOptOut: boolean
  /** Sub-types that pass this step. Absent: all. */
  readonly subTypes?: readonly string[]
}

/** A field of a form's integration definition. */
export interface Field {
  readonly naturalKey: string
  readonly kind: FieldKind
  readonly required: boolean
}

/** Where a route calls back when a package arrives at a stop. */
export interface StopCallback {
  readonly url: string
  /** Whether the route stops there until the lock is deleted. */
  readonly freeze: boolean
}

/** An attachment type with every rule decided. */
export type StoredAttachmentType = {
  readonly [Key in keyof AttachmentType]: NonNullable<AttachmentType[Key]>
}

/** A form in one environment. */
export interface Form {
  readonly id: number
  /** Decides how callbacks carry entries: one value per field, or an array of answers. */
  readonly kind: 'developer' | 'form_builder'
  readonly name: string
  /** Natural key of the office that owns the form. */
  readonly office: string
  /** University ids of those with administrator rights. */
  readonly administrators: readonly string[]
  /** University ids of those who get mail when a callback fails. */
  readonly owners: readonly string[]
  /** Empty where the form has none. */
  readonly subTypes: readonly string[]
  readonly fields: readonly Field[]
  readonly attachmentTypes: readonly StoredAttachmentType[]
  readonly route: readonly (Stop | OfficeStep)[]
  /** Application Callback URL of this environment. */
  callbackUrl: string | null
  /** Route-based callbacks by stop number. */
  stopCallbacks: Readonly<Record<number, StopCallback>>
}

/** The route that an office has for a form, and for one of its sub-types where it has any. */
export interface OfficeRoute {
  readonly routeId: number
  readonly routeType: string
  readonly routeName: string
  /** Natural key. */
  readonly office: string
  readonly formId: number
  readonly subType: string | null
  readonly optOutIfPossible: boolean
  readonly stops: readonly Stop[]
}

/** What a `signature` event has besides what every event has. */
export interface StoredSignature {
  readonly id: number
  readonly permission: Permission
  /** University id of the person whom the route names, whatever overrides say. */
  readonly subject: string
  /** How or why the approver received the package. */
  context: string | null
  /** Whether the person holds a role of the office. */
  readonly isRole: boolean
  /** Natural key of the office, for an office destination. */
  readonly office: string | null
  /** Natural key of the office that the package is routing through, else of the one that owns the form. */
  readonly responsibleOffice: string
  /** Local date-time. */
  readonly routingDate: string
  state: 'RECEIVED' | 'APPROVED' | 'BYPASSED_REMOVE'
  autoSigned: boolean | null
  inboxSigned: boolean | null
}

/** Something that happened to a package. */
export interface StoredEvent {
  readonly class: HistoryClass
  /** Local date-time. */
  actionDate: string
  /** University id or client id; null on `complete`. */
  person: string | null
  readonly stop: { readonly name: string | null; readonly stopNumber: number } | null
  /** Only on `signature`. */
  readonly signature: StoredSignature | null
}

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

/** Index of a step in a form's route, and of a stop within the step. Keeps its place when an entry changes the route. */
export type StopPosition = readonly [step: number, stop: number]

export interface StoredPackage {
  readonly id: number
  readonly formId: number
  subType: string | null
  /** HTML. */
  packageDetails: string | null
  /** University id or client id. */
  readonly initiator: string
  /** Local date-time at which routing began; before that, at which the package was created. */
  routingDate: string
  /** Local date-time. */
  actionDate: string | null
  state: PackageState
  /** The state that an unvoid leads back to. */
  heldState: 'ROUTING' | 'COMPLETE' | null
  /** Whether it is PRE_ROUTING because it was removed. */
  isRemoved: boolean
  voidReason: VoidReason | null
  entry: Readonly<Record<string, unknown>>
  /** Number of the stop where it is, from 1. 0: it has not started. */
  stopNumber: number
  /** Where that stop stands in the route of the form; see `CalculatedStop`. */
  position: StopPosition
  /** How many events the history had when the present round of signatures began. */
  roundStart: number
  /** Ids of the signatures it waits for, also while VOID. */
  inbox: readonly number[]
  /** Lock that freezes the route at its stop. */
  lock: number | null
  history: StoredEvent[]
  comments: StoredComment[]
  attachments: StoredAttachment[]
  /** Active overrides. */
  overrides: readonly RoutingOverrideBody[]
}

/** A callback on its way to a client application. */
export interface StoredCallback {
  /** Also the id of its lock. */
  readonly id: number
  readonly env: Environment
  readonly formId: number
  readonly packageId: number
  readonly url: string
  /** Lower numbers go first within a batch. */
  readonly priority: number
  /** Exactly what is sent, and signed. */
  readonly body: string
  /** `waiting` for its first batch; `pending` while an answer is awaited; `failed` until someone asks for a retry. */
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

export interface StoredFile {
  /** What the service answers; `expirationDate` follows `expiresAt`. */
  asset: FileAsset
  /** Client that uploaded it. */
  readonly owner: string
  /** Key in the object store. */
  readonly object: string
  /** Instant in milliseconds since 1970. */
  readonly uploadedAt: number
  /** Instant in milliseconds since 1970; null: never. */
  expiresAt: number | null
  /** Deleted files cannot be reached through the service; their content stays in the object store. */
  isDeleted: boolean
}

/** A presigned link: whoever has its token may download. Served by the object store, which knows no file assets. */
export interface Link {
  /** Key in the object store. */
  readonly object: string
  readonly filename: string
  readonly contentType: string
  readonly inline: boolean
  /** Instant in milliseconds since 1970. */
  readonly expiresAt: number
}

/** An active share. */
export interface StoredShare extends Share {
  readonly ownerClientId: string
  readonly type: 'SINGLE_FILE' | 'ALL_FILES'
  readonly createdAt: string
}

/** A key pair of the routing service, as JSON Web Keys. */
export interface SigningKey {
  readonly privateKey: JsonWebKey
  readonly publicKey: JsonWebKey
}

/** Everything the emulator knows. Tests and stories read it and write to it. */
export interface EmulatorState {
  /** By client id. */
  readonly clients: Map<string, ApiClient>
  /** By university id. */
  readonly people: Map<string, Person>
  /** Title by position number. */
  readonly positions: Map<string, string>
  /** By natural key. */
  readonly offices: Map<string, StoredOffice>
  /** By route id. */
  readonly officeRoutes: Map<number, OfficeRoute>
  /** By form id. */
  readonly forms: Readonly<Record<Environment, Map<number, Form>>>
  /** By package id. */
  readonly packages: Readonly<Record<Environment, Map<number, StoredPackage>>>
  /** By id. */
  readonly callbacks: Map<number, StoredCallback>
  /** By id, in the order they were sent. */
  readonly outbox: Map<number, Mail>
  /** By uuid. */
  readonly files: Readonly<Record<Environment, Map<string, StoredFile>>>
  /** By token. */
  readonly links: Map<string, Link>
  /** By `shareKey()`. */
  readonly shares: Readonly<Record<Environment, Map<string, StoredShare>>>
  /** Keys of the routing service, under `current`; made when first needed. */
  readonly signingKeys: Map<'current', SigningKey>
  /** Next id of a package, and of everything else that has a number. */
  readonly next: { packageId: number; id: number }
  readonly clock: {
    /** Milliseconds that this clock is ahead of the machine's. */
    offset: number
    /** Minute, counted from 1970, of the last batch of callbacks. 0: none yet. */
    lastBatch: number
  }
}

/** Key of a share in `EmulatorState.shares`. */
export function shareKey(owner: string, grantee: string, uuid: string | null): string {
  return `${owner} ${grantee} ${uuid ?? '*'}`
}

/** Keys of the contents that the state names. */
export function namedObjects({ packages, files, links }: EmulatorState): ReadonlySet<string> {
  const stored = [packages.test, packages.prod].flatMap((each) =>
    [...each.values()].flatMap(({ attachments }) => attachments),
  )
  const uploaded = [files.test, files.prod].flatMap((each) => [...each.values()])
  return new Set([...stored, ...uploaded, ...links.values()].map(({ object }) => object))
}

/** State without any data. */
export function emptyState(): EmulatorState {
  return {
    clients: new Map(),
    people: new Map(),
    positions: new Map(),
    offices: new Map(),
    officeRoutes: new Map(),
    forms: { test: new Map(), prod: new Map() },
    packages: { test: new Map(), prod: new Map() },
    callbacks: new Map(),
    outbox: new Map(),
    files: { test: new Map(), prod: new Map() },
    links: new Map(),
    shares: { test: new Map(), prod: new Map() },
    signingKeys: new Map(),
    next: { packageId: 1000, id: 10_000 },
    clock: { offset: 0, lastBatch: 0 },
  }
}
