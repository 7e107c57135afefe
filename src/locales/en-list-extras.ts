// The messages of <wf-list> that load with the code that is needed after the list is shown, apart from `en-list.ts` for that reason.

export const listExtras = {
  remind: 'Remind',
  remindNamed: 'Remind: {request}',
  /** `when` is such as "2 days ago". `count` reminders of at most `limit` were sent to the present approvers. */
  reminded: 'Reminded {when}, {count} of {limit}',
  /** Instead of this, if the reply of the service was lost. */
  lastUncertain: 'It is not known whether the last reminder was sent.',
  /** Why a request no longer belongs in the list, or in its part of it. */
  signed: 'You signed this',
  submitted: 'This was submitted',
  elsewhere: 'This no longer waits for you',
  hidden: 'You may no longer view this',
  /** What the list may lack; follows it. */
  gap: 'Requests started between {from} and {to} may be missing.',
  limited: 'Requests that wait for an office may be missing.',
} as const
