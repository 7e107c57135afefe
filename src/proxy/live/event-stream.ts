import { baseHeaders } from '../http/reply.ts'

interface EventStreamOptions {
  /** Ends the stream. */
  readonly signal: AbortSignal
  /** Maximum number of bytes that wait for the browser to read them. */
  readonly maxQueueSize: number
  /** Called once when the stream ends, for whatever reason. */
  readonly onEnd: () => void
}

/** One response that streams server-sent events (HTML, 9.2). */
export interface EventStream {
  readonly response: Response
  /** Sends text. If too much text is unread, ends the stream instead. */
  readonly write: (text: string) => void
  /** Ends the stream. */
  readonly end: () => void
}

/** Opens a stream. It ends when the browser disconnects, `signal` aborts, or `end()` is called. */
export function createEventStream({ signal, maxQueueSize, onEnd }: EventStreamOptions): EventStream {
  let controller!: ReadableStreamDefaultController<Uint8Array>
  let isOpen = true
  const body = new ReadableStream<Uint8Array>(
    {
      start: (given) => {
        controller = given
      },
      cancel: () => void release(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: maxQueueSize }),
  )
  const onAbort = () => {
    if (release()) controller.close()
  }
  signal.addEventListener('abort', onAbort, { once: true })

  /** Releases everything, once. Returns whether the stream was open. */
  function release(): boolean {
    if (!isOpen) return false
    isOpen = false
    signal.removeEventListener('abort', onAbort)
    onEnd()
    return true
  }

  function end(): void {
    const { desiredSize } = controller
    if (!release()) return
    // A closed stream would keep unread text for as long as the connection lives, so it fails instead.
    if (desiredSize === maxQueueSize) controller.close()
    else controller.error(new Error('The reader of an event stream is too slow'))
  }

  return {
    response: new Response(body, {
      headers: {
        ...baseHeaders,
        'Content-Type': 'text/event-stream; charset=utf-8',
        // Without this header, nginx buffers events.
        'X-Accel-Buffering': 'no',
      },
    }),
    write(text) {
      const bytes = encoder.encode(text)
      if ((controller.desiredSize ?? 0) < bytes.byteLength) end()
      else controller.enqueue(bytes)
    },
    end,
  }
}

const encoder = new TextEncoder()
