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
} as const
