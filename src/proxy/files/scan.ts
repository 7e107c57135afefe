import { ProxyError } from '../problem.ts'

export interface ScanFacts {
  readonly filename: string
  readonly contentType: string
  readonly univid: string
}

/**
 * Looks for what is harmful in a file. Reads all bytes, then answers; once it has found something it may answer before.
 * The bytes fail where the upload is broken off.
 */
export type Scan = (
  file: ScanFacts,
  bytes: AsyncIterable<Uint8Array>,
) => Promise<{ readonly isClean: boolean; readonly finding?: string }>

/**
 * Hands bytes to a scanner and to the reader alike, one chunk at a time, and ends only when the scanner has read all of them
 * and has called them clean: a reader that has seen the end has a clean file. Else it throws `ProxyError`: 422 where the
 * scanner has found something, at once; 503 where it fails, answers anything else than exactly `{ isClean: true }`, answers
 * so before it has read the end, or keeps us waiting for longer than `timeout`, in milliseconds, for its answer or for it to
 * take a chunk. Without a scanner, the bytes come as they are.
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

  const handover = createHandover()
  const judged = judge(scan, facts, handover)
  let failure: ProxyError | undefined
  let interrupt: (error: ProxyError) => void = () => {}
  judged.catch((error: ProxyError) => {
    failure = error
    interrupt(error)
  })

  /** What the promise says, unless the scanner fails first. Not `Promise.race`, which would keep every chunk. */
  const unlessFailed = async <T>(promise: Promise<T>, limit?: number): Promise<T> => {
    let timer: ReturnType<typeof setTimeout> | undefined
    try {
      return await new Promise<T>((resolve, reject) => {
        if (failure) reject(failure)
        interrupt = reject
        if (limit !== undefined)
          timer = setTimeout(() => reject(notScanned('The scanner kept us waiting')), limit)
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
      await unlessFailed(handover.give(next.value), timeout)
      yield next.value
    }
    handover.end()
    await unlessFailed(judged, timeout)
  } finally {
    handover.breakOff()
    // Not awaited: a source that is waiting for its next chunk answers only then.
    void source.return?.().catch(() => {})
  }
}

/** Resolves when the scanner has read everything and called it clean; else rejects with a `ProxyError`. */
async function judge(scan: Scan, facts: ScanFacts, handover: Handover): Promise<void> {
  let verdict: Partial<Awaited<ReturnType<Scan>>> | null | undefined
  try {
    verdict = await scan(facts, handover.bytes)
  } catch (cause) {
    throw notScanned(cause)
  }
  if (verdict?.isClean === false) {
    throw new ProxyError(422, 'The file was refused: a scanner found something harmful in it.', {
      cause: verdict.finding,
    })
  }
  if (verdict?.isClean !== true || verdict.finding !== undefined)
    throw notScanned('The scanner gave no clear answer')
  if (!handover.isRead()) throw notScanned('The scanner answered before it had read everything')
}

function notScanned(cause: unknown): ProxyError {
  return new ProxyError(503, 'The file could not be checked for harmful content. Try again later.', { cause })
}

/** Passes chunks from hand to hand: a chunk is given when it has been asked for, and none is kept. */
interface Handover {
  readonly bytes: AsyncIterable<Uint8Array>
  /** Resolves when the chunk has been taken. */
  readonly give: (chunk: Uint8Array) => Promise<void>
  readonly end: () => void
  /** Whether the end has been reached by whoever reads. */
  readonly isRead: () => boolean
  /** Lets whoever still reads fail. */
  readonly breakOff: () => void
}

function createHandover(): Handover {
  type Result = IteratorResult<Uint8Array, undefined>
  const asked: { resolve: (result: Result) => void; reject: (error: Error) => void }[] = []
  let state: 'open' | 'ended' | 'broken' = 'open'
  let isRead = false
  let wake = () => {}

  /** Answers what has been asked for after the last chunk. */
  const settle = () => {
    if (state === 'open') return
    if (state === 'ended' && asked.length > 0) isRead = true
    for (const { resolve, reject } of asked.splice(0)) {
      if (state === 'ended') resolve({ done: true, value: undefined })
      else reject(new Error('The upload was broken off'))
    }
  }

  return {
    bytes: {
      [Symbol.asyncIterator]: () => ({
        next: () =>
          new Promise<Result>((resolve, reject) => {
            asked.push({ resolve, reject })
            settle()
            wake()
          }),
      }),
    },
    async give(chunk) {
      while (asked.length === 0) await new Promise<void>((resolve) => (wake = resolve))
      asked.shift()?.resolve({ done: false, value: chunk })
    },
    end() {
      state = 'ended'
      settle()
    },
    isRead: () => isRead,
    breakOff() {
      if (state === 'open') state = 'broken'
      settle()
    },
  }
}
