/** English. Every visible word of the elements, by element. */
export const en = {
  /** Language of these words. */
  language: 'en',

  common: {
    tryAgain: 'Try again',
    trying: 'Trying…',
    stillUnavailable: 'Still not available.',
    upToDate: 'Up to date again.',
    /** Stands behind the first messages of many. */
    more: (count: number) => `And ${count} more.`,
    stale: 'This may be out of date: the latest could not be loaded.',
    signedOut: 'You are signed out. Sign in to the site and come back.',
    unavailable: 'This cannot be loaded at the moment.',
    /** For the author of a page. `missing` names attributes. */
    notConfigured: (tag: string, missing: string) => `<${tag}> needs ${missing} to show anything.`,
  },

  packageStatus: {
    loading: 'Loading the status…',
    forbidden: 'This package is not available to you.',
    notFound: 'There is no such package.',
    states: {
      PRE_ROUTING: 'Not yet routing',
      DRAFT: 'Draft',
      ROUTING: 'In routing',
      COMPLETE: 'Complete',
      VOID: 'Void',
    },
    stateChanged: (state: string) => `The package is now: ${state}.`,
    waitingFor: 'Waiting for',
    waitingUnknown: 'Whom it waits for is not known at the moment.',
    leftOut: (count: number) =>
      count === 1 ? 'One entry could not be read.' : `${count} entries could not be read.`,
    permissions: {
      SIGNATURE_REQUIRED: 'must sign',
      SIGNATURE_PERMITTED: 'may sign',
      VIEW_AND_EDIT: 'may edit',
      VIEW_ONLY: 'may view',
    },
    initiator: 'Initiator',
    routingDate: 'Routing since',
    routingBegan: 'Routing began',
    actionDate: 'Last action',
    voidReason: 'Reason',
    voidReasons: {
      DUPLICATE_TRANSACTION: 'Duplicate transaction',
      INCORRECT_FORM: 'Incorrect form',
      TRANSACTION_CANCELLED: 'Transaction cancelled',
      TRANSACTION_DENIED: 'Transaction denied',
    },
    void: 'Void…',
    voidTitle: (packageId: number) => `Void package ${packageId}?`,
    voidConsequence: 'Routing ends now: nobody can sign it any more, and it leaves every inbox.',
    voidQuestion: 'Why is it voided?',
    voidReasonMissing: 'Choose a reason.',
    voidConfirm: 'Void package',
    voidBusy: 'Voiding…',
    voidCancel: 'Keep it',
    voidOvertaken: (state: string) =>
      `Meanwhile the package has changed. It is now: ${state}. You cannot void it any more.`,
    voidForbidden: 'You may not void this package any more. Nothing was changed.',
    voidRefused: 'The package cannot be voided in its present state. Nothing was changed.',
    voidUncertain:
      'There was no answer, so the package may or may not be void. Close this and look at its state.',
  },

  uploader: {
    choose: 'Choose files',
    drop: 'or drop them here',
    limit: (size: string) => `Up to ${size} each.`,
    label: 'Upload files',
    files: 'Files',
    waiting: 'Waiting for its turn',
    progress: (percent: string, sent: string, total: string) => `${percent} (${sent} of ${total})`,
    progressLabel: (name: string) => `Upload of ${name}`,
    finishing: 'Sent. Waiting for confirmation…',
    stored: 'Uploaded',
    storedAnnouncement: (name: string) => `${name} was uploaded.`,
    failedAnnouncement: (name: string, why: string) => `${name}: ${why}`,
    reference: 'Reference',
    availableUntil: (day: string) => `Available until ${day}`,
    gone: 'Not available to you any more. It may have expired or been deleted.',
    download: 'Download',
    downloadLabel: (name: string) => `Download ${name}`,
    cancel: 'Cancel',
    cancelLabel: (name: string) => `Cancel the upload of ${name}`,
    tryAgainLabel: (name: string) => `Try again to upload ${name}`,
    remove: 'Remove',
    removeLabel: (name: string) => `Remove ${name} from the list`,
    tooLarge: (limit: string) => `Not uploaded: it is larger than ${limit}. Choose a smaller file.`,
    empty: 'Not uploaded: it is empty.',
    unreadable: 'Not uploaded: it cannot be read. It may be a folder, or it was moved or changed.',
    notSent: 'Not uploaded: the connection or the service failed.',
    uncertain: 'All of it was sent, but there was no confirmation. Try again to be sure.',
    signedOut: 'Not uploaded: you are signed out. Sign in again in another tab, then try again.',
    forbidden: 'Not uploaded: you may not upload here.',
    refused: 'Not uploaded: the service refused it.',
  },
} as const

/** What a table of messages holds. */
export type Messages = typeof en
