import { refusals } from './refusals.ts'

/**
 * Reads a body of at most `limit` bytes. Throws the error that `tooLong` creates if the body is longer, and does not read
 * on. Throws a `ProxyError` if the body takes longer than `timeout` milliseconds.
 */
export async function readBytes(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
  tooLong: () => Error,
  timeout?: number,
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
  const bytes = await readAll(reader, limit, tooLong).finally(() => clearTimeout(timer))
  if (isLate) throw refusals.tooSlow()
  return bytes
}

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

/** Reads a body as UTF-8 text, with the same limits as `readBytes`. */
export async function readText(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
  tooLong: () => Error,
  timeout?: number,
): Promise<string> {
  return new TextDecoder().decode(await readBytes(body, limit, tooLong, timeout))
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
