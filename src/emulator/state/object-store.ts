/** Holds the contents of files and attachments: in memory here, on disk where Node runs the emulator. */
export interface ObjectStore {
  /** Stores a stream to its end, under a key of its own, and answers its size in bytes. Rejects as the stream fails, and keeps nothing then. */
  readonly put: (key: string, content: ReadableStream<Uint8Array>) => Promise<number>
  /** The whole content, or so many bytes from `start` on. `undefined` where there is none. */
  readonly get: (key: string, range?: ByteRange) => Promise<ReadableStream<Uint8Array> | undefined>
  /** Size in bytes; `undefined` where there is no content. */
  readonly size: (key: string) => Promise<number | undefined>
  /** Forgets one object. Nothing happens where there is none. */
  readonly delete: (key: string) => Promise<void>
  /** Keys of all objects. */
  readonly keys: () => Promise<readonly string[]>
}

/** Bytes from `start` to `end`, both included (RFC 9110, 14.1.1). */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** An object store in memory. */
export function createMemoryStore(): ObjectStore {
  const blobs = new Map<string, Blob>()
  return {
    async put(key, content) {
      const blob = await new Response(content).blob()
      blobs.set(key, blob)
      return blob.size
    },
    get: (key, range) => {
      const blob = blobs.get(key)
      return Promise.resolve((range ? blob?.slice(range.start, range.end + 1) : blob)?.stream())
    },
    size: (key) => Promise.resolve(blobs.get(key)?.size),
    delete: (key) => {
      blobs.delete(key)
      return Promise.resolve()
    },
    keys: () => Promise.resolve([...blobs.keys()]),
  }
}
