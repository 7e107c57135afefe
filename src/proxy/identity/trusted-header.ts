import { isUnivid } from '../../contract/values/patterns.ts'
import { describeNonId } from '../http/finding.ts'
import { type Identify, readGroups } from './identity.ts'

/** Options of `trustedHeader()`. */
export interface TrustedHeaderOptions {
  /** Header with the university id, such as `x-remote-user`. The front server must replace any value from the browser. */
  readonly header: string
  /**
   * Secret that only the front server and the proxy know: at least 32 characters. A function returns all secrets that are
   * valid now, so that the secret can change while requests arrive.
   */
  readonly secret: string | (() => readonly string[])
  /** Header with the secret. Default `x-routeslip-front`. */
  readonly secretHeader?: string
  /** Header with the person's groups, which the front server must replace too. Default: none. */
  readonly groupsHeader?: string
  /** Separates the groups. Default a comma. */
  readonly groupsSeparator?: string
}

/**
 * Identifies people by a header of the front server, which proves itself with a shared secret. Returns null if the secret is
 * missing or wrong, or if the header is not exactly one university id.
 */
export function trustedHeader({
  header,
  secret,
  secretHeader = 'x-routeslip-front',
  groupsHeader,
  groupsSeparator = ',',
}: TrustedHeaderOptions): Identify {
  const secrets = typeof secret === 'function' ? secret : () => [secret]
  if (secrets().some(({ length }) => length < 32)) {
    throw new RangeError('secret must have at least 32 characters')
  }
  return (request, explain) => {
    const given = request.headers.get(secretHeader)
    if (given === null) {
      const text = `${secretHeader} is missing. The front server must send it with each request.`
      explain?.({ cause: 'front_secret_missing', text })
      return null
    }
    if (!secrets().some((valid) => isSameSecret(given, valid))) {
      explain?.({ cause: 'front_secret_wrong', text: `${secretHeader} is wrong.` })
      return null
    }
    const univid = request.headers.get(header) ?? ''
    // A repeated header reads `1, 2`, which is not a university id.
    if (!isUnivid(univid)) explain?.(describeNonId(header, univid))
    if (!isUnivid(univid)) return null
    if (groupsHeader === undefined) return { univid }
    return { univid, groups: readGroups(request.headers.get(groupsHeader), groupsSeparator) }
  }
}

/** Compares in constant time, so that the duration does not reveal the position of a difference. */
function isSameSecret(given: string, expected: string): boolean {
  let differences = given.length ^ expected.length
  for (let index = 0; index < expected.length; index++) {
    differences |= (given.charCodeAt(index) || 0) ^ expected.charCodeAt(index)
  }
  return differences === 0
}
