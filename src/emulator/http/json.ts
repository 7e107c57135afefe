import type { z } from 'zod'
import { ServiceError } from './service-error.ts'

/** Largest JSON body, in bytes: far more than any operation needs. */
const maxJsonBytes = 1024 * 1024

/** Reads a JSON body; an empty one is an empty object. Refuses with 400, and with 413 what is too large. */
export async function readJson(request: Request): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = request.body?.getReader()
  for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
    size += read.value.length
    // What comes after the limit is read and thrown away, so that the caller gets to read the answer.
    if (size <= maxJsonBytes) chunks.push(read.value)
    else chunks.length = 0
  }
  if (size > maxJsonBytes) throw new ServiceError(413, `The body is larger than ${maxJsonBytes} bytes`)
  const text = await new Blob(chunks as BlobPart[]).text()
  return text === '' ? {} : parseJsonText(text, 'The body')
}

/** Reads JSON. Refuses with 400 what is none, and a key that no object of ours can have. */
export function parseJsonText(text: string, what: string): unknown {
  try {
    return JSON.parse(text, (key, value: unknown) => {
      // Schemas drop it without a word; nobody who sends it means nothing by it.
      if (key === '__proto__')
        throw new ServiceError(400, `${what} has a key __proto__, which is not allowed`)
      return value
    })
  } catch (error) {
    throw error instanceof ServiceError ? error : new ServiceError(400, `${what} is not JSON`)
  }
}

/** What a schema made of a value. Refuses with 400 and every reason. */
export function requireValid<T>(parsed: z.ZodSafeParseResult<T>): T {
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'value'}: ${message}`)
  throw new ServiceError(400, issues.join('; '))
}
