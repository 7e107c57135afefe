import { isUnivid } from '../../contract/patterns.ts'
import type { Identify } from './identity.ts'

export interface TrustedHeaderOptions {
  /** Header that holds the university id, such as `x-remote-user`. The front server has to replace what a browser sends. */
  readonly header: string
  /** What the front server and the proxy know and nobody else: 32 characters at least. */
  readonly secret: string
  /** Header that holds the secret. Default `x-routeslip-front`. */
  readonly secretHeader?: string
}

/**
 * Identity that a front server has established: it names the person in a header, and proves with a shared secret that
 * it is the one who says so. Without the secret, with another, or with anything but one university id: nobody.
 */
export function trustedHeader({
  header,
  secret,
  secretHeader = 'x-routeslip-front',
}: TrustedHeaderOptions): Identify {
  if (secret.length < 32) throw new RangeError('secret must have 32 characters at least')
  return (request) => {
    const given = request.headers.get(secretHeader)
    if (given === null || !isSame(given, secret)) return null
    // A header that comes twice reads `1, 2`, which is no university id.
    const univid = request.headers.get(header) ?? ''
    return isUnivid(univid) ? { univid } : null
  }
}

/** Compares in a time that depends on neither, so that it does not tell where they differ. */
function isSame(given: string, expected: string): boolean {
  let differences = given.length ^ expected.length
  for (let index = 0; index < expected.length; index++) {
    differences |= (given.charCodeAt(index) || 0) ^ expected.charCodeAt(index)
  }
  return differences === 0
}
