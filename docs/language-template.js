// All texts of Routeslip's elements, in English. To add a language, copy this file, set `language`, and translate the
// texts. docs/languages.md describes placeholders and plural forms. Written by scripts/docs/write.ts.

/** The language of these messages. */
export const language = 'xx'

/** @type {import('routeslip').Messages['common']} */
export const common = {
  stale: 'This may be out of date. The latest version couldn’t be loaded.',
  /** `status` is an HTTP status. */
  between:
    'A server between this page and the service refused access ({status}). Tell the owner of this site.',
  loading: 'Loading…',
  forbidden: 'This request is not available to you.',
  missing: 'This request does not exist.',
  signedOut: 'You are signed out. Sign in, then return to this page.',
  /** Between the entries of a list. */
  separator: ', ',
  unavailable: 'Couldn’t be loaded.',
  /** For the page author. */
  noProxy: 'No Routeslip proxy found at {endpoint}.',
  /** Replaces a name that the service does not return. */
  someone: 'Someone',
  /** For the page author. `missing` lists attributes. */
  notConfigured: '<{tag}> needs {missing} to show anything.',
  /** For the page author. */
  foreignEndpoint:
    '<{tag}> cannot use a proxy at {origin}. Add it to "origins" in configure() or in the page’s configuration script.',
  tryAgain: 'Try again',
  trying: 'Trying…',
  stillUnavailable: 'Still not available.',
  upToDate: 'Up to date again.',
  /** Follows the first messages of many. */
  more: { other: 'And # more.' },
  /** A notice above content that was loaded before. */
  knownAt: 'Showing what was known at {time}. Trying again.',
  mayBeOld: 'May be out of date.',
  /** Before a link to the page where people sign in. */
  isSignedOut: 'You are signed out.',
  signIn: 'Sign in',
  /** A text after its label. */
  labelled: '{label}: {text}',
  /** Shown if rows of a list could not be read. */
  leftOut: { one: '# entry couldn’t be read.', other: '# entries couldn’t be read.' },
  permissions: {
    SIGNATURE_REQUIRED: 'must sign',
    SIGNATURE_PERMITTED: 'may sign',
    VIEW_AND_EDIT: 'may edit',
    VIEW_ONLY: 'may view',
  },
}

/** @type {import('routeslip').Messages['attachments']} */
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
  /** The title of the kind follows in the accessible name. */
  add: 'Add file',
  hint: 'Drop or paste files onto an entry · up to {size} each',
  description: 'Description (optional)',
  final: 'You can’t change or delete the file or its description after you upload it.',
  upload: 'Upload',
  processing: 'Uploaded, still being processed',
  /** Why the form cannot be sent yet. `titles` names `number` documents. */
  wanted: {
    one: 'Upload the required document: {titles}.',
    other: 'Upload the required documents: {titles}.',
  },
  unfinished: { one: 'Finish or cancel the upload first.', other: 'Finish or cancel # uploads first.' },
}

/** What a change did that a server before the proxy refused. Follows the message that says so. */
/** @type {import('routeslip').Messages['changes']} */
export const changes = {
  notDone: 'Nothing was changed.',
  mayBeDone: 'It may have happened nevertheless. Close this and check.',
}

/** @type {import('routeslip').Messages['comments']} */
export const comments = {
  list: 'Comments',
  empty: 'No comments yet.',
  /** Roles of authors, and the mark of comments that arrived while the page was open. */
  initiator: 'Initiator',
  approver: 'Approver, stop {number}',
  new: 'New',
  approversOnly: 'Approvers only',
  inactive: 'Inactive',
  more: 'Show more',
  less: 'Show less',
  search: 'Search comments',
  found: '{found} of {total}',
  none: 'No comments match.',
  hideInactive: { other: 'Hide inactive (#)' },
  /** Announced if there is only one, and its author is known. */
  addedBy: '1 new comment from {name}.',
  added: { one: '# new comment.', other: '# new comments.' },
}

/** @type {import('routeslip').Messages['storedFiles']} */
export const storedFiles = {
  label: 'Files',
  count: { one: '# file', other: '# files' },
  /** Beside `count`. */
  unavailable: { one: '# is not available', other: '# are not available' },
  empty: 'No files yet.',
  /** Why a file is not available. */
  ends: {
    deleted: 'Deleted.',
    forbidden: 'You don’t have access to this file.',
    unread: 'Couldn’t be loaded.',
  },
  edit: 'Edit',
  delete: 'Delete',
  undo: 'Undo',
  deleteNow: 'Delete now',
  waiting: 'Will be deleted when you leave this page.',
  /** `names` lists applications. */
  granteesLose: 'Also lost for: {names}.',
  kept: '{name} stays.',
  editing: 'Edit {name}',
  name: 'Name',
  keepUntil: 'Keep until',
  dayHint: 'Leave the date empty to keep the file without an end date.',
  /** In the test environment, whose limit is 30 days. */
  testLimit:
    'The test environment deletes files 30 days after their upload: this one on {day} at the latest.',
  labels: 'Labels',
  labelName: 'Label',
  labelValue: 'Value',
  labelsHint: 'Clear a value to remove its label.',
  addLabel: 'Add a label',
  save: 'Save',
  saving: 'Saving…',
  cancel: 'Cancel',
  saved: 'Saved: {name}',
  notSaved: 'Couldn’t be saved. Your changes are still here. Try again.',
  notSavedRefused: 'Not saved. Change what is described here, then save again:',
  notSavedGone: 'Not saved: the file is no longer available.',
  notSavedForbidden: 'Not saved: you don’t have permission to change this file.',
  /** Why an edit cannot be saved. */
  problems: {
    blankName: 'Enter a name.',
    tooEarly: 'Enter a complete date, tomorrow or later. To remove the file now, delete it.',
    tooLate: 'Enter an earlier date: the test environment keeps files for 30 days.',
    unnamedLabel: 'Enter a name for the label.',
    emptyLabel: 'Enter a value for the label.',
    repeatedLabel: 'This label already exists. Change its value instead.',
  },
  /** Title of the section with the reference. */
  support: 'For support',
  reference: 'Reference',
  /** Why the form cannot be sent yet. */
  missing: 'Add a file.',
}

