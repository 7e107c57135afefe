import type { Readable } from 'node:stream'

/**
 * A web stream over a Node stream. It pulls one chunk at a time. `Readable.toWeb` is not used because it ends the process
 * if a reader goes away at the wrong moment.
 */
export class NodeBodyStream extends ReadableStream<Uint8Array> {
  readonly #source: Readable

  constructor(source: Readable) {
    const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
    super(
      {
        async pull(controller) {
          const next = await chunks.next()
          if (next.done) controller.close()
          else controller.enqueue(next.value)
        },
        cancel() {
          source.destroy()
        },
      },
      // Nothing is read ahead, so that `takeSource` can return the whole body.
      { highWaterMark: 0 },
    )
    this.#source = source
  }

  /** Returns the Node stream and locks this one. Throws `TypeError` if this one is locked already. */
  takeSource(): Readable {
    this.getReader()
    return this.#source
  }
}
