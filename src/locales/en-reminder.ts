// The messages of the dialog that reminds approvers, apart from `en.ts` because they load with the dialog.

export const reminder = {
  title: 'Remind the approvers?',
  effect:
    'The service emails every approver of this request, perhaps also those who have signed. Nothing in the request changes.',
  /** Label of a field for a text that the email quotes. */
  note: 'Note (optional)',
  noteLeft: { one: '# character left', other: '# characters left' },
  /** Why the note cannot be sent. */
  noteProblems: {
    length: { one: 'The note is # character too long.', other: 'The note is # characters too long.' },
    address: 'A note can’t contain addresses: remove “://”, “www.” and “@”.',
    control: 'The note contains invisible control characters. Type it instead of pasting it.',
  },
  /** Before the text of the email. */
  text: 'The email contains this text:',
  cancel: 'Cancel',
  close: 'Close',
  send: 'Send reminder',
  busy: 'One moment…',
  sent: 'The service was asked to email the approvers.',
  /** Why no reminder is possible now. */
  refusals: {
    wait: 'The approvers have got this request or a reminder only recently.',
    limit: 'The approvers have got as many reminders as this site allows.',
    day: 'You have sent as many reminders as this site allows in a day.',
    nobody: 'This request waits for nobody else.',
    stopped: 'This site has stopped reminders for this form. Tell its owner.',
  },
  /** The reason is not one of these. */
  notPossible: 'No reminder is possible at the moment.',
  /** Follows one of them. */
  from: 'The next one is possible from {time}.',
  noteRefused: 'This site doesn’t accept this note. No reminder was sent.',
  forbidden: 'You may not send reminders about this request.',
  changed: 'This request has changed in the meantime. No reminder was sent.',
  refused: 'The service did not accept this. Nobody was emailed. Tell the owner of the form.',
  uncertain: 'The response was lost, so the reminder may or may not have been sent. It is not sent again.',
} as const
