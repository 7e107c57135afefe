import type { FileAsset } from '../../contract/storage.ts'
import type { ToolName } from '../../contract/transitions.ts'
import type { Package } from '../../contract/workflow.ts'
import type { Identity } from '../identity/identity.ts'

/** The host's own rules: what it is asked, and true for yes. Anything else is no. They widen rights, never narrow them. */
export type Policy = (question: PolicyQuestion) => boolean | Promise<boolean>

/** May this person do this, although no flag of the service allows it? */
export type PolicyQuestion = PackageQuestion | FileQuestion | ShareQuestion

/** May this person run a routing tool, manage overrides or resume a frozen route? */
export interface PackageQuestion {
  readonly operation:
    Exclude<ToolName, 'voidPackage'> | 'createOverride' | 'getOverrides' | 'deactivateOverride' | 'deleteLock'
  readonly person: Identity
  readonly formId: number
  readonly packageId: number
  /** State of the package now. */
  readonly state: string
  /** Everything the service tells about the package, such as its initiator. Costs a call where it is not known yet. */
  readonly loadPackage: () => Promise<Package>
}

/** May this person see, download, change or delete a file of someone else? */
export interface FileQuestion {
  readonly operation: 'getFileMeta' | 'presignFile' | 'updateFileMeta' | 'deleteFile'
  readonly person: Identity
  /** The file in question, with its reserved metadata. */
  readonly file: FileAsset
}

/** May this person give another client of the storage service access to a file, end it, or see who has it? */
export interface ShareQuestion {
  readonly operation: 'createShare' | 'getShares' | 'revokeShare'
  readonly person: Identity
  /** The file in question; null for all shares of the application. */
  readonly file: FileAsset | null
  /** Whether this person uploaded the file. */
  readonly isOwner: boolean
  /** The other client, where one is named. */
  readonly granteeClientId: string | null
}