/** @type {import('routeslip').Messages['shares']} */
export const shares = {
  label: 'Shares',
  count: { one: '# share', other: '# shares' },
  empty: 'Not shared with any application.',
  forbidden: 'You don’t have permission to see who files are shared with. Ask the owner of the file.',
  filters: 'Filter the shares',
  application: 'Application',
  allApplications: 'All applications',
  file: 'File',
  everyFile: 'All files',
  order: 'Order',
  orders: {
    'createdAt,desc': 'Newest first',
    'createdAt,asc': 'Oldest first',
    'granteeClientId,asc': 'By application',
  },
  /** Heading of the applications that have access to all files. */
  allFiles: 'Access to all files, including future ones',
  allFilesHint:
    'Only an administrator of the storage service can change this. You can’t share single files with these applications. An application can get access to all files only while no single file is shared with it.',
  /** In place of the name of an application that the directory does not contain. */
  otherApplication: 'Another application',
  /** In place of the name of a file that is not known. */
  unknownFile: 'Unnamed file',
  sharedWith: 'Shared with {application}',
  since: 'since {day}',
  revoke: 'Stop sharing…',
  /** Accessible name of the button. */
  revokeNamed: 'Stop sharing… {file} with {application}',
  revokeTitle: 'Stop sharing {file} with {application}?',
  revokeEffect:
    '{application} loses access to the file. Links that it has already got work until they expire, for 7 days at the latest. The file stays, and you can share it again.',
  keepSharing: 'Keep sharing',
  revokeConfirm: 'Stop sharing',
  revoking: 'Stopping…',
  revoked: 'No longer shared with {application}.',
  notRevoked: 'Couldn’t be stopped. Try again.',
  notRevocable: 'You don’t have permission to stop sharing this file.',
  pages: 'Pages of shares',
  range: '{from}–{to} of {total}',
  previous: 'Previous',
  next: 'Next',
  create: 'Share a file',
  createOf: 'Share {file}',
  chooseFile: 'Choose a file',
  chooseApplication: 'Choose an application',
  share: 'Share',
  sharing: 'Sharing…',
  shared: 'Shared with {application}.',
  /** Why a file cannot be shared. */
  noFile: 'Choose a file.',
  noApplication: 'Choose an application.',
  hasAll: '{application} already has access to all files, so this file needs no share of its own.',
  isShared: 'The file is already shared with {application}.',
  refused:
    'Not shared: the service refused it. An application that has access to all files cannot get a share of a single file.',
  notShareable: 'Not shared: you don’t have permission to share this file, or it is no longer available.',
  notShared: 'Couldn’t be shared. Try again.',
  support: 'For support',
  reference: 'Reference',
}

/** @type {import('routeslip').Messages['formCopy']} */
export const formCopy = {
  /** `id` is the number of the earlier request, here and below. */
  filled: 'Filled in from request {id}.',
  unsaved: 'Nothing is saved yet.',
  /** A list of fields follows. */
  notCopied: 'Not copied:',
  /** The texts in emails to approvers, in the list of fields. */
  emailText: 'Text in the emails to approvers',
  /** A list of documents follows. */
  uploadAgain: 'Upload these documents again:',
  documentsUnknown: 'Documents are not copied, and the list of those of request {id} could not be read.',
  /** The button that undoes it. */
  empty: 'Empty the form',
  /** The form contains something else already. */
  ask: 'Fill in the form from request {id}?',
  replaces: 'This replaces what you typed.',
  startsNew: 'This starts a new request. The draft stays saved.',
  fillIn: 'Fill it in',
  leave: 'Leave it as it is',
  forbidden: 'The form is empty, because you may not read request {id} or it does not exist.',
  failed: 'Request {id} could not be loaded, so the form is not filled in from it.',
}

