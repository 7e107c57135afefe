import { type Connection, connectionOf } from '../http/connection.ts'
import { type Reply, responseOf } from '../http/reply.ts'
import { requestIdOf } from '../observe/tracing.ts'
import { compose, Exchange } from './exchange.ts'
import { createParts } from './parts.ts'
import { stepsOf } from './steps.ts'
import { type ProxyOptions, withDefaults } from './options.ts'

/** A fetch handler. */
export interface Proxy {
  (request: Request): Promise<Response>
  /** Handles a request for the adapter of a runtime, which knows the connection and writes the reply itself. */
  readonly handle: (request: Request, connection: Connection) => Promise<Reply>
  /** Paths below which it is mounted, such as `/api/wf`. */
  readonly basePaths: readonly string[]
  /**
   * Ends live streams and timers, and waits for `onCallback`, at most `callbacks.closeTimeout`. The proxy still handles
   * requests. Call this again after the last request to wait for callbacks that have arrived in the meantime.
   */
  readonly close: () => Promise<void>
  /**
   * Processes a dead letter of `callbacks.store` again, or a callback that waits for its next attempt now. `id` is the SHA-256
   * of its body. Resolves to false if it is not in the store.
   */
  readonly replayCallback: (id: string) => Promise<boolean>
}

/** Creates the fetch handler between browsers and both services, for one environment. */
export function createProxy(options: ProxyOptions): Proxy {
  const parts = createParts(withDefaults(options))
  const { basePath, observe, health, live } = parts
  const replyTo = compose(stepsOf(parts))
  const handle = (request: Request, connection: Connection) =>
    replyTo(new Exchange(request, connection, requestIdOf(request.headers, observe.requestIdHeader)))
  return Object.assign(async (request: Request) => responseOf(await handle(request, connectionOf(request))), {
    handle,
    basePaths: [basePath],
    close: () => {
      health.stop()
      return live.close()
    },
    replayCallback: live.replayCallback,
  })
}
