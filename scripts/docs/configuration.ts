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
    ['variable', 'default', 'description'],
    Object.entries(shape)
      .filter(([name]) => !isFileOf(shape, name))
      .map(([name, schema]) => [
        isFileOf(shape, `${name}_FILE`) ? `\`${name}\`, or \`…_FILE\`` : `\`${name}\``,
        defaultOf(schema),
        `${schema.description ?? ''}${expectedOf(schema)}`,
      ]),
  )
}

/** Whether a variable holds the path of a file with the value of another. Both are one row. */
function isFileOf(shape: Readonly<Record<string, z.ZodType>>, name: string): boolean {
  return name in shape && name.endsWith('_FILE') && name.slice(0, -'_FILE'.length) in shape
}

/** Returns the default of a variable, or `required`. */
function defaultOf(schema: z.ZodType): string {
  const result = schema.safeParse(undefined)
  if (!result.success) return 'required'
  const data = result.data as string | number | readonly unknown[] | undefined
  return data === undefined || (Array.isArray(data) && data.length === 0) ? '' : `\`${String(data)}\``
}

/** Returns the valid values in parentheses, unless the description or the default makes them clear. */
function expectedOf(schema: z.ZodType): string {
  // No variable accepts a control character.
  const result = schema.safeParse('\u0000')
  const expected = result.success ? '' : (result.error.issues[0]?.message ?? '')
  if (expected === '' || isClear.test(expected)) return ''
  return ` (${expected})`
}

const isClear =
  /^(a number|a size|a path|an address|the (https )?address|the path of|the name of|the client secret|the iss|the aud|at least|true or false|(form|university) ids|origins|extensions)/
