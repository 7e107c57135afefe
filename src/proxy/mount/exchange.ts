import type { OperationContext } from '../rights/operation-handler.ts'
import type { Connection, Holding } from '../http/connection.ts'
import type { Reply } from '../http/reply.ts'
import type { RouteMatch } from '../http/router.ts'
import type { Identity } from '../identity/identity.ts'
import type { Authorization } from '../rights/authorizer.ts'
import type { OperationRequest } from '../operation/operation-request.ts'
import type { OperationRoute, ServedRoute } from './served-routes.ts'
import type { ValidBody } from '../validation/valid-body.ts'

/**
 * One request on its way through the steps. Each step adds what the next ones need: a field with a `!` belongs to the step that
 * its comment names, and to those below it.
 */
export class Exchange implements OperationContext, Holding {
  request: Request
  /** The connection of the browser. */
  readonly client: Connection
  readonly requestId: string
  /** The connection as the operation sees it, which may outlast the browser or end before it. */
  connection: Connection
  /** Set by `find`; undefined if no route matches. */
  match: RouteMatch<ServedRoute> | undefined
  /** Set by `identified`. */
  person!: Identity
  /** Set by `operationsOnly`. */
  route!: OperationRoute
  /** The key of a change, set by `keyed`. */
  key: string | undefined
  /** Ends the request. Set by `revocable`. */
  revoke!: Holding['revoke']
  /** Set by `read`; `authorized` adds the body. */
  operationRequest!: OperationRequest
  /** Reads the JSON body, once. Resolves to undefined if the operation has none. Set by `read`. */
  readBody!: () => Promise<ValidBody | undefined>
  /** Set by `authorized`. */
  authorization!: Authorization
  /** Whether anything may have been sent that could change something. */
  isHandling = false

  readonly #untilReply: (() => void)[] = []
  readonly #untilSent: (() => void)[] = []
  #hasReply = false

  constructor(request: Request, client: Connection, requestId: string) {
    this.request = request
    this.client = client
    this.connection = client
    this.requestId = requestId
  }

  untilReply(release: () => void): void {
    if (this.#hasReply) release()
    else this.#untilReply.push(release)
  }

  untilSent(release: () => void): void {
    if (this.#hasReply) this.client.onEnd(release)
    else this.#untilSent.push(release)
  }

  /** Gives back what is held until the reply; the rest follows when the reply has been sent. */
  replied(): void {
    this.#hasReply = true
    for (const release of this.#untilReply) release()
    const held = this.#untilSent
    if (held.length === 0) return
    this.client.onEnd(() => {
      for (const release of held) release()
    })
  }
}

/** Replies, throws a `ProxyError`, or calls `next`, once, for the reply of the steps below it. */
export type Step = (at: Exchange, next: () => Reply | Promise<Reply>) => Reply | Promise<Reply>

/**
 * Returns a function that runs the steps in order, and then gives back what they hold until the reply. A step that has nothing
 * to wait for costs no promise.
 */
export function compose(steps: readonly Step[]): (at: Exchange) => Promise<Reply> {
  return async (at) => {
    let index = 0
    const next = (): Reply | Promise<Reply> => {
      const step = steps[index++]
      if (!step) throw new TypeError('The last step has to reply')
      return step(at, next)
    }
    try {
      return await next()
    } finally {
      at.replied()
    }
  }
}
