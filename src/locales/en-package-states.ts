/** The messages of `packageStatus` that `<wf-badge>` needs, so that a page with nothing but badges loads no others. */
export const packageStates = {
  states: {
    /** Not submitted yet, or removed from routing: the service has one state for both. */
    PRE_ROUTING: 'Not in routing',
    DRAFT: 'Draft',
    ROUTING: 'In routing',
    COMPLETE: 'Complete',
    VOID: 'Void',
  },
  waitingFor: 'Waiting for',
  /** The labels of badges; `unavailable` and other texts explain them. */
  notAvailable: 'Not available',
  notLoaded: 'Not loaded',
} as const
