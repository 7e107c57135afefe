/** Stores the contents of files and attachments. */
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

/** Creates an object store in memory, which keeps the contents in a Map by their keys. */
export function createMemoryStore(contents = new Map<string, Uint8Array<ArrayBuffer>>()): ObjectStore {
  return {
    async put(key, content) {
      const bytes = new Uint8Array(await new Response(content).arrayBuffer())
      contents.set(key, bytes)
      return bytes.length
    },
    get: (key, { start, end } = { start: 0, end: Infinity }) => {
      const bytes = contents.get(key)
      return Promise.resolve(bytes && new Blob([bytes.subarray(start, end + 1)]).stream())
    },
    size: (key) => Promise.resolve(contents.get(key)?.length),
    delete: (key) => {
      contents.delete(key)
      return Promise.resolve()
    },
    keys: () => Promise.resolve([...contents.keys()]),
  }
}
