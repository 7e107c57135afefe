// The messages of <wf-route> for a saved request, apart from `en-route.ts` because they load with it.

export const savedRoute = {
  /** The first is used if the page has seen when it was saved. */
  savedAt: (time: string) => `Calculated from the data saved at ${time}`,
  calculatedAt: (time: string) => `Calculated at ${time} from the saved data`,
  /** While or after a request is routed. */
  actual: 'The route so far, and what is still to come',
  outdated: 'The data has changed since. Save it to calculate the route again.',
  empty: 'The calculated route has no further stops.',
  /** A routing override is in force. `canView`: the other person still sees the request. */
  override: (replacement: string, subject: string, canView: boolean) =>
    `An override is in force: ${replacement} signs instead of ${subject}, who ${canView ? 'can view the request, but not sign it' : 'cannot see the request'}.`,
  asPredicted: (time: string) => `As calculated on ${time}, before it was submitted.`,
  differs: (time: string) => `Differs from what was calculated on ${time}, before it was submitted:`,
  added: (stop: string) => `“${stop}” was not expected.`,
  dropped: (stop: string) => `“${stop}” was expected.`,
  replaced: (stop: string, before: string, now: string) =>
    `“${stop}”: ${before} expected, ${now} on the route.`,
}
