// The messages of <wf-list>, apart from `en.ts` because they load with the element.

export const list = {
  label: 'Requests',
  views: { mine: 'My requests', waiting: 'Waiting for me' },
  groups: {
    drafts: 'Not submitted yet',
    submitted: 'Submitted',
    toSign: 'Needs your signature',
    toRead: 'To read or edit',
    all: 'Requests',
  },
  /** Replaces the name of a form that the page does not name. */
  request: 'Request',
  /** `name` is the initiator. */
  from: 'From {name}',
  started: 'Started {day}',
  /** Instead of the state of a request that was removed from routing. */
  withdrawn: 'Withdrawn, not submitted',
  /** Since when it is in the inbox of the person. */
  since: 'Since {day}',
  sign: 'Sign',
  /** `request` is its name and number. */
  signNamed: 'Sign: {request}',
  edit: 'Edit',
  editNamed: 'Edit: {request}',
  /** Starts a new request from this one. */
  copy: 'Use again',
  copyNamed: 'Use again: {request}',
  /** Shows what has been added since the list was opened. */
  new: 'Show new requests: {count}',
  /** Of a request that has left, as long as the reason is not known. */
  gone: 'No longer in this list',
  more: 'Show more',
  /** The list is never known to be complete, so no text may say that nothing waits, or that all is done. */
  empty: {
    mine: 'This page knows of no request of yours.',
    waiting: 'Nothing that this page knows of waits for you.',
  },
  /** What the list is based on; follows it. */
  knownSince: 'This page knows requests since {day}.',
  checked: 'It last looked at {time}.',
  notChecked: 'It has not finished looking yet.',
  partial: 'Some requests could not be checked and are missing.',
  inbox: 'Open the inbox of the routing service',
  off: 'This site keeps no lists of requests.',
} as const