/** @type {import('routeslip').Messages['formFields']} */
export const formFields = {
  /** The heading of the list of problems. */
  title: 'There is a problem',
  /** The label of a field inside a sentence. Without quotation marks, as in English, it begins in lower case. */
  inside: '{label}',
  /** A label that is a question or a sentence, inside a sentence. */
  question: '“{label}”',
  /** Each of the next three is about a required field that is empty: one to fill in, a choice, and a question. */
  enter: 'Enter {label}.',
  choose: 'Select {label}.',
  answer: 'Answer {label}.',
  /** By kind of field. */
  mustBe: {
    text: '{label} must be text.',
    date: '{label} must be a real date, such as {example}.',
    url: '{label} must be a web address, such as https://example.edu/.',
    email: '{label} must be an email address, such as name@example.edu.',
    number: '{label} must be a whole number, such as {example}.',
    currency: '{label} must be an amount, such as {example}.',
    no_answer: '{label} must be empty.',
    university_id: '{label} must be a university ID, which has only digits.',
    org: '{label} must be an office number of 2 digits, such as {example}.',
    department: '{label} must be an office number of 6 digits, such as {example}.',
    sub_department: '{label} must be an office number of 10 digits, such as {example}.',
    position: '{label} must be a position number, which has only digits.',
  },
  /** A date in a field that shows it as the browser does. */
  realDate: '{label} must be a real date.',
  personNotFound: 'No person has this university ID. Check {label}.',
  officeNotFound: 'No office has this number. Check {label}.',
  positionNotFound: 'No position has this number. Check {label}.',
  notFound: 'The service did not find this. Check {label}.',
  invalid: 'The service did not accept this. Check {label}.',
  /** The service has given a reason that this version does not know. */
  otherReason: 'The service did not accept {label}: {reason}.',
  /** The problem, and what to do if the page does not have the field. */
  notHere: '{problem} This page does not have the field. Contact the owner of the page.',
}

/** @type {import('routeslip').Messages['formHints']} */
export const formHints = {
  restored: 'Restored: what you typed until {time}. It is not saved yet.',
  discard: 'Discard it',
  /** After a reload. `files` lists the names of files that were chosen and not uploaded. */
  chooseAgain: 'Browsers cannot keep files. Choose again: {files}.',
  continued: 'You are continuing the draft that you saved as request {id}.',
  startNew: 'Start a new request',
  /** After people return to a page on which they submitted a request. */
  submittedAs: 'You submitted this at {time} as request {id}.',
  /** Before an edit is sent. `names` lists the people who have the package now. */
  mailsChange: 'If you save a change, these people get an email about it: {names}.',
  mailsAll: 'If you save, all approvers get an email about it. It is now with {names}.',
  readOnly: 'You can view this request, but not change it.',
  /** A request in routing that the person may change. */
  routed: 'This request is in routing. Changes are saved, but it is not submitted again.',
  resubmit: 'A request that was returned to you can only be submitted again in the service itself.',
  submitElsewhere: 'This draft can only be submitted in the service itself.',
  /** Links to the page of the service where a request is submitted again, or for the first time. */
  linkAgain: 'Submit it again in the service',
  linkFirst: 'Submit it in the service',
}

/** @type {import('routeslip').Messages['formList']} */
export const formList = {
  /** Names the controls that choose which requests are shown. */
  conditions: 'Which requests are shown',
  state: 'State',
  allStates: 'All states',
  /** Label of a number: nothing has happened to the request for that long. */
  days: 'Days without change, at least',
  stop: 'Stop',
  allStops: 'All stops',
  office: 'Office',
  /** `example` is the number of an office. */
  notANumber: 'Enter the number of an office, such as {example}.',
  /** Removes all conditions. */
  all: 'Show all',
  /** Announced when other requests are shown. `count` is such as "7" or "100+". */
  shown: 'Requests shown: {count}',
  /** In a row. */
  atStop: 'Stop: {stop}',
  ofOffice: 'Office: {office}',
  /** The list is never known to be complete, so neither text may say that there is no request. */
  empty: 'This page knows of no request of this form that you may view.',
  noneFits: 'This page knows of no request that meets these conditions and that you may view.',
  forbidden: 'This site does not let you list the requests of this form. Ask the site owner.',
}

/** @type {import('routeslip').Messages['formOutcome']} */
export const formOutcome = {
  /** Each of the next two comes before a reason. */
  notSaved: 'Not saved.',
  notSubmitted: 'Saved, but not submitted.',
  forbidden: 'You don’t have permission to do this. Ask the owner of the form.',
  refused: 'The service refused it.',
  refusedHere: 'This site refused it.',
  /** A limit refuses the request: nothing was sent to the service. */
  limited: 'You have reached a limit of this site. Try again after {time}.',
  unavailable: 'The service could not be reached. Try again.',
  sentElsewhere: 'This request is being sent from another tab. Look there first.',
  /** The service does not save a draft without these fields, whose labels follow. The first only if the browser keeps what is typed. */
  keptHere: 'Kept in this browser.',
  alsoEnter: 'To save it with the service, also enter:',
  /** The address of a saved draft follows. */
  elsewhere: 'To continue on another computer, open:',
  /** About a file input of the page. */
  fileNotSent:
    'This page can’t send files from “{label}”. Remove the file, or contact the owner of the page.',
  /** A file that was chosen and not uploaded. Its name is above. */
  fileWaits:
    'Uploaded when you save or submit. This browser cannot keep the file until then, so leave this page open.',
  /** No confirmation arrived. */
  unknownSave: 'No confirmation arrived, so this may or may not be saved.',
  unknownSubmit: 'It is saved, but no confirmation arrived, so it may or may not be submitted.',
  checkAgain: 'Check again',
  /** Re-initiates a request that was withdrawn, if the service refuses to route it. */
  startAgain: 'Start again',
  startOver: 'Save as a new draft',
  startOverHint: 'If the first draft exists, it stays in the service, and nobody gets it.',
  /** In the summary of problems. */
  notUploaded: '“{file}” was not uploaded. Try again or remove it.',
  conflicts: 'Somebody else changed this too. Choose what to keep.',
  mine: 'What you entered',
  theirs: 'What is saved now',
  empty: 'Nothing',
  keepChosen: 'Save these values',
  cancel: 'Cancel',
}

