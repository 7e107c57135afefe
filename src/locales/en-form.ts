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
  /** The draft that they continue cannot be loaded. It may work later. */
  unreadable: "This request can't be read now.",
  saveForDocuments: 'Save and add documents',
  documentsHint: 'You can add documents when the request is saved.',
  signedOut: 'You are signed out. Open another tab to sign in, then try again. What you typed stays here.',
  /** The part of the script that saves did not load. The input is only in this browser. */
  incomplete: 'A part of this page could not be loaded. Try again, or reload the page.',
  /** For the page author. */
  notServed: '<wf-form> cannot use form {id}, because the proxy does not serve it. Check form-id.',
} as const
