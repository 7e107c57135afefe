// The messages of <fs-uploader>, apart from `en.ts` because they load with the element.

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
