import { refusals } from './refusals.ts'

/** Optional limits of a body. */
interface ReadingLimits {
  /** In milliseconds. */
  readonly timeout?: number | undefined
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
  { timeout, onSize = () => {} }: ReadingLimits = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = body?.getReader()
  let isLate = false
  const timer =
    timeout === undefined
      ? undefined
      : setTimeout(() => {
          isLate = true
          reader?.cancel().catch(() => {})
        }, timeout)
  const bytes = await readAll(reader, limit, tooLong, onSize).finally(() => clearTimeout(timer))
  if (isLate) throw refusals.tooSlow()
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
