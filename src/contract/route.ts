/** One operation of a service, as it is asked. Plain data; schemas stand in `operations.ts`. */
export interface Route {
  readonly service: 'workflow' | 'storage'
  readonly method: Method
  /** What is asked of the service, below its base address, with `:name` placeholders. */
  readonly upstream: `/${string}`
  /** How the request carries its body. Absent: it has none. */
  readonly requestBody?: 'json' | 'multipart'
  /** Name of the one part that a multipart body may hold besides `file`: `meta` is JSON, `description` text. */
  readonly part?: 'meta' | 'description'
  /** What the caller gets: JSON, a file, a text, or nothing. */
  readonly response: 'json' | 'file' | 'text' | 'nothing'
  /** Representation versions besides the default that an `Accept` header may select (spec, Versioning). */
  readonly versions?: readonly string[]
}

/** The same operation, as browsers ask it of the proxy. */
export interface BrowserRoute {
  readonly method: Method
  /** What the browser asks for, below the proxy's root, with `:name` placeholders. */
  readonly path: `/${string}`
  readonly requestBody?: 'json' | 'multipart'
  readonly part?: 'meta' | 'description'
  /** As in `Route`; a `redirect` is followed by a browser as a navigation. */
  readonly response: 'json' | 'file' | 'nothing' | 'redirect'
  readonly versions?: readonly string[]
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Header that every call of the client carries. A page of another origin cannot set it without being asked first. */
export const callHeader = 'x-routeslip'

/**
 * Header of every JSON answer of the proxy that is for a person: their university id. By it the client notices that
 * someone else has signed in, and mixes nothing of one person with another's. A proxy may leave it out.
 */
export const personHeader = 'x-routeslip-person'

/** The `Accept` header that selects a representation version of the routing service (spec, Versioning 3). */
export function acceptVersion(version: string): string {
  return `application/vnd.workflow+json;version=${version}`
}
