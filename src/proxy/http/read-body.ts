import { refusals } from './refusals.ts'

/** Memory that bodies share while they arrive. */
export interface BodyBudget {
  /** Adds a body that begins to arrive. `drop` ends it if others need its memory. */
  readonly open: (drop: () => void) => {
    /** Records the number of bytes so far. */
    readonly resize: (size: number) => void
    readonly close: () => void
  }
}

/**
 * Creates a budget of `max` bytes. If it is exceeded, the bodies that arrive longest are dropped: whoever sends a whole body
 * takes a moment, and whoever wants to use up the memory takes as long as possible.
 */
export function createBodyBudget(max: number): BodyBudget {
  /** Oldest first. */
  const sizes = new Map<() => void, number>()
  let total = 0

  function close(drop: () => void): void {
    total -= sizes.get(drop) ?? 0
    sizes.delete(drop)
  }

  return {
    open(drop) {
      sizes.set(drop, 0)
      return {
        resize(size) {
          const before = sizes.get(drop)
          if (before === undefined) return
          sizes.set(drop, size)
          total += size - before
          for (const oldest of sizes.keys()) {
            if (total <= max) return
            close(oldest)
            oldest()
          }
        },
        close: () => close(drop),
      }
    },
  }
}

/** Optional limits of a body. */
interface ReadingLimits {
  /** In milliseconds. */
  readonly timeout?: number | undefined
  /** Memory that the body shares with others, and the error if they need it. */
  readonly shared?: { readonly budget: BodyBudget; readonly dropped: () => Error } | undefined
  /** Called with the number of bytes so far. If it throws, the rest is not read. */
  readonly onSize?: (size: number) => void
}

/**
 * Reads a body of at most `limit` bytes. Throws the error that `tooLong` creates if the body is longer, and does not read
 * on. Throws a `ProxyError` if the body takes longer than `timeout`.
 */
export async function readBytes(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
  tooLong: () => Error,
  { timeout, shared, onSize = () => {} }: ReadingLimits = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = body?.getReader()
  let ended: Error | undefined
  const end = (error: Error) => {
    ended ??= error
    reader?.cancel().catch(() => {})
  }
  const timer = timeout === undefined ? undefined : setTimeout(() => end(refusals.tooSlow()), timeout)
  const place = shared?.budget.open(() => end(shared.dropped()))
  const resize = (size: number) => {
    place?.resize(size)
    onSize(size)
  }
  const bytes = await readAll(reader, limit, tooLong, resize).finally(() => {
    clearTimeout(timer)
    place?.close()
  })
  if (ended) throw ended
  return bytes
}

async function readAll(
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
  limit: number,
  tooLong: () => Error,
  onSize: (size: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const next = await reader?.read()
    if (!next || next.done) return joined(chunks, size)
    size += next.value.byteLength
    try {
      if (size > limit) throw tooLong()
      onSize(size)
    } catch (error) {
      await reader?.cancel()
      throw error
    }
    chunks.push(next.value)
  }
}

/** Joins chunks of `size` bytes in total. */
export function joined(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.byteLength
  }
  return whole
}
