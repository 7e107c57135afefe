import { z } from 'zod'

// Responses are read tolerantly: only identifying fields are required. If another field is missing or has the wrong
// type, it reads as null. Unnamed fields are dropped, and enumerations are plain strings. Requests are strict.

/** An id in JSON. It must be a safe integer, because JSON.parse() rounds larger numbers. */
export const id = z.number().int().positive().safe()

export const text = z.string().nullable().catch(null)
export const flag = z.boolean().nullable().catch(null)
export const count = z.number().int().nonnegative().nullable().catch(null)
export const optionalId = id.nullable().catch(null)

/** Reads a value as null if it is missing or invalid. */
export const orNull = <Value extends z.ZodType>(value: Value) => value.nullable().catch(null)

/** A list whose invalid rows read as null, so that the other rows remain and the lost ones can be counted. */
export const rows = <Row extends z.ZodType>(row: Row) => z.array(row.nullable().catch(null))
