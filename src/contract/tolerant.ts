import { z } from 'zod'

// Readers are tolerant and writers strict. What identifies a thing is required; anything else that is missing or of
// another type reads as null; fields that are not named are dropped; enumerations stay open, as plain strings. Bodies
// that we send are strict objects.

/** An id as JSON carries it. Above 2^53 a number stands for several ids. */
export const id = z.number().int().positive().safe()

export const text = z.string().nullable().catch(null)
export const flag = z.boolean().nullable().catch(null)
export const count = z.number().int().nonnegative().nullable().catch(null)
export const optionalId = id.nullable().catch(null)

/** Something that reads as null where it is not there or cannot be read. */
export const orNull = <Value extends z.ZodType>(value: Value) => value.nullable().catch(null)

/** A list whose unreadable rows turn into null, so that one bad row costs itself and can still be counted. */
export const rows = <Row extends z.ZodType>(row: Row) => z.array(row.nullable().catch(null))
