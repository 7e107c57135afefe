import type { Person } from '../../contract/schemas/person.ts'
import type { Environment } from '../../contract/values/values.ts'
import type { Link, StoredFile, StoredShare } from './stored-files.ts'
import type { Form, OfficeRoute, StoredOffice } from './stored-forms.ts'
import type { Mail, StoredCallback, StoredPackage } from './stored-packages.ts'

// Apart from the Maps, all state must survive `JSON.stringify()`; see `snapshot.ts`.

/** An application that may call the services. */
export interface ApiClient {
  readonly id: string
  readonly secret: string
  /** Whether it may create and revoke ALL_FILES shares (file storage spec, Share). */
  readonly isAdministrator: boolean
}

/** An Ed25519 key as a JSON Web Key (RFC 8037). */
export interface StoredKey {
  readonly kty: string
  readonly crv: string
  /** The public key, as base64url. */
  readonly x: string
  /** The private key, as base64url. */
  readonly d?: string
}

/** A key pair of the routing service. */
export interface SigningKey {
  readonly privateKey: StoredKey
  readonly publicKey: StoredKey
}

/** The whole state of an emulator. Tests and stories may read and change it. */
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
  /** Key pair of the routing service, under `current`. Generated when first needed. */
  readonly signingKeys: Map<'current', SigningKey>
  /** Next id of a package, and of all other numbered records. */
  readonly next: { packageId: number; id: number }
  /** Settings of the clock. */
  readonly clock: {
    /** Milliseconds that the clock runs ahead of the machine's. */
    offset: number
    /** Minute of the last batch of callbacks, counted from 1970. 0 if there was none. */
    lastBatch: number
  }
}

/** Returns the key of a share in `EmulatorState.shares`. */
export function shareKey(owner: string, grantee: string, uuid: string | null): string {
  return `${owner} ${grantee} ${uuid ?? '*'}`
}

/** Returns the keys of all objects that the state references. */
export function namedObjects({ packages, files, links }: EmulatorState): ReadonlySet<string> {
  const stored = [packages.test, packages.prod].flatMap((each) =>
    [...each.values()].flatMap(({ attachments }) => attachments),
  )
  const uploaded = [files.test, files.prod].flatMap((each) => [...each.values()])
  return new Set([...stored, ...uploaded, ...links.values()].map(({ object }) => object))
}

/** Creates a state without any data. */
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
