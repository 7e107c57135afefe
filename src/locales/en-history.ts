// The messages of <wf-history>, apart from `en.ts` because they load with the element.

export const history = {
  label: 'Routing history',
  /** Announces an event. */
  announcement: '{event}.',
  empty: 'Nothing has happened yet.',
  /** Names follow. */
  waiting: 'Waiting for',
  stop: { other: 'Stop #' },
  /** A time follows. */
  since: 'since',
  /** How long a person had the request before signing. */
  after: 'after {duration}',
  heldBy: 'held by {name}',
  overrides: { DELEGATE: 'delegated', CHANGE: 'overridden' },
  /** Each follows a name. */
  verbs: {
    initiation: 'started routing',
    received: 'received it',
    signed: 'signed',
    autoSigned: 'signed automatically',
    /** The package left their inbox: the route went on, began again or ended. */
    passed: 'didn’t sign',
    voided: 'had their signature voided',
    void: 'voided it',
    unvoid: 'reversed the void',
    remove: 'removed it from routing',
    re_initiate: 'started routing again',
    /** Follows the name of an office. */
    office_opt_out: 'opted out',
    notification: 'was notified',
    notification_unlock: 'let routing continue',
  },
  /** Instead of a name, if an application was notified or let routing continue. */
  application: 'An application',
  complete: 'Routing is complete',
  earlier: { other: 'Show # earlier' },
  all: { other: 'Show all # earlier' },
  /** Announced when further events are shown. */
  shown: '{shown} of {total} shown.',
  jump: 'Jump to now',
  future: { one: 'Still to come (# stop)', other: 'Still to come (# stops)' },
  futureFailed: 'The stops still to come couldn’t be loaded.',
  packageId: 'Request {id}',
  /** For the page author. */
  invalid: '<{tag}> needs a list of events, or its JSON. The given value is not valid.',
} as const
