/** Creates a stream from a generator. It pulls bytes only when its reader does, and ends the generator when cancelled. */
export function streamFromGenerator(
  bytes: AsyncGenerator<Uint8Array, void, undefined>,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await bytes.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await bytes.return()
      },
    },
    { highWaterMark: 0 },
  )
}
