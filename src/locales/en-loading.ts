/** The common messages about content that is not there, or not yet: all that a badge needs. */
export const loading = {
  stale: 'This may be out of date. The latest version couldn’t be loaded.',
  /** `status` is an HTTP status. */
  between:
    'A server between this page and the service refused access ({status}). Tell the owner of this site.',
  loading: 'Loading…',
  forbidden: 'This request is not available to you.',
  missing: 'This request does not exist.',
  signedOut: 'You are signed out. Sign in, then return to this page.',
  /** Between the entries of a list. */
  separator: ', ',
  unavailable: 'Couldn’t be loaded.',
  /** For the page author. */
  noProxy: 'No Routeslip proxy found at {endpoint}.',
  /** Replaces a name that the service does not return. */
  someone: 'Someone',
  /** For the page author. `missing` lists attributes. */
  notConfigured: '<{tag}> needs {missing} to show anything.',
  /** For the page author. */
  foreignEndpoint:
    '<{tag}> cannot use a proxy at {origin}. Add it to "origins" in configure() or in the page’s configuration script.',
} as const
