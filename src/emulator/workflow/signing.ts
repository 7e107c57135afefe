import { encodeBytes } from '../../contract/values/byte-text.ts'
import type { EmulatorState, SigningKey, StoredKey } from '../state/state.ts'
import type { SpecOptions } from '../control/spec-options.ts'

/** Signs callbacks as the routing service does (spec, Authentication 7). */
export interface Signing {
  /** Returns the response of `GET /api/v2/public-key`, in the format that the spec options select. */
  readonly publicKey: () => Promise<Response>
  /** Returns the Ed25519 signature of a body in UTF-8, in the encoding that the spec options select. */
  readonly sign: (body: string) => Promise<string>
  /** Replaces the key pair. Receivers must then fetch the new public key. */
  readonly rotate: () => Promise<void>
}

const algorithm = 'Ed25519'

/**
 * Creates the signer of the service. Generates the key pair when it is first needed and reads it from `keys` at each use,
 * so that tests may replace or clear it there.
 */
export function createSigning(keys: EmulatorState['signingKeys'], specOptions: SpecOptions): Signing {
  let generating: Promise<SigningKey> | undefined

  function current(): SigningKey | Promise<SigningKey> {
    return keys.get('current') ?? (generating ??= createFirstKey().finally(() => (generating = undefined)))
  }

  async function createFirstKey(): Promise<SigningKey> {
    const generated = await generateKey()
    // A rotation may have set a key meanwhile.
    const key = keys.get('current') ?? generated
    keys.set('current', key)
    return key
  }

  return {
    async publicKey() {
      const { publicKey } = await current()
      return publicKeyResponse(publicKey, specOptions.publicKey)
    },
    async sign(body) {
      const { privateKey } = await current()
      const key = await crypto.subtle.importKey('jwk', privateKey, algorithm, false, ['sign'])
      const signature = await crypto.subtle.sign(algorithm, key, new TextEncoder().encode(body))
      return encodeBytes(new Uint8Array(signature), specOptions.signature)
    },
    async rotate() {
      keys.set('current', await generateKey())
    },
  }
}

async function generateKey(): Promise<SigningKey> {
  const pair = await generatePair()
  const { kty, crv, x, d } = await crypto.subtle.exportKey('jwk', pair.privateKey)
  // Leave out `alg` and `ext`, which differ between runtimes, so that a stored key works in each of them.
  const publicKey = { kty, crv, x } as StoredKey
  return { privateKey: { ...publicKey, d } as StoredKey, publicKey }
}

/** Generates a key pair. In WebKitGTK, one attempt in about ninety fails for no reason, so it is repeated. */
async function generatePair(attempts = 5): Promise<CryptoKeyPair> {
  try {
    return await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  } catch (error) {
    if (attempts === 1) throw error
    return await generatePair(attempts - 1)
  }
}

async function publicKeyResponse(jwk: StoredKey, shape: SpecOptions['publicKey']): Promise<Response> {
  if (shape === 'jwk') return Response.json(jwk)
  const key = await crypto.subtle.importKey('jwk', jwk, algorithm, true, ['verify'])
  const raw = new Uint8Array(await crypto.subtle.exportKey('raw', key))
  if (shape === 'raw') return new Response(raw, { headers: { 'content-type': 'application/octet-stream' } })
  if (shape === 'base64' || shape === 'base64url' || shape === 'hex')
    return textResponse(encodeBytes(raw, shape))

  const spki = encodeBytes(new Uint8Array(await crypto.subtle.exportKey('spki', key)), 'base64')
  if (shape === 'spki') return textResponse(spki)
  const pem = `-----BEGIN PUBLIC KEY-----\n${spki}\n-----END PUBLIC KEY-----\n`
  return shape === 'json' ? Response.json({ publicKey: pem }) : textResponse(pem)
}

function textResponse(body: string): Response {
  return new Response(body, { headers: { 'content-type': 'text/plain' } })
}
