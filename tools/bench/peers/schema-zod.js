import { z } from 'zod'

const person = z.object({
  id: z.number().int(),
  univid: z.string().nullable(),
  displayName: z.string(),
  email: z.string().nullable(),
})

const status = z.object({
  packageId: z.number().int().positive(),
  state: z.enum(['INITIATED', 'IN_ROUTING', 'COMPLETE', 'VOID', 'REMOVED']),
  lastModified: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/),
  waitingFor: z.array(z.union([person, z.object({ office: z.string() })])),
})

export function read(text) {
  return status.parse(text)
}
