import { uuidPattern, wholeText } from '../values/patterns.ts'
import { isRecord } from '../values/values.ts'

// Readers of single fields, from which the readers of responses are built.

/** Reads a value. Returns `undefined` if an identifying field is missing or invalid. Never throws. */
export type Reader<T> = (value: unknown) => T | undefined

export const text: Reader<string | null> = (value) => (typeof value === 'string' ? value : null)
export const count: Reader<number | null> = (value) =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : null
export const number: Reader<number> = (value) => count(value) ?? undefined
export const requiredText: Reader<string> = (value) => (typeof value === 'string' ? value : undefined)
export const flag: Reader<boolean | null> = (value) => (typeof value === 'boolean' ? value : null)
export const requiredFlag: Reader<boolean> = (value) => (typeof value === 'boolean' ? value : undefined)
export const id: Reader<number> = (value) =>
  Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined

export function orNull<T>(read: Reader<T>): Reader<T | null> {
  return (value) => read(value) ?? null
}

export function object<T>(fields: { readonly [Key in keyof T]-?: Reader<T[Key]> }): Reader<T> {
  const entries = Object.entries<Reader<unknown>>(fields)
  return (value) => {
    if (!isRecord(value)) return undefined
    const read: Record<string, unknown> = {}
    for (const [key, reader] of entries) {
      const found = reader(Object.hasOwn(value, key) ? value[key] : undefined)
      if (found === undefined) return undefined
      read[key] = found
    }
    return read as T
  }
}

export function rows<T>(read: Reader<T>): Reader<(T | null)[]> {
  return (value) => (Array.isArray(value) ? value.map(orNull(read)) : undefined) as (T | null)[] | undefined
}

/** Reads a list. Returns `undefined` if one of its items is invalid. */
export const list =
  <T>(read: Reader<T>): Reader<T[]> =>
  (value) => {
    const found = Array.isArray(value) ? value.map(read) : [undefined]
    return found.includes(undefined) ? undefined : (found as T[])
  }

/** Reads an object with any keys. */
export const dictionary: Reader<Record<string, unknown>> = (value) =>
  isRecord(value)
    ? // Like the schema, this drops the key, so that it cannot replace the prototype of a copy.
      Object.fromEntries(Object.entries(value).filter(([key]) => key !== '__proto__'))
    : undefined

export const metadata: Reader<Record<string, string> | null> = (value) => {
  const found = dictionary(value)
  return found && Object.values(found).every((item) => typeof item === 'string')
    ? (found as Record<string, string>)
    : null
}

export const uuid: Reader<string> = (value) =>
  typeof value === 'string' && wholeText(uuidPattern).test(value) ? value : undefined
