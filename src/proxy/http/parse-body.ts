import type { z } from 'zod'
import { refusals } from './refusals.ts'

/** Maximum depth of objects and lists in each other. */
const maxDepth = 20
/** Maximum number of values. Many short values take ten times as much memory as their text. */
const maxValues = 10_000

/** Parses JSON and validates it with a schema. Throws `ProxyError`. */
export function parseBody(text: string, schema: z.ZodType | undefined): unknown {
  if (!schema) throw new TypeError('The operation takes no body')
  checkShape(text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw refusals.invalidJson(cause)
  }
  if (hasPrototypeField(value)) throw refusals.prototypeField()
  return checked(schema.safeParse(value))
}

/** Returns the parsed value. Throws a `ProxyError` that lists up to ten problems if the value is not valid. */
export function checked<T>(parsed: z.ZodSafeParseResult<T>): T {
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.slice(0, 10)
  throw refusals.invalidValue(
    problems.map(({ path, message }) => `${path.join('.') || 'value'}: ${message}`).join('; '),
  )
}

/**
 * Throws `ProxyError` if a JSON text is nested too deeply or has too many values. Counts brackets and commas before parsing, so
 * that such a text costs nothing.
 */
function checkShape(text: string): void {
  let depth = 0
  let values = 1
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (character === '"') {
      // Skips the string.
      for (index++; index < text.length && text[index] !== '"'; index++) if (text[index] === '\\') index++
    } else if (character === '{' || character === '[') {
      if (++depth > maxDepth) throw refusals.bodyTooDeep(maxDepth)
    } else if (character === '}' || character === ']') depth--
    else if (character === ',' && ++values > maxValues) throw refusals.tooManyValues(maxValues)
  }
}

/** Whether any object in the value has a field that a copy of the object would use as its prototype. */
function hasPrototypeField(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasPrototypeField)
}