/** @type {import('routeslip').Messages['formReview']} */
export const formReview = {
  title: 'Check your answers before you submit',
  /** An empty field. */
  notEntered: 'Not entered',
  /** Whether a single checkbox is checked. */
  yes: 'Yes',
  no: 'No',
  change: 'Change',
  /** The same for screen readers. */
  changeOf: 'Change: {label}',
  /** The effect of the button to submit. */
  effect: 'Submitting starts the routing. The first approvers get the request in their inboxes.',
  submit: 'Submit',
  back: 'Back to the form',
}

/** @type {import('routeslip').Messages['form']} */
export const form = {
  label: 'Form',
  saving: 'Saving…',
  submitting: 'Submitting…',
  saved: 'Saved at {time} as request {id}.',
  submitted: 'Submitted at {time}.',
  /** The input is only in this browser. */
  kept: 'Kept in this browser at {time}. Not saved yet.',
  notKept: 'Not saved yet. This browser cannot keep what you type, so save often.',
  /** The draft that they continue cannot be loaded. It may work later. */
  unreadable: "This request can't be read now.",
  saveForDocuments: 'Save and add documents',
  documentsHint: 'You can add documents when the request is saved.',
  signedOut: 'You are signed out. Open another tab to sign in, then try again. What you typed stays here.',
  /** The part of the script that saves did not load. The input is only in this browser. */
  incomplete: 'A part of this page could not be loaded. Try again, or reload the page.',
  /** For the page author. */
  notServed: '<wf-form> cannot use form {id}, because the proxy does not serve it. Check form-id.',
}

/** @type {import('routeslip').Messages['history']} */
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
    passed: 'didn’t sign',
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
  all: { other: 'Show all # earlier' },
  /** Announced when further events are shown. */
  shown: '{shown} of {total} shown.',
  jump: 'Jump to now',
  future: { one: 'Still to come (# stop)', other: 'Still to come (# stops)' },
  futureFailed: 'The stops still to come couldn’t be loaded.',
  packageId: 'Request {id}',
  /** For the page author. */
  invalid: '<{tag}> needs a list of events, or its JSON. The given value is not valid.',
}

/** @type {import('routeslip').Messages['listExtras']} */
export const listExtras = {
  remind: 'Remind',
  remindNamed: 'Remind: {request}',
  /** `when` is such as "2 days ago". `count` reminders of at most `limit` were sent to the present approvers. */
  reminded: 'Reminded {when}, {count} of {limit}',
  /** Instead of this, if the reply of the service was lost. */
  lastUncertain: 'It is not known whether the last reminder was sent.',
  /** Why a request no longer belongs in the list, or in its part of it. */
  signed: 'You signed this',
  submitted: 'This was submitted',
  elsewhere: 'This no longer waits for you',
  hidden: 'You may no longer view this',
  /** What the list may lack; follows it. */
  gap: 'Requests started between {from} and {to} may be missing.',
  limited: 'Requests that wait for an office may be missing.',
}

/** @type {import('routeslip').Messages['list']} */
export const list = {
  label: 'Requests',
  views: { mine: 'My requests', waiting: 'Waiting for me' },
  groups: {
    drafts: 'Not submitted yet',
    submitted: 'Submitted',
    toSign: 'Needs your signature',
    toRead: 'To read or edit',
    all: 'Requests',
  },
  /** Replaces the name of a form that the page does not name. */
  request: 'Request',
  /** `name` is the initiator. */
  from: 'From {name}',
  started: 'Started {day}',
  /** Instead of the state of a request that was removed from routing. */
  withdrawn: 'Withdrawn, not submitted',
  /** Since when it is in the inbox of the person. */
  since: 'Since {day}',
  sign: 'Sign',
  /** `request` is its name and number. */
  signNamed: 'Sign: {request}',
  edit: 'Edit',
  editNamed: 'Edit: {request}',
  /** Starts a new request from this one. */
  copy: 'Use again',
  copyNamed: 'Use again: {request}',
  /** Shows what has been added since the list was opened. */
  new: 'Show new requests: {count}',
  /** Of a request that has left, as long as the reason is not known. */
  gone: 'No longer in this list',
  more: 'Show more',
  /** The list is never known to be complete, so no text may say that nothing waits, or that all is done. */
  empty: {
    mine: 'This page knows of no request of yours.',
    waiting: 'Nothing that this page knows of waits for you.',
  },
  /** What the list is based on; follows it. */
  knownSince: 'This page knows requests since {day}.',
  checked: 'It last looked at {time}.',
  notChecked: 'It has not finished looking yet.',
  partial: 'Some requests could not be checked and are missing.',
  inbox: 'Open the inbox of the routing service',
  off: 'This site keeps no lists of requests.',
}

