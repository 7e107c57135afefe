import {
  createRemoteJWKSet,
  customFetch,
  errors,
  jwtVerify,
  type JWTVerifyOptions,
  type JWTVerifyResult,
} from 'jose'
import { isRecord } from '../../contract/values/values.ts'
import { isUnivid } from '../../contract/values/patterns.ts'
import { describeNonId, type Finding } from '../http/finding.ts'
import { readBytes } from '../http/read-body.ts'
import { type Identify, type Identity, readGroups } from './identity.ts'
import { refusals } from '../http/refusals.ts'

/** Options of `jwtIdentity()`. */
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
    [customFetch]: async (...request) => usableKeys(await fetch(...request)),
  })

  const verified = createVerifiedTokens({ size: maxTokens, now })

  return async (request, explain) => {
    const token = cookie === undefined ? bearerOf(request) : cookieOf(request, cookie)
    if (typeof token !== 'string') {
      explain?.(token)
      return null
    }
    const known = verified.get(token)
    if (known) return known
    try {
      const { payload } = await verify(token, keys, {
        issuer,
        audience,
        algorithms: [...algorithms],
        clockTolerance,
        currentDate: new Date(now()),
        requiredClaims: ['exp', claim],
      })
      const univid = payload[claim]
      if (!isUnivid(univid)) {
        explain?.(describeNonId(`The claim ${claim}`, univid))
        return null
      }
      const identity =
        groupsClaim === undefined
          ? { univid }
          : { univid, groups: readGroups(payload[groupsClaim], groupsSeparator) }
      verified.set(token, identity, ((payload.exp ?? 0) + clockTolerance) * 1000)
      return identity
    } catch (cause) {
      const finding = findingOf(cause)
      if (!finding) throw refusals.identityUnavailable(cause, keySetUnreachable(cause))
      explain?.(finding)
      return null
    }
  }
}

/** Verifies a token. If it names no key, tries each key that may have signed it: issuers may leave a bad one among them. */
async function verify(
  token: string,
  keys: ReturnType<typeof createRemoteJWKSet>,
  options: JWTVerifyOptions,
): Promise<JWTVerifyResult> {
  try {
    return await jwtVerify(token, keys, options)
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    for await (const key of error) {
      const verified = await jwtVerify(token, key, options).catch((cause: unknown) => {
        if (!(cause instanceof errors.JWSSignatureVerificationFailed)) throw cause
      })
      if (verified) return verified
    }
    throw new errors.JWSSignatureVerificationFailed()
  }
}

/** Returns a key set without the members that are no keys, so that these do not spoil the others. */
async function usableKeys(response: Response): Promise<Response> {
  if (response.status !== 200) return response
  const tooLarge = () =>
    Object.assign(new Error(`The key set is larger than ${maxKeySetSize} bytes`), {
      code: 'KEY_SET_TOO_LARGE',
    })
  const bytes = await readBytes(response.body, maxKeySetSize, tooLarge)
  const set: unknown = JSON.parse(new TextDecoder().decode(bytes))
  if (!isRecord(set) || !Array.isArray(set['keys'])) return Response.json(set)
  return Response.json({ keys: set['keys'].filter((key) => isRecord(key) && typeof key['kty'] === 'string') })
}

/** Maximum size of a key set, in bytes. A certificate chain for each of a hundred keys fits. */
const maxKeySetSize = 1024 * 1024

function bearerOf(request: Request): string | Finding {
  const header = request.headers.get('authorization')
  if (header === null) {
    return { cause: 'token_missing', text: 'Authorization is missing: nobody is signed in.' }
  }
  const token = /^Bearer ([A-Za-z0-9._~+/=-]+)$/i.exec(header)?.[1]
  return token ?? { cause: 'token_malformed', text: 'Authorization is not "Bearer" and one token.' }
}

