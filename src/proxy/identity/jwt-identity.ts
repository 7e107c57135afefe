import { createRemoteJWKSet, customFetch, errors, jwtVerify } from 'jose'
import { isUnivid } from '../../contract/values/patterns.ts'
import { type Identify, readGroups } from './identity.ts'
import { refusals } from '../http/refusals.ts'
import { createVerifiedTokens } from './verified-tokens.ts'

export interface JwtIdentityOptions {
  /** URL of the issuer's JSON Web Key Set (RFC 7517). Must use HTTPS, unless it is on this machine. */
  readonly jwksUrl: string
  /** Required issuer of a token (`iss`). */
  readonly issuer: string
  /** Required audience of a token (`aud`): this site, and no other site of the same issuer. */
  readonly audience: string
  /** Claim with the university id. Default `univid`. */
  readonly claim?: string
  /** Claim with the person's groups: a list, or a text. Default: none. */
  readonly groupsClaim?: string
  /** Separates the groups of a text. Default a comma. */
  readonly groupsSeparator?: string
  /** Cookie with the token. Default: none; the token is read from `Authorization: Bearer`. */
  readonly cookie?: string
  /** Accepted signature algorithms, all asymmetric. Default RS256, PS256, ES256 and EdDSA. */
  readonly algorithms?: readonly JwtAlgorithm[]
  /** Maximum difference between clocks, in seconds. Default 5. */
  readonly clockTolerance?: number
  /** Time after which keys are fetched again, in milliseconds. Default ten minutes. */
  readonly cacheMaxAge?: number
  /** Minimum time between two fetches because of unknown keys, in milliseconds. Default 30 seconds. */
  readonly cooldown?: number
  /** Maximum number of verified tokens to remember for a minute, so that each is verified only once. Default 10,000. */
  readonly maxTokens?: number
  /** Fetches the keys. Defaults to the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch
  /** Returns the time in milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number
}

/** Algorithms with public keys. With a symmetric one, anyone who knows the public key could sign. */
export type JwtAlgorithm = (typeof jwtAlgorithms)[number]

const jwtAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const

/**
 * Identifies people by a signed JSON Web Token (RFC 7519). It verifies signature, issuer, audience and time, and requires
 * `exp`. Keys are cached, and fetched again if a token names an unknown key, as after a rotation. A verified token is accepted
 * for a minute without another verification, but never after its `exp`. Returns null if the token is not valid. Throws
 * `ProxyError` 503 if the keys cannot be fetched.
 */
export function jwtIdentity({
  jwksUrl,
  issuer,
  audience,
  claim = 'univid',
  groupsClaim,
  groupsSeparator = ',',
  cookie,
  algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA'],
  clockTolerance = 5,
  cacheMaxAge = 600_000,
  cooldown = 30_000,
  maxTokens = 10_000,
  now = () => Date.now(),
  fetch = globalThis.fetch.bind(globalThis),
}: JwtIdentityOptions): Identify {
  const url = new URL(jwksUrl)
  const isLocal = /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal)) {
    throw new RangeError('jwksUrl must begin with https:')
  }
  // Types do not check configuration that comes from a file.
  const unknown = algorithms.find((algorithm) => !jwtAlgorithms.includes(algorithm))
  if (unknown !== undefined || algorithms.length === 0) {
    throw new RangeError(`algorithms must be some of ${jwtAlgorithms.join(', ')}`)
  }
  if (issuer === '' || audience === '') throw new RangeError('issuer and audience must be given')
  const keys = createRemoteJWKSet(url, {
    cacheMaxAge,
    cooldownDuration: cooldown,
    timeoutDuration: 5000,
    [customFetch]: fetch,
  })

  const verified = createVerifiedTokens({ size: maxTokens, now })

  return async (request) => {
    const token = cookie === undefined ? bearerOf(request) : cookieOf(request, cookie)
    if (token === undefined) return null
    const known = verified.get(token)
    if (known) return known
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience,
        algorithms: [...algorithms],
        clockTolerance,
        currentDate: new Date(now()),
        requiredClaims: ['exp', claim],
      })
      const univid = payload[claim]
      if (!isUnivid(univid)) return null
      const identity =
        groupsClaim === undefined
          ? { univid }
          : { univid, groups: readGroups(payload[groupsClaim], groupsSeparator) }
      verified.set(token, identity, ((payload.exp ?? 0) + clockTolerance) * 1000)
      return identity
    } catch (cause) {
      if (isTokenError(cause)) return null
      throw refusals.identityUnavailable(cause)
    }
  }
}

function bearerOf(request: Request): string | undefined {
  return /^Bearer ([A-Za-z0-9._~+/=-]+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
}

/** Returns the value of a cookie; `undefined` if two have its name, because a sibling site may have set one of them. */
function cookieOf(request: Request, name: string): string | undefined {
  const values = (request.headers.get('cookie') ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
  return values.length === 1 ? values[0] : undefined
}

/** Whether the token is not valid. Otherwise the keys could not be fetched. */
function isTokenError(error: unknown): boolean {
  return tokenErrors.some((kind) => error instanceof kind)
}

const tokenErrors = [
  errors.JWTInvalid,
  errors.JWTExpired,
  errors.JWTClaimValidationFailed,
  errors.JWSInvalid,
  errors.JWSSignatureVerificationFailed,
  errors.JOSEAlgNotAllowed,
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
  errors.JOSENotSupported,
]
