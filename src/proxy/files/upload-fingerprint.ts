import type { ReadUpload, UploadedFile } from './read-upload.ts'

/** Notices whether a repeated upload has another file, without keeping either. */
export interface UploadFingerprints {
  /** Reads an upload as the given function does, and fingerprints it meanwhile. */
  readonly read: ReadUpload
  /** The fingerprint of a request whose upload has been read to its end. */
  readonly known: (request: Request) => string | undefined
}

/** Creates the fingerprints of the uploads that `read` reads. */
export function createUploadFingerprints(read: ReadUpload): UploadFingerprints {
  const known = new WeakMap<Request, string>()
  return {
    async read(request, limits, connection) {
      const file = await read(request, limits, connection)
      return { ...file, bytes: fingerprinted(file, (fingerprint) => known.set(request, fingerprint)) }
    },
    known: (request) => known.get(request),
  }
}

async function* fingerprinted(
  { filename, contentType, part, bytes }: UploadedFile,
  onEnd: (fingerprint: string) => void,
): AsyncGenerator<Uint8Array> {
  const hash = createHash()
  hash.add(new TextEncoder().encode(JSON.stringify([filename, contentType, part ?? null])))
  for await (const chunk of bytes) {
    hash.add(chunk)
    yield chunk
  }
  onEnd(hash.digest())
}

/**
 * Two FNV-1a hashes of 32 bits with different primes, and the length. They tell apart files that somebody confuses; whoever
 * constructs two equal ones only gets the reply to their own upload.
 */
function createHash() {
  let one = 0x811c9dc5
  let two = 0x9e3779b9
  let length = 0
  return {
    add(bytes: Uint8Array): void {
      length += bytes.length
      for (const byte of bytes) {
        one = Math.imul(one ^ byte, 0x01000193)
        two = Math.imul(two ^ byte, 0x85ebca6b)
      }
    },
    digest: () => [length, one >>> 0, two >>> 0].join('-'),
  }
}
