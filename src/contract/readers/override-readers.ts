import { object, requiredText, rows, text } from './field-readers.ts'
import type { RoutingOverride } from '../schemas/overrides.ts'

const override = object<RoutingOverride>({
  subjectUnivid: requiredText,
  type: text,
  reason: text,
  replacementUnivid: text,
})

/** The readers of the JSON responses to `overrideRoutes`. */
export const overrideReaders = {
  createOverride: override,
  getOverrides: rows(override),
}
