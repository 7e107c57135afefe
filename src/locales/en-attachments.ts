// The messages of <wf-attachments>, apart from `en.ts` because they load with the element.

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
} as const
