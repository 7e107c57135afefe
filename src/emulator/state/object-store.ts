/** Stores the contents of files and attachments: in memory here, on disk in the emulator command. */
export interface ObjectStore {
  /** Stores a whole stream under a new key and returns its size in bytes. Rejects if the stream fails, and then stores nothing. */
  readonly put: (key: string, content: ReadableStream<Uint8Array>) => Promise<number>
  /** Returns the content, or the bytes of `range`. `undefined` if the object does not exist. */
  readonly get: (key: string, range?: ByteRange) => Promise<ReadableStream<Uint8Array> | undefined>
  /** Returns the size in bytes, or `undefined` if the object does not exist. */
  readonly size: (key: string) => Promise<number | undefined>
  /** Deletes an object if it exists. */
  readonly delete: (key: string) => Promise<void>
  /** Returns the keys of all objects. */
  readonly keys: () => Promise<readonly string[]>
}

/** Bytes from `start` to `end`, both inclusive (RFC 9110, 14.1.1). */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Creates an object store in memory. */
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