/** @type {import('routeslip').Messages['missing']} */
export const missing = {
  /** What a package in no inbox waits for, in place of a name. */
  release: 'release at “{stop}”',
  held: 'An application connected to the form holds the route at this stop. If this takes long, ask the owner of the form.',
  /** Who can release the route, to people who may not. */
  releasers:
    'That application can let it continue, and so can the people to whom this site gives permission.',
  /** Follows the titles of `number` documents. */
  lacksDocument: {
    one: 'Required document. The initiator or an approver must upload it.',
    other: 'Required documents. The initiator or an approver must upload them.',
  },
  unknownReason: 'This request isn’t in anyone’s inbox. We don’t know why. Ask the owner of the form.',
  /** To a person who can sign, although the inboxes do not name this person. */
  signature: 'You can sign this request.',
  /** To the last person who must sign. `titles` names `number` documents. */
  refusal: {
    one: 'The service may refuse your signature until {titles} is uploaded.',
    other: 'The service may refuse your signature until {titles} are uploaded.',
  },
  /** Before routing starts. */
  completion: 'Still needed before the last signature: {titles}.',
  /** After routing has started. */
  nobodyAt: 'Nobody is named at “{stop}”. Ask the owner of the form.',
  unchecked: {
    documents: 'Whether a document is missing could not be checked.',
    route: 'The rest of the route could not be checked.',
    pause: 'Whether an application holds the route could not be checked.',
  },
}

/** @type {import('routeslip').Messages['officeList']} */
export const officeList = {
  /** Before anything has been typed. */
  start: 'Type the first two digits. The search is by number.',
  /** Below all offices that the search found. */
  found: { one: '# office.', other: '# offices.' },
  /** Below the first `shown` of # offices. */
  foundMore: { other: '{shown} of # offices. Type more of the number.' },
  /** Follows `found` if the text is part of a name. */
  amongLoaded: {
    one: 'Names are searched only in the # office loaded so far. The search is by number.',
    other: 'Names are searched only in the # offices loaded so far. The search is by number.',
  },
  noName: 'No name matches.',
  none: 'No office number starts with {number}.',
  /** At an office of a higher level than the field accepts. Choosing it lists the offices below. */
  open: 'See the offices below',
}

/** @type {import('routeslip').Messages['office']} */
export const office = {
  /** The name of the field, if the page has no label for it. */
  label: 'Office',
  /** Name of the button that opens and closes the list. */
  list: 'Show the list of offices',
  levels: {
    any: 'an office',
    org: 'an organization',
    department: 'a department',
    sub_department: 'a sub-department',
  },
  /** Below the field. `what` is one of `levels`. */
  hint: 'The number of {what}, such as {example}.',
  checking: 'Checking the number…',
  unchecked: 'The number couldn’t be checked. You can send it as it is.',
  missing: 'Enter the number of {what}, such as {example}.',
  notANumber: 'Choose an office from the list, or enter its number, such as {example}.',
  incomplete: 'An office number has 2, 6 or 10 digits, such as 11, 11-0420 or 11-0420-0010.',
  /** `found` and `wanted` are of `levels`. */
  wrongLevel: '{key} is the number of {found}. Enter the number of {wanted}, such as {example}.',
  unknown: 'No office was found for {key}. Check the number.',
}

