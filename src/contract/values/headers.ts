/**
 * Header of every call that the client makes, and of every response of a proxy. Pages of other origins need a CORS
 * preflight to send it. A 404 without it comes from a server that has no proxy at this path.
 */
export const callHeader = 'x-routeslip'

/**
 * Header of every JSON response that belongs to a user: the user's university id. The client compares it to detect that
 * somebody else has signed in, so that it never mixes the data of two users. A proxy may omit it.
 */
export const personHeader = 'x-routeslip-person'

/**
 * Header of the response to a change: the id of the live event that announces the change. The page that made the change
 * reads the package after the response and needs no second read for this event. A proxy may omit it.
 */
export const eventHeader = 'x-routeslip-event'

/** Returns the `Accept` header that selects a representation version of the routing service (spec, Versioning 3). */
export function acceptVersion(version: string): string {
  return `application/vnd.workflow+json;version=${version}`
}

/**
 * Header of every change (draft-ietf-httpapi-idempotency-key-header-07): a quoted string, new for each change. A browser
 * repeats a request on its own if a connection breaks. The proxy runs it once, and repeats its reply.
 */
export const keyHeader = 'idempotency-key'

/** Header of a repeated reply, with the value `true`: the state of the package may be newer than the reply says. */
export const replayedHeader = 'idempotency-replayed'
