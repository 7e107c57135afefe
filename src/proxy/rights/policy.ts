import type { HistoryEvent } from '../../contract/schemas/history.ts'
import type { FileAsset } from '../../contract/schemas/storage.ts'
import type { ToolName } from '../../contract/values/transitions.ts'
import type { Package, PackageActions } from '../../contract/schemas/workflow.ts'
import type { Identity } from '../identity/identity.ts'

/** A rule of the host. Returns true to allow what the question is about; anything else denies it. It can only widen rights. */
export type Policy = (question: PolicyQuestion) => boolean | Promise<boolean>

/** Whether a person may do something that no flag of the service allows. */
export type PolicyQuestion = PackageQuestion | FormQuestion | DetailsQuestion | FileQuestion | ShareQuestion

/** Whether a person may run a routing tool, manage overrides, resume a frozen route, or remind approvers, with or without a note. */
export interface PackageQuestion {
  /** The operation that the person wants to use. `remind` is a reminder, `remindNote` one with a note. */
  readonly operation:
    | Exclude<ToolName, 'voidPackage'>
    | 'createOverride'
    | 'getOverrides'
    | 'deactivateOverride'
    | 'deleteLock'
    | 'remind'
    | 'remindNote'
  /** The person who asks. */
  readonly person: Identity
  /** Id of the form. */
  readonly formId: number
  /** Id of the package. */
  readonly packageId: number
  /** Current state of the package. */
  readonly state: string
  /** Reads the whole package, for example to find its initiator. May call the service. */
  readonly loadPackage: () => Promise<Package>
  /** Reads the flags of the service as this person; null if it sends none. May call the service. */
  readonly loadActions: () => Promise<PackageActions | null>
  /** Reads the history, for example to find out who has signed. A row that cannot be read is null. May call the service. */
  readonly loadHistory: () => Promise<readonly (HistoryEvent | null)[]>
}

/** Whether a person may list the packages of a form. The list contains only those that the service lets the person view. */
export interface FormQuestion {
  /** The operation that the person wants to use. */
  readonly operation: 'getFormList'
  /** The person who asks. */
  readonly person: Identity
  /** Id of the form. */
  readonly formId: number
}

/** Whether a person may add HTML to the e-mails that approvers get about a package (`emailContent.packageDetails`). */
export interface DetailsQuestion {
  readonly operation: 'createPackage' | 'routePackage' | 'updateEntry'
  /** Marks this kind of question: it is about the text, not about the operation. */
  readonly isText: true
  readonly person: Identity
  readonly formId: number
  /** The package; null before it is created. */
  readonly packageId: number | null
}

/** Whether a person may see, download, change or delete a file of another person. */
export interface FileQuestion {
  /** The operation that the person wants to use. */
  readonly operation: 'getFileMeta' | 'presignFile' | 'updateFileMeta' | 'deleteFile'
  /** The person who asks. */
  readonly person: Identity
  /** The file, with its reserved metadata. */
  readonly file: FileAsset
}

/** Whether a person may share a file with another client of the storage service, end a share, or list shares. */
export interface ShareQuestion {
  /** The operation that the person wants to use. */
  readonly operation: 'createShare' | 'getShares' | 'revokeShare'
  /** The person who asks. */
  readonly person: Identity
  /** The file; null if the question is about all shares of the application. */
  readonly file: FileAsset | null
  /** Whether this person uploaded the file. */
  readonly isOwner: boolean
  /** The other client; null if the request names none. */
  readonly granteeClientId: string | null
}
