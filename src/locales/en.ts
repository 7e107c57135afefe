/** The language of these messages. */
export const language: string = 'en'

export const common = {
  tryAgain: 'Try again',
  trying: 'Trying…',
  stillUnavailable: 'Still not available.',
  upToDate: 'Up to date again.',
  /** Follows the first messages of many. */
  more: { other: 'And # more.' },
  stale: "This may be out of date. The latest version couldn't be loaded.",
  loading: 'Loading…',
  forbidden: 'This request is not available to you.',
  missing: 'This request does not exist.',
  signedOut: 'You are signed out. Sign in, then return to this page.',
  /** Before a link to the page where people sign in. */
  isSignedOut: 'You are signed out.',
  signIn: 'Sign in',
  /** Between the entries of a list. */
  separator: ', ',
  /** A text after its label. */
  labelled: '{label}: {text}',
  unavailable: "Couldn't be loaded.",
  /** For the page author. */
  noProxy: 'No Routeslip proxy found at {endpoint}.',
  /** Shown if rows of a list could not be read. */
  leftOut: { one: "# entry couldn't be read.", other: "# entries couldn't be read." },
  /** Replaces a name that the service does not return. */
  someone: 'Someone',
  permissions: {
    SIGNATURE_REQUIRED: 'must sign',
    SIGNATURE_PERMITTED: 'may sign',
    VIEW_AND_EDIT: 'may edit',
    VIEW_ONLY: 'may view',
  },
  /** For the page author. `missing` lists attributes. */
  notConfigured: '<{tag}> needs {missing} to show anything.',
  /** For the page author. */
  foreignEndpoint:
    '<{tag}> cannot use a proxy at {origin}. Add it to "origins" in configure() or in the page\'s configuration script.',
} as const

export const packageStatus = {
  label: 'Status',
  states: {
    /** Not submitted yet, or removed from routing: the service has one state for both. */
    PRE_ROUTING: 'Not in routing',
    DRAFT: 'Draft',
    ROUTING: 'In routing',
    COMPLETE: 'Complete',
    VOID: 'Void',
  },
  stateChanged: 'The request is now: {state}.',
  waitingFor: 'Waiting for',
  waitingUnknown: "Who has it now couldn't be loaded.",
  /** Each of the next two follows the name of the initiator. */
  mustSubmit: 'must submit it',
  mustResubmit: 'must correct it and submit it again',
  /** Each of the next three is followed by a name. */
  returnedBy: 'Returned by',
  returned: 'Returned. Latest comment by',
  removedBy: 'Removed by',
  /** To the initiator of a draft. */
  editElsewhere: 'Edit and submit it on the page where you filled it in.',
  /** Instead of the names of people, if the package is in no inbox. */
  nobody: 'nobody',
  release: 'release at “{stop}”',
  held: 'An application connected to the form holds the route at this stop. If this takes long, ask the owner of the form.',
  /** Follows the titles of `number` documents. */
  lacksDocument: {
    one: 'Required document. The initiator or an approver must upload it.',
    other: 'Required documents. The initiator or an approver must upload them.',
  },
  unknownReason: "It is in nobody's inbox, and the reason is not known here. Ask the owner of the form.",
  initiator: 'Initiator',
  routingDate: 'Started',
  actionDate: 'Last action',
  details: 'Details',
  voidReason: 'Reason',
  voidReasons: {
    DUPLICATE_TRANSACTION: 'Duplicate transaction',
    INCORRECT_FORM: 'Incorrect form',
    TRANSACTION_CANCELLED: 'Transaction cancelled',
    TRANSACTION_DENIED: 'Transaction denied',
  },
  since: 'since',
  comments: { one: '# comment', other: '# comments' },
  attachments: { one: '# attachment', other: '# attachments' },
  test: 'Test',
  /** Label of the number of comments and attachments. */
  onFile: 'On file',
  testHint: 'This request is in the test environment.',
  /** The labels of badges; `unavailable` and other texts explain them. */
  notAvailable: 'Not available',
  notLoaded: 'Not loaded',
  sign: 'Sign',
  edit: 'Edit',
  editAndSubmit: 'Edit and submit',
  actions: 'Actions',
  actionsFailed: "This action couldn't be opened.",
  restarted: 'Routing has restarted.',
  getPdf: 'Download PDF',
  routePackage: 'Start routing',
  reinitiatePackage: 'Re-initiate',
  returnPackage: 'Return to a person',
  returnToInitiator: 'Return to initiator',
  restartPackage: 'Restart routing',
  unvoidPackage: 'Unvoid',
  removePackage: 'Remove from routing',
  voidPackage: 'Void',
} as const

export const history = {
  label: 'Routing history',
  /** Announces an event. */
  announcement: '{event}.',
  empty: 'Nothing has happened yet.',
  /** Names follow. */
  waiting: 'Waiting for',
  stop: { other: 'Stop #' },
  /** A time follows. */
  since: 'since',
  /** How long a person had the request before signing. */
  after: 'after {duration}',
  heldBy: 'held by {name}',
  overrides: { DELEGATE: 'delegated', CHANGE: 'overridden' },
  /** Each follows a name. */
  verbs: {
    initiation: 'started routing',
    received: 'received it',
    signed: 'signed',
    autoSigned: 'signed automatically',
    /** The package left their inbox: the route went on, began again or ended. */
    passed: "didn't sign",
    voided: 'had their signature voided',
    void: 'voided it',
    unvoid: 'reversed the void',
    remove: 'removed it from routing',
    re_initiate: 'started routing again',
    /** Follows the name of an office. */
    office_opt_out: 'opted out',
    notification: 'was notified',
    notification_unlock: 'let routing continue',
  },
  /** Instead of a name, if an application was notified or let routing continue. */
  application: 'An application',
  complete: 'Routing is complete',
  earlier: { other: 'Show # earlier' },
  jump: 'Jump to now',
  future: { one: 'Still to come (# stop)', other: 'Still to come (# stops)' },
  futureFailed: "The stops still to come couldn't be loaded.",
  packageId: 'Package {id}',
  /** For the page author. */
  invalid: '<{tag}> needs a list of events, or its JSON. The given value is not valid.',
} as const

