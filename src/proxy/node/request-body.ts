import type { IncomingMessage } from 'node:http'

/**
 * Returns the body of a request as a web stream. If it is cancelled, the connection stays open, so that the browser can
 * receive the response; the pipeline discards the rest. `Readable.toWeb` would end the connection.
 */
export function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  let removeListeners = () => {}
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const onData = (chunk: Uint8Array) => {
          incoming.pause()
          controller.enqueue(chunk)
        }
        const onEnd = () => {
          removeListeners()
          controller.close()
        }
        const onError = (error?: Error) => {
          removeListeners()
          controller.error(error ?? new Error('The client has disconnected.'))
        }
        // A body can be destroyed without an error.
        const onClose = () => onError()
        removeListeners = () => {
          incoming.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose)
        }
        if (incoming.readableEnded) return controller.close()
        if (incoming.destroyed) return onError()
        incoming.pause().on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose)
      },
      pull() {
        incoming.resume()
      },
      cancel() {
        removeListeners()
        incoming.pause()
      },
    },
    { highWaterMark: 0 },
  )
}
