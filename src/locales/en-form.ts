// The messages of <wf-form>, apart from `en.ts` because only this element needs them.

export const form = {
  label: 'Form',
  saving: 'Saving…',
  submitting: 'Submitting…',
  saved: (time: string) => `Saved at ${time}.`,
  submitted: (time: string) => `Submitted at ${time}.`,
  /** What was typed is in this browser only. */
  kept: (time: string) => `Kept in this browser at ${time}. Not saved yet.`,
  notKept: 'Not saved yet. This browser cannot keep what you type, so save often.',
  restored: (time: string) => `Restored: what you typed until ${time}. It is not saved yet.`,
  discard: 'Discard it',
  continued: 'You are continuing the draft that you saved here.',
  startNew: 'Start a new request',
  saveForDocuments: 'Save and add documents',
  documentsHint: 'You can add documents when the request is saved.',
  /** Before an edit is sent. `names` lists the people who have the package now. */
  mailsChange: (names: string) => `If you save a change, these people get an email about it: ${names}.`,
  mailsAll: (names: string) => `If you save, all approvers get an email about it. It is now with ${names}.`,
  readOnly: 'You can view this request, but not change it.',
  /** Each of the next two comes before a reason. */
  notSaved: 'Not saved.',
  notSubmitted: 'Saved, but not submitted.',
  forbidden: "You don't have permission to do this. Ask the owner of the form.",
  refused: 'The service refused it.',
  refusedHere: 'This site refused it.',
  signedOut: 'You are signed out. Sign in in another tab, then try again. What you typed stays here.',
  /** A limit refuses the request: nothing was sent to the service. */
  limited: (time: string) => `You have reached a limit of this site. Try again after ${time}.`,
  unavailable: 'The service could not be reached. Try again.',
  sentElsewhere: 'This request is being sent from another tab. Look there first.',
  resubmit: 'A request that was returned to you can only be submitted again in the service itself.',
  /** No confirmation arrived. */
  unknownSave: 'No confirmation arrived, so this may or may not be saved.',
  unknownSubmit: 'It is saved, but no confirmation arrived, so it may or may not be submitted.',
  checkAgain: 'Check again',
  startOver: 'Save as a new draft',
  startOverHint: 'If the first draft exists, it stays in the service, and nobody gets it.',
  /** In the summary of problems. */
  notUploaded: (file: string) => `“${file}” was not uploaded. Try again or remove it.`,
  conflicts: 'Somebody else changed this too. Choose what to keep.',
  mine: 'What you entered',
  theirs: 'What is saved now',
  empty: 'Nothing',
  keepChosen: 'Save these values',
  cancel: 'Cancel',
}
