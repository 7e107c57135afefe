// Words of the dialogs of <wf-package-status>. They stand apart from `en.ts` because they are fetched with the dialogs.

export const packageActions = {
  title: (action: string, packageId: number) => `${action}: package ${packageId}`,
  // What each action will do.
  routePackage: 'It sets out on its route: the first approvers find it in their inboxes.',
  reinitiatePackage:
    'For a package that was removed from routing: it sets out from the first stop again, and its history says so. One that never was in routing has to be started instead.',
  returnPackage:
    'It goes into the inbox of one more person at the end of its route. Once they sign, it is complete again.',
  returnToInitiator:
    'It becomes a draft and leaves every inbox. The initiator has to submit it again, and all approvers must sign again.',
  restartPackage: 'It sets out from the first stop again: all approvers must sign again.',
  unvoidPackage: 'It goes back to where it stood before it was voided.',
  removePackage:
    'It disappears from every inbox and from the history. It is not deleted: people with rights still find it.',
  voidPackage: 'Routing ends now: nobody can sign it any more, and it leaves every inbox.',
  getPdf: 'The PDF holds what was submitted. You choose what else.',
  voidQuestion: 'Why is it voided?',
  voidReasonMissing: 'Choose a reason.',
  univid: 'University ID of the person',
  unividMissing: 'Enter a university ID: digits only, 12 at most.',
  comment: 'Comment',
  commentHint: 'It is e-mailed to the initiator and shown with the package.',
  commentMissing: 'Write what the initiator should do.',
  includeRouting: 'With the routing history',
  mergeAttachments: 'With the attachments',
  leftOut: 'Not PDF, so these are left out:',
  leftOutUnknown: 'Only attachments that are PDF are in it. Which ones are not cannot be told at the moment.',
  cancel: 'Cancel',
  /** Leaves a dialog whose action takes something away. */
  keep: 'Keep it',
  busy: 'One moment…',
  overtaken: (state: string) =>
    `Meanwhile the package has changed. It is now: ${state}. This cannot be done any more.`,
  forbidden: 'You may not do this any more. Nothing was changed.',
  conflict: 'This cannot be done in the present state of the package. Nothing was changed.',
  refused: 'The service refused this. Nothing was changed. Check what you have entered.',
  uncertain:
    'There was no answer, so this may or may not have happened. Close this and look at the state of the package.',
  /** Where the state afterwards is the same as before. */
  restartUncertain:
    'There was no answer, and the state cannot tell whether routing has begun again. Look at the history before you try again.',
}
