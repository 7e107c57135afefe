import { plural } from './plural.ts'

const count = plural('en')

/** Language of these words. */
export const language: string = 'en'

export const common = {
  tryAgain: 'Try again',
  trying: 'Trying…',
  stillUnavailable: 'Still not available.',
  upToDate: 'Up to date again.',
  /** Stands behind the first messages of many. */
  more: (number: number) => count(number, { other: 'And # more.' }),
  stale: 'This may be out of date: the latest could not be loaded.',
  loading: 'Loading…',
  forbidden: 'This package is not available to you.',
  missing: 'There is no such package.',
  signedOut: 'You are signed out. Sign in to the site and come back.',
  unavailable: 'This cannot be loaded at the moment.',
  /** Stands where rows of a list could not be read. */
  leftOut: (number: number) =>
    count(number, { one: 'One entry could not be read.', other: '# entries could not be read.' }),
  /** Stands for a person whose name the service does not tell. */
  someone: 'Someone',
  close: 'Close',
  permissions: {
    SIGNATURE_REQUIRED: 'must sign',
    SIGNATURE_PERMITTED: 'may sign',
    VIEW_AND_EDIT: 'may edit',
    VIEW_ONLY: 'may view',
  },
  /** For the author of a page. `missing` names attributes. */
  notConfigured: (tag: string, missing: string) => `<${tag}> needs ${missing} to show anything.`,
  /** For the author of a page. */
  foreignEndpoint: (tag: string, origin: string) =>
    `<${tag}> may not use a proxy at ${origin}. Let configure() or the page's configuration script list it in "origins".`,
}

export const packageStatus = {
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
  since: 'since',
  comments: (number: number) => count(number, { one: '# comment', other: '# comments' }),
  attachments: (number: number) => count(number, { one: '# attachment', other: '# attachments' }),
  test: 'Test',
  testHint: 'This package is in the test environment.',
  /** Stands in a badge; `unavailable` and the like say more about it. */
  notAvailable: 'Not available',
  notLoaded: 'Not loaded',
  sign: 'Sign',
  actions: 'Actions',
  actionsFailed: 'This could not be opened, because a part of it could not be loaded.',
  restarted: 'Routing has begun again.',
  getPdf: 'Download PDF',
  routePackage: 'Start routing',
  reinitiatePackage: 'Re-initiate',
  returnPackage: 'Return to a person',
  returnToInitiator: 'Return to initiator',
  restartPackage: 'Restart routing',
  unvoidPackage: 'Unvoid',
  removePackage: 'Remove from routing',
  voidPackage: 'Void',
}

export const history = {
  label: 'Routing history',
  empty: 'Nothing has happened yet.',
  now: 'Now',
  /** Names follow. */
  waiting: 'Now: waiting for',
  stop: (number: number) => count(number, { other: 'Stop #' }),
  /** A time follows. */
  since: 'since',
  /** A time follows. */
  received: 'received',
  heldBy: (name: string) => `held by ${name}`,
  overrides: { DELEGATE: 'delegated', CHANGE: 'overridden' },
  /** Each stands behind a name. */
  verbs: {
    initiation: 'started routing',
    received: 'received it',
    signed: 'signed',
    autoSigned: 'signed automatically',
    passed: 'was passed over',
    void: 'voided it',
    unvoid: 'took the void back',
    remove: 'removed it from routing',
    re_initiate: 'started routing again',
  },
  complete: 'Routing is complete',
  future: (stops: number) =>
    count(stops, { one: 'Still to come (# stop)', other: 'Still to come (# stops)' }),
  futureFailed: 'What is still to come cannot be loaded at the moment.',
  packageId: (id: number) => `Package ${id}`,
  /** For the author of a page. */
  invalid: (tag: string) => `What <${tag}> was given is not a list of events, or not JSON.`,
}

export const comments = {
  list: 'Comments',
  empty: 'No comments yet.',
  approversOnly: 'Approvers only',
  inactive: 'Inactive',
  more: 'Show all of it',
  less: 'Show less',
  search: 'Search comments',
  found: (found: number, total: number) =>
    `${count(found, { other: '#' })} of ${count(total, { other: '#' })}`,
  none: 'No comment matches.',
  hideInactive: (number: number) => count(number, { other: 'Hide inactive (#)' }),
  added: (number: number) => count(number, { one: 'One new comment.', other: '# new comments.' }),
}

