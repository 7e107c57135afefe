import type { Share } from '../../contract/schemas/shares.ts'
import type { FileAsset } from '../../contract/schemas/storage.ts'

/** A file asset. */
export interface StoredFile {
  /** The file asset as the service returns it. `expirationDate` is derived from `expiresAt`. */
  asset: FileAsset
  /** Id of the client that uploaded the file. */
  readonly owner: string
  /** Key in the object store. */
  readonly object: string
  /** Instant in milliseconds since 1970. */
  readonly uploadedAt: number
  /** Instant in milliseconds since 1970. Null if the file never expires. */
  expiresAt: number | null
  /** Whether the file was deleted. Its content stays in the object store and behind existing links. */
  isDeleted: boolean
}

/** A presigned link. Anyone with its token may download the content. Served by the object store, independent of the file asset. */
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
