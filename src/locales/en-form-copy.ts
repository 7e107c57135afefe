// The messages of <wf-form> that is filled in from an earlier request, apart from `en-form.ts` because few pages need them.

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
} as const
