import { ProxyError } from './problem.ts'

/**
 * Reads a body up to `limit` bytes. Beyond, it stops reading and throws what `tooLong` makes. A body that takes longer than
 * `within` milliseconds is a `ProxyError`.
 */
export async function readBytes(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
  tooLong: () => Error,
  within?: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = body?.getReader()
  let isLate = false
  const onLate = () => {
    isLate = true
    reader?.cancel().catch(() => {})
  }
  const deadline = within === undefined ? undefined : AbortSignal.timeout(within)
  deadline?.addEventListener('abort', onLate)
  const whole = await readAll(reader, limit, tooLong).finally(() => {
    deadline?.removeEventListener('abort', onLate)
  })
  if (isLate) throw new ProxyError(408, 'The request took too long to arrive. Send it again.')
  return whole
}

/** Most milliseconds for a small body to arrive. */
export const bodyTimeout = 15_000

async function readAll(
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
  limit: number,
  tooLong: () => Error,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const next = await reader?.read()
    if (!next || next.done) return joined(chunks, size)
    size += next.value.byteLength
    if (size > limit) {
      await reader?.cancel()
      throw tooLong()
    }
    chunks.push(next.value)
  }
}

/** The same, as UTF-8 text. */
export async function readText(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
  tooLong: () => Error,
  within?: number,
): Promise<string> {
  return new TextDecoder().decode(await readBytes(body, limit, tooLong, within))
}

/** Bytes in one piece; `size` is how many they are. */
export function joined(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.byteLength
  }
  return whole
}
