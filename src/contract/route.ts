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

/** One operation of a service as the browser and the proxy address it. Plain data; schemas stand in `operations.ts`. */
export interface Route {
  readonly service: 'workflow' | 'storage'
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** What the browser asks the proxy for, below the proxy's root, with `:name` placeholders. */
  readonly path: `/${string}`
  /** What the proxy asks the service for, below the service's base address. */
  readonly upstream: `/${string}`
  readonly rights: Rights
  /** How the request carries its body. Absent: it has none. */
  readonly sends?: 'json' | 'multipart'
  /** What the browser gets: JSON, or a redirect that it follows as a navigation. */
  readonly answers: 'json' | 'redirect'
  /** Representation versions besides the default that an `Accept` header may select (spec, Versioning). */
  readonly versions?: readonly string[]
}

/** Header that every call of the client carries. A page of another origin cannot set it without being asked first. */
export const callHeader = 'x-routeslip'

/** The `Accept` header that selects a representation version of the routing service (spec, Versioning 3). */
export function acceptVersion(version: string): string {
  return `application/vnd.workflow+json;version=${version}`
}
