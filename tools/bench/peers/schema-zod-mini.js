import * as z from 'zod/mini'

const person = z.object({
  id: z.int(),
  univid: z.nullable(z.string()),
  displayName: z.string(),
  email: z.nullable(z.string()),
})

const status = z.object({
  packageId: z.int().check(z.positive()),
  state: z.enum(['INITIATED', 'IN_ROUTING', 'COMPLETE', 'VOID', 'REMOVED']),
  lastModified: z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/)),
  waitingFor: z.array(z.union([person, z.object({ office: z.string() })])),
})

export function read(text) {
  return status.parse(text)
}
