import { writeBytes } from '../../contract/byte-text.ts'
import type { EmulatorState, SigningKey } from '../state/state.ts'
import type { SpecOptions } from '../control/spec-options.ts'

/** Signs callbacks as the routing service does (spec, Authentication 7). */
export interface Signing {
  /** Answer of `GET /api/v2/public-key`, in the shape that the specOptions say. */
  readonly publicKey: () => Promise<Response>
  /** Ed25519 signature over the UTF-8 bytes of a body, in the encoding that the specOptions say. */
  readonly sign: (body: string) => Promise<string>
  /** Replaces the key pair, as a service does whose receivers must fetch the key anew. */
  readonly rotate: () => Promise<void>
}

const algorithm = 'Ed25519'

/**
 * Creates the signing half of the service. The key pair is made when first needed, and looked up in `keys` at every use:
 * whoever writes or clears it there is heard.
 */
export function createSigning(keys: EmulatorState['signingKeys'], specOptions: SpecOptions): Signing {
  let making: Promise<SigningKey> | undefined

  function current(): SigningKey | Promise<SigningKey> {
    return keys.get('current') ?? (making ??= first().finally(() => (making = undefined)))
  }

  async function first(): Promise<SigningKey> {
    const made = await makeKey()
    // A rotation may have been quicker.
    const key = keys.get('current') ?? made
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
      return writeBytes(new Uint8Array(signature), specOptions.signature)
    },
    async rotate() {
      keys.set('current', await makeKey())
    },
  }
}

async function makeKey(): Promise<SigningKey> {
  const pair = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const { kty, crv, x, d } = await crypto.subtle.exportKey('jwk', pair.privateKey)
  // Without `alg` and `ext`, which runtimes write differently: a key stored by one can be used by another.
  const publicKey = { kty, crv, x } as JsonWebKey
  return { privateKey: { ...publicKey, d } as JsonWebKey, publicKey }
}

async function publicKeyResponse(jwk: JsonWebKey, shape: SpecOptions['publicKey']): Promise<Response> {
  if (shape === 'jwk') return Response.json(jwk)
  const key = await crypto.subtle.importKey('jwk', jwk, algorithm, true, ['verify'])
  const raw = new Uint8Array(await crypto.subtle.exportKey('raw', key))
  if (shape === 'raw') return new Response(raw, { headers: { 'content-type': 'application/octet-stream' } })
  if (shape === 'base64' || shape === 'base64url' || shape === 'hex')
    return textResponse(writeBytes(raw, shape))

  const spki = writeBytes(new Uint8Array(await crypto.subtle.exportKey('spki', key)), 'base64')
  if (shape === 'spki') return textResponse(spki)
  const pem = `-----BEGIN PUBLIC KEY-----\n${spki}\n-----END PUBLIC KEY-----\n`
  return shape === 'json' ? Response.json({ publicKey: pem }) : textResponse(pem)
}

function textResponse(body: string): Response {
  return new Response(body, { headers: { 'content-type': 'text/plain' } })
}
