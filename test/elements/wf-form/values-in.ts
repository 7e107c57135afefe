import type { FormFields } from '../../../src/elements/wf-form/fields/form-fields.ts'

/** The values on the screen, without those of disabled controls and those that the browser does not reveal. */
export function valuesIn(fields: FormFields): Record<string, unknown> {
  return Object.fromEntries(
    [...fields.read()].flatMap(([name, { value, isOff }]) =>
      isOff || value === undefined ? [] : [[name, value]],
    ),
  )
}
