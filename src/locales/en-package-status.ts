// The messages of <wf-package-status>, with those of <wf-badge>, apart from `en.ts` because they load with the elements.

import { packageStates } from './en-package-states.ts'

export const packageStatus = {
  ...packageStates,
  label: 'Status',
  stateChanged: 'The request is now: {state}.',
  waitingUnknown: 'Who has it now couldn’t be loaded.',
  /** Each of the next two follows the name of the initiator. */
  mustSubmit: 'must submit it',
  mustResubmit: 'must correct it and submit it again',
  /** Each of the next two is followed by a name. */
  returnedBy: 'Returned by',
  returned: 'Returned. Latest comment by',
  /** The headlines: how the routing ended, or who it waits for. */
  removedBy: 'Removed from routing by {name}',
  voidedBy: 'Voided by {name}',
  approvedOn: 'Approved on {day}',
  /** Nobody has signed. */
  completedOn: 'Completed on {day}',
  notStarted: 'Routing has not started',
  waitingForYou: 'Waiting for you',
  /** The signed-in user in a list of names. */
  you: '{name} (you)',
  /** To the initiator of a draft. */
  editElsewhere: 'Edit and submit it on the page where you filled it in.',
  /** Instead of the names of people, if the package is in no inbox. */
  nobody: 'nobody',
  initiator: 'Initiator',
  routingDate: 'Started',
  actionDate: 'Last action',
  details: 'Details',
  voidReason: 'Reason',
  voidReasons: {
    DUPLICATE_TRANSACTION: 'Duplicate transaction',
    INCORRECT_FORM: 'Incorrect form',
    TRANSACTION_CANCELLED: 'Transaction cancelled',
    TRANSACTION_DENIED: 'Transaction denied',
  },
  since: 'since',
  comments: { one: '# comment', other: '# comments' },
  attachments: { one: '# attachment', other: '# attachments' },
  test: 'Test',
  /** Label of the number of comments and attachments. */
  onFile: 'On file',
  testHint: 'This request is in the test environment.',
  sign: 'Sign',
  edit: 'Edit',
  editAndSubmit: 'Edit and submit',
  actions: 'Actions',
  /** Before the next step, if the code that checks what is missing could not be loaded. */
  unchecked: 'What is missing couldn’t be checked.',
  actionsFailed: 'This action couldn’t be opened.',
  restarted: 'Routing has restarted.',
  getPdf: 'Download PDF',
  routePackage: 'Start routing',
  reinitiatePackage: 'Re-initiate',
  returnPackage: 'Return to a person',
  returnToInitiator: 'Return to initiator',
  restartPackage: 'Restart routing',
  unvoidPackage: 'Unvoid',
  removePackage: 'Remove from routing',
  /** Instead of `removePackage`, for the initiator. */
  withdrawPackage: 'Withdraw',
  voidPackage: 'Void',
} as const
