import type { Identify } from './identity.ts'

export interface TrustedHeaderOptions {
  /** Header that holds the university id, such as `x-remote-user`. The front server has to replace what a browser sends. */
  readonly header: string
  /** What the front server and the proxy know and nobody else: 32 characters at least. */
  readonly secret: string
  /** Header that holds the secret. Default `x-routeslip-secret`. */
  readonly secretHeader?: string
}

/**
 * Identity that a front server has established: it names the person in a header, and proves with a shared secret that
 * it is the one who says so. Without the secret, with another, or with anything but one university id: nobody.
 */
export function trustedHeader({
  header,
  secret,
  secretHeader = 'x-routeslip-secret',
}: TrustedHeaderOptions): Identify {
  if (secret.length < 32) throw new RangeError('secret must have 32 characters at least')
  const expected = digest(secret)

  return async (request) => {
    const given = request.headers.get(secretHeader)
    if (given === null || !isSame(await digest(given), await expected)) return null
    // A header that comes twice reads `1, 2`, which is no university id.
    const univid = request.headers.get(header) ?? ''
    return /^\d{1,12}$/.test(univid) ? { univid } : null
  }
}

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
}

/** Compares digests in a time that does not tell where they differ. */
function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.reduce((difference, byte, index) => difference | (byte ^ (b[index] ?? 0)), 0) === 0
}