/** @type {import('routeslip').Messages['overrides']} */
export const overrides = {
  label: 'Replaced people',
  empty: 'Nobody is replaced on this request.',
  /** Without the right to change anything. */
  noRight: 'You don’t have the right to replace somebody on this request. Ask the owner of this site for it.',
  reason: 'Conflict of interest',
  /** A replacement. */
  pair: '{replacement} acts for {subject}',
  /** The effect of each type. */
  change: '{subject} cannot see this request at all.',
  delegate: '{subject} can look at this request, but cannot sign it.',
  otherType: 'This page does not know the effect.',
  /** Follows `change` or `delegate` before a replacement is confirmed. */
  instead: '{replacement} signs instead.',
  /** Whether the inboxes of the request show the effect. */
  inForce: 'In force: it is in the inbox of {replacement}, and not of {subject}.',
  notYet: 'Not yet in force: it is still in the inbox of {subject}.',
  later: 'Takes effect when the request would reach {subject}.',
  unproven: 'Whether it is in force couldn’t be checked.',
  /** A person whose name is not known. */
  unknown: 'University ID {id}',
  add: 'Replace an approver',
  end: 'End',
  endFor: 'End: {subject}',
  title: 'Replace an approver?',
  intro: 'Use this if somebody on the route has a conflict of interest.',
  subject: 'Who must not decide?',
  replacement: 'Who signs instead?',
  personHint: 'University ID',
  personHintWithSearch: 'Name or university ID',
  unknownPerson: 'The name of {id} couldn’t be looked up. Make sure that the university ID is right.',
  notFound: 'Nobody was found. Check the name, or enter the university ID.',
  several: 'Choose the person:',
  lookupFailed: 'The directory couldn’t be reached. Enter the university ID.',
  effect: 'What may they still do?',
  delegateChoice: 'Look at the request, but not sign it',
  changeChoice: 'Nothing: they cannot see it any more',
  next: 'Continue',
  back: 'Back',
  cancel: 'Cancel',
  busy: 'One moment…',
  confirmTitle: 'Replace {subject}?',
  confirm: 'Replace {subject}',
  /** A person with their university id, before it is confirmed. */
  named: '{name} ({id})',
  endTitle: 'End the replacement of {subject}?',
  endEffect: '{subject} gets back all rights on this request. {replacement} no longer signs for them.',
  keep: 'Keep it',
  problems: {
    subjectMissing: 'Enter who must not decide.',
    replacementMissing: 'Enter who signs instead.',
    typeMissing: 'Choose what they may still do.',
    same: 'Nobody can sign for themselves. Choose somebody else.',
    self: 'You cannot make a replacement that concerns you. Ask somebody else who may.',
    active: 'This person is already replaced. End that first.',
    initiator: 'This person made the request. Choose somebody else to sign.',
    replaced: 'This person is replaced on this request too. Choose the person who acts for them.',
  },
  forbidden: 'You may not do this. Nothing was changed.',
  refused: 'This was refused. Nothing was changed.',
  uncertain: 'The response was lost, so this may or may not have happened. Close this and check the list.',
  signedOut: 'You are signed out. Nothing was changed.',
  /** Announced. */
  made: '{replacement} now acts for {subject}.',
  ended: '{subject} decides again.',
}

/** @type {import('routeslip').Messages['packageActions']} */
export const packageActions = {
  titles: {
    routePackage: 'Start routing this request?',
    reinitiatePackage: 'Re-initiate this request?',
    returnPackage: 'Return this request to a person?',
    returnToInitiator: 'Return this request to its initiator?',
    restartPackage: 'Restart routing?',
    unvoidPackage: 'Unvoid this request?',
    removePackage: 'Remove this request from routing?',
    withdrawPackage: 'Withdraw this request?',
    voidPackage: 'Void this request?',
    getPdf: 'Download this request as a PDF?',
  },
  /** The effect of each action. */
  consequences: {
    routePackage: 'Starts routing. The first approvers get it in their inboxes.',
    reinitiatePackage:
      'Routing starts from the first stop again, and the history shows it. This works only if the request was removed from routing. If it was never in routing, start it instead.',
    returnPackage:
      'One more person gets it in their inbox, at the end of the route. It is complete again when they sign.',
    returnToInitiator:
      'It becomes a draft and leaves every inbox. The initiator must submit it again, and all approvers must sign again.',
    restartPackage: 'Routing starts from the first stop again. All approvers must sign again.',
    unvoidPackage: 'It returns to the state it had before it was voided.',
    removePackage:
      'It leaves every inbox and the history. It is not deleted: people with access can still find it.',
    withdrawPackage:
      'It leaves every inbox, and nobody is emailed. You can then correct it and submit it again. Routing starts from the first stop.',
    voidPackage: 'Routing ends now. It leaves every inbox, and nobody can sign it any more.',
    getPdf: 'The PDF contains the submitted form. Choose what else to include.',
  },
  voidQuestion: 'Why do you want to void it?',
  voidReasonMissing: 'Choose a reason.',
  univid: 'Person',
  unividMissing: 'Enter a university ID of up to 12 digits.',
  comment: 'Comment',
  commentHint: 'The initiator gets it by email. It also appears with the request.',
  commentMissing: 'Enter what the initiator should do.',
  includeRouting: 'Include the routing history',
  mergeAttachments: 'Include the attachments',
  leftOut: 'Not included, because they are not PDF files:',
  leftOutUnknown: 'Includes only PDF attachments. The list of the others couldn’t be loaded.',
  cancel: 'Cancel',
  /** Closes a dialog whose action takes something away. */
  keep: 'Keep it',
  busy: 'One moment…',
  overtaken: 'The request has changed. It is now: {state}. This action is no longer possible.',
  forbidden: 'You can no longer do this. Nothing was changed.',
  /** The service refused it. Its reason may follow. */
  conflict: 'The service does not allow this in the present state of the request. Nothing was changed.',
  refused: 'The service refused this. Nothing was changed. Check what you entered.',
  /** The site refused it. Its reason may follow. */
  conflictHere: 'This site does not allow this in the present state of the request. Nothing was changed.',
  refusedHere: 'This site refused this, and sent nothing to the service. Check what you entered.',
  uncertain: 'The response was lost, so this may or may not have happened. Close this and check the state.',
  /** Used if the state is the same before and after. */
  restartUncertain:
    'The response was lost, and the state does not show whether routing has restarted. Check the history before you try again.',
  /** The heading after a withdrawal at which something is to be said. */
  withdrawn: 'You have withdrawn the request',
  /** About a person whose signature the withdrawal has taken away. */
  lost: '{name} signed at the same moment. That signature is gone.',
  lostUnknown: 'Whether somebody signed at the same moment couldn’t be checked.',
  close: 'Close',
}

