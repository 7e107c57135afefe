import { decodeBytes, type ByteText } from './byte-text.ts'

/** Maximum length of a response, in bytes or characters. */
const maxLength = 16_384
/** Maximum depth of the key in JSON. */
const maxDepth = 4

/** The bytes before the key in its SubjectPublicKeyInfo (RFC 8410, 4 and 10.1). */
const spkiPrefix = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00]
const keyLength = 32
const signatureLength = 64

const pemPattern = /^-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\s]*)-----END PUBLIC KEY-----$/

/** Names of JSON members that hold a bare key, in lower case and without `_` and `-`. */
const keyNames = new Set(['publickey', 'ed25519publickey', 'verificationkey', 'verifykey'])
/** Names of JSON members whose meaning follows from the name or place of their object. */
const contentNames = new Set([
  ...['key', 'keys', 'ed25519', 'value', 'data', 'result'],
  ...['base64', 'base64url', 'hex', 'raw', 'spki', 'der', 'pem', 'jwk'],
])

type Bytes = Uint8Array<ArrayBuffer>

/**
 * Reads the 32 bytes of the service's Ed25519 public key. The spec leaves the format open (Public key), so this function
 * accepts the raw bytes, SPKI, both of these as base64, base64url or hex text, PEM, a JSON Web Key, and JSON that holds
 * one of these.
 *
 * In JSON, 32 bytes as text count only under a name that means a key, because a digest or a secret looks the same. PEM,
 * SPKI and a JSON Web Key identify themselves, so they count under any name. Raw bytes do not count if all 32 are
 * printable, as they are in an error message.
 *
 * Returns `undefined` for everything else: other kinds of keys, private keys, JSON that holds two different keys. Never
 * throws.
 */
export function readPublicKey(body: string | Uint8Array): Bytes | undefined {
  if (typeof body === 'string') return body.length > maxLength ? undefined : fromText(body, true)
  if (!(body instanceof Uint8Array) || body.length > maxLength) return undefined

  const bytes = new Uint8Array(body)
  const isPrintable = bytes.every((byte) => (byte >= 0x20 && byte < 0x7f) || (byte >= 0x09 && byte <= 0x0d))
  if (bytes.length === keyLength && !isPrintable) return bytes
  return fromSpki(bytes) ?? fromText(new TextDecoder().decode(bytes), true)
}

/**
 * Reads the 64 bytes of an Ed25519 signature. Returns `undefined` unless the text is their only form in this encoding (see
 * `ByteText`), so that a signature cannot be written in two ways. Never throws.
 */
export function readSignature(text: string, encoding: ByteText): Bytes | undefined {
  if (typeof text !== 'string' || text.length > 2 * signatureLength) return undefined
  const bytes = decodeBytes(text, encoding)
  return bytes?.length === signatureLength ? bytes : undefined
}

/** `isKey`: whether a bare text at this place is a key. */
function fromText(input: string, isKey: boolean, depth = 0): Bytes | undefined {
  const text = input.trim()
  const body = pemPattern.exec(text)?.[1]
  if (body !== undefined) return fromSpki(decodeBytes(body.replace(/\s/g, ''), 'base64'))

  const bytes = readAnyBytes(text)
  if (bytes) return fromSpki(bytes) ?? (isKey && bytes.length === keyLength ? bytes : undefined)
  return depth === 0 ? fromJson(parseKeyJson(text), isKey, depth) : undefined
}

function fromJson(value: unknown, isKey: boolean, depth: number): Bytes | undefined {
  if (depth > maxDepth || value === null) return undefined
  if (typeof value === 'string') return fromText(value, isKey, depth + 1)
  if (typeof value !== 'object') return undefined
  // The members of a JSON Web Key are not keys themselves.
  if (Object.hasOwn(value, 'kty')) return fromJwk(value)

  const members: [string, unknown][] = Object.entries(value)
  const found = members.flatMap(([name, member]) => {
    const plain = name.toLowerCase().replace(/[-_]/g, '')
    const isContent = Array.isArray(value) || contentNames.has(plain)
    return fromJson(member, keyNames.has(plain) || (isContent && isKey), depth + 1) ?? []
  })
  const [key] = found
  return key && found.every((other) => isSameBytes(other, key)) ? key : undefined
}

/** RFC 8037, 2. A `d` makes it a private key. */
function fromJwk(jwk: object): Bytes | undefined {
  const { kty, crv, x, d } = Object.fromEntries<unknown>(Object.entries(jwk))
  if (kty !== 'OKP' || crv !== 'Ed25519' || typeof x !== 'string' || d !== undefined) return undefined
  const bytes = decodeBytes(x, 'base64url')
  return bytes?.length === keyLength ? bytes : undefined
}

function fromSpki(bytes: Bytes | undefined): Bytes | undefined {
  if (bytes?.length !== spkiPrefix.length + keyLength) return undefined
  return spkiPrefix.every((byte, index) => bytes[index] === byte) ? bytes.slice(spkiPrefix.length) : undefined
}

/** Reads bytes in any encoding. With the lengths of keys, no text is valid in two encodings. */
function readAnyBytes(text: string): Bytes | undefined {
  if (text.length > 2 * (spkiPrefix.length + keyLength)) return undefined
  // Padding is optional in base64url and often left out in base64.
  const unpadded = text.replace(/=+$/, '')
  const padded = unpadded.padEnd(Math.ceil(unpadded.length / 4) * 4, '=')
  if (text !== unpadded && text !== padded) return undefined
  return [
    decodeBytes(text.toLowerCase(), 'hex'),
    decodeBytes(padded, 'base64'),
    decodeBytes(unpadded, 'base64url'),
  ].find((bytes) => bytes?.length === keyLength || bytes?.length === spkiPrefix.length + keyLength)
}

function isSameBytes(a: Bytes, b: Bytes): boolean {
  return a.every((byte, index) => byte === b[index])
}

function parseKeyJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
