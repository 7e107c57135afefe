import type { z } from 'zod'
import { refusals } from './refusals.ts'

/** Maximum depth of objects and lists in each other. */
const maxDepth = 20

/** Parses JSON and validates it with a schema. Throws `ProxyError`. */
export function parseBody(text: string, schema: z.ZodType | undefined): unknown {
  if (!schema) throw new TypeError('The operation takes no body')
  if (depthOf(text) > maxDepth) throw refusals.bodyTooDeep(maxDepth)
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

/** The depth of the brackets in a JSON text. Counted before parsing, so that a deep text costs nothing. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (character === '"') {
      // Skips the string.
      for (index++; index < text.length && text[index] !== '"'; index++) if (text[index] === '\\') index++
    } else if (character === '{' || character === '[') deepest = Math.max(deepest, ++depth)
    else if (character === '}' || character === ']') depth--
  }
  return deepest
}

/** Whether any object in the value has a field that a copy of the object would use as its prototype. */
function hasPrototypeField(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasPrototypeField)
}
