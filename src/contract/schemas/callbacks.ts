import { z } from 'zod'
import { StopReference } from './history.ts'
import { id, optionalId, orNull, text } from './field-schemas.ts'

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
