// The messages of the dialogs of <wf-package-status>, apart from `en.ts` because they load with the dialogs.

export const packageActions = {
  titles: {
    routePackage: 'Start routing this request?',
    reinitiatePackage: 'Re-initiate this request?',
    returnPackage: 'Return this request to a person?',
    returnToInitiator: 'Return this request to its initiator?',
    restartPackage: 'Restart routing?',
    unvoidPackage: 'Unvoid this request?',
    removePackage: 'Remove this request from routing?',
    withdrawPackage: 'Withdraw this request?',
    voidPackage: 'Void this request?',
    getPdf: 'Download this request as a PDF?',
  },
  /** The effect of each action. */
  consequences: {
    routePackage: 'Starts routing. The first approvers get it in their inboxes.',
    reinitiatePackage:
      'Routing starts from the first stop again, and the history shows it. This works only if the request was removed from routing. If it was never in routing, start it instead.',
    returnPackage:
      'One more person gets it in their inbox, at the end of the route. It is complete again when they sign.',
    returnToInitiator:
      'It becomes a draft and leaves every inbox. The initiator must submit it again, and all approvers must sign again.',
    restartPackage: 'Routing starts from the first stop again. All approvers must sign again.',
    unvoidPackage: 'It returns to the state it had before it was voided.',
    removePackage:
      'It leaves every inbox and the history. It is not deleted: people with access can still find it.',
    withdrawPackage:
      'It leaves every inbox, and nobody is emailed. You can then correct it and submit it again. Routing starts from the first stop.',
    voidPackage: 'Routing ends now. It leaves every inbox, and nobody can sign it any more.',
    getPdf: 'The PDF contains the submitted form. Choose what else to include.',
  },
  voidQuestion: 'Why do you want to void it?',
  voidReasonMissing: 'Choose a reason.',
  univid: 'Person',
  unividMissing: 'Enter a university ID of up to 12 digits.',
  comment: 'Comment',
  commentHint: 'The initiator gets it by email. It also appears with the request.',
  commentMissing: 'Enter what the initiator should do.',
  includeRouting: 'Include the routing history',
  mergeAttachments: 'Include the attachments',
  leftOut: 'Not included, because they are not PDF files:',
  leftOutUnknown: 'Includes only PDF attachments. The list of the others couldn’t be loaded.',
  cancel: 'Cancel',
  /** Closes a dialog whose action takes something away. */
  keep: 'Keep it',
  busy: 'One moment…',
  overtaken: 'The request has changed. It is now: {state}. This action is no longer possible.',
  forbidden: 'You can no longer do this. Nothing was changed.',
  /** The service refused it. Its reason may follow. */
  conflict: 'The service does not allow this in the present state of the request. Nothing was changed.',
  refused: 'The service refused this. Nothing was changed. Check what you entered.',
  /** The site refused it. Its reason may follow. */
  conflictHere: 'This site does not allow this in the present state of the request. Nothing was changed.',
  refusedHere: 'This site refused this, and sent nothing to the service. Check what you entered.',
  uncertain: 'The response was lost, so this may or may not have happened. Close this and check the state.',
  /** Used if the state is the same before and after. */
  restartUncertain:
    'The response was lost, and the state does not show whether routing has restarted. Check the history before you try again.',
  /** The heading after a withdrawal at which something is to be said. */
  withdrawn: 'You have withdrawn the request',
  /** About a person whose signature the withdrawal has taken away. */
  lost: '{name} signed at the same moment. That signature is gone.',
  lostUnknown: 'Whether somebody signed at the same moment couldn’t be checked.',
  close: 'Close',
} as const
