import { z } from 'zod'
import { StopReference } from './history.ts'
import { id, optionalId, orNull, text } from './tolerant.ts'

/** Body of a callback, as the routing service sends it to a client application (spec, Events). */
export const CallbackBody = z.object({
  /** `developer` or `form_builder`. */
  '@class': text,
  formId: id,
  packageId: id,
  /** One of `packageStates`, or a state that the spec does not list. */
  state: z.string(),
  /** Local date-time. */
  createdAt: text,
  /** The stop that the package arrived at; null in state-based callbacks. */
  stop: orNull(StopReference),
  /** Lock to delete, so that a frozen route resumes. */
  lockId: optionalId,
  /** One value per field; forms of the form builder hold an array of answers per field. */
  entry: z.record(z.string(), z.unknown()).nullable().catch(null),
})
export type CallbackBody = z.output<typeof CallbackBody>

/** Header that holds the Ed25519 signature of a callback's body (spec, Authentication 7). */
export const verificationHeader = 'x-workflow-verification'
