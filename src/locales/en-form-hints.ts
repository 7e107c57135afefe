// The messages of <wf-form> about a request that has loaded, apart from `en-form.ts` because they load after the form is shown.

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
} as const
