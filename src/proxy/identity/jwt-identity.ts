import { createRemoteJWKSet, customFetch, errors, jwtVerify } from 'jose'
import { isUnivid } from '../../contract/patterns.ts'
import type { Identify } from './identity.ts'
import { refusals } from '../refusals.ts'

export interface JwtIdentityOptions {
  /** Address of the issuer's JSON Web Key Set (RFC 7517). Must be HTTPS, or lead to this machine. */
  readonly jwksUrl: string
  /** Who must have issued a token (`iss`). */
  readonly issuer: string
  /** Whom a token must be meant for (`aud`): this site, and no other of the same issuer. */
  readonly audience: string
  /** Claim that holds the university id. Default `univid`. */
  readonly claim?: string
  /** Cookie that holds the token. Default: it comes as `Authorization: Bearer`. */
  readonly cookie?: string
  /** Signature algorithms to accept, asymmetric ones. Default RS256, PS256, ES256 and EdDSA. */
  readonly algorithms?: readonly JwtAlgorithm[]
  /** How many seconds clocks may differ. Default 5. */
  readonly clockTolerance?: number
  /** How long keys are kept before they are fetched again, in milliseconds. Default ten minutes. */
  readonly cacheMaxAge?: number
  /** After a fetch, how long an unknown key does not cause another, in milliseconds. Default 30 seconds. */
  readonly cooldown?: number
  /** Fetches the keys. Defaults to the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch
}

/** Algorithms whose keys can be public. With a symmetric one, whoever knows the public key could sign. */
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
 * Identity from a signed JSON Web Token (RFC 7519): signature, issuer, audience and time are checked, and `exp` has to
 * be there. Keys are cached, and fetched again when a token names one that is not known, as after a rotation. A token
 * that is not good: nobody. Keys that cannot be fetched: 503, and nobody is let in.
 */
export function jwtIdentity({
  jwksUrl,
  issuer,
  audience,
  claim = 'univid',
  cookie,
  algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA'],
  clockTolerance = 5,
  cacheMaxAge = 600_000,
  cooldown = 30_000,
  fetch = globalThis.fetch.bind(globalThis),
}: JwtIdentityOptions): Identify {
  const url = new URL(jwksUrl)
  const isLocal = /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal)) {
    throw new RangeError('jwksUrl must begin with https:')
  }
  // Types do not hold for configuration that comes from a file.
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

  return async (request) => {
    const token = cookie === undefined ? bearerOf(request) : cookieOf(request, cookie)
    if (token === undefined) return null
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience,
        algorithms: [...algorithms],
        clockTolerance,
        requiredClaims: ['exp', claim],
      })
      const univid = payload[claim]
      return isUnivid(univid) ? { univid } : null
    } catch (cause) {
      if (isFaultOfToken(cause)) return null
      throw refusals.identityUnavailable(cause)
    }
  }
}

function bearerOf(request: Request): string | undefined {
  return /^Bearer ([A-Za-z0-9._~+/=-]+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
}

/** The value of a cookie; none where two have its name, of which one may be a sibling site's. */
function cookieOf(request: Request, name: string): string | undefined {
  const values = (request.headers.get('cookie') ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
  return values.length === 1 ? values[0] : undefined
}

/** Whether the token is to blame, and not that the keys could not be had. */
function isFaultOfToken(error: unknown): boolean {
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