/** @type {import('routeslip').Messages['packageStatus']} */
export const packageStatus = {
  states: {
    /** Not submitted yet, or removed from routing: the service has one state for both. */
    PRE_ROUTING: 'Not in routing',
    DRAFT: 'Draft',
    ROUTING: 'In routing',
    COMPLETE: 'Complete',
    VOID: 'Void',
  },
  waitingFor: 'Waiting for',
  /** The labels of badges; `unavailable` and other texts explain them. */
  notAvailable: 'Not available',
  notLoaded: 'Not loaded',
  label: 'Status',
  stateChanged: 'The request is now: {state}.',
  waitingUnknown: 'Who has it now couldn’t be loaded.',
  /** Each of the next two follows the name of the initiator. */
  mustSubmit: 'must submit it',
  mustResubmit: 'must correct it and submit it again',
  /** Each of the next two is followed by a name. */
  returnedBy: 'Returned by',
  returned: 'Returned. Latest comment by',
  /** The headlines: how the routing ended, or who it waits for. */
  removedBy: 'Removed from routing by {name}',
  voidedBy: 'Voided by {name}',
  approvedOn: 'Approved on {day}',
  /** Nobody has signed. */
  completedOn: 'Completed on {day}',
  notStarted: 'Routing has not started',
  waitingForYou: 'Waiting for you',
  /** The signed-in user in a list of names. */
  you: '{name} (you)',
  /** To the initiator of a draft. */
  editElsewhere: 'Edit and submit it on the page where you filled it in.',
  /** Instead of the names of people, if the package is in no inbox. */
  nobody: 'nobody',
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
  sign: 'Sign',
  edit: 'Edit',
  editAndSubmit: 'Edit and submit',
  actions: 'Actions',
  /** Before the next step, if the code that checks what is missing could not be loaded. */
  unchecked: 'What is missing couldn’t be checked.',
  actionsFailed: 'This action couldn’t be opened.',
  restarted: 'Routing has restarted.',
  getPdf: 'Download PDF',
  routePackage: 'Start routing',
  reinitiatePackage: 'Re-initiate',
  returnPackage: 'Return to a person',
  returnToInitiator: 'Return to initiator',
  restartPackage: 'Restart routing',
  unvoidPackage: 'Unvoid',
  removePackage: 'Remove from routing',
  /** Instead of `removePackage`, for the initiator. */
  withdrawPackage: 'Withdraw',
  voidPackage: 'Void',
}

/** @type {import('routeslip').Messages['pause']} */
export const pause = {
  /** The next two come before the time. `stop` is one of the two after them, or the name of the stop. */
  since: 'Paused since',
  sinceAt: 'Paused at {stop} since',
  stop: 'stop {number}',
  namedStop: 'stop {number}, {name},',
  /** The time is not known. */
  paused: 'Paused',
  pausedAt: 'Paused at {stop}',
  release: 'Let it continue',
  title: 'Let this request continue?',
  consequence:
    'The route goes on from this stop, and the next people get the request. The application that paused it may not have finished: if you are not sure, ask its owner first.',
  reason: 'Reason',
  reasonHint: 'The reason is recorded with your name in the log of this site.',
  reasonMissing: 'Enter why the request may continue.',
  keep: 'Keep it paused',
  busy: 'One moment…',
  continues: 'The request continues.',
  waits:
    'The pause was released, but the request is still in nobody’s inbox. Check again in a moment: it may need a little time, or be paused again.',
  signedOut: 'Your session has ended. Sign in and come back to this page. The request is still paused.',
  forbidden: 'You may not do this. The request is still paused.',
  outdated: 'This pause has ended or changed in the meantime. Close this and check the request.',
  refused: 'This was refused. The request is still paused.',
  uncertain:
    'The response was lost, so the request may or may not continue. Close this and check the request.',
}

/** @type {import('routeslip').Messages['refusals']} */
export const refusals = {
  emptyFile: 'The file is empty. Choose another file.',
  /** `types` names file name extensions. */
  extensionNotAllowed:
    'Files of this type cannot be uploaded here. Choose a file of one of these types: {types}.',
  pdfRequired: 'This type of attachment has to be a PDF. Choose a PDF file.',
  hiddenProgram: 'The file is a program with another file extension. Choose another file.',
  passwordProtected:
    'The file cannot be read. If it has a password, remove the password and choose the file again.',
  contentMismatch:
    'The content of the file does not match its name. Save it in the format of its name, or rename it, and choose it again.',
  harmfulContent: 'The scanner found harmful content in the file. Choose another file.',
}

