/** Reads a body as text, up to `limit` bytes. Beyond, it stops reading and throws what `tooLong` makes. */
export async function readText(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
  tooLong: () => Error,
): Promise<string> {
  const decoder = new TextDecoder()
  const reader = body?.getReader()
  let text = ''
  let size = 0
  for (;;) {
    const next = await reader?.read()
    if (!next || next.done) return text + decoder.decode()
    size += next.value.byteLength
    if (size > limit) {
      await reader?.cancel()
      throw tooLong()
    }
    text += decoder.decode(next.value, { stream: true })
  }
}
