import { z } from 'zod'
import { rows, text, univid } from './field-schemas.ts'
import { overrideReasons, overrideTypes } from '../values/values.ts'

/** Transfers what one user may do with a package to another user. */
export const RoutingOverride = z.object({
  /** University id of the overridden user. */
  subjectUnivid: z.string(),
  /** One of `overrideTypes`, or one that the spec does not list. */
  type: text,
  reason: text,
  /** University id of the user who receives the signature rights. */
  replacementUnivid: text,
})
export type RoutingOverride = z.output<typeof RoutingOverride>

export const RoutingOverrideList = rows(RoutingOverride)

/** Body that creates an override. */
export const RoutingOverrideBody = z.strictObject({
  subjectUnivid: univid,
  type: z.enum(overrideTypes),
  reason: z.enum(overrideReasons),
  replacementUnivid: univid,
})
export type RoutingOverrideBody = z.output<typeof RoutingOverrideBody>
