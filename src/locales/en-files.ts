// The messages of <fs-files> and <fs-shares>, apart from `en.ts` because they load with the elements.
import { plural } from './plural.ts'

const count = plural('en')

export const storedFiles = {
  label: 'Files',
  count: (number: number) => count(number, { one: '# file', other: '# files' }),
  /** Beside `count`. */
  unavailable: (number: number) => count(number, { one: '# is not available', other: '# are not available' }),
  empty: 'No files yet.',
  /** In place of a file name that is not known. */
  unnamed: 'Unnamed file',
  loading: 'Loading…',
  /** Each of the next three is about a day. */
  uploaded: (day: string) => `Uploaded ${day}`,
  keptUntil: (day: string) => `kept until ${day}`,
  expired: (day: string) => `Expired on ${day}. Upload it again if it is still needed.`,
  noEnd: 'no end date',
  /** Why a file is not available. */
  ends: {
    deleted: 'Deleted.',
    lost: 'No longer available. It may have been deleted, or you may have lost access.',
    missing: 'Not available. It may have expired or been deleted, or belong to someone else.',
    forbidden: "You don't have access to this file.",
    unread: "Couldn't be loaded.",
  },
  opensInTab: (name: string) => `Open ${name} in a new tab`,
  /** Accessible name of a button for one of several files. */
  named: (action: string, name: string) => `${action} ${name}`,
  download: 'Download',
  edit: 'Edit',
  delete: 'Delete',
  undo: 'Undo',
  deleteNow: 'Delete now',
  waiting: (seconds: number) =>
    count(seconds, { one: 'Will be deleted in # second.', other: 'Will be deleted in # seconds.' }),
  /** `names` lists applications. */
  granteesLose: (names: string) => `Also lost for: ${names}.`,
  deleting: 'Deleting…',
  notDeleted: "Couldn't be deleted. Try again.",
  deleted: (name: string) => `${name} was deleted.`,
  kept: (name: string) => `${name} stays.`,
  announcement: (name: string, what: string) => `${name}: ${what}`,
  editing: (name: string) => `Edit ${name}`,
  name: 'Name',
  keepUntil: 'Keep until',
  dayHint: 'Leave the date empty to keep the file without an end date.',
  /** In the test environment, whose limit is 30 days. */
  testLimit: (day: string) =>
    `The test environment deletes files 30 days after their upload: this one on ${day} at the latest.`,
  labels: 'Labels',
  labelName: 'Label',
  labelValue: 'Value',
  labelsHint: 'Clear a value to remove its label.',
  addLabel: 'Add a label',
  save: 'Save',
  saving: 'Saving…',
  cancel: 'Cancel',
  saved: (name: string) => `Saved: ${name}`,
  notSaved: "Couldn't be saved. Your changes are still here. Try again.",
  notSavedRefused: 'Not saved. Change what is described here, then save again:',
  notSavedGone: 'Not saved: the file is no longer available.',
  notSavedForbidden: "Not saved: you don't have permission to change this file.",
  /** Why an edit cannot be saved. */
  problems: {
    blankName: 'Enter a name.',
    tooEarly: 'Enter a complete date, tomorrow or later. To remove the file now, delete it.',
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
