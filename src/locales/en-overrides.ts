// The messages of <wf-overrides>, apart from `en.ts` because they load with the element.

export const overrides = {
  label: 'Replaced people',
  empty: 'Nobody is replaced on this request.',
  /** Without the right to change anything. */
  noRight: 'You don’t have the right to replace somebody on this request. Ask the owner of this site for it.',
  reason: 'Conflict of interest',
  /** A replacement. */
  pair: '{replacement} acts for {subject}',
  /** The effect of each type. */
  change: '{subject} cannot see this request at all.',
  delegate: '{subject} can look at this request, but cannot sign it.',
  otherType: 'This page does not know the effect.',
  /** Follows `change` or `delegate` before a replacement is confirmed. */
  instead: '{replacement} signs instead.',
  /** Whether the inboxes of the request show the effect. */
  inForce: 'In force: it is in the inbox of {replacement}, and not of {subject}.',
  notYet: 'Not yet in force: it is still in the inbox of {subject}.',
  later: 'Takes effect when the request would reach {subject}.',
  unproven: 'Whether it is in force couldn’t be checked.',
  /** A person whose name is not known. */
  unknown: 'University ID {id}',
  add: 'Replace an approver',
  end: 'End',
  endFor: 'End: {subject}',
  title: 'Replace an approver?',
  intro: 'Use this if somebody on the route has a conflict of interest.',
  subject: 'Who must not decide?',
  replacement: 'Who signs instead?',
  personHint: 'University ID',
  personHintWithSearch: 'Name or university ID',
  unknownPerson: 'The name of {id} couldn’t be looked up. Make sure that the university ID is right.',
  notFound: 'Nobody was found. Check the name, or enter the university ID.',
  several: 'Choose the person:',
  lookupFailed: 'The directory couldn’t be reached. Enter the university ID.',
  effect: 'What may they still do?',
  delegateChoice: 'Look at the request, but not sign it',
  changeChoice: 'Nothing: they cannot see it any more',
  next: 'Continue',
  back: 'Back',
  cancel: 'Cancel',
  busy: 'One moment…',
  confirmTitle: 'Replace {subject}?',
  confirm: 'Replace {subject}',
  /** A person with their university id, before it is confirmed. */
  named: '{name} ({id})',
  endTitle: 'End the replacement of {subject}?',
  endEffect: '{subject} gets back all rights on this request. {replacement} no longer signs for them.',
  keep: 'Keep it',
  problems: {
    subjectMissing: 'Enter who must not decide.',
    replacementMissing: 'Enter who signs instead.',
    typeMissing: 'Choose what they may still do.',
    same: 'Nobody can sign for themselves. Choose somebody else.',
    self: 'You cannot make a replacement that concerns you. Ask somebody else who may.',
    active: 'This person is already replaced. End that first.',
    initiator: 'This person made the request. Choose somebody else to sign.',
    replaced: 'This person is replaced on this request too. Choose the person who acts for them.',
  },
  forbidden: 'You may not do this. Nothing was changed.',
  refused: 'This was refused. Nothing was changed.',
  uncertain: 'The response was lost, so this may or may not have happened. Close this and check the list.',
  signedOut: 'You are signed out. Nothing was changed.',
  /** Announced. */
  made: '{replacement} now acts for {subject}.',
  ended: '{subject} decides again.',
} as const
