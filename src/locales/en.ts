import { loading } from './en-loading.ts'

/** The language of these messages. */
export const language: string = 'en'

export const common = {
  ...loading,
  tryAgain: 'Try again',
  trying: 'Trying…',
  stillUnavailable: 'Still not available.',
  upToDate: 'Up to date again.',
  /** Follows the first messages of many. */
  more: { other: 'And # more.' },
  /** A notice above content that was loaded before. */
  knownAt: 'Showing what was known at {time}. Trying again.',
  mayBeOld: 'May be out of date.',
  /** Before a link to the page where people sign in. */
  isSignedOut: 'You are signed out.',
  signIn: 'Sign in',
  /** A text after its label. */
  labelled: '{label}: {text}',
  /** Shown if rows of a list could not be read. */
  leftOut: { one: '# entry couldn’t be read.', other: '# entries couldn’t be read.' },
  permissions: {
    SIGNATURE_REQUIRED: 'must sign',
    SIGNATURE_PERMITTED: 'may sign',
    VIEW_AND_EDIT: 'may edit',
    VIEW_ONLY: 'may view',
  },
} as const
