// The messages of <fs-files> and <fs-shares>, apart from `en.ts` because they load with the elements.

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
} as const

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
} as const
