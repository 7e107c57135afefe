import { z } from 'zod'

/**
 * Validates search parameters with the schema of an operation. A parameter repeats only if its schema is a list. The result
 * is a failure if another parameter repeats or if the schema does not name a parameter.
 */
export function parseQuery<Query extends z.ZodType>(
  schema: Query,
  search: URLSearchParams,
): z.ZodSafeParseResult<z.output<Query>> {
  const shape: Readonly<Record<string, unknown>> = schema instanceof z.ZodObject ? schema.shape : {}
  const given = Object.create(null) as Record<string, unknown>
  for (const name of new Set(search.keys())) {
    const values = search.getAll(name)
    given[name] = isList(shape[name]) || values.length > 1 ? values : values[0]
  }
  return schema.safeParse(given)
}

function isList(schema: unknown): boolean {
  return schema instanceof z.ZodOptional ? isList(schema.unwrap()) : schema instanceof z.ZodArray
}
