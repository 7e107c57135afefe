/**
 * Causes for which the proxy refuses a request before it looks at rights. They are the values of a label of the metrics, so
 * the list is closed.
 */
export const refusalCauses = [
  // The page that makes the request.
  'call_header_missing',
  'fetch_site_missing',
  'other_site',
  'origin_missing',
  'origin_not_allowed',
  // A header of the front server.
  'front_secret_missing',
  'front_secret_wrong',
  'user_missing',
  'user_not_id',
  // A token.
  'token_missing',
  'token_repeated',
  'token_malformed',
  'token_algorithm',
  'token_key_unknown',
  'token_signature',
  'token_expired',
  'token_not_yet_valid',
  'token_issuer',
  'token_audience',
  'token_claim',
  'key_set_unreachable',
  // Other ways to identify people.
  'other_host',
  'not_identified',
  // A callback of the service.
  'callback',
] as const
/** Cause for which the proxy refuses a request before it looks at rights. */
export type RefusalCause = (typeof refusalCauses)[number]

/** Why a request was refused, for the operator. */
export interface Finding {
  /** Name of the cause in logs and metrics. */
  readonly cause: RefusalCause
  /** One sentence that names headers and settings, but contains no value of the request. */
  readonly text: string
}

/**
 * Describes a value that should be a university id without repeating it: a person may have sent an e-mail address, and a
 * wrong header may hold a secret.
 */
export function describeNonId(name: string, value: unknown): Finding {
  if (value === '') return { cause: 'user_missing', text: `${name} is missing: nobody is signed in.` }
  if (typeof value !== 'string') {
    return { cause: 'user_not_id', text: `${name} is not a university id (no text, but ${typeof value}).` }
  }
  const traits = [
    `${value.length} characters`,
    ...(value.includes('@') ? ['has @'] : []),
    ...(value.includes(',') ? ['has a comma'] : []),
    ...(/\s/.test(value) ? ['has blanks'] : []),
    ...(/^[a-z0-9]+$/i.test(value) && /[a-z]/i.test(value) ? ['has letters'] : []),
  ]
  return { cause: 'user_not_id', text: `${name} is not a university id (${traits.join(', ')}).` }
}
