/**
 * Who decides whether the signed-in person may do this:
 *
 * - `service`: the service itself checks the request user;
 * - `signed-in`: everyone with an identity;
 * - `canView`: the flag of that name, asked for each package of the answer; rows without it are dropped;
 * - `void`: `canVoid`, or `canInitiatorVoid` for the initiator, or `canVoidAfter` when COMPLETE;
 * - `owner`: whoever uploaded the file, and whom the host's policy adds.
 */
export type Rights = 'service' | 'signed-in' | 'canView' | 'void' | 'owner'

/** One operation of a service. Plain data; schemas stand in `operations.ts`. */
export interface Route {
  readonly service: 'workflow' | 'storage'
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** What is asked of the service, below its base address, with `:name` placeholders. */
  readonly upstream: `/${string}`
  /** How the request carries its body. Absent: it has none. */
  readonly sends?: 'json' | 'multipart'
  /** Name of the one part that a multipart body may hold besides `file`: `meta` is JSON, `description` text. */
  readonly part?: 'meta' | 'description'
  /** What the caller gets: JSON, a file, a text, nothing, or a redirect that a browser follows as a navigation. */
  readonly answers: 'json' | 'file' | 'text' | 'nothing' | 'redirect'
  /** Representation versions besides the default that an `Accept` header may select (spec, Versioning). */
  readonly versions?: readonly string[]
}

/** An operation that browsers may ask of the proxy. */
export interface BrowserRoute extends Route {
  /** What the browser asks for, below the proxy's root, with `:name` placeholders. */
  readonly path: `/${string}`
  readonly rights: Rights
}

/** Header that every call of the client carries. A page of another origin cannot set it without being asked first. */
export const callHeader = 'x-routeslip'

/** The `Accept` header that selects a representation version of the routing service (spec, Versioning 3). */
export function acceptVersion(version: string): string {
  return `application/vnd.workflow+json;version=${version}`
}