/** Returns the value of a cookie, unless two have its name: a sibling site may have set one of them. */
function cookieOf(request: Request, name: string): string | Finding {
  const values = (request.headers.get('cookie') ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
  const [value] = values
  if (value === undefined) {
    return { cause: 'token_missing', text: `The cookie ${name} is missing: nobody is signed in.` }
  }
  return values.length === 1 ? value : { cause: 'token_repeated', text: `Two cookies are named ${name}.` }
}

/** Returns what is wrong with a token; `undefined` if the keys could not be fetched. */
function findingOf(error: unknown): Finding | undefined {
  if (error instanceof errors.JWTExpired) {
    return {
      cause: 'token_expired',
      text: 'The token has expired (exp). Check the clocks if this happens often.',
    }
  }
  if (error instanceof errors.JWTClaimValidationFailed) return claimFinding(error)
  return tokenFindings.find(([kinds]) => kinds.some((kind) => error instanceof kind))?.[1]
}

function claimFinding({ claim, reason }: errors.JWTClaimValidationFailed): Finding {
  if (reason === 'missing') return { cause: 'token_claim', text: `The token has no claim ${claim}.` }
  switch (claim) {
    case 'iss':
      return { cause: 'token_issuer', text: 'The token is from another issuer (iss).' }
    case 'aud':
      return { cause: 'token_audience', text: 'The token is for another site (aud).' }
    case 'nbf':
      return { cause: 'token_not_yet_valid', text: 'The token is not valid yet (nbf). Check the clocks.' }
    default:
      return { cause: 'token_claim', text: `The claim ${claim} of the token is not valid.` }
  }
}

const tokenFindings: readonly (readonly [
  kinds: readonly (abstract new (...args: never[]) => Error)[],
  finding: Finding,
])[] = [
  [
    [errors.JWSSignatureVerificationFailed],
    { cause: 'token_signature', text: 'The signature of the token is wrong.' },
  ],
  [
    [errors.JOSEAlgNotAllowed, errors.JOSENotSupported],
    { cause: 'token_algorithm', text: 'The token is signed with an algorithm that is not allowed (alg).' },
  ],
  [
    [errors.JWKSNoMatchingKey],
    { cause: 'token_key_unknown', text: 'The key set has no key for the token (kid).' },
  ],
  [
    [errors.JWTInvalid, errors.JWSInvalid],
    { cause: 'token_malformed', text: 'The token is not a signed JSON Web Token.' },
  ],
]

/** Describes why the keys could not be fetched. The message of an error may contain an address, so only codes are used. */
function keySetUnreachable(error: unknown): Finding {
  const codes: string[] = []
  for (let one = error; one instanceof Error && codes.length < 4; one = one.cause) {
    if ('code' in one && typeof one.code === 'string') codes.push(one.code)
  }
  const reason = codes.at(-1) ?? 'no code'
  return { cause: 'key_set_unreachable', text: `The key set cannot be fetched or is not valid (${reason}).` }
}

/**
 * The people of tokens that were verified a short time ago: a page sends the same token with each of its requests. Remembers at
 * most `size` tokens. A new one replaces the one that was verified first.
 */
function createVerifiedTokens({ size, now }: { readonly size: number; readonly now: () => number }) {
  const entries = new Map<string, { readonly identity: Identity; readonly until: number }>()

  return {
    /** Returns the person of a token; `undefined` if the token must be verified. */
    get(token: string): Identity | undefined {
      const entry = entries.get(token)
      if (!entry) return undefined
      // A clock that was set back must not make the entry live longer.
      const left = entry.until - now()
      if (left > 0 && left <= verifiedTime) return entry.identity
      entries.delete(token)
      return undefined
    },
    /** Remembers a verified token for a minute, but not beyond `expiresAt`, in milliseconds since 1970. */
    set(token: string, identity: Identity, expiresAt: number): void {
      entries.delete(token)
      entries.set(token, { identity, until: Math.min(expiresAt, now() + verifiedTime) })
      const [oldest = token] = entries.keys()
      if (entries.size > size) entries.delete(oldest)
    },
  }
}

/** Time in milliseconds for which a verification counts, and so the longest that a token of a withdrawn key is accepted. */
const verifiedTime = 60_000
