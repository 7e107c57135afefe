import type { z } from 'zod'
import { MountVariables, ProcessVariables } from '../../src/cli/config/proxy-variables.ts'
import { table } from './table.ts'

/** Returns the generated part of docs/proxy.md: every variable, from the schemas that parse them. */
export function configurationText(): string {
  return [
    'Variables of the process:',
    '',
    variables(ProcessVariables.shape),
    '',
    'Variables of each mount:',
    '',
    variables(MountVariables.shape),
  ].join('\n')
}

function variables(shape: Readonly<Record<string, z.ZodType>>): string {
  return table(
    ['variable', 'default', 'description', 'value'],
    Object.entries(shape).map(([name, schema]) => [
      `\`${name}\``,
      defaultOf(schema),
      schema.description ?? '',
      expectedOf(schema),
    ]),
  )
}

/** Returns the default of a variable, or `required`. */
function defaultOf(schema: z.ZodType): string {
  const result = schema.safeParse(undefined)
  if (!result.success) return 'required'
  const data = result.data as string | number | readonly unknown[] | undefined
  return data === undefined || (Array.isArray(data) && data.length === 0) ? '' : `\`${String(data)}\``
}

/** Describes the valid values. */
function expectedOf(schema: z.ZodType): string {
  // No variable accepts a control character.
  const result = schema.safeParse('\u0000')
  return result.success ? '' : (result.error.issues[0]?.message ?? '')
}
