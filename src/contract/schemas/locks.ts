import { z } from 'zod'
import { StopReference } from './history.ts'
import { id, orNull, rows, text } from './field-schemas.ts'

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
