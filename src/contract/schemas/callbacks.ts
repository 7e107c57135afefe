import { z } from 'zod'
import { StopReference } from './history.ts'
import { id, optionalId, orNull, rows, text } from './field-schemas.ts'

/** The spec leaves the shape of the stop open: it may also be only the number or only the name. */
const CallbackStop = z.preprocess((stop) => {
  if (typeof stop === 'number') return { name: null, stopNumber: stop }
  return typeof stop === 'string' ? { name: stop, stopNumber: null } : stop
}, StopReference)

/** Body of a callback from the routing service to a client application (spec, Events). */
export const CallbackBody = z.object({
  /** `developer` or `form_builder`. */
  '@class': text,
  formId: id,
  packageId: id,
  /** One of `packageStates`, or a state that the spec does not list. */
  state: z.string(),
  /** Local date-time. */
  createdAt: text,
  /** The stop that the package has reached. Null in state-based callbacks. */
  stop: orNull(CallbackStop),
  /** Id of the lock. If the route is frozen, deleting the lock resumes it. */
  lockId: optionalId,
  /** One value per field. Forms of the form builder have an array of values per field. */
  entry: z.record(z.string(), z.unknown()).nullable().catch(null),
})
export type CallbackBody = z.output<typeof CallbackBody>

/** Header with the Ed25519 signature of a callback's body (spec, Authentication 7). */
export const verificationHeader = 'x-workflow-verification'

/** A package whose route a callback has frozen: it waits at a stop until the lock is released (spec, Events). */
export const OpenLock = z.object({
  packageId: id,
  lockId: id,
  /** The stop that the package waits at. */
  stop: orNull(StopReference),
  /** Local date-time at which the service has created the callback. */
  since: text,
  /** Whether the signed-in user may release the lock. */
  mayRelease: z.boolean(),
})
export type OpenLock = z.output<typeof OpenLock>

/** Open locks, the oldest first. */
export const OpenLockList = z.object({
  locks: rows(OpenLock),
  /** Whether there may be further locks. */
  hasMore: z.boolean(),
})
export type OpenLockList = z.output<typeof OpenLockList>

/** Maximum length of the reason for a release, in characters. */
export const maxReasonLength = 500

/** Why a person releases a lock. The reason goes to the log of the proxy. */
export const ReleaseBody = z.strictObject({ reason: z.string().trim().min(1).max(maxReasonLength) })
export type ReleaseBody = z.output<typeof ReleaseBody>

/** The package after the release of its lock, as the service reports it. */
export const Release = z.object({
  /** One of `packageStates`, or a state that the spec does not list. */
  state: z.string(),
  /** Whether the package is still in no inbox: the service has not continued yet, or the route has stopped again. */
  isPaused: z.boolean(),
})
export type Release = z.output<typeof Release>
