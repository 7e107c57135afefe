// The messages of elements that upload files, apart from `en.ts` because they load with the elements.

export const files = {
  choose: 'Choose files',
  chooseOne: 'Choose a file',
  chooseFolder: 'Choose a folder',
  drop: 'or drop or paste here',
  waiting: 'Waiting to upload',
  progress: '{percent} ({sent} of {total})',
  timeLeft: '{duration} left',
  progressLabel: 'Uploading {name}',
  /** If the browser reports no progress. */
  sending: 'Sending…',
  finishing: 'Sent. Waiting for confirmation…',
  checking: 'Checking if the file arrived…',
  cancelled: 'Upload cancelled.',
  stalled: 'The upload has stalled. Wait, try again or cancel.',
  offline: 'Paused: you’re offline. The upload starts again when you’re back online.',
  signedOut: 'Paused: you are signed out. Open another tab to sign in, and the upload starts again.',
  storedAnnouncement: '{name} was uploaded.',
  announcement: '{name}: {what}',
  /** Each of the next four counts files. */
  uploaded: { other: '# uploaded' },
  failed: { other: '# failed' },
  uploading: { other: '# uploading' },
  paused: { other: '# paused' },
  /** Sums up several uploads. `counts` joins some of the counts above. `names` lists the files that failed. */
  outcome: '{counts}: {names}',
  /** Accessible name of a button for one of several files. */
  named: '{action} {name}',
  cancel: 'Cancel',
  resume: 'Continue',
  tryAgain: 'Try again',
  remove: 'Remove',
  notSent: 'Not uploaded: the connection or the service failed.',
  uncertain: 'No confirmation arrived, so the file may or may not be uploaded. Try again to make sure.',
  /** The proxy will never know the outcome, and another attempt is a new upload. */
  unconfirmed: 'The file may or may not be uploaded. Check first: trying again may store it twice.',
  forbidden: 'Not uploaded: you don’t have permission to upload here.',
  refused: 'Not uploaded: the service rejected the file.',
  /** The site rejected it, or a server in front of it. */
  refusedHere: 'Not uploaded: this site doesn’t accept the file.',
  /** A server in front of the proxy rejected it: as far as is known, nothing was stored. */
  refusedBetween:
    'Not uploaded: a server between this page and the service refused the file. Tell the owner of this site.',
  /** The same, if the file may have been stored. */
  uncertainBetween:
    'A server between this page and the service refused the upload, so the file may or may not be uploaded. Try again to make sure, or tell the owner of this site.',
  tooLargeHere: 'Not uploaded: the file is too large for this site. Choose a smaller file.',
  /** Why a file was not sent. `limit` is the maximum size. */
  problems: {
    tooLarge: 'Not uploaded: the file is larger than {limit}. Choose a smaller file.',
    wrongType: 'Not uploaded: this type of file is not accepted. Choose a different file.',
    /** `types` names file name extensions. */
    wrongTypeOf: 'Not uploaded: this type of file is not accepted. Choose one of these types: {types}.',
    notPdf: 'Not uploaded: only PDF files are accepted. Save the file as a PDF and choose it again.',
    empty: 'Not uploaded: the file is empty. Save it again or choose a different file.',
    unreadable: 'Not uploaded: the file can’t be read. It may be a folder, or it was moved or changed.',
  },
  /** In place of a file name that is not known. */
  unnamed: 'Unnamed file',
  opensInTab: 'Open {name} in a new tab',
  download: 'Download',
  /** `day` may include the time. */
  uploadedOn: 'Uploaded {day}',
  keptUntil: 'kept until {day}',
  noEnd: 'no end date',
  /** Why a stored file is not available. */
  ends: {
    expired: 'Expired on {day}. Upload it again if it is still needed.',
    lost: 'No longer available. It may have been deleted, or you may have lost access.',
    missing: 'Not available. It may have expired or been deleted, or belong to someone else.',
  },
  deleting: 'Deleting…',
  deleted: '{name} was deleted.',
  notDeleted: 'Couldn’t be deleted. Try again.',
} as const
