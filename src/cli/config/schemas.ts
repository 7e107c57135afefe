import { z } from 'zod'
import { Policy } from '../../proxy/rights/policy-rules.ts'
import { fileNames, mountNames } from './variable-names.ts'
import { PolicyTest } from './policy-test.ts'
import { MountVariables, ProcessVariables } from './proxy-variables.ts'

/** Names of the files that have a JSON Schema. */
export const schemaNames = ['proxy', 'policy', 'policy-test'] as const
type SchemaName = (typeof schemaNames)[number]

type JsonSchema = Readonly<Record<string, unknown>>

/** Returns the JSON Schema of a file, derived from what validates it. */
export function jsonSchemaOf(name: SchemaName): JsonSchema {
  switch (name) {
    case 'policy':
      return toSchema(Policy)
    case 'policy-test':
      return toSchema(PolicyTest)
    case 'proxy':
      return proxySchema()
  }
}

/** The configuration of the proxy: variables of the process and of one mount, or of a list of mounts. */
function proxySchema(): JsonSchema {
  const all = { ...propertiesOf(ProcessVariables), ...propertiesOf(MountVariables) }
  const properties = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, all[name]]))
  const mount = { type: 'object', properties: properties(mountNames), additionalProperties: false }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      $schema: { type: 'string' },
      ...properties(fileNames),
      mounts: { type: 'array', minItems: 1, items: mount },
    },
    additionalProperties: false,
  }
}

function propertiesOf(variables: z.ZodType): JsonSchema {
  const { properties } = toSchema(variables)
  return properties as JsonSchema
}

function toSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input' })
}
