import type { z } from 'zod'
import type { Rights } from '../routes/rights.ts'
import type { Route } from '../routes/route.ts'

/** One operation of a service: how the proxy calls it, and how browsers call the proxy if they may. */
export interface Operation extends Omit<Route, 'path' | 'response'> {
  readonly service: 'workflow' | 'storage'
  /** Path below the base address of the service, with `:name` placeholders. */
  readonly upstream: `/${string}`
  /** One sentence about the operation, without the period. */
  readonly summary: string
  /** Kind of response of the service. */
  readonly response: 'json' | 'file' | 'text' | 'nothing'
  /** Media type of a file, if all files of this operation have the same. */
  readonly mediaType?: string
  /** Path below the root of the proxy. Absent if browsers cannot call the operation. */
  readonly path?: Route['path']
  /** Who decides whether the signed-in user may do this. Required for every operation in `routes.ts`. */
  readonly rights?: Rights
  /**
   * Whether the proxy always calls the service with bypass authorization, after its own decision. Only for operations that the
   * host's policy allows to people who have no rights of their own in the service.
   */
  readonly bypass?: true
  /** Search parameters that the service accepts, if any. */
  readonly query?: z.ZodType
  /** JSON body in the default version; in a multipart request, the content of its `part`. */
  readonly body?: z.ZodType
  /** JSON bodies by representation version, if they differ from the default. */
  readonly bodies?: Readonly<Record<string, z.ZodType>>
  /** JSON or text that the service returns in the default version. Absent for a file or nothing. */
  readonly result?: z.ZodType
  /** JSON that the service returns, for each of the route's `versions`. */
  readonly results?: Readonly<Record<string, z.ZodType>>
  /** A request that succeeds, without its path. Absent if the path is all of it. */
  readonly sample?: (facts: SampleFacts) => Sample
  /** Schemas that differ between the proxy and its callers. */
  readonly browser?: { readonly query?: z.ZodType; readonly result?: z.ZodType }
}

/** The package, people and file that a sample names. */
export interface SampleFacts {
  readonly packageId: number
  /** A valid entry of the form. */
  readonly entry: Readonly<Record<string, unknown>>
  /** University ids of an approver of the package, and of somebody else. */
  readonly approver: string
  readonly stranger: string
  /** A file of the storage service, and a client that may get a share of it. */
  readonly uuid: string
  readonly grantee: string
}

/** The variable parts of a request. */
export interface Sample {
  readonly query?: Readonly<Record<string, string>>
  /** JSON body; in a multipart request, the content of its `part`. */
  readonly body?: unknown
}
