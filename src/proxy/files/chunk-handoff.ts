/** Passes chunks from a producer to a consumer: a chunk is given only when it is requested, and none is stored. */
export interface ChunkHandoff {
  /** The chunks for the consumer. */
  readonly bytes: AsyncIterable<Uint8Array>
  /** Resolves when the consumer has taken the chunk. */
  readonly give: (chunk: Uint8Array) => Promise<void>
  /** Ends the chunks. */
  readonly end: () => void
  /** Whether the consumer has reached the end. */
  readonly isRead: () => boolean
  /** Makes the reads of the consumer reject, unless the chunks have ended. */
  readonly abort: () => void
}

/** Creates a handoff that waits for its first chunk. */
export function createChunkHandoff(): ChunkHandoff {
  type Result = IteratorResult<Uint8Array, undefined>
  const pendingReads: { resolve: (result: Result) => void; reject: (error: Error) => void }[] = []
  let state: 'open' | 'ended' | 'aborted' = 'open'
  let isRead = false
  let wake = () => {}

  /** Settles the reads that came after the last chunk. */
  const settle = () => {
    if (state === 'open') return
    if (state === 'ended' && pendingReads.length > 0) isRead = true
    for (const { resolve, reject } of pendingReads.splice(0)) {
      if (state === 'ended') resolve({ done: true, value: undefined })
      else reject(new Error('The upload was aborted'))
    }
  }

  return {
    bytes: {
      [Symbol.asyncIterator]: () => ({
        next: () =>
          new Promise<Result>((resolve, reject) => {
            pendingReads.push({ resolve, reject })
            settle()
            wake()
          }),
      }),
    },
    async give(chunk) {
      while (pendingReads.length === 0) await new Promise<void>((resolve) => (wake = resolve))
      pendingReads.shift()?.resolve({ done: false, value: chunk })
    },
    end() {
      state = 'ended'
      settle()
    },
    isRead: () => isRead,
    abort() {
      if (state === 'open') state = 'aborted'
      settle()
    },
  }
}
