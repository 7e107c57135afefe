import type { Environment, PackageState, Permission, VoidReason } from '../contract/values.ts'
import type { FileAsset } from '../contract/storage.ts'
import type { Person } from '../contract/workflow.ts'

/** An application that may call the services. */
export interface ApiClient {
  readonly id: string
  readonly secret: string
}

/** An office of the institution. */
export interface Office {
  readonly id: number
  readonly name: string
  /** `NN`, `NN-NNNN` or `NN-NNNN-NNNN`. */
  readonly naturalKey: string
}

/** Someone whom a stop of a route sends the package to. */
export interface Destination {
  readonly type: 'PERSON' | 'OFFICE_ROLE'
  /** The person, or whom the role of the office resolves to. */
  readonly univid: string
  readonly permission: Permission
  /** Natural key of the office, for an OFFICE_ROLE. */
  readonly office?: string
}

export interface Stop {
  readonly name: string
  readonly destinations: readonly Destination[]
}

/** A form whose submissions are routed. */
export interface Form {
  readonly id: number
  readonly name: string
  /** Natural key of the office that owns the form. */
  readonly office: string
  /** University ids. */
  readonly administrators: readonly string[]
  readonly stops: readonly Stop[]
}

/** A package in someone's inbox. */
export interface InboxEntry {
  readonly signatureId: number
  readonly destination: Destination
}

export interface StoredPackage {
  readonly id: number
  readonly formId: number
  readonly subType: string | null
  readonly packageDetails: string | null
  /** University id. */
  readonly initiator: string
  /** Local date-time. */
  readonly routingDate: string
  state: PackageState
  /** Local date-time. */
  actionDate: string | null
  voidReason: VoidReason | null
  inbox: readonly InboxEntry[]
}

export interface StoredFile {
  readonly asset: FileAsset
  /** Client that uploaded it. */
  readonly owner: string
  readonly content: Blob
  /** Instant in milliseconds since 1970; null: never. */
  readonly expiresAt: number | null
}

/** A presigned link: whoever has its token may download. */
export interface Link {
  readonly file: StoredFile
  readonly inline: boolean
  /** Instant in milliseconds since 1970. */
  readonly expiresAt: number
}

/** Everything the emulator knows. Tests and stories read it and write to it. */
export interface EmulatorState {
  /** By client id. */
  readonly clients: Map<string, ApiClient>
  /** By university id. */
  readonly people: Map<string, Person>
  /** By natural key. */
  readonly offices: Map<string, Office>
  /** By form id. */
  readonly forms: Map<number, Form>
  /** By package id. */
  readonly packages: Readonly<Record<Environment, Map<number, StoredPackage>>>
  /** By uuid. */
  readonly files: Readonly<Record<Environment, Map<string, StoredFile>>>
  /** By token. */
  readonly links: Map<string, Link>
}
