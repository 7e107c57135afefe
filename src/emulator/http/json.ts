import type { z } from 'zod'
import { streamBody } from '../../contract/values/stream-body.ts'
import { ServiceError } from './service-error.ts'

/** Maximum size of a JSON body, in bytes. No operation needs nearly as much. */
const maxJsonBytes = 1024 * 1024

/**
 * Reads a JSON body. An empty body is an empty object. Throws `ServiceError` 400 if the body is not valid JSON, and 413 if
 * it is too large.
 */
export async function readJson(request: Request): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = (await streamBody(request))?.getReader()
  for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
    size += read.value.length
    // Read a body over the limit to its end: clients that are still sending do not read the response.
    if (size <= maxJsonBytes) chunks.push(read.value)
    else chunks.length = 0
  }
  if (size > maxJsonBytes) throw new ServiceError(413, `The body is larger than ${maxJsonBytes} bytes`)
  const text = await new Blob(chunks as BlobPart[]).text()
  return text === '' ? {} : parseJsonText(text, 'The body')
}

/** Parses JSON. Throws `ServiceError` 400 if the text is not valid JSON or has a key `__proto__`. */
export function parseJsonText(text: string, what: string): unknown {
  try {
    return JSON.parse(text, (key, value: unknown) => {
      // Schemas would drop the key silently.
      if (key === '__proto__')
        throw new ServiceError(400, `${what} has a key __proto__, which is not allowed`)
      return value
    })
  } catch (error) {
    throw error instanceof ServiceError ? error : new ServiceError(400, `${what} is not valid JSON`)
  }
}

/** Returns the value that a schema parsed. Throws `ServiceError` 400 with all issues if the value is not valid. */
export function requireValid<T>(parsed: z.ZodSafeParseResult<T>): T {
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'value'}: ${message}`)
  throw new ServiceError(400, issues.join('; '))
}
