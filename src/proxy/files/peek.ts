import { joined } from '../http/read-body.ts'

/** Reads the first `length` bytes, or all if there are fewer, and returns them together with an iterable over all bytes. */
export async function peek(
  bytes: AsyncIterable<Uint8Array>,
  length: number,
): Promise<{ head: Uint8Array; bytes: AsyncIterable<Uint8Array> }> {
  const source = bytes[Symbol.asyncIterator]()
  const first: Uint8Array[] = []
  let size = 0
  let isEnd = false
  while (size < length && !isEnd) {
    const next = await source.next()
    if (next.done) isEnd = true
    else {
      first.push(next.value)
      size += next.value.byteLength
    }
  }
  return { head: joined(first, size).subarray(0, length), bytes: replay() }

  async function* replay(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      yield* first
      while (!isEnd) {
        const next = await source.next()
        if (next.done) return
        yield next.value
      }
    } finally {
      await source.return?.()
    }
  }
}