/** @type {import('routeslip').Messages['reminder']} */
export const reminder = {
  title: 'Remind the approvers?',
  effect:
    'The service emails every approver of this request, perhaps also those who have signed. Nothing in the request changes.',
  /** Label of a field for a text that the email quotes. */
  note: 'Note (optional)',
  noteLeft: { one: '# character left', other: '# characters left' },
  /** Why the note cannot be sent. */
  noteProblems: {
    length: { one: 'The note is # character too long.', other: 'The note is # characters too long.' },
    address: 'A note can’t contain addresses: remove “://”, “www.” and “@”.',
    control: 'The note contains invisible control characters. Type it instead of pasting it.',
  },
  /** Before the text of the email. */
  text: 'The email contains this text:',
  cancel: 'Cancel',
  close: 'Close',
  send: 'Send reminder',
  busy: 'One moment…',
  sent: 'The service was asked to email the approvers.',
  /** Why no reminder is possible now. */
  refusals: {
    wait: 'The approvers have got this request or a reminder only recently.',
    limit: 'The approvers have got as many reminders as this site allows.',
    day: 'You have sent as many reminders as this site allows in a day.',
    nobody: 'This request waits for nobody else.',
    stopped: 'This site has stopped reminders for this form. Tell its owner.',
  },
  /** The reason is not one of these. */
  notPossible: 'No reminder is possible at the moment.',
  /** Follows one of them. */
  from: 'The next one is possible from {time}.',
  noteRefused: 'This site doesn’t accept this note. No reminder was sent.',
  forbidden: 'You may not send reminders about this request.',
  changed: 'This request has changed in the meantime. No reminder was sent.',
  refused: 'The service did not accept this. Nobody was emailed. Tell the owner of the form.',
  uncertain: 'The response was lost, so the reminder may or may not have been sent. It is not sent again.',
}

/** @type {import('routeslip').Messages['route']} */
export const route = {
  label: 'Route',
  /** Before there is a request. `key` is the number of an office, or its name with the number in parentheses. */
  usual: 'Usual route for {key}',
  usualHint: 'The form may add other stops.',
  optOut: 'The request skips this office if the form allows that.',
  /** Announced after another office was chosen. */
  changed: { one: 'The usual route of {key}: # stop.', other: 'The usual route of {key}: # stops.' },
  chooseOffice: 'Choose an office to see its usual route.',
  chooseSubType: 'The route may depend on the type of the request. Choose the type to see it.',
  noRoute: 'No usual route was found for {key}. You can still submit the request.',
  refused: 'The route could not be looked up. You can still submit the request.',
  stop: { other: 'Stop #' },
  signed: 'signed',
  viewers: 'No signature needed',
  nobody: 'Nobody at present',
  /** Follows a role. Alone if the role is not known. */
  atPresent: 'currently in this role',
  own: 'You approve your own request at “{stop}”.',
  initiatorApproves: '{name} made this request and approves it at “{stop}”.',
  twice: '{name} has to approve more than once: {stops}.',
  nobodyAt: 'Nobody is named at “{stop}”. Ask the office before you submit the request.',
}

/** @type {import('routeslip').Messages['savedRoute']} */
export const savedRoute = {
  /** The first is used if the page has seen when it was saved. */
  savedAt: 'Calculated from the data saved at {time}',
  calculatedAt: 'Calculated at {time} from the saved data',
  /** While or after a request is routed. */
  actual: 'The route so far, and what is still to come',
  outdated: 'The data has changed since. Save it to calculate the route again.',
  empty: 'The calculated route has no further stops.',
  /** A routing override is in force, by its type. */
  overrides: {
    DELEGATE:
      'An override is in force: {replacement} signs instead of {subject}, who can view the request, but not sign it.',
    CHANGE: 'An override is in force: {replacement} signs instead of {subject}, who cannot see the request.',
  },
  asPredicted: 'As calculated on {time}, before it was submitted.',
  differs: 'Differs from what was calculated on {time}, before it was submitted:',
  added: '“{stop}” was not expected.',
  dropped: '“{stop}” was expected.',
  replaced: '“{stop}”: {before} expected, {now} on the route.',
}

/** @type {import('routeslip').Messages['files']} */
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
}

/** @type {import('routeslip').Messages['uploader']} */
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
  leftOut: 'Not added, because they are empty or can’t be read: {names}',
  /** Files that systems keep in folders, which people do not see. */
  hidden: { one: 'One hidden file left out.', other: '# hidden files left out.' },
  forbidden: 'You don’t have permission to upload files here.',
  delete: 'Delete…',
  deleteQuestion: 'Delete this file permanently?',
  deleteConfirm: 'Delete',
  deleteKeep: 'Keep file',
  /** Why the form cannot be sent yet. */
  missing: 'Upload a file.',
  unfinished: { one: 'Wait for the upload to finish.', other: 'Wait for # uploads to finish.' },
  /** For the page author. */
  badDuration: 'expires-in="{text}" is not a duration such as 30d, 12h or PT45M.',
  badMetadata: 'metadata must be a JSON object of strings.',
}