export const comments = {
  list: 'Comments',
  empty: 'No comments yet.',
  approversOnly: 'Approvers only',
  inactive: 'Inactive',
  more: 'Show more',
  less: 'Show less',
  search: 'Search comments',
  found: '{found} of {total}',
  none: 'No comments match.',
  hideInactive: { other: 'Hide inactive (#)' },
  added: { one: '# new comment.', other: '# new comments.' },
} as const

export const attachments = {
  list: 'Attachments',
  empty: 'This form has no attachments.',
  /** `there` of `total` have been uploaded. */
  required: {
    one: '{there} of # required document',
    other: '{there} of # required documents',
  },
  beforeRouting: 'Needed before routing',
  beforeCompletion: 'Needed before completion',
  optional: 'Optional',
  pdf: 'PDF only',
  /** The package went on without it. */
  missing: 'Missing',
  later: 'You can add this after routing starts.',
  /** Heading of the attachments whose kind the form does not know. */
  otherTitle: 'Other attachments',
  /** Title of a kind of attachment without a title. */
  untitled: 'Attachment',
  /** Name of an attachment without a file name. */
  unnamed: 'Unnamed file',
  /** The title of the kind follows in the accessible name. */
  add: 'Add file',
  hint: 'Drop or paste files onto an entry · up to {size} each',
  description: 'Description (optional)',
  final: "You can't change or delete the file or its description after you upload it.",
  upload: 'Upload',
  download: 'Download',
  processing: 'Uploaded, still being processed',
  /** Why the form cannot be sent yet. `titles` names `number` documents. */
  wanted: {
    one: 'Upload the required document: {titles}.',
    other: 'Upload the required documents: {titles}.',
  },
  unfinished: { one: 'Finish or cancel the upload first.', other: 'Finish or cancel # uploads first.' },
} as const

/** Uploads, in every element that has some. */
export const files = {
  choose: 'Choose files',
  chooseOne: 'Choose a file',
  chooseFolder: 'Choose a folder',
  drop: 'or drop or paste here',
  waiting: 'Waiting to upload',
  progress: '{percent} ({sent} of {total})',
  timeLeft: '{duration} left',
  progressLabel: 'Uploading {name}',
  finishing: 'Sent. Waiting for confirmation…',
  checking: 'Checking if the file arrived…',
  cancelled: 'Upload cancelled.',
  stored: 'Uploaded',
  stalled: 'The upload has stalled. Wait, try again or cancel.',
  offline: "Paused: you're offline. The upload starts again when you're back online.",
  signedOut: 'Paused: you are signed out. Sign in in another tab, and the upload starts again.',
  storedAnnouncement: '{name} was uploaded.',
  announcement: '{name}: {what}',
  /** Each of the next three counts files. */
  uploaded: { other: '# uploaded' },
  failed: { other: '# failed' },
  uploading: { other: '# uploading' },
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
  forbidden: "Not uploaded: you don't have permission to upload here.",
  refused: 'Not uploaded: the service rejected the file.',
  /** The site rejected it, or a server in front of it. */
  refusedHere: "Not uploaded: this site doesn't accept the file.",
  tooLargeHere: 'Not uploaded: the file is too large for this site. Choose a smaller file.',
  /** Why a file was not sent. `limit` is the maximum size. */
  problems: {
    tooLarge: 'Not uploaded: the file is larger than {limit}. Choose a smaller file.',
    wrongType: 'Not uploaded: this type of file is not accepted. Choose a different file.',
    notPdf: 'Not uploaded: only PDF files are accepted. Save the file as a PDF and choose it again.',
    empty: 'Not uploaded: the file is empty.',
    unreadable: "Not uploaded: the file can't be read. It may be a folder, or it was moved or changed.",
  },
} as const

export const uploader = {
  label: 'Upload files',
  files: 'Files',
  limit: 'Up to {size} each.',
  /** `list` names file name extensions. */
  types: 'Types: {list}.',
  most: { one: 'One file only.', other: 'Up to # files.' },
  tooMany: {
    one: 'One file was not added: the list is full.',
    other: '# files were not added: the list is full.',
  },
  leftOut: "Not added, because they are empty or can't be read: {names}",
  forbidden: "You don't have permission to upload files here.",
  /** A day, or a day and a time. */
  availableUntil: 'Available until {time}',
  /** Instead of a file that the page named. */
  /** Instead of its name. */
  unavailable: 'Unavailable file',
  unknown: 'Not available. It may have expired or been deleted, or belong to someone else.',
  gone: 'No longer available. It may have expired or been deleted, or you may have lost access.',
  download: 'Download',
  delete: 'Delete…',
  deleteQuestion: 'Delete this file permanently?',
  deleteConfirm: 'Delete',
  deleteKeep: 'Keep file',
  deleting: 'Deleting…',
  deleted: '{name} was deleted.',
  notDeleted: "The file couldn't be deleted. Try again.",
  /** Why the form cannot be sent yet. */
  missing: 'Upload a file.',
  unfinished: { one: 'Wait for the upload to finish.', other: 'Wait for # uploads to finish.' },
  /** For the page author. */
  badDuration: 'expires-in="{text}" is not a valid duration. Use a duration such as 30d, 12h or PT45M.',
  badMetadata: 'metadata must be a JSON object whose values are strings.',
} as const
