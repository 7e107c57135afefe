import { isRecord } from '../../contract/values/values.ts'
import { RefusedError } from './errors.ts'

/** Codes by the natural key of their field, such as `validation.required`. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>

/** Returns which fields of an entry the service found not valid (spec, Errors); `undefined` if that is not the reason. */
export function fieldErrorsOf(error: unknown): FieldErrors | undefined {
  if (!(error instanceof RefusedError) || !isRecord(error.errors)) return undefined
  const found = Object.entries(error.errors).flatMap(([failure, codes]) => {
    const key = /^entry\['(.*)'\]$/s.exec(failure)?.[1]
    return key === undefined || !Array.isArray(codes) ? [] : [[key, codes.map(String)] as const]
  })
  return found.length > 0 ? Object.fromEntries(found) : undefined
}
