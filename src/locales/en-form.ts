// The messages of <wf-form>, apart from `en.ts` because only this element needs them.

export const form = {
  label: 'Form',
  saving: 'Saving…',
  submitting: 'Submitting…',
  saved: 'Saved at {time} as request {id}.',
  submitted: 'Submitted at {time}.',
  /** The input is only in this browser. */
  kept: 'Kept in this browser at {time}. Not saved yet.',
  notKept: 'Not saved yet. This browser cannot keep what you type, so save often.',
  restored: 'Restored: what you typed until {time}. It is not saved yet.',
  discard: 'Discard it',
  continued: 'You are continuing the draft that you saved as request {id}.',
  startNew: 'Start a new request',
  /** After people return to a page on which they submitted a request. */
  submittedAs: 'You submitted this at {time} as request {id}.',
  /** The draft that they continue cannot be loaded. It may work later. */
  unreadable: "This request can't be read now.",
  saveForDocuments: 'Save and add documents',
  documentsHint: 'You can add documents when the request is saved.',
  /** Before an edit is sent. `names` lists the people who have the package now. */
  mailsChange: 'If you save a change, these people get an email about it: {names}.',
  mailsAll: 'If you save, all approvers get an email about it. It is now with {names}.',
  readOnly: 'You can view this request, but not change it.',
  signedOut: 'You are signed out. Open another tab to sign in, then try again. What you typed stays here.',
  /** The part of the script that saves did not load. The input is only in this browser. */
  incomplete: 'A part of this page could not be loaded. Try again, or reload the page.',
  /** For the page author. */
  notServed: '<wf-form> cannot use form {id}, because the proxy does not serve it. Check form-id.',
} as const
