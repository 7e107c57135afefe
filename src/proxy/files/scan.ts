import type { ProxyError } from '../http/problem.ts'
import { fileRefusals } from './file-refusals.ts'

/** The file that a scanner checks. */
export interface ScanFacts {
  /** Name of the file, as the browser sent it. */
  readonly filename: string
  /** Media type that the browser declared. */
  readonly contentType: string
  /** University id of the person who uploads it. */
  readonly univid: string
}

/** The result of a scan. */
interface ScanResult {
  readonly isClean: boolean
  /** The threat that the scanner found. It is logged and never shown. */
  readonly finding?: string
}

/**
 * Scans a file for harmful content. Reads all bytes before it resolves, unless it has found something. Reading rejects if the
 * upload is aborted.
 */
export type Scan = (file: ScanFacts, bytes: AsyncIterable<Uint8Array>) => Promise<ScanResult>

/**
 * Passes each chunk to the scanner and to the reader, and ends only after the scanner has read all of them and reported the
 * file as clean: a reader that reaches the end has a clean file. Without a scanner, the bytes pass unchanged.
 *
 * Throws `ProxyError` 422 as soon as the scanner finds something. Throws 503 if the scanner fails, if it resolves to anything
 * other than exactly `{ isClean: true }`, if it does so before it has read the end, or if it takes longer than `timeout` ms to
 * take a chunk or to resolve.
 */
export async function* scanStream(
  bytes: AsyncIterable<Uint8Array>,
  scan: Scan | undefined,
  facts: ScanFacts,
  { timeout }: { readonly timeout: number },
): AsyncGenerator<Uint8Array, void, undefined> {
  if (!scan) {
    yield* bytes
    return
  }

  const handoff = createChunkHandoff()
  const scanned = runScan(scan, facts, handoff)
  let failure: ProxyError | undefined
  let interrupt: (error: ProxyError) => void = () => {}
  scanned.catch((error: ProxyError) => {
    failure = error
    interrupt(error)
  })

  /** Resolves as `promise` does, unless the scanner fails first. `Promise.race` would keep every chunk in memory. */
  const unlessFailed = async <T>(promise: Promise<T>, limit?: number): Promise<T> => {
    let timer: ReturnType<typeof setTimeout> | undefined
    try {
      return await new Promise<T>((resolve, reject) => {
        if (failure) reject(failure)
        interrupt = reject
        if (limit !== undefined)
          timer = setTimeout(() => reject(fileRefusals.scanFailed('The scanner timed out')), limit)
        promise.then(resolve, reject)
      })
    } finally {
      clearTimeout(timer)
    }
  }

  const source = bytes[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await unlessFailed(source.next())
      if (next.done) break
      await unlessFailed(handoff.give(next.value), timeout)
      yield next.value
    }
    handoff.end()
    await unlessFailed(scanned, timeout)
  } finally {
    handoff.abort()
    // Not awaited: a source that waits for its next chunk returns only when the chunk arrives.
    void source.return?.().catch(() => {})
  }
}

/** Resolves if the scanner has read everything and reports the file as clean. Rejects with a `ProxyError` otherwise. */
async function runScan(scan: Scan, facts: ScanFacts, handoff: ChunkHandoff): Promise<void> {
  let result: Partial<ScanResult> | null | undefined
  try {
    result = await scan(facts, handoff.bytes)
  } catch (cause) {
    throw fileRefusals.scanFailed(cause)
  }
  if (result?.isClean === false) throw fileRefusals.harmfulContent(result.finding)
  if (result?.isClean !== true || result.finding !== undefined)
    throw fileRefusals.scanFailed('The scanner returned no clear result')
  if (!handoff.isRead()) throw fileRefusals.scanFailed('The scanner finished before it had read everything')
}

/** Passes chunks from a producer to a consumer: a chunk is given only when it is requested, and none is stored. */
interface ChunkHandoff {
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
function createChunkHandoff(): ChunkHandoff {
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
