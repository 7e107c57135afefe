import type { Identity } from '../identity/identity.ts'
import type { Reply } from '../http/reply.ts'

/** Handles a request that needs no identity. Throws `ProxyError`. */
export type PublicHandler = (request: Request) => Reply | Promise<Reply>

/** The facts that a handler gets with a request of a page. */
export interface PageFacts {
  readonly person: Identity
  readonly params: Readonly<Record<string, string | number>>
  readonly requestId: string
  /** Replies to a path of the proxy as to a request of its own by the same person. Never rejects. */
  readonly read: (path: string) => Promise<Reply>
}

/** Handles a request of a page for the signed-in person. Throws `ProxyError`. */
export type PageHandler = (request: Request, facts: PageFacts) => Reply | Promise<Reply>
