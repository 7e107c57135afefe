import { z } from 'zod'
import {
  clientIdPattern,
  idPattern,
  officeKeyPattern,
  unividPattern,
  uuidPattern,
  wholeText,
} from '../values/patterns.ts'

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

// Values that callers send. Each has exactly one valid form, and nothing is coerced.

export const uuid = z.string().regex(wholeText(uuidPattern))
export const univid = z.string().regex(wholeText(unividPattern))
export const clientId = z.string().regex(wholeText(clientIdPattern))
export const officeKey = z.string().regex(wholeText(officeKeyPattern))

/** An id, as a number or in plain digits as in a URL. */
export const idParameter = z.union([id, z.string().regex(wholeText(idPattern)).transform(Number).pipe(id)])

const smallNumber = z.number().int().nonnegative().max(9999)

/** A number in search parameters, as a number or in plain digits. */
export const countParameter = z.union([
  smallNumber,
  z
    .string()
    .regex(/^(?:0|[1-9]\d{0,3})$/)
    .transform(Number)
    .pipe(smallNumber),
])

/** A boolean in search parameters. */
export const flagParameter = z.enum(['true', 'false'])