export const attachments = {
  list: 'Attachments',
  empty: 'There are no attachments, and none are asked for.',
  /** `there` of `total` have been uploaded. */
  required: (there: number, total: number) =>
    count(total, { one: `${there} of # required document`, other: `${there} of # required documents` }),
  beforeRouting: 'Required before routing',
  beforeCompletion: 'Required before completion',
  optional: 'Optional',
  pdf: 'PDF only',
  missing: 'Missing',
  later: 'Can be added once routing has begun.',
  /** Stands over what is of no kind that the form knows. */
  other: 'Further attachments',
  add: (title: string) => `Add ${title}…`,
  hint: (size: string) => `You can also drop or paste files onto an entry. Up to ${size} each.`,
  description: 'Description (optional)',
  final: 'Once uploaded, neither the file nor its description can be changed or deleted.',
  upload: 'Upload',
  download: 'Download',
  processing: 'Uploaded; still being processed',
  notPdf: 'Not uploaded: only PDF is taken here. Save it as a PDF, and choose that.',
  /** Why the form around it cannot be sent yet. */
  wanted: (titles: string) => `Upload what is required: ${titles}.`,
  unfinished: (number: number) =>
    count(number, { one: 'Finish or cancel one upload first.', other: 'Finish or cancel # uploads first.' }),
}

/** Files on their way, in every element that takes some. */
export const files = {
  choose: 'Choose files',
  chooseOne: 'Choose a file',
  chooseFolder: 'Choose a folder',
  drop: 'or drop or paste here',
  waiting: 'Waiting for its turn',
  progress: (percent: string, sent: string, total: string) => `${percent} (${sent} of ${total})`,
  timeLeft: (duration: string) => `${duration} left`,
  progressLabel: (name: string) => `Upload of ${name}`,
  finishing: 'Sent. Waiting for confirmation…',
  checking: 'Checking whether it has arrived…',
  cancelled: 'Not uploaded: it was cancelled.',
  stored: 'Uploaded',
  stalled: 'Nothing has moved for a while. It may still go on; you can also try again or cancel.',
  offline: 'Paused: there is no connection. It starts again from the beginning when there is one.',
  signedOut: 'Paused: you are signed out. Sign in, in another tab; then it starts again from the beginning.',
  storedAnnouncement: (name: string) => `${name} was uploaded.`,
  announcement: (name: string, what: string) => `${name}: ${what}`,
  /** Names a button for one file among many. */
  named: (action: string, name: string) => `${action} ${name}`,
  cancel: 'Cancel',
  resume: 'Continue',
  tryAgain: 'Try again',
  remove: 'Remove',
  notSent: 'Not uploaded: the connection or the service failed.',
  uncertain: 'There was no confirmation: it may or may not have been uploaded. Try again to be sure.',
  forbidden: 'Not uploaded: you may not upload here.',
  refused: 'Not uploaded: the service refused it.',
  /** Why a file is not sent. `limit` is the largest size. */
  flaws: {
    tooLarge: (limit: string) => `Not uploaded: it is larger than ${limit}. Choose a smaller file.`,
    wrongType: () => 'Not uploaded: files of this type are not taken here.',
    empty: () => 'Not uploaded: it is empty.',
    unreadable: () => 'Not uploaded: it cannot be read. It may be a folder, or it was moved or changed.',
  },
}

export const uploader = {
  label: 'Upload files',
  files: 'Files',
  limit: (size: string) => `Up to ${size} each.`,
  /** `list` names file name extensions. */
  types: (list: string) => `Types: ${list}.`,
  most: (number: number) => count(number, { one: 'One file.', other: 'At most # files.' }),
  tooMany: (number: number) =>
    count(number, {
      one: 'One file was left out: there is no room for more.',
      other: '# files were left out: there is no room for more.',
    }),
  leftOut: (names: string) => `Left out, because they hold nothing or cannot be read: ${names}`,
  forbidden: 'You may not upload files here.',
  reference: 'Reference',
  availableUntil: (day: string) => `Available until ${day}`,
  gone: 'Not available to you any more. It may have expired or been deleted.',
  download: 'Download',
  delete: 'Delete…',
  deleteQuestion: 'Delete this file for good?',
  deleteConfirm: 'Delete',
  deleteKeep: 'Keep it',
  deleting: 'Deleting…',
  deleted: (name: string) => `${name} was deleted.`,
  notDeleted: 'It could not be deleted. Try again.',
  /** Why the form around it cannot be sent yet. */
  missing: 'Upload a file.',
  unfinished: (number: number) =>
    count(number, {
      one: 'Wait until the file has been uploaded.',
      other: 'Wait until # files have been uploaded.',
    }),
  /** For the author of a page. */
  badDuration: (text: string) => `expires-in="${text}" is no duration such as 30d, 12h or PT45M.`,
  badMetadata: 'metadata has to be a JSON object of texts.',
}
