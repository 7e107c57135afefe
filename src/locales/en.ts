/** The language of these messages. */
export const language: string = 'en'

export const common = {
  tryAgain: 'Try again',
  trying: 'Trying…',
  stillUnavailable: 'Still not available.',
  upToDate: 'Up to date again.',
  /** Follows the first messages of many. */
  more: { other: 'And # more.' },
  stale: "This may be out of date. The latest version couldn't be loaded.",
  loading: 'Loading…',
  forbidden: 'This request is not available to you.',
  missing: 'This request does not exist.',
  signedOut: 'You are signed out. Sign in, then return to this page.',
  /** Before a link to the page where people sign in. */
  isSignedOut: 'You are signed out.',
  signIn: 'Sign in',
  /** Between the entries of a list. */
  separator: ', ',
  /** A text after its label. */
  labelled: '{label}: {text}',
  unavailable: "Couldn't be loaded.",
  /** For the page author. */
  noProxy: 'No Routeslip proxy found at {endpoint}.',
  /** Shown if rows of a list could not be read. */
  leftOut: { one: "# entry couldn't be read.", other: "# entries couldn't be read." },
  /** Replaces a name that the service does not return. */
  someone: 'Someone',
  permissions: {
    SIGNATURE_REQUIRED: 'must sign',
    SIGNATURE_PERMITTED: 'may sign',
    VIEW_AND_EDIT: 'may edit',
    VIEW_ONLY: 'may view',
  },
  /** For the page author. `missing` lists attributes. */
  notConfigured: '<{tag}> needs {missing} to show anything.',
  /** For the page author. */
  foreignEndpoint:
    '<{tag}> cannot use a proxy at {origin}. Add it to "origins" in configure() or in the page\'s configuration script.',
} as const
