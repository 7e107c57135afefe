// The messages of <wf-route> for a saved request, apart from `en-route.ts` because they load with it.

export const savedRoute = {
  /** The first is used if the page has seen when it was saved. */
  savedAt: 'Calculated from the data saved at {time}',
  calculatedAt: 'Calculated at {time} from the saved data',
  /** While or after a request is routed. */
  actual: 'The route so far, and what is still to come',
  outdated: 'The data has changed since. Save it to calculate the route again.',
  empty: 'The calculated route has no further stops.',
  /** A routing override is in force, by its type. */
  overrides: {
    DELEGATE:
      'An override is in force: {replacement} signs instead of {subject}, who can view the request, but not sign it.',
    CHANGE: 'An override is in force: {replacement} signs instead of {subject}, who cannot see the request.',
  },
  asPredicted: 'As calculated on {time}, before it was submitted.',
  differs: 'Differs from what was calculated on {time}, before it was submitted:',
  added: '“{stop}” was not expected.',
  dropped: '“{stop}” was expected.',
  replaced: '“{stop}”: {before} expected, {now} on the route.',
} as const
