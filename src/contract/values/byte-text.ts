/** Encodings of bytes as text: base64 with padding, base64url without (RFC 4648, 4 and 5), hex in lower case. */
export type ByteText = 'base64' | 'base64url' | 'hex'

/** Writes bytes as text. */
export function encodeBytes(bytes: Uint8Array, encoding: ByteText): string {
  if (encoding === 'hex') return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const base64 = btoa([...bytes].map((byte) => String.fromCharCode(byte)).join(''))
  return encoding === 'base64' ? base64 : base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Reads bytes that `writeBytes()` wrote in this encoding. Returns `undefined` for any other text. */
export function decodeBytes(text: string, encoding: ByteText): Uint8Array<ArrayBuffer> | undefined {
  const bytes = encoding === 'hex' ? fromHex(text) : fromBase64(text)
  // If the text reads back differently, it had white space, wrong padding, stray bits or the other alphabet.
  return bytes && encodeBytes(bytes, encoding) === text ? bytes : undefined
}

function fromHex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16))
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    return Uint8Array.from(binary, (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
