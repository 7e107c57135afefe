import { z } from 'zod'
import {
  clientIdPattern,
  idPattern,
  officeKeyPattern,
  unividPattern,
  uuidPattern,
  wholeText,
} from './patterns.ts'
import { id } from './tolerant.ts'

// Values that callers send. Each has exactly one valid form, and nothing is coerced.

export const uuid = z.string().regex(wholeText(uuidPattern))
export const univid = z.string().regex(wholeText(unividPattern))
export const clientId = z.string().regex(wholeText(clientIdPattern))
export const officeKey = z.string().regex(wholeText(officeKeyPattern))

/** An id, as a number or in plain digits as in a URL. */
export const idParameter = z.union([id, z.string().regex(wholeText(idPattern)).transform(Number).pipe(id)])

/** A boolean in search parameters. */
export const flagParameter = z.enum(['true', 'false'])
